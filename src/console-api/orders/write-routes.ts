import type { OperatorContext } from "#/console-api/context.ts";
import { runBulk } from "#/console-api/orders/bulk.ts";
import { orderPath } from "#/console-api/orders/contract.ts";
import { findOrderHead } from "#/console-api/orders/timeline-repository.ts";
import {
  bulkAnswer,
  bulkRequest,
  heldOrder,
  holdLifting,
  holdSetting,
  writeQuery,
} from "#/console-api/orders/write-contract.ts";
import type { Tx } from "#/db/database.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { answers } from "#/http/openapi/openapi.ts";
import { answered, answerWrite, changeHeaders, type WriteResult } from "#/http/requests/idempotency.ts";
import { entityTag } from "#/http/requests/if-match.ts";
import { longAnswerMsMax } from "#/http/server/exchange.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { assert } from "#/kernel/assert.ts";
import type { Refusal } from "#/kernel/refusal.ts";
import type { Result } from "#/kernel/result.ts";
import { holdOrder, releaseOrder } from "#/modules/orders/index.ts";
import type { CommandResult } from "#/outbox/append.ts";

type Answer = Result<CommandResult, Refusal>;

/** Actions on orders that only operators have: holds of every kind, and many orders at once (lifecycle.md §1). */
export function addOrderActionRoutes(service: HttpServer, context: OperatorContext): void {
  service.post(
    "/order/setHold/:orderId",
    {
      schema: {
        operationId: "setHold",
        summary: "Hold an order",
        description:
          "The order keeps its allocated stock. An order has one hold of each kind: a repeat changes nothing and keeps the first reason.",
        params: orderPath,
        querystring: writeQuery,
        headers: changeHeaders,
        body: holdSetting,
        response: { 200: heldOrder },
      } as const,
      config: { ...answers(404, 409, 412), partition: "order" },
    },
    async (request, reply) => {
      const { orderId } = request.params;
      const ask = { orderId, ifMatch: request.headers["if-match"], ...request.body };
      return answerWrite(context, request, reply, (tx, change, clientId) =>
        holdOrder(tx, change, clientId, ask).then((outcome) => written(tx, clientId, orderId, outcome)),
      );
    },
  );

  service.post(
    "/order/liftHold/:orderId",
    {
      schema: {
        operationId: "liftHold",
        summary: "Release holds of an order, regardless of who set them",
        description:
          "When its last hold is released, the order is allocated again. Refused where the order has none of these holds.",
        params: orderPath,
        querystring: writeQuery,
        headers: changeHeaders,
        body: holdLifting,
        response: { 200: heldOrder },
      } as const,
      config: { ...answers(404, 409, 412), partition: "order" },
    },
    async (request, reply) => {
      const { orderId } = request.params;
      const ask = { orderId, ifMatch: request.headers["if-match"], types: request.body.types };
      return answerWrite(context, request, reply, (tx, change, clientId) =>
        releaseOrder(tx, change, clientId, ask).then((outcome) => written(tx, clientId, orderId, outcome)),
      );
    },
  );

  service.post(
    "/order/bulk",
    {
      schema: {
        operationId: "changeOrders",
        summary: "Hold, release or cancel many orders of a client",
        description:
          "Each order is changed in a separate transaction. A refused order is reported with its reason and does not affect the others.",
        querystring: writeQuery,
        body: bulkRequest,
        response: { 200: bulkAnswer },
      } as const,
      config: { partition: "scope", answerMsMax: longAnswerMsMax },
    },
    async (request) => {
      const items = await runBulk(context, request, clientIdOf(request), request.body);
      const refusedCount = items.filter(({ outcome }) => outcome === "REFUSED").length;
      return { done: items.length - refusedCount, refused: refusedCount, items };
    },
  );
}

/** The order in its new state. */
async function written(tx: Tx, clientId: string, orderId: string, outcome: Answer): Promise<WriteResult> {
  if (!outcome.ok) return outcome;
  const head = await findOrderHead(tx, clientId, orderId);
  assert(head, `order ${orderId} was changed and does not exist`);
  const { status, version } = head;
  const holds = head.holds.map(({ type, reason, since, by }) => ({ type, reason, since, by }));
  const body = { clientId, orderId, status, holds, version };
  return answered(body, { headers: { ETag: entityTag(version) }, events: outcome.value.events });
}
