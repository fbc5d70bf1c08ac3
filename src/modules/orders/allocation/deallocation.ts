import type { UnitOfWork } from "#/db/database.ts";
import { assert } from "#/kernel/assert.ts";
import {
  type Book,
  listReservations,
  type Movement,
  postMovements,
  type Reservation,
  writeReservations,
} from "#/modules/inventory/index.ts";

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
export function deallocationOf(reservation: Reservation, qty: number): Movement {
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
