import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { answered, answerWrite, changeHeaders, type WriteResult } from "#/http/requests/idempotency.ts";
import { entityTag } from "#/http/requests/if-match.ts";
import type { ServiceContext } from "#/http/routes/operation.ts";
import type { HttpServer } from "#/http/server/server.ts";
import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import { assert } from "#/kernel/assert.ts";
import { sentence } from "#/kernel/feed-codes.ts";
import type { Refusal } from "#/kernel/refusal.ts";
import type { Result } from "#/kernel/result.ts";
import { quantityOf } from "#/kernel/values/quantity.ts";
import type { CarrierSets } from "#/modules/carriers/index.ts";
import { type CancelOutcome, cancelOrder, cancelOrderLine } from "#/modules/orders/commands/cancel-order.ts";
import { type ChangedOrder, changeOrder } from "#/modules/orders/commands/change-header.ts";
import { updateOrderLine } from "#/modules/orders/commands/change-order.ts";
import { holdOrder, releaseOrder } from "#/modules/orders/commands/hold-order.ts";
import type { OrderKey } from "#/modules/orders/commands/open-order.ts";
import { type OrderRecord, order, orderPath, orderQuery } from "#/modules/orders/rest/contract.ts";
import { readOrder } from "#/modules/orders/rest/reading.ts";
import {
  orderCancel,
  orderCancellation,
  orderHold,
  orderLineCancel,
  orderLinePatch,
  orderLinePath,
  orderPatch,
  orderRelease,
  orderUpdate,
} from "#/modules/orders/rest/write-contract.ts";
import type { ClientTransaction } from "#/store/db/database.ts";
import type { CommandResult } from "#/store/outbox/append.ts";

/** The hold that clients set and lift. Other holds are lifted by their source or by an operator (lifecycle.md §1). */
const clientsHold = "CLIENT_REQUEST";
const holdReasonDefault = "requested by the client";

const keyOf = (request: { params: { orderId: string }; headers: { "if-match"?: string | undefined } }): OrderKey => ({
  orderId: request.params.orderId,
  ifMatch: request.headers["if-match"],
});

/** The changed order and the answer of the operation. */
async function written<Answer>(
  tx: ClientTransaction,
  { orderId }: OrderKey,
  outcome: Result<CommandResult<Answer>, Refusal>,
  bodyOf: (record: OrderRecord, answer: Answer) => object = (record) => record,
): Promise<WriteResult> {
  if (!outcome.ok) return outcome;
  const record = await readOrder(tx, orderId);
  assert(record, `order ${orderId} was changed and does not exist`);
  const { answer, events } = outcome.value;
  return answered(bodyOf(record, answer), { headers: { ETag: entityTag(record.version) }, events });
}

const cancellation = (record: OrderRecord, outcome: CancelOutcome) => ({ outcome, order: record });

const updated = (record: OrderRecord, { warnings }: ChangedOrder) => ({
  ...record,
  warnings: warnings.map(sentence),
});

export interface OrderWriteContext extends ServiceContext {
  /** Carrier data, compiled for decisions. */
  readonly sets: CarrierSets;
  /** Reads from memory. */
  findClient(clientId: string): Promise<FeedClient | undefined>;
}

