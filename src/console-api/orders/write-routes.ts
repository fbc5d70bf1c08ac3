import type { FastifyRequest } from "fastify";
import type { OperatorContext } from "#/console-api/context.ts";
import { orderPath } from "#/console-api/orders/contract.ts";
import { findOrderHead, insertNote, lockOrderForNote } from "#/console-api/orders/timeline-repository.ts";
import {
  type BulkOutcome,
  type BulkRequest,
  bulkAnswer,
  bulkRequest,
  heldOrder,
  holdLifting,
  holdSetting,
  orderNote,
  orderNoteBody,
  writeQuery,
} from "#/console-api/orders/write-contract.ts";
import { clientIdOf } from "#/http/access/bearer.ts";
import { operatorOf } from "#/http/access/operator.ts";
import { answers } from "#/http/openapi/openapi.ts";
import {
  answered,
  answerWrite,
  changeHeaders,
  createHeaders,
  repeated,
  type WriteResult,
} from "#/http/requests/idempotency.ts";
import { entityTag } from "#/http/requests/if-match.ts";
import { changeOf } from "#/http/routes/operation.ts";
import { longAnswerMsMax } from "#/http/server/exchange.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { assert } from "#/kernel/assert.ts";
import { conflict, notFound, type Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { cancelOrder, holdOrder, releaseOrder } from "#/modules/orders/index.ts";
import { recordAudit } from "#/store/db/audit.ts";
import type { ClientTx, UnitOfWork } from "#/store/db/database.ts";
import type { CommandResult } from "#/store/outbox/append.ts";

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
      return answerWrite(context, request, reply, (tx) =>
        holdOrder(tx, ask).then((outcome) => written(tx, orderId, outcome)),
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
      return answerWrite(context, request, reply, (tx) =>
        releaseOrder(tx, ask).then((outcome) => written(tx, orderId, outcome)),
      );
    },
  );

  service.post(
    "/order/note/:orderId",
    {
      schema: {
        operationId: "addOrderNote",
        summary: "Add a note to an order",
        description:
          "The timeline of the order shows it with its author. Operators see it; the client does not. A note is not changed or removed; it is deleted with the personal data of the order.",
        params: orderPath,
        querystring: writeQuery,
        headers: createHeaders,
        body: orderNoteBody,
        response: { 200: orderNote },
      } as const,
      config: { ...answers(404, 409), partition: "order" },
    },
    async (request, reply) => {
      const { orderId } = request.params;
      const text = request.body.text.trim();
      return answerWrite(context, request, reply, async (tx) => {
        const isErased = await lockOrderForNote(tx, orderId);
        if (isErased === undefined) return refused(notFound("The client has no order of this orderId."));
        if (isErased) return refused(conflict("The personal data of this order were erased, and with them its notes."));
        const { actor: author, at } = tx.change;
        const noteId = tx.change.ids.next(Date.parse(at));
        insertNote(tx, { orderId, noteId, author, text });
        // Without its text, which the erasure of the order deletes. The timeline shows the note itself.
        recordAudit(tx, {
          action: "create",
          objectType: "orderNote",
          objectId: orderId,
          detail: { noteId },
        });
        return answered({ clientId: tx.clientId, orderId, noteId, at, author, text });
      });
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
async function written(tx: ClientTx, orderId: string, outcome: Answer): Promise<WriteResult> {
  if (!outcome.ok) return outcome;
  const head = await findOrderHead(tx, orderId);
  assert(head, `order ${orderId} was changed and does not exist`);
  const { status, version } = head;
  const holds = head.holds.map(({ type, reason, since, by }) => ({ type, reason, since, by }));
  const body = { clientId: tx.clientId, orderId, status, holds, version };
  return answered(body, { headers: { ETag: entityTag(version) }, events: outcome.value.events });
}

type Done = CommandResult<{
  readonly outcome: BulkOutcome["outcome"];
  readonly status: NonNullable<BulkOutcome["status"]>;
}>;

/**
 * Applies an action to many orders, each in a separate transaction. The refusal of one order does not affect the
 * others, and an interrupted request keeps the finished ones. The operation is idempotent: an order that already has
 * the requested state stays unchanged, or is refused with that reason.
 */
async function runBulk(
  context: OperatorContext,
  request: FastifyRequest,
  clientId: string,
  ask: BulkRequest,
): Promise<BulkOutcome[]> {
  const items: BulkOutcome[] = [];
  const { facilityCodes } = operatorOf(request);
  for (const orderId of ask.orderIds) {
    const outcome = await repeated(() =>
      context.database.transaction(async (tx) => {
        const view = tx.of(clientId, changeOf(context, request));
        // The hooks check objects in the path before the operation; these ids are in the body.
        const head = await findOrderHead(view, orderId);
        const isOpen = head?.facilities.some((code) => facilityCodes?.includes(code) ?? true);
        if (!isOpen) return refused(notFound(`The client has no order ${orderId}.`));
        const done = await actOn(view, orderId, ask);
        if (done.ok && done.value.events.length > 0) context.writer.append(view, view.change.at, done.value.events);
        return done;
      }),
    );
    items.push(
      outcome.ok
        ? { orderId, ...outcome.value.answer, detail: null }
        : { orderId, outcome: "REFUSED", status: null, detail: outcome.fault.detail },
    );
  }
  return items;
}

async function actOn(
  tx: UnitOfWork,
  orderId: string,
  { action, reason, holdType }: BulkRequest,
): Promise<Result<Done, Refusal>> {
  const types = holdType === undefined ? undefined : [holdType];
  const done =
    action === "cancel"
      ? await cancelOrder(tx, { orderId, reason })
      : action === "hold"
        ? await holdOrder(tx, { orderId, type: holdType ?? "OTHER", reason })
        : await releaseOrder(tx, { orderId, types });
  if (!done.ok) return done;
  const { answer, events } = done.value;
  const after = await findOrderHead(tx, orderId);
  assert(after, `order ${orderId} was changed and does not exist`);
  const outcome = answer === "REQUESTED" ? "REQUESTED" : events.length === 0 ? "UNCHANGED" : "DONE";
  return ok({ answer: { outcome, status: after.status }, events });
}
