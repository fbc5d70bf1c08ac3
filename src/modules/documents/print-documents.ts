import { hash } from "node:crypto";
import { assert } from "#/kernel/assert.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { DocumentType, KeptDocument, PrintedDocument } from "#/modules/documents/domain.ts";
import type { PrintService } from "#/modules/documents/print-service.ts";
import * as repository from "#/modules/documents/repository.ts";
import type { ClientTx, Database } from "#/store/db/database.ts";

export interface PrintContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly printService: Pick<PrintService, "print" | "printBook" | "draw">;
}

export interface FoundPrint {
  readonly document: PrintedDocument;
  /** As it is stored. */
  readonly content: Buffer;
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
    const printed = await printContents(context, contents);
    await storeDigests(context, clientId, printed);
    for (const { document } of printed) digests.set(document.documentId, document);
  }
  // A paper that was deleted in the meantime is left out.
  return documents.flatMap((document) => {
    const { size, sha256 } = document;
    if (size !== undefined && sha256 !== undefined) return { ...document, size, sha256 };
    return digests.get(document.documentId) ?? [];
  });
}

/** The paper with its bytes. */
export async function printDocument(
  context: Pick<PrintContext, "printService">,
  found: repository.DocumentContent,
): Promise<FoundPrint> {
  const [printed] = await printContents(context, [found]);
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
  const bytes = Buffer.from(await printService.draw(content));
  const sha256 = hash("sha256", bytes, "buffer");
  return { document: { ...document, contentType: "image/png", size: bytes.byteLength, sha256 }, content, bytes };
}

async function printContents(
  { printService }: Pick<PrintContext, "printService">,
  contents: readonly repository.DocumentContent[],
): Promise<FoundPrint[]> {
  const pages = await printService.print(contents.map(({ content }) => content));
  return contents.map(({ document, content }, i) => {
    const { buffer, byteOffset, byteLength } = pages[i] as Uint8Array;
    const bytes = Buffer.from(buffer, byteOffset, byteLength);
    return { document: { ...document, size: byteLength, sha256: hash("sha256", bytes, "buffer") }, content, bytes };
  });
}

/** Stores the digests of papers: a list states them, and a sender that has the bytes is answered without a print. */
export async function storeDigests(
  { database }: Pick<PrintContext, "database">,
  clientId: string,
  printed: readonly FoundPrint[],
): Promise<void> {
  const digests = printed.map(({ document: { documentId, size, sha256 }, content }) => ({
    documentId,
    contentSha256: hash("sha256", content, "buffer"),
    size,
    sha256,
  }));
  if (digests.length > 0) await repository.storeDigests(database.of(clientId), digests);
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
): Promise<ReadonlyMap<string | undefined, readonly repository.DocumentContent[]>> {
  const contents = await repository.listParcelContents(tx, {
    orderIds: [...new Set(parcels.map(({ orderId }) => orderId))],
    olpnIds: parcels.map(({ olpnId }) => olpnId),
    types,
    contentTypes: joinedContentTypes[format],
  });
  const papers = contents.toSorted(
    (left, right) => types.indexOf(left.document.type) - types.indexOf(right.document.type),
  );
  return Map.groupBy(papers, ({ document }) => document.olpnId);
}

/** One PDF with all papers, or one stream of ZPL with all labels. They are printed from their content, and not stored. */
export async function printBatch(
  { clock, printService }: Pick<PrintContext, "clock" | "printService">,
  papers: readonly repository.DocumentContent[],
  format: BatchFormat,
): Promise<Buffer> {
  assert(papers.length > 0, "a batch has papers");
  const contents = papers.map(({ content }) => content);
  return format === "pdf"
    ? Buffer.from(await printService.printBook(contents, new Date(clock.now()).toISOString()))
    : Buffer.concat(await printService.print(contents));
}
