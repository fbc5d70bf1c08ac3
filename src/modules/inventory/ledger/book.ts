import type { ClientTransaction } from "#/db/database.ts";
import { assert } from "#/kernel/assert.ts";
import * as repository from "#/modules/inventory/ledger/book-repository.ts";

/**
 * The book of one client in one facility, locked until the end of the transaction. Only the holder of the lock assigns
 * positions and changes stock or reservations there (docs/decisions/0012).
 */
export interface Book {
  readonly clientId: string;
  readonly facilityCode: string;
  /** When entries are booked, ISO 8601 UTC: now, but never before the previous entry. */
  readonly at: string;
  /** The position of the last entry; `postMovements` increments it. */
  position: number;
}

/** Opens one book and creates it if the client has had no stock there. @param at ISO 8601 UTC. */
export async function openBook(tx: ClientTransaction, facilityCode: string, at: string): Promise<Book> {
  // Work that shares the transaction shares the book, which counts the positions of all.
  return tx.once(`book ${tx.clientId} ${facilityCode}`, async () => {
    const book = (await openBooks(tx, [facilityCode], at)).get(facilityCode);
    assert(book, `the book of ${tx.clientId} in ${facilityCode} was not opened`);
    return book;
  });
}

/**
 * Opens several books of a client, always in the order of their codes, so that two transactions never deadlock. A
 * transaction calls it once, before it locks any order, purchase order, return or work order.
 */
export async function openBooks(
  tx: ClientTransaction,
  facilityCodes: readonly string[],
  at: string,
): Promise<ReadonlyMap<string, Book>> {
  const codes = [...new Set(facilityCodes)].sort();
  if (codes.length === 0) return new Map();
  let rows = await repository.lockBooks(tx, codes);
  if (rows.length < codes.length) {
    repository.insertBooks(tx, codes);
    rows = await repository.lockBooks(tx, codes);
  }
  assert(rows.length === codes.length, `${tx.clientId} has no tenant row`);
  const books = new Map<string, Book>();
  for (const row of rows) {
    const atMs = Math.max(Date.parse(at), row.last_booked_at === "-infinity" ? 0 : Date.parse(row.last_booked_at));
    books.set(row.facility_code, {
      clientId: tx.clientId,
      facilityCode: row.facility_code,
      at: new Date(atMs).toISOString(),
      position: row.last_position,
    });
  }
  return books;
}
