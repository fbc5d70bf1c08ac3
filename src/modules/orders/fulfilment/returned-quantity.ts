import type { Change } from "#/db/audit.ts";
import type { Transaction } from "#/db/database.ts";
import { type Order, withLines } from "#/modules/orders/order.ts";
import { lockOrders } from "#/modules/orders/order-repository.ts";
import { settleOrders } from "#/modules/orders/settle.ts";
import type { EventDraft } from "#/outbox/append.ts";

/**
 * Raises qtyReturned of the order's lines of the SKU, in line order, up to the despatched quantity. Any excess is
 * ignored. Unknown orders are skipped.
 *
 * @param returned quantities in integer thousandths
 */
export async function raiseReturned(
  tx: Transaction,
  change: Change,
  clientId: string,
  returned: readonly { readonly orderId: string; readonly sku: string; readonly qty: number }[],
): Promise<EventDraft[]> {
  const came = returned.filter(({ qty }) => qty > 0);
  if (came.length === 0) return [];
  const orders = await lockOrders(tx, clientId, [...new Set(came.map(({ orderId }) => orderId))]);
  const changes = orders
    .map((before) => {
      const returned = came.filter(({ orderId }) => orderId === before.orderId);
      return { before, order: withReturned(before, returned), action: "return" };
    })
    .filter(({ before, order }) => order.lines.some((line, i) => line !== before.lines[i]));
  return settleOrders(tx, change, clientId, changes);
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
