import type { Change } from "#/db/audit.ts";
import type { Transaction } from "#/db/database.ts";
import { ok, type Result, refused } from "#/kernel/result.ts";
import { openBooks } from "#/modules/inventory/index.ts";
import type { Order } from "#/modules/orders/aggregate.ts";
import { totalsOf } from "#/modules/orders/aggregate.ts";
import { findFacilities, lockOrders } from "#/modules/orders/aggregate-repository.ts";
import type { Hold, HoldType } from "#/modules/orders/domain.ts";
import { settleOrders } from "#/modules/orders/settle.ts";
import type { EventDraft } from "#/outbox/append.ts";

export interface HoldAsk {
  readonly orderId: string;
  readonly type: HoldType;
  readonly reason: string;
}

export type OrderAnswer = Result<{ readonly order: Order; readonly drafts: EventDraft[] }, string>;

/**
 * Keeps an order from leaving; it keeps what is allocated to it. One hold of each type: the same again changes nothing.
 * Refused when it has left, or ended.
 */
export async function holdOrder(tx: Transaction, change: Change, clientId: string, ask: HoldAsk): Promise<OrderAnswer> {
  const before = await openOrder(tx, change, clientId, ask.orderId);
  if (!before) return refused(unknown(ask.orderId));
  const refusal = refusalOfHold(before);
  if (refusal !== undefined) return refused(refusal);
  const order = withHold(before, { type: ask.type, reason: ask.reason, since: change.at, by: change.actor });
  if (order === before) return ok({ order, drafts: [] });
  const isFirst = before.holds.length === 0;
  const drafts = await settleOrders(tx, change, clientId, [
    { order, before, action: "hold", topics: isFirst ? ["order:held"] : ["order:updated"] },
  ]);
  return ok({ order, drafts });
}

/** Lifts the holds of a type, or all. The last one lifted releases the order: stock is looked for again. */
export async function releaseOrder(
  tx: Transaction,
  change: Change,
  clientId: string,
  ask: { readonly orderId: string; readonly types?: readonly HoldType[] | undefined },
): Promise<OrderAnswer> {
  const before = await openOrder(tx, change, clientId, ask.orderId);
  if (!before) return refused(unknown(ask.orderId));
  const order = { ...before, holds: before.holds.filter(({ type }) => ask.types && !ask.types.includes(type)) };
  if (order.holds.length === before.holds.length) {
    return refused(
      `Order ${ask.orderId} has no hold${ask.types ? ` of type ${ask.types.join(", ")}` : ""} to be lifted.`,
    );
  }
  const isLast = order.holds.length === 0;
  const drafts = await settleOrders(tx, change, clientId, [
    { order, before, action: "release", topics: isLast ? ["order:released"] : ["order:updated"] },
  ]);
  return ok({ order, drafts });
}

/** The order with a hold added to it; the very same order where it has one of the type. */
export function withHold(order: Order, hold: Hold): Order {
  return order.holds.some(({ type }) => type === hold.type) ? order : { ...order, holds: [...order.holds, hold] };
}

export function refusalOfHold(order: Order): string | undefined {
  const { ordered, despatched, cancelled } = totalsOf(order.lines);
  if (order.status === "CANCELLED") return `Order ${order.orderId} cannot be held: it is CANCELLED.`;
  if (despatched > 0 && despatched + cancelled === ordered) {
    return `Order ${order.orderId} cannot be held: it has left the warehouse (${order.status}); send an RMA for what comes back.`;
  }
  return undefined;
}

/** The book first, then the row: allocation must not give to an order that is being held. */
async function openOrder(
  tx: Transaction,
  change: Change,
  clientId: string,
  orderId: string,
): Promise<Order | undefined> {
  const facilities = await findFacilities(tx, clientId, [orderId]);
  await openBooks(tx, clientId, [...facilities.values()], change.at);
  const [order] = await lockOrders(tx, clientId, [orderId]);
  return order;
}

export const unknown = (orderId: string) => `The client has no order ${orderId}.`;
