// The parcels that a print names, by their numbers or by their orders.
import type { FastifyRequest } from "fastify";
import Type from "typebox";
import { answers } from "#/http/openapi/openapi.ts";
import { invalidRequest, type Problem, problem } from "#/http/problems/problem.ts";
import { closed, identifier } from "#/http/routes/schema.ts";
import { longAnswerMsMax } from "#/http/server/exchange.ts";
import type { HttpServer, TimedRoute } from "#/http/server/server.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import {
  batchBytes,
  batchFormats,
  documentTypeField,
  documentTypes,
  type PrintContext,
  sendBatch,
  type WantedParcel,
} from "#/modules/documents/index.ts";
import { clientsOfParcels, listPackedParcels, listParcelsById, type ParcelFacts } from "#/modules/parcels/index.ts";
import { chooseClient } from "#/modules/warehouse/objects/owners.ts";
import { findOrderOwners } from "#/modules/warehouse/warehouse.cross-client.ts";
import type { Tx } from "#/store/db/database.ts";

interface PrintRoutesContext extends PrintContext {
  facilityOf(request: FastifyRequest): string;
}

/** Some hundred pages: the printing thread is busy with them for about a second. */
const parcelsMax = 100;

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
      const isLabelNeeded = request.body.types?.includes("SHIPPING_LABEL") === true;
      return found.ok ? sendBatch(context, reply, found.value, { types, format, isLabelNeeded }) : found;
    },
  );
}

/** Exactly one of the two lists is present. */
interface PrintRequest {
  readonly olpnIds?: readonly string[];
  readonly orderIds?: readonly string[];
  /** Client of the orders. */
  readonly clientId?: string;
}

/** The parcels to print, each once, in the order of the request: those of an order as they were packed. */
function listWantedParcels(
  tx: Tx,
  facilityCode: string,
  { olpnIds, orderIds, clientId }: PrintRequest,
): Promise<Result<readonly WantedParcel[], Problem>> | Result<never, Problem> {
  if ((olpnIds === undefined) === (orderIds === undefined)) {
    const message = olpnIds === undefined ? "is required, or orderIds" : "is not allowed together with orderIds";
    return refused(invalidRequest([{ pointer: "#/olpnIds", message }]));
  }
  if (orderIds !== undefined) return listParcelsOfOrders(tx, facilityCode, orderIds, clientId);
  if (clientId !== undefined) {
    const message = "is only allowed with orderIds: the number of a parcel names its client";
    return refused(invalidRequest([{ pointer: "#/clientId", message }]));
  }
  return listNamedParcels(tx, facilityCode, olpnIds as readonly string[]);
}

async function listNamedParcels(
  tx: Tx,
  facilityCode: string,
  olpnIds: readonly string[],
): Promise<Result<WantedParcel[], Problem>> {
  const found = new Map<string, Omit<WantedParcel, "pointer">>();
  for (const [clientId, ids] of await clientsOfParcels(tx, [...new Set(olpnIds)])) {
    for (const parcel of await listParcelsById(tx.of(clientId), ids)) {
      if (parcel.facilityCode === facilityCode) found.set(parcel.olpnId, { clientId, parcel });
    }
  }
  const wanted: WantedParcel[] = [];
  for (const [i, olpnId] of olpnIds.entries()) {
    const parcel = found.get(olpnId);
    if (parcel === undefined) return refused(problem("not-found", `The facility has no parcel ${olpnId}.`));
    if (olpnIds.indexOf(olpnId) === i) wanted.push({ ...parcel, pointer: `#/olpnIds/${i}` });
  }
  return ok(wanted);
}

async function listParcelsOfOrders(
  tx: Tx,
  facilityCode: string,
  orderIds: readonly string[],
  clientId: string | undefined,
): Promise<Result<WantedParcel[], Problem>> {
  const distinct = [...new Set(orderIds)];
  const owners = Map.groupBy(await findOrderOwners(tx, facilityCode, distinct, clientId), ({ orderId }) => orderId);
  const clientOf = new Map<string, string>();
  for (const orderId of distinct) {
    const candidates = (owners.get(orderId) ?? []).map((owner) => owner.clientId);
    if (candidates.length === 0) return refused(problem("not-found", `The facility has no order ${orderId}.`));
    const object = { kind: "an order", idName: "orderId", id: orderId };
    const client = chooseClient(candidates, clientId, object, "#/clientId");
    if (!client.ok) return client;
    clientOf.set(orderId, client.value);
  }
  const parcels: ParcelFacts[] = [];
  for (const [owner, ids] of Map.groupBy(distinct, (orderId) => clientOf.get(orderId) as string)) {
    const limit = parcelsMax + 1 - parcels.length;
    parcels.push(...(await listPackedParcels(tx.of(owner), [facilityCode], { orderIds: ids, limit })));
    if (parcels.length > parcelsMax) {
      const message = `have more than ${parcelsMax} parcels together: name fewer orders, or print by olpnIds`;
      return refused(problem("unprocessable", "Too many parcels.", { errors: [{ pointer: "#/orderIds", message }] }));
    }
  }
  const byOrder = Map.groupBy(parcels, ({ orderId }) => orderId);
  const errors = orderIds.flatMap((orderId, i) =>
    byOrder.has(orderId)
      ? []
      : { pointer: `#/orderIds/${i}`, message: `order ${orderId} has no parcel: it is not packed` },
  );
  if (errors.length > 0) return refused(problem("unprocessable", "Orders have no parcel.", { errors }));
  return ok(
    distinct.flatMap((orderId) =>
      (byOrder.get(orderId) ?? []).map((parcel) => ({
        clientId: clientOf.get(orderId) as string,
        parcel,
        pointer: `#/orderIds/${orderIds.indexOf(orderId)}`,
      })),
    ),
  );
}
