import { hash } from "node:crypto";
import { assert } from "#/kernel/assert.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { DocumentType, KeptDocument, PrintedDocument } from "#/modules/documents/domain.ts";
import type { PrintService } from "#/modules/documents/print-service.ts";
import { decodePaper, type PaperOrder } from "#/modules/documents/printing.ts";
import * as repository from "#/modules/documents/repository.ts";
import { type PaperDigest, storeDigests } from "#/modules/documents/repository.ts";
import type { ClientTx, Database } from "#/store/db/database.ts";

export interface PrintContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly printService: Pick<PrintService, "print" | "printBook" | "draw">;
  readonly digestStore: DigestStore;
}

export interface FoundPrint {
  readonly document: PrintedDocument;
  readonly bytes: Buffer;
}

/** Papers whose bytes are in memory at once: a slip of 1 000 lines has some hundred kilobytes. */
const printedAtOnce = 50;

/**
 * Papers with the digests of their bytes. Papers that were never printed are printed first, without a lock and outside of
 * any transaction.
 */
export async function withDigests(
  context: PrintContext,
  clientId: string,
  documents: readonly KeptDocument[],
): Promise<PrintedDocument[]> {
  const digests = new Map<string, PrintedDocument>();
  const missing = documents.filter(({ sha256 }) => sha256 === undefined).map(({ documentId }) => documentId);
  for (let from = 0; from < missing.length; from += printedAtOnce) {
    const contents = await repository.findContents(
      context.database.of(clientId),
      missing.slice(from, from + printedAtOnce),
    );
    for (const { document } of await printContents(context, clientId, contents))
      digests.set(document.documentId, document);
  }
  // A paper that was deleted in the meantime is left out.
  return documents.flatMap((document) => {
    const { size, sha256 } = document;
    if (size !== undefined && sha256 !== undefined) return { ...document, size, sha256 };
    return digests.get(document.documentId) ?? [];
  });
}

/** The paper with its bytes. Its first print stores their digest. */
export async function printDocument(
  context: PrintContext,
  clientId: string,
  found: repository.DocumentContent,
): Promise<FoundPrint> {
  const [printed] = await printContents(context, clientId, [found]);
  return printed as FoundPrint;
}

/**
 * The paper as PNG. A picture is not stored, and its digest is of this print: other versions of zlib give other bytes.
 *
 * @param found of the form PDF
 * @throws {PictureTooLongError}
 */
export async function drawDocument(
  { printService }: Pick<PrintContext, "printService">,
  { document, content }: repository.DocumentContent,
): Promise<FoundPrint> {
  const bytes = Buffer.from(await printService.draw(decodePaper(content)));
  const sha256 = hash("sha256", bytes, "buffer");
  return { document: { ...document, contentType: "image/png", size: bytes.byteLength, sha256 }, bytes };
}

async function printContents(
  { printService, digestStore }: PrintContext,
  clientId: string,
  contents: readonly repository.DocumentContent[],
): Promise<FoundPrint[]> {
  if (contents.length === 0) return [];
  const pages = await printService.print(contents.map(({ content }) => decodePaper(content)));
  const printed = contents.map(({ document, content }, i) => {
    const bytes = Buffer.from(pages[i] as Uint8Array);
    const sha256 = hash("sha256", bytes, "buffer");
    return { document: { ...document, size: bytes.byteLength, sha256 }, content, bytes };
  });
  const digests = printed
    .filter((_, i) => contents[i]?.document.sha256 === undefined)
    .map(({ document: { documentId, size, sha256 }, content }) => ({
      documentId,
      contentSha256: hash("sha256", content, "buffer"),
      size,
      sha256,
    }));
  if (digests.length > 0) await digestStore.store(clientId, digests);
  return printed;
}

/** Forms that can be joined to one. */
export const batchFormats = ["pdf", "zpl"] as const;
export type BatchFormat = (typeof batchFormats)[number];
export const batchContentTypes = { pdf: "application/pdf", zpl: "application/zpl" } as const;
/** The stored forms of which each is made. Only labels of carriers are stored as PNG. */
const joinedContentTypes = { pdf: ["application/pdf", "image/png"], zpl: ["application/zpl"] } as const;

interface BatchRequest {
  readonly types: readonly DocumentType[];
  readonly format: BatchFormat;
}

/** The papers of a client's parcels, by parcel, in the order of the types. */
export async function listBatchPapers(
  tx: ClientTx,
  parcels: readonly { readonly orderId: string; readonly olpnId: string }[],
  { types, format }: BatchRequest,
): Promise<ReadonlyMap<string, readonly PaperOrder[]>> {
  const contents = await repository.listParcelContents(tx, {
    orderIds: [...new Set(parcels.map(({ orderId }) => orderId))],
    olpnIds: parcels.map(({ olpnId }) => olpnId),
    types,
    contentTypes: joinedContentTypes[format],
  });
  const papers = contents
    .toSorted((left, right) => types.indexOf(left.document.type) - types.indexOf(right.document.type))
    .map(({ content }) => decodePaper(content));
  return Map.groupBy(papers, ({ olpnId }) => olpnId);
}

/** One PDF with all papers, or one stream of ZPL with all labels. They are printed from their content, and not stored. */
export async function printBatch(
  { clock, printService }: Pick<PrintContext, "clock" | "printService">,
  papers: readonly PaperOrder[],
  format: BatchFormat,
): Promise<Buffer> {
  assert(papers.length > 0, "a batch has papers");
  return format === "pdf"
    ? Buffer.from(await printService.printBook(papers, new Date(clock.now()).toISOString()))
    : Buffer.concat(await printService.print(papers));
}

/** Stores the digests of printed papers. */
interface DigestStore {
  /** Resolves when they are stored. */
  store(clientId: string, digests: readonly PaperDigest[]): Promise<void>;
}

interface Batch {
  readonly digests: PaperDigest[];
  readonly stored: Promise<void>;
}

/**
 * One statement at a time for each client: digests that arrive while it runs wait, and share the next one. A queue of
 * printers writes some ten digests at once; a single reader does not wait.
 */
export function createDigestStore(database: Database): DigestStore {
  const waiting = new Map<string, Batch>();
  const running = new Map<string, Promise<void>>();

  async function storeBatch(clientId: string, digests: readonly PaperDigest[]): Promise<void> {
    // A failed statement is reported to those whose digests it had.
    await running.get(clientId)?.catch(() => undefined);
    waiting.delete(clientId);
    const stored = storeDigests(database.of(clientId), digests);
    running.set(clientId, stored);
    try {
      await stored;
    } finally {
      if (running.get(clientId) === stored) running.delete(clientId);
    }
  }

  return {
    store(clientId, digests) {
      let batch = waiting.get(clientId);
      if (!batch) {
        const shared: PaperDigest[] = [];
        batch = { digests: shared, stored: storeBatch(clientId, shared) };
        waiting.set(clientId, batch);
      }
      batch.digests.push(...digests);
      return batch.stored;
    },
  };
}
