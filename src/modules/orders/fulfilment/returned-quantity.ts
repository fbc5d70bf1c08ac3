import type { Change } from "#/db/audit.ts";
import type { Transaction, Tx } from "#/db/database.ts";
import { type Order, withLines } from "#/modules/orders/order.ts";
import { lockOrders } from "#/modules/orders/order-repository.ts";
import { settleOrders } from "#/modules/orders/settle.ts";
import type { EventDraft } from "#/outbox/append.ts";

/** An order that goods come back from, locked until the transaction ends. */
export interface ReturnableOrder {
  readonly order: Order;
  /** By SKU in integer thousandths: shipped, and not yet returned by any return. */
  readonly shipped: ReadonlyMap<string, number>;
}

/** Undefined if the order is not in the store (any more). */
export async function lockReturnable(tx: Tx, clientId: string, orderId: string): Promise<ReturnableOrder | undefined> {
  const [order] = await lockOrders(tx, clientId, [orderId]);
  if (!order) return undefined;
  const shipped = new Map<string, number>();
  for (const { sku, buckets, returned } of order.lines) {
    shipped.set(sku, (shipped.get(sku) ?? 0) + buckets.despatched - returned);
  }
  return { order, shipped };
}

/**
 * Raises qtyReturned of the order's lines of the SKU, in line order, up to the despatched quantity. Any excess is
 * ignored.
 *
 * @param returned quantities in integer thousandths
 */
export async function raiseReturned(
  tx: Transaction,
  change: Change,
  clientId: string,
  { order: before }: ReturnableOrder,
  returned: readonly { readonly sku: string; readonly qty: number }[],
): Promise<EventDraft[]> {
  const order = withReturned(before, returned);
  if (!order.lines.some((line, i) => line !== before.lines[i])) return [];
  return settleOrders(tx, change, clientId, [{ before, order, action: "return" }]);
}

function withReturned(order: Order, came: readonly { readonly sku: string; readonly qty: number }[]): Order {
  const left = new Map<string, number>();
  for (const { sku, qty } of came) left.set(sku, (left.get(sku) ?? 0) + qty);
  return withLines(order, (line) => {
    const room = line.buckets.despatched - line.returned;
    const qty = Math.min(room, left.get(line.sku) ?? 0);
    if (qty <= 0) return line;
    left.set(line.sku, (left.get(line.sku) ?? 0) - qty);
    return { ...line, returned: line.returned + qty };
  });
}
