import type { Tx } from "#/store/db/database.ts";
import { acrossClients as sql } from "#/store/db/sql.ts";

/**
 * Clients with stock entries of a facility from before a midnight (ISO 8601), and no snapshot of the date that ended at
 * this midnight. @param endedDate `YYYY-MM-DD`
 */
export async function listClientsWithoutSnapshot(
  tx: Tx,
  facilityCode: string,
  midnight: { readonly at: string; readonly endedDate: string },
  limit: number,
): Promise<string[]> {
  const { at, endedDate } = midnight;
  const rows = await tx.query<{ client_id: string }>(
    sql`select b.client_id from stock_book b
      where b.facility_code = ${facilityCode} and b.first_booked_at < ${at}::timestamptz
        and not exists (select from stock_snapshot s where s.client_id = b.client_id and s.facility_code = b.facility_code
          and s.snapshot_date = ${endedDate}::date and s.kind = 'MIDNIGHT')
      order by b.client_id limit ${limit}`,
  );
  return rows.map(({ client_id }) => client_id);
}

/** Clients with snapshots whose documents are not all written yet. */
export async function listClientsWithUnwritten(tx: Tx, limit: number): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select distinct client_id from stock_snapshot where written_at is null limit ${limit}`,
  );
  return rows.map(({ client_id }) => client_id);
}
