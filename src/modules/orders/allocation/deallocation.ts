import { assert } from "#/kernel/assert.ts";
import {
  type Book,
  type Lot,
  listReservations,
  listReservationsOfLots,
  type Movement,
  postMovements,
  type Reservation,
  writeReservations,
} from "#/modules/inventory/index.ts";
import { moved, type Order, withLines } from "#/modules/orders/order.ts";
import { lockOrders } from "#/modules/orders/order-repository.ts";
import { settleOrders } from "#/modules/orders/settle.ts";
import type { UnitOfWork } from "#/store/db/database.ts";
import type { EventDraft } from "#/store/outbox/append.ts";

/** Quantity that a line releases of its unpicked reservations; integer thousandths. */
export interface Release {
  readonly orderId: string;
  readonly lineNumber: number;
  readonly qty: number;
}

/** The books of the orders' facilities, by facility code; they are opened before the orders are locked. */
export type Books = ReadonlyMap<string, Book>;

/**
 * Releases reserved stock in the transaction that takes it from the lines. Each line releases the lot with the latest
 * expiry date first and keeps the lots that must leave first. The allocated quantity of the balances falls by the same
 * amount.
 */
export async function releaseStock(tx: UnitOfWork, books: Books, releases: readonly Release[]): Promise<void> {
  const wanted = releases.filter(({ qty }) => qty > 0);
  if (wanted.length === 0) return;
  const held = await listReservations(tx, "ORDER", [...new Set(wanted.map(({ orderId }) => orderId))]);
  const changed: Reservation[] = [];
  const movements = new Map<string, Movement[]>();
  for (const { orderId, lineNumber, qty } of wanted) {
    const ofLine = held.filter(
      (reservation) =>
        reservation.ownerId === orderId && reservation.lineNumber === lineNumber && reservation.allocated > 0,
    );
    let left = qty;
    for (const reservation of ofLine.sort(keepsLongestFirst)) {
      const freed = Math.min(left, reservation.allocated);
      if (freed === 0) break;
      left -= freed;
      changed.push({ ...reservation, allocated: reservation.allocated - freed });
      const { facilityCode } = reservation;
      movements.set(facilityCode, [...(movements.get(facilityCode) ?? []), deallocationOf(reservation, freed)]);
    }
    assert(left === 0, `order ${orderId}, line ${lineNumber}: ${left} thousandths are allocated and not reserved`);
  }
  writeReservations(tx, changed);
  for (const [facilityCode, entries] of movements) {
    const book = books.get(facilityCode);
    assert(book, `the book of ${facilityCode} was not opened before order rows were locked`);
    postMovements(tx, book, tx.change.ids, entries);
  }
}

function keepsLongestFirst(left: Reservation, right: Reservation): number {
  if (left.expiryDate !== right.expiryDate) return left.expiryDate > right.expiryDate ? -1 : 1;
  return left.allocatedAt > right.allocatedAt ? -1 : 1;
}

/** The ledger entry for units that an order releases. */
function deallocationOf(reservation: Reservation, qty: number): Movement {
  const { sku, stockPool, batchRef, expiryDate, ownerId } = reservation;
  return {
    type: "DEALLOCATION",
    sku,
    stockPool,
    batchRef,
    expiryDate,
    condition: "GOOD",
    qty: -qty,
    allocatedChange: -qty,
    referenceType: "order",
    referenceId: ownerId,
  };
}

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
function lastServedFirst(left: Order, right: Order): number {
  if (left.priority !== right.priority) return right.priority - left.priority;
  if (left.receivedAt !== right.receivedAt) return left.receivedAt > right.receivedAt ? -1 : 1;
  return left.orderId > right.orderId ? -1 : 1;
}
