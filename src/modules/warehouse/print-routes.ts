import type { FastifyRequest } from "fastify";
import Type from "typebox";
import { answers } from "#/http/openapi/openapi.ts";
import { problem, sendProblem } from "#/http/problems/problem.ts";
import { identifier } from "#/http/routes/schema.ts";
import { longAnswerMsMax } from "#/http/server/exchange.ts";
import type { HttpServer, TimedRoute } from "#/http/server/server.ts";
import {
  batchContentTypes,
  batchFormats,
  documentTypeField,
  documentTypes,
  listBatchPapers,
  type PrintContext,
  printBatch,
} from "#/modules/documents/index.ts";
import { clientsOfParcels, listParcelsById } from "#/modules/parcels/index.ts";
import { closed } from "#/modules/warehouse/reports/report-schema.ts";

export interface PrintRoutesContext extends PrintContext {
  facilityOf(request: FastifyRequest): string;
}

/** Some hundred pages: the printing thread is busy with them for about a second. */
const parcelsMax = 100;

const batchBody = Type.Object(
  {
    olpnIds: Type.Array(identifier("A parcel.", "006141410000000012"), {
      minItems: 1,
      maxItems: parcelsMax,
      description: "Parcels of the facility, in the order in which their documents are printed.",
    }),
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
    description: "Parcels whose documents are printed together.",
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
        summary: "The documents of several parcels, as one PDF or one stream of ZPL",
        description:
          "Changes nothing. A parcel without such a document is refused, so that no label is missing in the print.",
        body: batchBody,
        response: { 200: batchBytes },
      } as const,
      config: { ...answers(404, 422), answerMsMax: longAnswerMsMax } satisfies TimedRoute & ReturnType<typeof answers>,
    },
    async (request, reply) => {
      const { types = documentTypes, format = "pdf" } = request.body;
      const facilityCode = facilityOf(request);
      const olpnIds = [...new Set(request.body.olpnIds)];
      const papers = new Map<string, Awaited<ReturnType<typeof listBatchPapers>>>();
      const known = new Map<string, string>();
      for (const [clientId, ids] of await clientsOfParcels(database, olpnIds)) {
        const listed = await listParcelsById(database, clientId, ids);
        const parcels = listed.filter((parcel) => parcel.facilityCode === facilityCode);
        if (parcels.length === 0) continue;
        for (const { olpnId } of parcels) known.set(olpnId, clientId);
        papers.set(
          clientId,
          await listBatchPapers(database, clientId, parcels, { types: [...new Set(types)], format }),
        );
      }
      const unknown = olpnIds.find((olpnId) => !known.has(olpnId));
      if (unknown !== undefined)
        return sendProblem(reply, problem("not-found", `The facility has no parcel ${unknown}.`));
      const papersOf = (olpnId: string) => papers.get(known.get(olpnId) as string)?.get(olpnId) ?? [];
      const errors = request.body.olpnIds.flatMap((olpnId, i) =>
        papersOf(olpnId).length > 0 ? [] : { pointer: `#/olpnIds/${i}`, message: `has no such document as ${format}` },
      );
      if (errors.length > 0) {
        return sendProblem(reply, problem("unprocessable", "Parcels lack the document.", { errors }));
      }
      const bytes = await printBatch(context, olpnIds.flatMap(papersOf), format);
      return reply
        .header("Content-Disposition", `attachment; filename="documents.${format}"`)
        .type(batchContentTypes[format])
        .send(bytes);
    },
  );
}
