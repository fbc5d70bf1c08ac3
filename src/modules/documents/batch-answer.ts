// Papers of several parcels as one file, for warehouses and for operators.

import type { FastifyReply } from "fastify";
import Type from "typebox";
import { type Problem, problem } from "#/http/problems/problem.ts";
import { type Result, refused } from "#/kernel/result.ts";
import type { DocumentType } from "#/modules/documents/domain.ts";
import {
  type BatchFormat,
  batchContentTypes,
  listBatchPapers,
  type PrintContext,
  printBatch,
} from "#/modules/documents/print-documents.ts";
import { UnreadableLabelError } from "#/modules/documents/printing.ts";
import type { DocumentContent } from "#/modules/documents/repository.ts";

const beginnings = { "application/pdf": "%PDF-1.7", "application/zpl": "^XA^FO50,50^FDWEB-100045^FS^XZ" } as const;

export const batchBytes = {
  description: "All documents as one PDF, each on pages of its size, or as one stream of ZPL.",
  content: Object.fromEntries(
    Object.values(batchContentTypes).map((contentType) => [
      contentType,
      {
        schema: Type.Unsafe<Buffer>({
          type: "string",
          format: "binary",
          description: "The bytes of all documents.",
          examples: [beginnings[contentType]],
        }),
      },
    ]),
  ),
};

export interface WantedParcel {
  readonly clientId: string;
  readonly parcel: { readonly orderId: string; readonly olpnId: string };
  /** The place in the request that names the parcel or its order, a JSON pointer. */
  readonly pointer: string;
}

interface Batch {
  readonly types: readonly DocumentType[];
  readonly format: BatchFormat;
  /** A parcel without a label is refused, even if it has other papers. */
  readonly isLabelNeeded: boolean;
}

/**
 * Sends the papers of the parcels in their order, those of a parcel in the order of the types; or a refusal that names
 * each parcel without such a paper.
 */
export async function sendBatch(
  context: Pick<PrintContext, "database" | "clock" | "printService">,
  reply: FastifyReply,
  wantedParcels: readonly WantedParcel[],
  { types, format, isLabelNeeded }: Batch,
): Promise<FastifyReply | Result<never, Problem>> {
  const papers = new Map<string | undefined, readonly DocumentContent[]>();
  for (const [clientId, wanted] of Map.groupBy(wantedParcels, (parcel) => parcel.clientId)) {
    const parcels = wanted.map(({ parcel }) => parcel);
    const request = { types: [...new Set(types)], format };
    const listed = await listBatchPapers(context.database.of(clientId), parcels, request);
    for (const [olpnId, ofParcel] of listed) papers.set(olpnId, ofParcel);
  }
  const errors = wantedParcels.flatMap(({ parcel: { olpnId, orderId }, pointer }) => {
    const types = papers.get(olpnId)?.map(({ document }) => document.type) ?? [];
    const lacks = (what: string) => ({ pointer, message: `parcel ${olpnId} of order ${orderId} has no ${what}` });
    if (types.length === 0) return lacks(`such document as ${format}`);
    // A label that is being bought, or that its carrier made in another form.
    return isLabelNeeded && !types.includes("SHIPPING_LABEL") ? lacks(`label as ${format}: read label/get`) : [];
  });
  if (errors.length > 0) return refused(problem("unprocessable", "Parcels lack the document.", { errors }));
  const printed = wantedParcels.flatMap(({ parcel }) => papers.get(parcel.olpnId) ?? []);
  let bytes: Buffer;
  try {
    bytes = await printBatch(context, printed, format);
  } catch (error) {
    if (!(error instanceof UnreadableLabelError)) throw error;
    const pointer = wantedParcels.find(({ parcel }) => parcel.olpnId === error.olpnId)?.pointer ?? "#";
    const errors = [{ pointer, message: `${error.message}: leave it out, and read label/get` }];
    return refused(problem("unprocessable", "A label of a carrier cannot be joined.", { errors }));
  }
  return reply
    .header("Content-Disposition", `attachment; filename="documents.${format}"`)
    .type(batchContentTypes[format])
    .send(bytes);
}
