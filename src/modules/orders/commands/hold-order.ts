import { conflict } from "#/kernel/refusal.ts";
import { ok, refused } from "#/kernel/result.ts";
import { type OrderAnswer, type OrderKey, openOrder } from "#/modules/orders/commands/open-order.ts";
import { type AddressFault, holdOfAddress } from "#/modules/orders/intake/check-address.ts";
import { type Hold, type HoldType, type Order, totalsOf } from "#/modules/orders/order.ts";
import { settleOrders } from "#/modules/orders/settle.ts";
import type { UnitOfWork } from "#/store/db/database.ts";

export interface HoldAsk extends OrderKey {
  readonly type: HoldType;
  readonly reason: string;
}

/**
 * Holds an order; it keeps its allocated stock. An order has one hold of each type: the same type again changes
 * nothing. Refused as 404, 412, or 409 when the order has left or ended.
 */
export async function holdOrder(tx: UnitOfWork, ask: HoldAsk): Promise<OrderAnswer> {
  const opened = await openOrder(tx, ask);
  if (!opened.ok) return opened;
  const { before } = opened.value;
  const refusal = refusalOfHolds(before, "held");
  if (refusal !== undefined) return refused(conflict(refusal));
  const order = withHold(before, { type: ask.type, reason: ask.reason, since: tx.change.at, by: tx.change.actor });
  if (order === before) return ok({ answer: order, events: [] });
  const isFirst = before.holds.length === 0;
  const events = await settleOrders(tx, [
    {
      order,
      before,
      action: "hold",
      topics: isFirst ? ["order:held"] : ["order:updated"],
      detail: { hold: ask.type, reason: ask.reason },
    },
  ]);
  return ok({ answer: order, events });
}

/**
 * Lifts the holds of some types, or all. When the last hold is lifted the order is released, and allocation runs again.
 * Refused as 404, 412, or 409 when there is no such hold, or the order has left or ended.
 */
export async function releaseOrder(
  tx: UnitOfWork,
  ask: OrderKey & { readonly types?: readonly HoldType[] | undefined },
): Promise<OrderAnswer> {
  const opened = await openOrder(tx, ask);
  if (!opened.ok) return opened;
  const { before } = opened.value;
  const refusal = refusalOfHolds(before, "released");
  if (refusal !== undefined) return refused(conflict(refusal));
  const order = { ...before, holds: before.holds.filter(({ type }) => ask.types && !ask.types.includes(type)) };
  if (order.holds.length === before.holds.length) return refused(conflict(nothingToLift(before, ask.types)));
  const isLast = order.holds.length === 0;
  const events = await settleOrders(tx, [
    {
      order,
      before,
      action: "release",
      topics: isLast ? ["order:released"] : ["order:updated"],
      detail: { holds: before.holds.flatMap((hold) => (order.holds.includes(hold) ? [] : hold.type)) },
    },
  ]);
  return ok({ answer: order, events });
}

function nothingToLift({ orderId, holds }: Order, types: readonly HoldType[] | undefined): string {
  const which = types ? ` of type ${types.join(", ")}` : "";
  const refusal = `Order ${orderId} has no hold${which} to release`;
  if (holds.length === 0) return `${refusal}: it is not held.`;
  const others = holds.map(({ type }) => type);
  const way = others.includes("DO_NOT_SHIP") ? "; DO_NOT_SHIP is released by doNotShip false of order/update" : "";
  return `${refusal}: it is held by ${others.join(", ")}${way}.`;
}

/** @param by the actor that requests the hold; omitted for a document of the feed. */
export function doNotShip(at: string, by = "feed"): Hold {
  return { type: "DO_NOT_SHIP", reason: "doNotShip of the order", since: at, by };
}

/** The order with the hold added; the same object if it already has a hold of that type. */
export function withHold(order: Order, hold: Hold): Order {
  return order.holds.some(({ type }) => type === hold.type) ? order : { ...order, holds: [...order.holds, hold] };
}

/** The order with the hold that its addresses now need. Only an operator lifts an address hold that an operator set. */
export function withAddressValidated(order: Order, faults: readonly AddressFault[], at: string, by: string): Order {
  const isSetByValidation = ({ type, by }: Hold) => type === "ADDRESS_INVALID" && !by.startsWith("user:");
  const hold = holdOfAddress(faults, at, by);
  const before = order.holds.find(isSetByValidation);
  if (before?.reason === hold?.reason) return order;
  const rest = { ...order, holds: order.holds.filter((present) => present !== before) };
  return hold === undefined ? rest : withHold(rest, hold);
}

/** Why the order can no longer be held or released; undefined while a part of it may still leave. */
export function refusalOfHolds(order: Order, what: "held" | "released"): string | undefined {
  const { ordered, despatched, cancelled } = totalsOf(order.lines);
  if (order.status === "CANCELLED") return `Order ${order.orderId} cannot be ${what}: it is CANCELLED.`;
  if (despatched > 0 && despatched + cancelled === ordered) {
    return `Order ${order.orderId} cannot be ${what}: it has left the warehouse (${order.status}); send an RMA for what comes back.`;
  }
  return undefined;
}
