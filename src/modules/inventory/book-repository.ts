import type { Transaction, Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery, tenantSend } from "#/db/tenant.ts";

export interface BookRow {
  readonly facility_code: string;
  readonly last_position: number;
  readonly last_at: string;
}

/** In the order of their codes, which is the order that everybody locks them in. */
export function lockBooks(tx: Tx, clientId: string, facilityCodes: readonly string[]): Promise<BookRow[]> {
  return tenantQuery(
    tx,
    clientId,
    sql`select facility_code, last_position, last_at from stock_book
      where client_id = ${tenant} and facility_code = any(${facilityCodes}::text[])
      order by facility_code limit 1000 for no key update`,
  );
}

export function insertBooks(tx: Transaction, clientId: string, facilityCodes: readonly string[]): void {
  tenantSend(
    tx,
    clientId,
    sql`insert into stock_book as b (client_id, facility_code)
      select t.client_id, x.f
      from tenant t cross join json_to_recordset(${JSON.stringify(facilityCodes.map((f) => ({ f })))}::json) as x(f text)
      where t.client_id = ${tenant} order by x.f
      on conflict (client_id, facility_code) do nothing returning b.facility_code`,
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
