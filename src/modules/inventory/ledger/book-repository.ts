import type { Transaction, Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { insertInto, selectFrom } from "#/db/table.ts";
import { tenantQuery, tenantSend } from "#/db/tenant.ts";
import { stockBook } from "#/modules/inventory/tables.ts";

export interface BookRow {
  readonly facility_code: string;
  readonly last_position: number;
  readonly last_at: string;
}

const lockByFacility = selectFrom(stockBook, {
  by: "facility_code",
  select: ["facility_code", "last_position", "last_at"],
  orderBy: ["facility_code"],
  lock: "for no key update",
  limit: 1000,
});
const insertMissing = insertInto(stockBook, { columns: ["facility_code"], onConflict: "nothing" });

/** In the order of their codes, in which every transaction locks them. */
export function lockBooks(tx: Tx, clientId: string, facilityCodes: readonly string[]): Promise<BookRow[]> {
  return lockByFacility.query(tx, clientId, facilityCodes);
}

/** @param facilityCodes in their order, so that two transactions that make the same books do not wait crosswise */
export function insertBooks(tx: Transaction, clientId: string, facilityCodes: readonly string[]): void {
  insertMissing.send(
    tx,
    clientId,
    facilityCodes.map((code) => ({ facility_code: code })),
  );
}

export async function findBook(tx: Tx, clientId: string, facilityCode: string): Promise<BookRow | undefined> {
  const rows = await tenantQuery<BookRow>(
    tx,
    clientId,
    sql`select facility_code, last_position, last_at from stock_book
      where client_id = ${tenant} and facility_code = ${facilityCode} limit 1`,
  );
  return rows[0];
}

/** @param lastAt nothing may be booked before it any more. */
export function writeBook(
  tx: Transaction,
  clientId: string,
  facilityCode: string,
  lastPosition: number,
  lastAt: string,
): void {
  tenantSend(
    tx,
    clientId,
    sql`update stock_book set last_position = ${lastPosition}::bigint, last_at = ${lastAt}::timestamptz,
        first_at = case when ${lastPosition}::bigint > 0 then coalesce(first_at, ${lastAt}::timestamptz) end
      where client_id = ${tenant} and facility_code = ${facilityCode}`,
  );
}

/** After a restore: so many positions are left out of each book, which its next movement comes behind. */
export async function leaveOutPositions(tx: Tx, clientId: string, positions: number): Promise<void> {
  await tenantQuery(
    tx,
    clientId,
    sql`update stock_book set last_position = last_position + ${positions}::bigint, skipped = skipped + ${positions}::bigint
      where client_id = ${tenant} and facility_code > ''`,
  );
}
