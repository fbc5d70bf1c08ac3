import type { ClientTx } from "#/db/database.ts";
import { assert } from "#/kernel/assert.ts";
import type { DocumentType } from "#/modules/documents/domain.ts";
import type { PrintContext } from "#/modules/documents/print-documents.ts";
import { decodePaper, type PaperOrder } from "#/modules/documents/printing.ts";
import * as repository from "#/modules/documents/repository.ts";

/** Forms that can be joined to one. */
export const batchFormats = ["pdf", "zpl"] as const;
export type BatchFormat = (typeof batchFormats)[number];
export const batchContentTypes = { pdf: "application/pdf", zpl: "application/zpl" } as const;

export interface BatchRequest {
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
    contentType: batchContentTypes[format],
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
