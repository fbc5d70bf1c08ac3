import type { Tx } from "#/db/database.ts";
import { acrossClients as sql } from "#/db/sql.ts";

/**
 * Clients that have something to publish, in no order: those with a mark, and those whose relay died with the lane in its
 * hands, having cleared the marks perhaps. The small tables are read, not the work itself. Moments ISO 8601 UTC.
 * @param leaseMost where a lease that is taken now ends at the latest: one that ends behind it is void.
 */
export async function listDueClients(tx: Tx, at: string, leaseMost: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(sql`select client_id from outbox_due
    union select client_id from outbox_lane where owner is not null and (lease_until < ${at}::timestamptz
      or lease_until > ${leaseMost}::timestamptz) limit ${limit}`);
  return rows.map(({ client_id }) => client_id);
}
