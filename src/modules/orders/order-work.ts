import { lineNumberOf } from "#/kernel/values/kit-lines.ts";
import type { Work, WorkLine } from "#/modules/facilities/index.ts";
import { fieldsOfLot, listReservations, type Reservation } from "#/modules/inventory/index.ts";
import { type BackorderPolicy, findPolicy, shipsInParts } from "#/modules/orders/allocation/backorder-repository.ts";
import { facilitiesOf, facilityOfLine, type Order, type OrderLine, totalsOf } from "#/modules/orders/order.ts";
import { lockOrders, readDetails, readOrders, type StoredDetails } from "#/modules/orders/order-repository.ts";
import { settleOrders } from "#/modules/orders/settle.ts";
import type { ClientTx, UnitOfWork } from "#/store/db/database.ts";
import type { EventDraft } from "#/store/outbox/append.ts";

/** The current work of the warehouses for these orders: pick, cancel request and hold of each, by facility. */
export async function listOrderWork(tx: ClientTx, orderIds: readonly string[]): Promise<Work[]> {
  if (orderIds.length === 0) return [];
  const [orders, details, reservations, policy] = await Promise.all([
    readOrders(tx, orderIds),
    readDetails(tx, orderIds),
    listReservations(tx, "ORDER", orderIds),
    findPolicy(tx),
  ]);
  const heldBy = Map.groupBy(reservations, ({ ownerId }) => ownerId);
  return orders.flatMap((order) =>
    facilitiesOf(order).flatMap((facilityCode) => {
      const held = heldBy.get(order.orderId) ?? [];
      const here = held.filter((reservation) => reservation.facilityCode === facilityCode);
      const lines = order.lines.filter((line) => facilityOfLine(order, line) === facilityCode);
      const isToldOfHold = order.takenAt !== undefined && order.holds.length > 0;
      const requested = linesOf({ ...order, lines }, ({ cancelRequested }) => cancelRequested);
      return [
        pickWork(order, facilityCode, details, here, policy),
        workOf(order, facilityCode, details, "CANCEL_REQUEST", requested),
        workOf(order, facilityCode, details, "HOLD", isToldOfHold ? linesOf({ ...order, lines }, inHand) : []),
      ];
    }),
  );
}

const inHand = ({ buckets }: OrderLine) => buckets.allocated + buckets.picked + buckets.packed;

/** The lots of the pick are the allocated lots of the reservations. */
function pickWork(
  order: Order,
  facilityCode: string,
  details: StoredDetails,
  reservations: readonly Reservation[],
  policy: BackorderPolicy,
): Work {
  const byNumber = new Map(order.lines.map((line) => [line.lineNumber, line]));
  const lines = !isReleasable(order, policy)
    ? []
    : reservations
        .filter(({ allocated }) => allocated > 0)
        .map((reservation) => ({
          lineNumber: reservation.lineNumber,
          sku: reservation.sku,
          qty: reservation.allocated,
          uom: byNumber.get(reservation.lineNumber)?.uom ?? "",
          kit: kitOf(order, reservation.lineNumber),
          ...fieldsOfLot(reservation),
          extendedAttributes: details.ofLine(order.orderId, reservation.lineNumber),
        }));
  const { externalOrderReference, shippingMethod } = order;
  const header = details.ofOrder(order.orderId);
  return {
    ...workOf(order, facilityCode, details, "PICK", lines),
    dueAt: order.despatchBy,
    order: { externalOrderReference, shippingMethod, ...header },
  };
}

/** An order goes to the warehouse if it has no hold and is fully allocated, or may leave in parts. */
export function isReleasable(order: Order, policy: BackorderPolicy): boolean {
  const { open, backordered, allocated, picked, packed } = totalsOf(order.lines);
  const requested = order.lines.reduce((sum, { cancelRequested }) => sum + cancelRequested, 0);
  if (order.holds.length > 0 || allocated === 0 || requested >= allocated + picked + packed) return false;
  // The warehouse may continue an order that it has begun, even if a part was found missing.
  return open + backordered === 0 || shipsInParts(order, policy) || order.takenAt !== undefined;
}

/** The kit that the goods of a row are for. */
function kitOf({ kits }: Order, rowNumber: number): WorkLine["kit"] {
  if (kits.length === 0) return undefined;
  const kit = kits.find(({ lineNumber }) => lineNumber === lineNumberOf(rowNumber));
  return kit && { lineNumber: kit.lineNumber, sku: kit.sku };
}

function linesOf(order: Order, qtyOf: (line: OrderLine) => number): WorkLine[] {
  return order.lines.flatMap((line) => {
    const qty = qtyOf(line);
    const { lineNumber, sku, uom, stockPool } = line;
    return qty === 0 ? [] : [{ lineNumber, sku, qty, uom, stockPool, kit: kitOf(order, lineNumber) }];
  });
}

function workOf(
  order: Order,
  facilityCode: string,
  details: StoredDetails,
  type: Work["type"],
  lines: readonly WorkLine[],
): Work {
  return {
    type,
    objectId: order.orderId,
    facilityCode,
    isWanted: lines.length > 0,
    priority: order.priority,
    lines,
    shipTo: details.shipToOf(order.orderId),
    carrierCode: order.carrierCode,
  };
}

export interface Taking {
  /** Orders that the warehouse has taken, including earlier ones. */
  readonly taken: string[];
  /**
   * Orders that the warehouse can no longer take, for example because they were cancelled or held meanwhile, with the
   * reason.
   */
  readonly refused: readonly { readonly orderId: string; readonly reason: string }[];
  readonly drafts: EventDraft[];
}

/** Records that the warehouse has accepted the picks: after that, a cancellation is a request to the warehouse. */
export async function takeOrders(tx: UnitOfWork, orderIds: readonly string[]): Promise<Taking> {
  const [orders, policy] = await Promise.all([lockOrders(tx, orderIds), findPolicy(tx)]);
  const known = new Map(orders.map((order) => [order.orderId, order]));
  const refused: { orderId: string; reason: string }[] = [];
  const taken: Order[] = [];
  for (const orderId of orderIds) {
    const order = known.get(orderId);
    const reason = refusalOfTaking(order, policy);
    if (reason !== undefined) refused.push({ orderId, reason });
    else if (order) taken.push(order);
  }
  const changes = taken
    .filter(({ takenAt }) => takenAt === undefined)
    .map((before) => ({ order: { ...before, takenAt: tx.change.at }, before, action: "take" }));
  const drafts = await settleOrders(tx, changes);
  return { taken: taken.map(({ orderId }) => orderId), refused, drafts };
}

function refusalOfTaking(order: Order | undefined, policy: BackorderPolicy): string | undefined {
  if (!order) return "the order is not known";
  if (order.takenAt !== undefined) return undefined;
  if (order.holds.length > 0) return `the order is held: ${order.holds.map(({ type }) => type).join(", ")}`;
  return isReleasable(order, policy) ? undefined : `the order is ${order.status} and has nothing to pick`;
}
