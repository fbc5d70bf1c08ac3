import type { FastifyRequest } from "fastify";
import type { OperatorContext } from "#/console-api/context.ts";
import { findOrderHead } from "#/console-api/orders/timeline-repository.ts";
import type { BulkOutcome, BulkRequest } from "#/console-api/orders/write-contract.ts";
import { operatorOf } from "#/http/access/operator.ts";
import { repeated } from "#/http/requests/idempotency.ts";
import { changeOf } from "#/http/routes/operation.ts";
import { assert } from "#/kernel/assert.ts";
import { notFound, type Refusal } from "#/kernel/refusal.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { cancelOrder, holdOrder, releaseOrder } from "#/modules/orders/index.ts";
import type { UnitOfWork } from "#/store/db/database.ts";
import type { CommandResult } from "#/store/outbox/append.ts";

type Done = CommandResult<{
  readonly outcome: BulkOutcome["outcome"];
  readonly status: NonNullable<BulkOutcome["status"]>;
}>;

/**
 * Applies an action to many orders, each in a separate transaction. The refusal of one order does not affect the
 * others, and an interrupted request keeps the finished ones. The operation is idempotent: an order that already has
 * the requested state stays unchanged, or is refused with that reason.
 */
export async function runBulk(
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
        const isOpen = head && (facilityCodes?.includes(head.distribution_centre) ?? true);
        if (!isOpen) return refused(notFound(`The client has no order ${orderId}.`));
        const done = await actOn(view, orderId, ask);
        if (done.ok && done.value.events.length > 0) context.writer.append(view, view.change.at, done.value.events);
        return done;
      }),
    );
    context.onCommit();
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
