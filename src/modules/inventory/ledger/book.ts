import { assert } from "#/kernel/assert.ts";
import { stockBook } from "#/modules/inventory/tables.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { combined } from "#/store/db/row-set.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { type Answered, insertInto, selectFrom, updateOf } from "#/store/db/table.ts";

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
  let rows = await lockBooks.query(tx, codes);
  if (rows.length < codes.length) {
    insertBooks(tx, codes);
    rows = await lockBooks.query(tx, codes);
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

const bookColumns = ["facility_code", "last_position", "last_booked_at"] as const;
type StoredBook = Answered<Pick<typeof stockBook.columns, (typeof bookColumns)[number]>>;

/** Locks the books in the order of their codes; every transaction locks them in this order. */
const lockBooks = selectFrom(stockBook, {
  by: "facility_code",
  select: bookColumns,
  orderBy: ["facility_code"],
  lock: "for no key update",
  limit: 1000,
});
const insertMissing = insertInto(stockBook, { columns: ["facility_code"], onConflict: "nothing" });

/** @param facilityCodes sorted, so that two transactions that insert the same books do not deadlock */
function insertBooks(tx: ClientTransaction, facilityCodes: readonly string[]): void {
  insertMissing.send(
    tx,
    facilityCodes.map((code) => ({ facility_code: code })),
  );
}

export async function findBook(tx: ClientTx, facilityCode: string): Promise<StoredBook | undefined> {
  const rows = await tx.query<StoredBook>(sql`select facility_code, last_position, last_booked_at from stock_book
      where client_id = ${tenant} and facility_code = ${facilityCode} limit 1`);
  return rows[0];
}

// Work that shares a transaction may write the book in several statements, in any order: the highest position counts.
const writeLast = updateOf(stockBook, {
  set: ["last_booked_at"],
  with: { position: "bigint" },
  also: {
    last_position: sql`greatest(stock_book.last_position, given.position)`,
    first_booked_at: sql`case when given.position > 0
      then coalesce(stock_book.first_booked_at, given.last_booked_at) end`,
  },
  combine: (rows: readonly { facility_code: string; position: number; last_booked_at: string }[]) =>
    combined(
      rows,
      ({ facility_code }) => facility_code,
      (left, right) => (left.position > right.position ? left : right),
    ),
});

/** @param lastAt the earliest moment for later entries. */
export function writeBook(tx: ClientTransaction, facilityCode: string, lastPosition: number, lastAt: string): void {
  const row = { facility_code: facilityCode, position: lastPosition, last_booked_at: lastAt };
  writeLast.send(tx, [row]);
}

/** After a restore: skips this number of positions in each book; its next movement follows them. */
export async function leaveOutPositions(tx: ClientTx, positions: number): Promise<void> {
  await tx.query(sql`update stock_book set last_position = last_position + ${positions}::bigint, skipped_positions = skipped_positions + ${positions}::bigint
      where client_id = ${tenant} and facility_code > ''`);
}
