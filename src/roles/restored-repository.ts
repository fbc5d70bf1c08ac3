import type { Tx } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";

/**
 * Names the database as it lies on its disk: another cluster, another database and another timeline, which every recovery
 * to a moment begins, have another name. A copy of the files has the same one.
 */
export async function findClusterName(tx: Tx): Promise<string> {
  const rows = await tx.query<{ name: string }>(
    sql`select format('cluster %s, timeline %s, database %s', s.system_identifier, c.timeline_id, d.oid) as name
      from pg_control_system() s cross join pg_control_checkpoint() c
      join pg_database d on d.datname = current_database() limit 1`,
  );
  return rows[0]?.name ?? "restored";
}
