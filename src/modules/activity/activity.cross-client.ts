import type { Tx } from "#/store/db/database.ts";
import { acrossClients as sql } from "#/store/db/sql.ts";

/**
 * Owners of event logs with events that the job has not seen, or that may have due days, in no order. The query returns
 * all of them, from three small tables.
 */
export async function listOwnersWithWork(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select t.client_id from tenant t left join activity_cursor c on c.client_id = t.client_id
        left join outbox_lane l on l.client_id = t.client_id
      where c.client_id is null or c.has_due or l.last_position > c.position limit 100000`,
  );
  return rows.map(({ client_id }) => client_id);
}
