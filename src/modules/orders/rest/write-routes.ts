import type { Transaction } from "#/db/database.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { answered, answerWrite, changeHeaders, type WriteResult } from "#/http/requests/idempotency.ts";
import { entityTag } from "#/http/requests/if-match.ts";
import type { ServiceContext } from "#/http/routes/operation.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { assert } from "#/kernel/assert.ts";
import type { Refusal } from "#/kernel/refusal.ts";
import type { Result } from "#/kernel/result.ts";
import { quantityOf } from "#/kernel/values/quantity.ts";
import { type CancelOutcome, cancelOrder, cancelOrderLine } from "#/modules/orders/commands/cancel-order.ts";
import { changeOrder } from "#/modules/orders/commands/change-header.ts";
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
} from "#/modules/orders/rest/write-contract.ts";
import type { CommandResult } from "#/outbox/append.ts";

/** The hold that clients set and lift. Other holds are lifted by their source or by an operator (lifecycle.md §1). */
const clientsHold = "CLIENT_REQUEST";
const holdReasonDefault = "requested by the client";

const keyOf = (request: { params: { orderId: string }; headers: { "if-match"?: string | undefined } }): OrderKey => ({
  orderId: request.params.orderId,
  ifMatch: request.headers["if-match"],
});

/** The changed order and the answer of the operation. */
async function written<Answer>(
  tx: Transaction,
  clientId: string,
  { orderId }: OrderKey,
  outcome: Result<CommandResult<Answer>, Refusal>,
  bodyOf: (record: OrderRecord, answer: Answer) => object = (record) => record,
): Promise<WriteResult> {
  if (!outcome.ok) return outcome;
  const record = await readOrder(tx, clientId, orderId);
  assert(record, `order ${orderId} was changed and is not there`);
  const { answer, events } = outcome.value;
  return answered(bodyOf(record, answer), { headers: { ETag: entityTag(record.version) }, events });
}

const cancellation = (record: OrderRecord, outcome: CancelOutcome) => ({ outcome, order: record });

/** Routes that change orders (contract rest.md §3, lifecycle.md §1). */
export function addOrderWriteRoutes(service: HttpServer, context: ServiceContext): void {
  service.post(
    "/order/cancel/:orderId",
    {
      schema: {
        operationId: "cancelOrder",
        summary: "Cancel an order, or what has not left of it",
        description:
          "What the warehouse has not taken is cancelled at once, and its stock is free. What it has becomes a request, which it answers line by line. What has left can only come back: send an RMA.",
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
      return answerWrite(context, request, reply, async (tx, change, clientId) => {
        const outcome = await cancelOrder(tx, change, clientId, { ...key, reason });
        return written(tx, clientId, key, outcome, cancellation);
      });
    },
  );

  service.patch(
    "/order/update/:orderId",
    {
      schema: {
        operationId: "updateOrder",
        summary: "Change addresses, carrier, priority or attributes of an order, or hold it back",
        description:
          "Until something of the order is packed; doNotShip until it has left. A field that the patch names and does not change is never refused for the state. Addresses are merged field by field, extendedAttributes by name. A patch that changes nothing makes no new version.",
        params: orderPath,
        querystring: orderQuery,
        headers: changeHeaders,
        body: orderPatch,
        response: { 200: order },
      } as const,
      config: answers(404, 409, 412, 422),
    },
    async (request, reply) => {
      const key = keyOf(request);
      const { clientId: _clientId, ...patch } = request.body;
      return answerWrite(context, request, reply, async (tx, change, clientId) =>
        written(tx, clientId, key, await changeOrder(tx, change, clientId, key, patch)),
      );
    },
  );

  service.post(
    "/order/hold/:orderId",
    {
      schema: {
        operationId: "holdOrder",
        summary: "Keep an order from leaving",
        description:
          "Sets the hold CLIENT_REQUEST; the order keeps what is allocated to it. What the warehouse has not taken is withdrawn from it; what it has it is told to keep back, and can neither pick, pack, load nor despatch. An order that has this hold already stays as it is, with its first reason.",
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
      return answerWrite(context, request, reply, async (tx, change, clientId) =>
        written(tx, clientId, key, await holdOrder(tx, change, clientId, { ...key, type: clientsHold, reason })),
      );
    },
  );

  service.post(
    "/order/release/:orderId",
    {
      schema: {
        operationId: "releaseOrder",
        summary: "Lift the hold that the client has set",
        description:
          "Lifts CLIENT_REQUEST. DO_NOT_SHIP is lifted by `doNotShip: false` (updateOrder), every other hold by the operator; while any is left the order stays held. An order that has left or is cancelled is not released any more.",
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
      return answerWrite(context, request, reply, async (tx, change, clientId) =>
        written(tx, clientId, key, await releaseOrder(tx, change, clientId, { ...key, types: [clientsHold] })),
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
          "By the same rules as a whole order: at once, or as a request to the warehouse that has it. While a request is open the same quantity again is the same request, and a greater one takes its place.",
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
      return answerWrite(context, request, reply, async (tx, change, clientId) => {
        const outcome = await cancelOrderLine(tx, change, clientId, { ...key, ...line });
        return written(tx, clientId, key, outcome, cancellation);
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
          "More is looked for in stock; less is given back, of what waits for stock first. qty counts what was cancelled of the line before, and must be more than that.",
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
      return answerWrite(context, request, reply, async (tx, change, clientId) =>
        written(tx, clientId, key, await updateOrderLine(tx, change, clientId, { ...key, ...line })),
      );
    },
  );
}
