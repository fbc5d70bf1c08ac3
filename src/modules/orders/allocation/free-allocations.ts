import type { UnitOfWork } from "#/db/database.ts";
import {
  type Book,
  type Lot,
  listReservationsOfLots,
  type Movement,
  postMovements,
  type Reservation,
  writeReservations,
} from "#/modules/inventory/index.ts";
import { deallocationOf } from "#/modules/orders/allocation/deallocation.ts";
import { moved, type Order, withLines } from "#/modules/orders/order.ts";
import { lockOrders } from "#/modules/orders/order-repository.ts";
import { settleOrders } from "#/modules/orders/settle.ts";
import type { EventDraft } from "#/outbox/append.ts";

/**
 * Takes up to `qty` (integer thousandths) of a missing lot back from orders: from the lowest priority first, then from
 * the newest order, never from picked units. The lines are open again and go back to allocation.
 *
 * @returns the freed quantity, which may be less.
 */
export async function freeOrderAllocations(
  tx: UnitOfWork,
  book: Book,
  lot: { readonly sku: string } & Lot,
  qty: number,
): Promise<{ freed: number; drafts: EventDraft[] }> {
  const { facilityCode } = book;
  const reservations = (await listReservationsOfLots(tx, facilityCode, [lot])).filter(
    ({ ownerType, allocated }) => ownerType === "ORDER" && allocated > 0,
  );
  const orders = await lockOrders(tx, [...new Set(reservations.map(({ ownerId }) => ownerId))]);
  const byId = new Map(orders.map((order) => [order.orderId, order]));
  const orderOf = ({ ownerId }: Reservation) => byId.get(ownerId) as Order;
  const inTurn = reservations.toSorted((left, right) => lastServedFirst(orderOf(left), orderOf(right)));
  const freed = new Map<Reservation, number>();
  let left = qty;
  for (const reservation of inTurn) {
    const part = Math.min(left, reservation.allocated);
    if (part === 0) break;
    freed.set(reservation, part);
    left -= part;
  }
  writeReservations(
    tx,
    [...freed].map(([reservation, part]) => ({ ...reservation, allocated: reservation.allocated - part })),
  );
  const movements = [...freed].map(([reservation, part]): Movement => deallocationOf(reservation, part));
  postMovements(tx, book, tx.change.ids, movements);
  const byOrder = Map.groupBy([...freed], ([{ ownerId }]) => ownerId);
  const changes = [...byOrder].map(([orderId, parts]) => {
    const before = byId.get(orderId) as Order;
    const ofLine = new Map<number, number>();
    for (const [{ lineNumber }, part] of parts) ofLine.set(lineNumber, (ofLine.get(lineNumber) ?? 0) + part);
    const order = withLines(before, (line) => moved(line, "allocated", "open", ofLine.get(line.lineNumber) ?? 0));
    return { order, before, action: "deallocate" };
  });
  return { freed: qty - left, drafts: await settleOrders(tx, changes) };
}

/** The order in which allocations are taken back: the reverse of the order of allocation. */
export function lastServedFirst(left: Order, right: Order): number {
  if (left.priority !== right.priority) return right.priority - left.priority;
  if (left.receivedAt !== right.receivedAt) return left.receivedAt > right.receivedAt ? -1 : 1;
  return left.orderId > right.orderId ? -1 : 1;
}
