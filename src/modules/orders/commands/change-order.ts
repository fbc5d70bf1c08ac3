import { conflict } from "#/kernel/refusal.ts";
import { ok, refused } from "#/kernel/result.ts";
import { formatQuantity, quantityToNumber } from "#/kernel/values/quantity.ts";
import { releaseStock } from "#/modules/orders/allocation/deallocation.ts";
import { isTaken, refusalOfPart } from "#/modules/orders/commands/cancel-order.ts";
import { updateLineQuantity } from "#/modules/orders/commands/change-repository.ts";
import { type LineKey, type OrderAnswer, openOrderLine } from "#/modules/orders/commands/open-order.ts";
import { type KitRows, partsOf, rowsOf } from "#/modules/orders/kits.ts";
import { type Order, type OrderLine, totalsOf } from "#/modules/orders/order.ts";
import { settleOrders } from "#/modules/orders/settle.ts";
import type { UnitOfWork } from "#/store/db/database.ts";

/** Why the header can no longer be changed; undefined until something is packed. */
export function refusalOfHeaderChange(order: Order): string | undefined {
  const { packed, despatched } = totalsOf(order.lines);
  if (order.status === "CANCELLED") return "it is cancelled";
  if (despatched > 0) return "goods have left the warehouse; send an RMA for what comes back";
  return packed > 0 ? "its parcels are packed" : undefined;
}

/** Why quantities and lines can no longer be changed; undefined until the warehouse has taken the order. */
export function refusalOfLineChange(order: Order): string | undefined {
  if (order.status === "CANCELLED") return "it is cancelled";
  if (totalsOf(order.lines).despatched > 0) return "goods have left the warehouse; send an RMA for what comes back";
  return isTaken(order) ? "the warehouse has taken it; cancel the rest, or send another order" : undefined;
}

/**
 * Changes the quantity of a line, in integer thousandths of its stock unit, until the warehouse has taken the order.
 * Refused as 404 (order, line), 412, 409, or 422 (a fraction of a piece). The current quantity changes nothing.
 */
export async function updateOrderLine(
  tx: UnitOfWork,
  { qty, ...key }: LineKey & { readonly qty: number },
): Promise<OrderAnswer> {
  const { orderId, lineNumber } = key;
  const opened = await openOrderLine(tx, key);
  if (!opened.ok) return opened;
  const { before, books, line } = opened.value;
  // The request changes nothing, so no state can forbid it: a late repeat is not a fault.
  if (qty === line.buckets.ordered && line.buckets.cancelled === 0) return ok({ answer: before, events: [] });
  const subject = `Order ${orderId}, line ${lineNumber}`;
  const refusal = refusalOfLineChange(before);
  if (refusal !== undefined) {
    return refused(conflict(`${subject}: qty cannot be changed in state ${before.status}: ${refusal}.`));
  }
  if (qty <= line.buckets.cancelled) {
    const least = line.buckets.cancelled === 0 ? "0" : `${formatQuantity(line.buckets.cancelled)}, which are cancelled`;
    const message = `qty ${formatQuantity(qty)} is not above ${least}; to remove it, cancel the line`;
    return refused(conflict(`${subject}: ${message}.`));
  }
  const part = refusalOfPart(orderId, line, qty);
  if (part) return refused(part);
  if (qty === line.buckets.ordered) return ok({ answer: before, events: [] });
  const { lines, released } = withLineQuantity(before, line, qty);
  const order = { ...before, lines };
  await releaseStock(
    tx,
    books,
    released.map((part) => ({ ...part, orderId })),
  );
  updateLineQuantity(tx, orderId, lineNumber, qty);
  const events = await settleOrders(tx, [
    { order, before, action: "update", topics: ["order:updated"], detail: { lineNumber, qty: quantityToNumber(qty) } },
  ]);
  return ok({ answer: order, events });
}

/** The lines of the order, one of them with another ordered quantity: of a kit its rows, in whole kits. */
function withLineQuantity({ lines, kits }: Order, line: OrderLine, qty: number) {
  const { lineNumber } = line;
  const isKit = kits.some((kit) => kit.lineNumber === lineNumber);
  const changed = isKit ? withKits(rowsOf(lines, lineNumber), line.buckets.ordered, qty) : [withQuantity(line, qty)];
  const byNumber = new Map(changed.map((row) => [row.line.lineNumber, row.line]));
  return {
    lines: lines.map((row) => byNumber.get(row.lineNumber) ?? row),
    released: changed.map((row) => ({ lineNumber: row.line.lineNumber, qty: row.released })),
  };
}

/** The rows of a kit for another quantity of kits. Fewer kits take from those of components first, which may wait. */
export function withKits(rows: KitRows, before: number, kits: number): { line: OrderLine; released: number }[] {
  if (kits >= before)
    return [rows.built, ...rows.components].map((row) =>
      withQuantity(row, row.buckets.ordered + moreOf(rows, row, kits - before)),
    );
  const less = new Map(partsOf(rows, before - kits)?.map(({ lineNumber, qty }) => [lineNumber, qty]));
  return [rows.built, ...rows.components].map((row) =>
    withQuantity(row, row.buckets.ordered - (less.get(row.lineNumber) ?? 0)),
  );
}

const moreOf = ({ built }: KitRows, row: OrderLine, kits: number) =>
  row === built ? 0 : (kits * (row.kitQty ?? 0)) / 1_000;

/**
 * The line with another ordered quantity. A higher quantity adds open quantity. A lower quantity takes from the waiting
 * quantity first, then from the allocated quantity; the caller must release that part.
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
