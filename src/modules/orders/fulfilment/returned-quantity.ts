import { assert } from "#/kernel/assert.ts";
import { withDelivered } from "#/modules/orders/fulfilment/despatch.ts";
import { inUtc, withParcels } from "#/modules/orders/fulfilment/fulfilment-rules.ts";
import { contentsOf, rowsByKit, withReturnedKits } from "#/modules/orders/kits.ts";
import { type Order, type OrderLine, withLines } from "#/modules/orders/order.ts";
import { lockOrders } from "#/modules/orders/order-repository.ts";
import { settleOrders } from "#/modules/orders/settle.ts";
import { listMilestonesOf, listParcels, recordSteps, statusAfter } from "#/modules/parcels/index.ts";
import type { ClientTx, UnitOfWork } from "#/store/db/database.ts";
import type { EventDraft } from "#/store/outbox/append.ts";

/** An order that goods come back from, locked until the transaction ends. */
export interface ReturnableOrder {
  readonly order: Order;
  /** By SKU in integer thousandths: shipped, and not yet returned by any return. */
  readonly shipped: ReadonlyMap<string, number>;
  /** The components of the order's kits, by SKU of the kit: a kit may come back as itself, too. */
  readonly kits: ReadonlyMap<string, readonly KitPart[]>;
}

export interface KitPart {
  readonly sku: string;
  /** In one kit; integer thousandths. */
  readonly qty: number;
}

/** Undefined if the order is not in the store (any more). */
export async function lockReturnable(tx: ClientTx, orderId: string): Promise<ReturnableOrder | undefined> {
  const [order] = await lockOrders(tx, [orderId]);
  if (!order) return undefined;
  const shipped = new Map<string, number>();
  for (const { sku, buckets, returned } of order.lines) {
    shipped.set(sku, (shipped.get(sku) ?? 0) + buckets.despatched - returned);
  }
  const kitRows = rowsByKit(order.lines);
  const kits = new Map(
    order.kits.map(({ sku, lineNumber }) => [sku, contentsOf(kitRows(lineNumber)).map(partOf)] as const),
  );
  return { order, shipped, kits };
}

const partOf = ({ sku, qty }: KitPart): KitPart => ({ sku, qty });

/**
 * Raises qtyReturned of the order's lines of the SKU, in line order, up to the despatched quantity: kits from stock
 * first, then those of components. Any excess is ignored.
 *
 * @param returned quantities in integer thousandths
 */
export async function raiseReturned(
  tx: UnitOfWork,
  { order: before }: ReturnableOrder,
  returned: readonly { readonly sku: string; readonly qty: number }[],
): Promise<EventDraft[]> {
  const order = withReturned(before, returned);
  if (!order.lines.some((line, i) => line !== before.lines[i])) return [];
  return settleOrders(tx, [{ before, order, action: "return" }]);
}

/** Goods of a parcel that is back in the warehouse. */
export interface ParcelReturn {
  readonly olpnId: string;
  /** All units of the parcel are back, or the warehouse expects no more of them. */
  readonly isComplete: boolean;
  /** ISO 8601; when they came. */
  readonly at: string;
  /** Quantities in integer thousandths. */
  readonly goods: readonly { readonly sku: string; readonly qty: number }[];
}

/** Return Arrived and Returned to Sender (lifecycle.md §9). */
const [arrived, returnedToSender] = [270, 300] as const;

/**
 * Goods of a return to sender raise qtyReturned as other goods do, and the report has the effect of the carrier's codes:
 * so parcel and order end even if no carrier reports the way back (lifecycle.md §3). A known code is not repeated.
 */
export async function returnParcel(
  tx: UnitOfWork,
  { order: before }: ReturnableOrder,
  { olpnId, isComplete, at, goods }: ParcelReturn,
): Promise<EventDraft[]> {
  const { orderId } = before;
  const [all, known] = await Promise.all([listParcels(tx, [orderId]), listMilestonesOf(tx, orderId, [olpnId])]);
  const parcel = all.find((candidate) => candidate.olpnId === olpnId);
  assert(parcel, `order ${orderId} has no parcel ${olpnId}`);
  const step = { code: isComplete ? returnedToSender : arrived, olpnId, at: inUtc(at) };
  const isNew = parcel.status !== "RETURNED_TO_SENDER" && known.every(({ code }) => code !== step.code);
  const after = isNew ? statusAfter(parcel, step) : parcel;
  const parcels = withParcels(all, [after]);
  const order = withDelivered(withReturned(before, goods), parcels);
  if (!isNew && order.lines.every((line, i) => line === before.lines[i])) return [];
  if (after !== parcel) recordSteps(tx, "return", [parcel], [after]);
  return settleOrders(tx, [{ before, order, action: "return", parcels, milestones: isNew ? [step] : [] }]);
}

function withReturned(order: Order, came: readonly { readonly sku: string; readonly qty: number }[]): Order {
  const left = new Map<string, number>();
  for (const { sku, qty } of came) left.set(sku, (left.get(sku) ?? 0) + qty);
  const returned = withLines(order, (line) => {
    const room = line.buckets.despatched - line.returned;
    const qty = Math.min(room, left.get(line.sku) ?? 0);
    if (qty <= 0) return line;
    left.set(line.sku, (left.get(line.sku) ?? 0) - qty);
    return { ...line, returned: line.returned + qty };
  });
  if (order.kits.length === 0) return returned;
  const kitRows = rowsByKit(returned.lines);
  const changed = new Map<number, OrderLine>();
  for (const { sku, lineNumber } of order.kits) {
    const rows = withReturnedKits(kitRows(lineNumber), left.get(sku) ?? 0);
    left.set(sku, (left.get(sku) ?? 0) - rows.kits);
    if (rows.kits > 0) for (const row of rows.components) changed.set(row.lineNumber, row);
  }
  return withLines(returned, (line) => changed.get(line.lineNumber) ?? line);
}
