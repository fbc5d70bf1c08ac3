import Type from "typebox";
import type { OperatorContext } from "#/console-api/context.ts";
import { writeQuery } from "#/console-api/orders/write-contract.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { scopeOf } from "#/http/access/operator.ts";
import { createReadAudit } from "#/http/access/read-audit.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { problem } from "#/http/problems/problem.ts";
import { closed, identifier } from "#/http/routes/schema.ts";
import { longAnswerMsMax } from "#/http/server/exchange.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { refused } from "#/kernel/result.ts";
import { batchBytes, batchFormats, documentTypeField, documentTypes, sendBatch } from "#/modules/documents/index.ts";
import { listPackedParcels } from "#/modules/parcels/index.ts";

/** Some hundred pages: the printing thread is busy with them for about a second. */
const parcelsMax = 100;

const printBody = Type.Object(
  {
    orderIds: Type.Array(identifier("An order.", "WEB-100045"), {
      minItems: 1,
      maxItems: parcelsMax,
      uniqueItems: true,
      description: `The orders: all their parcels, at most ${parcelsMax}, in the order of this list, and those of an order as they were packed.`,
    }),
    types: Type.Array(documentTypeField, {
      minItems: 1,
      maxItems: documentTypes.length,
      description: "Kinds of documents, in the order in which each parcel's are printed.",
    }),
    format: Type.Enum([...batchFormats], {
      type: "string",
      description: "`pdf`: pages of their size. `zpl`: labels for a label printer.",
      examples: ["pdf"],
    }),
  },
  { ...closed, title: "PrintOrders", description: "Orders whose papers are printed together." },
);

/** The papers of many orders as one file (contract rest.md §3, operator). */
export function addPrintRoute(service: HttpServer, context: OperatorContext): void {
  const { database } = context;
  const auditRead = createReadAudit(context);
  service.post(
    "/order/print",
    {
      schema: {
        operationId: "printOrders",
        summary: "Labels and packing slips of several orders of a client, as one PDF or one stream of ZPL",
        description:
          "Changes nothing. An order without a parcel and a parcel without such a document are refused, so that no label is missing in the print.",
        querystring: writeQuery,
        body: printBody,
        response: { 200: batchBytes },
      } as const,
      config: { ...answers(422), partition: "scope", answerMsMax: longAnswerMsMax },
    },
    async (request, reply) => {
      const clientId = clientIdOf(request);
      const { orderIds, types, format } = request.body;
      const { facilityCodes } = scopeOf(request);
      const limit = parcelsMax + 1;
      const parcels = await listPackedParcels(database.of(clientId), facilityCodes, { orderIds, limit });
      const byOrder = Map.groupBy(parcels, ({ orderId }) => orderId);
      const errors = orderIds.flatMap((orderId, i) =>
        byOrder.has(orderId)
          ? []
          : { pointer: `#/orderIds/${i}`, message: `order ${orderId} has no parcel: it is not packed` },
      );
      if (parcels.length > parcelsMax) {
        const message = `have more than ${parcelsMax} parcels together: choose fewer orders`;
        return refused(problem("unprocessable", "Too many parcels.", { errors: [{ pointer: "#/orderIds", message }] }));
      }
      if (errors.length > 0) return refused(problem("unprocessable", "Orders have no parcel.", { errors }));
      for (const orderId of orderIds) await auditRead(request, clientId, { objectType: "paper", objectId: orderId });
      const wanted = orderIds.flatMap((orderId, i) =>
        (byOrder.get(orderId) ?? []).map((parcel) => ({ clientId, parcel, pointer: `#/orderIds/${i}` })),
      );
      return sendBatch(context, reply, wanted, { types, format, isLabelNeeded: types.includes("SHIPPING_LABEL") });
    },
  );
}
