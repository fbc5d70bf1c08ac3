import type { Change } from "#/db/audit.ts";
import type { Transaction } from "#/db/database.ts";
import { assert } from "#/kernel/assert.ts";
import {
  type Book,
  listReservations,
  type Movement,
  postMovements,
  type Reservation,
  writeReservations,
} from "#/modules/inventory/index.ts";

/** Quantity that a line gives back of what is reserved for it and not picked; integer thousandths. */
export interface Release {
  readonly orderId: string;
  readonly lineNumber: number;
  readonly qty: number;
}

/** Where each order's stock is kept: the books that were opened before the orders were locked. */
export type Books = ReadonlyMap<string, Book>;

/**
 * Gives reserved stock back, in the transaction that takes it from the lines: of each line what keeps longest goes first,
 * so that it holds on to what is to leave first. The balances want allocation by it.
 */
export async function releaseStock(
  tx: Transaction,
  { ids }: Change,
  clientId: string,
  books: Books,
  releases: readonly Release[],
): Promise<void> {
  const wanted = releases.filter(({ qty }) => qty > 0);
  if (wanted.length === 0) return;
  const held = await listReservations(tx, clientId, "ORDER", [...new Set(wanted.map(({ orderId }) => orderId))]);
  const changed: Reservation[] = [];
  const movements = new Map<string, Movement[]>();
  for (const { orderId, lineNumber, qty } of wanted) {
    const ofLine = held.filter((one) => one.ownerId === orderId && one.lineNumber === lineNumber && one.allocated > 0);
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
  writeReservations(tx, clientId, changed);
  for (const [facilityCode, entries] of movements) {
    const book = books.get(facilityCode);
    assert(book, `the book of ${facilityCode} was not opened before order rows were locked`);
    postMovements(tx, book, ids, entries);
  }
}

function keepsLongestFirst(left: Reservation, right: Reservation): number {
  if (left.expiryDate !== right.expiryDate) return left.expiryDate > right.expiryDate ? -1 : 1;
  return left.allocatedAt > right.allocatedAt ? -1 : 1;
}

/** The ledger's entry of units that an order no longer holds. */
export function deallocationOf(reservation: Reservation, qty: number): Movement {
  const { sku, stockPool, batchRef, expiryDate, ownerId } = reservation;
  return {
    type: "DEALLOCATION",
    ...{ sku, stockPool, batchRef, expiryDate },
    condition: "GOOD",
    qty: -qty,
    allocatedChange: -qty,
    referenceType: "order",
    referenceId: ownerId,
  };
}