/** Routes that change orders (contract rest.md §3, lifecycle.md §1). */
export function addOrderWriteRoutes(service: HttpServer, context: OrderWriteContext): void {
  service.post(
    "/order/cancel/:orderId",
    {
      schema: {
        operationId: "cancelOrder",
        summary: "Cancel an order, or the units of it that have not left",
        description:
          "Units that the warehouse has not taken are cancelled at once, and their stock is freed. For the others, the warehouse gets a request that it answers line by line. Despatched units can only be returned: send an RMA.",
        params: orderPath,
        querystring: orderQuery,
        headers: changeHeaders,
        body: orderCancel,
        response: { 200: orderCancellation },
      } as const,
      config: answers(404, 409, 412),
    },
    async (request, reply) => {
      const key = keyOf(request);
      const { reason } = request.body;
      return answerWrite(context, request, reply, async (tx) => {
        const outcome = await cancelOrder(tx, { ...key, reason });
        return written(tx, key, outcome, cancellation);
      });
    },
  );

  service.patch(
    "/order/update/:orderId",
    {
      schema: {
        operationId: "updateOrder",
        summary: "Change addresses, carrier, priority, attributes or facility of an order, or hold it",
        description:
          "Possible until the first unit of the order is packed; distributionCentre until the warehouse has taken the order, doNotShip until it has left. A field with its present value is never refused because of the state. Addresses are merged field by field, extendedAttributes by name. A patch without changes creates no new version.",
        params: orderPath,
        querystring: orderQuery,
        headers: changeHeaders,
        body: orderPatch,
        response: { 200: orderUpdate },
      } as const,
      config: answers(404, 409, 412, 422),
    },
    async (request, reply) => {
      const key = keyOf(request);
      const { clientId: _clientId, ...patch } = request.body;
      const client = await context.findClient(clientIdOf(request));
      assert(client, "the client of a token exists");
      return answerWrite(context, request, reply, async (tx) => {
        const outcome = await changeOrder(tx, key, patch, { client, sets: context.sets });
        return written(tx, key, outcome, updated);
      });
    },
  );

  service.post(
    "/order/hold/:orderId",
    {
      schema: {
        operationId: "holdOrder",
        summary: "Hold an order",
        description:
          "Sets the hold CLIENT_REQUEST; the order keeps its allocated stock. Tasks that the warehouse has not taken are withdrawn; it must hold the others, and can neither pick, pack, load nor despatch. An order that already has this hold does not change, and keeps its first reason.",
        params: orderPath,
        querystring: orderQuery,
        headers: changeHeaders,
        body: orderHold,
        response: { 200: order },
      } as const,
      config: { ...answers(404, 409, 412), isBodyOptional: true },
    },
    async (request, reply) => {
      const key = keyOf(request);
      const { reason = holdReasonDefault } = request.body;
      return answerWrite(context, request, reply, async (tx) =>
        written(tx, key, await holdOrder(tx, { ...key, type: clientsHold, reason })),
      );
    },
  );

  service.post(
    "/order/release/:orderId",
    {
      schema: {
        operationId: "releaseOrder",
        summary: "Release the hold that the client has set",
        description:
          "Releases CLIENT_REQUEST. DO_NOT_SHIP is released by `doNotShip: false` (updateOrder), every other hold by the operator; while any hold is left, the order stays held. An order that has left or is cancelled cannot be released.",
        params: orderPath,
        querystring: orderQuery,
        headers: changeHeaders,
        body: orderRelease,
        response: { 200: order },
      } as const,
      config: { ...answers(404, 409, 412), isBodyOptional: true },
    },
    async (request, reply) => {
      const key = keyOf(request);
      return answerWrite(context, request, reply, async (tx) =>
        written(tx, key, await releaseOrder(tx, { ...key, types: [clientsHold] })),
      );
    },
  );

  service.post(
    "/orderLine/cancel/:orderId/:lineNumber",
    {
      schema: {
        operationId: "cancelOrderLine",
        summary: "Cancel a line of an order, or a part of it",
        description:
          "By the same rules as a whole order: at once, or as a request to the warehouse that has it. While a request is open, the same quantity is the same request, and a greater one replaces it.",
        params: orderLinePath,
        querystring: orderQuery,
        headers: changeHeaders,
        body: orderLineCancel,
        response: { 200: orderCancellation },
      } as const,
      config: answers(404, 409, 412, 422),
    },
    async (request, reply) => {
      const key = keyOf(request);
      const { lineNumber } = request.params;
      const { reason, qty } = request.body;
      const line = { lineNumber, reason, qty: qty === undefined ? undefined : quantityOf(qty) };
      return answerWrite(context, request, reply, async (tx) => {
        const outcome = await cancelOrderLine(tx, { ...key, ...line });
        return written(tx, key, outcome, cancellation);
      });
    },
  );

  service.patch(
    "/orderLine/update/:orderId/:lineNumber",
    {
      schema: {
        operationId: "updateOrderLine",
        summary: "Change the quantity of a line until the warehouse has the order",
        description:
          "A higher quantity is allocated from stock; a lower one is freed, back-ordered units first. qty includes the cancelled quantity of the line, and must be greater than it.",
        params: orderLinePath,
        querystring: orderQuery,
        headers: changeHeaders,
        body: orderLinePatch,
        response: { 200: order },
      } as const,
      config: answers(404, 409, 412, 422),
    },
    async (request, reply) => {
      const key = keyOf(request);
      const line = { lineNumber: request.params.lineNumber, qty: quantityOf(request.body.qty) };
      return answerWrite(context, request, reply, async (tx) =>
        written(tx, key, await updateOrderLine(tx, { ...key, ...line })),
      );
    },
  );
}
