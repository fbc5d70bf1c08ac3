import type { FastifyRequest } from "fastify";
import Type from "typebox";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { closed, identifier } from "#/http/routes/schema.ts";
import { longAnswerMsMax } from "#/http/server/exchange.ts";
import type { HttpServer, TimedRoute } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import {
  batchContentTypes,
  batchFormats,
  documentTypeField,
  documentTypes,
  listBatchPapers,
  type PaperOrder,
  type PrintContext,
  printBatch,
} from "#/modules/documents/index.ts";
import { listWantedParcels, parcelsMax } from "#/modules/warehouse/print/wanted-parcels.ts";

export interface PrintRoutesContext extends PrintContext {
  facilityOf(request: FastifyRequest): string;
}

const batchBody = Type.Object(
  {
    olpnIds: Type.Optional(
      Type.Array(identifier("A parcel.", "006141410000000012"), {
        minItems: 1,
        maxItems: parcelsMax,
        description:
          "Parcels of the facility, in the order in which their documents are printed. Required without orderIds.",
      }),
    ),
    orderIds: Type.Optional(
      Type.Array(identifier("An order.", "WEB-100045"), {
        minItems: 1,
        maxItems: parcelsMax,
        description: `Orders of the facility, in the place of olpnIds: all their parcels, at most ${parcelsMax}, in the order of this list, and those of an order as they were packed.`,
      }),
    ),
    clientId: Type.Optional(
      Type.String({
        pattern: "^[A-Za-z0-9_-]{1,10}$",
        description:
          "Client of the orders; required where several clients of the facility have an order of one of these ids. Not allowed with olpnIds.",
        examples: ["DEMO"],
      }),
    ),
    types: Type.Optional(
      Type.Array(documentTypeField, {
        minItems: 1,
        maxItems: documentTypes.length,
        description:
          "Kinds of documents, in the order in which each parcel's are printed. Default: all that exist in the format.",
      }),
    ),
    format: Type.Optional(
      Type.Enum([...batchFormats], {
        type: "string",
        default: "pdf",
        description: "Form of the answer. Only labels exist as ZPL.",
        examples: ["pdf"],
      }),
    ),
  },
  {
    ...closed,
    title: "PrintBatch",
    description: "Parcels whose documents are printed together, named by their numbers or by their orders.",
    examples: [{ olpnIds: ["006141410000000012"], types: ["SHIPPING_LABEL"], format: "pdf" }],
  },
);

const beginnings = { "application/pdf": "%PDF-1.7", "application/zpl": "^XA^FO50,50^FDWEB-100045^FS^XZ" } as const;

const batchBytes = {
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

/** Prints the documents of many parcels at once. */
export function addPrintRoutes(service: HttpServer, context: PrintRoutesContext): void {
  const { database, facilityOf } = context;
  service.post(
    "/print/batch",
    {
      schema: {
        operationId: "printBatch",
        summary: "The documents of several parcels or orders, as one PDF or one stream of ZPL",
        description:
          "Changes nothing. A wave is printed by the list of its orders. A parcel without such a document and an order without a parcel are refused, so that no label is missing in the print.",
        body: batchBody,
        response: { 200: batchBytes },
      } as const,
      config: { ...answers(404, 422), answerMsMax: longAnswerMsMax } satisfies TimedRoute & ReturnType<typeof answers>,
    },
    async (request, reply) => {
      const { types = documentTypes, format = "pdf" } = request.body;
      const found = await listWantedParcels(database, facilityOf(request), request.body);
      if (!found.ok) return found;
      const papers = new Map<string, readonly PaperOrder[]>();
      for (const [clientId, wanted] of Map.groupBy(found.value, ({ clientId }) => clientId)) {
        const parcels = wanted.map(({ parcel }) => parcel);
        const listed = await listBatchPapers(database.of(clientId), parcels, { types: [...new Set(types)], format });
        for (const [olpnId, ofParcel] of listed) papers.set(olpnId, ofParcel);
      }
      const errors = found.value.flatMap(({ parcel: { olpnId, orderId }, pointer }) =>
        papers.has(olpnId)
          ? []
          : { pointer, message: `parcel ${olpnId} of order ${orderId} has no such document as ${format}` },
      );
      if (errors.length > 0) {
        return refused(problem("unprocessable", "Parcels lack the document.", { errors }));
      }
      const printed = found.value.flatMap(({ parcel }) => papers.get(parcel.olpnId) ?? []);
      const bytes = await printBatch(context, printed, format);
      return reply
        .header("Content-Disposition", `attachment; filename="documents.${format}"`)
        .type(batchContentTypes[format])
        .send(bytes);
    },
  );
}
