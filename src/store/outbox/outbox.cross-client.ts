import type { Tx } from "#/store/db/database.ts";
import { acrossClients as sql } from "#/store/db/sql.ts";

/**
 * Clients with work to publish, in no order: those with a mark, and those whose relay died while it held the lane,
 * perhaps after it cleared the marks. The query reads the small tables, not the outbox itself. Moments ISO 8601 UTC.
 * @param leaseMost the latest end of a lease that is taken now: a lease with a later end is void.
 */
export async function listDueClients(tx: Tx, at: string, leaseMost: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(sql`select client_id from outbox_due
    union select client_id from outbox_lane where owner is not null and (lease_until < ${at}::timestamptz
      or lease_until > ${leaseMost}::timestamptz) limit ${limit}`);
  return rows.map(({ client_id }) => client_id);
}
