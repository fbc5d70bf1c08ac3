import type { Change } from "#/db/audit.ts";
import type { Transaction } from "#/db/database.ts";
import { formatQuantity, isWhole } from "#/kernel/quantity.ts";
import { ok, refused } from "#/kernel/result.ts";
import { openBooks } from "#/modules/inventory/index.ts";
import { type Order, type OrderLine, totalsOf } from "#/modules/orders/aggregate.ts";
import { findFacilities, lockOrders } from "#/modules/orders/aggregate-repository.ts";
import { isTaken } from "#/modules/orders/cancel-order.ts";
import { type HeaderChange, updateHeader, updateLineQuantity } from "#/modules/orders/change-repository.ts";
import { type Books, releaseStock } from "#/modules/orders/deallocation.ts";
import { type OrderAnswer, unknown } from "#/modules/orders/hold-order.ts";
import { settleOrders } from "#/modules/orders/settle.ts";

/** Why the header can be changed no more; undefined while it can: until something is packed. */
export function refusalOfHeaderChange(order: Order): string | undefined {
  const { packed, despatched } = totalsOf(order.lines);
  if (order.status === "CANCELLED") return "it is cancelled";
  if (despatched > 0) return "goods have left the warehouse; send an RMA for what comes back";
  return packed > 0 ? "its parcels are packed" : undefined;
}

/** Why quantities and lines can be changed no more; undefined while they can: until the warehouse has the order. */
export function refusalOfLineChange(order: Order): string | undefined {
  if (order.status === "CANCELLED") return "it is cancelled";
  if (totalsOf(order.lines).despatched > 0) return "goods have left the warehouse; send an RMA for what comes back";
  return isTaken(order)
    ? "the warehouse has taken it; cancel what is not to be sent, or send another order"
    : undefined;
}

/** Changes what is given of addresses, shippingMethod, carrierCode, priority and extendedAttributes, until it is packed. */
export async function changeOrder(
  tx: Transaction,
  change: Change,
  clientId: string,
  { orderId, ...header }: { readonly orderId: string } & HeaderChange,
): Promise<OrderAnswer> {
  const { before } = await open(tx, change, clientId, orderId);
  if (!before) return refused(unknown(orderId));
  const refusal = refusalOfHeaderChange(before);
  const names = Object.entries(header).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (refusal !== undefined) {
    return refused(`Order ${orderId}: ${names.join(", ")} cannot be changed in state ${before.status}: ${refusal}.`);
  }
  updateHeader(tx, clientId, orderId, header);
  const order: Order = {
    ...before,
    priority: header.priority ?? before.priority,
    carrierCode: header.carrierCode === undefined ? before.carrierCode : (header.carrierCode ?? undefined),
    shippingMethod: header.shippingMethod === undefined ? before.shippingMethod : (header.shippingMethod ?? undefined),
    shipToAddress: header.shipToAddress ?? before.shipToAddress,
  };
  const drafts = await settleOrders(tx, change, clientId, [
    { order, before, action: "update", topics: ["order:updated"] },
  ]);
  return ok({ order, drafts });
}

/** Changes the quantity of a line, in integer thousandths of its stock unit, until the warehouse has the order. */
export async function updateOrderLine(
  tx: Transaction,
  change: Change,
  clientId: string,
  { orderId, lineNumber, qty }: { readonly orderId: string; readonly lineNumber: number; readonly qty: number },
): Promise<OrderAnswer> {
  const { before, books } = await open(tx, change, clientId, orderId);
  if (!before) return refused(unknown(orderId));
  const line = before.lines.find((one) => one.lineNumber === lineNumber);
  if (!line) return refused(`Order ${orderId} has no line ${lineNumber}.`);
  const subject = `Order ${orderId}, line ${lineNumber}`;
  const refusal = refusalOfLineChange(before);
  if (refusal !== undefined) return refused(`${subject}: qty cannot be changed in state ${before.status}: ${refusal}.`);
  if (qty <= line.buckets.cancelled) {
    const least = line.buckets.cancelled === 0 ? "0" : `${formatQuantity(line.buckets.cancelled)}, which are cancelled`;
    return refused(
      `${subject}: qty ${formatQuantity(qty)} is not above ${least}; to want nothing of it, cancel the line.`,
    );
  }
  if (line.uom === "EA" && !isWhole(qty)) {
    return refused(`${subject}: qty ${formatQuantity(qty)} is not whole, and the stock unit is EA.`);
  }
  const { line: after, released } = withQuantity(line, qty);
  const order = { ...before, lines: before.lines.map((one) => (one === line ? after : one)) };
  await releaseStock(tx, change, clientId, books, [{ orderId, lineNumber, qty: released }]);
  updateLineQuantity(tx, clientId, orderId, lineNumber, qty);
  const drafts = await settleOrders(tx, change, clientId, [
    { order, before, action: "update", topics: ["order:updated"] },
  ]);
  return ok({ order, drafts });
}

/**
 * The line with another quantity ordered: more of it is open; less is taken from what waits for stock first, then from
 * what is allocated, which is to be released.
 */
export function withQuantity(line: OrderLine, qty: number): { line: OrderLine; released: number } {
  const { buckets } = line;
  if (qty >= buckets.ordered) {
    const more = qty - buckets.ordered;
    return { line: { ...line, buckets: { ...buckets, ordered: qty, open: buckets.open + more } }, released: 0 };
  }
  const less = buckets.ordered - qty;
  const ofBackordered = Math.min(less, buckets.backordered);
  const ofOpen = Math.min(less - ofBackordered, buckets.open);
  const released = less - ofBackordered - ofOpen;
  const after = {
    ...buckets,
    ordered: qty,
    backordered: buckets.backordered - ofBackordered,
    open: buckets.open - ofOpen,
    allocated: buckets.allocated - released,
  };
  return { line: { ...line, buckets: after }, released };
}

async function open(
  tx: Transaction,
  change: Change,
  clientId: string,
  orderId: string,
): Promise<{ readonly before: Order | undefined; readonly books: Books }> {
  const facilities = await findFacilities(tx, clientId, [orderId]);
  const books = await openBooks(tx, clientId, [...facilities.values()], change.at);
  const [before] = await lockOrders(tx, clientId, [orderId]);
  return { before, books };
}
