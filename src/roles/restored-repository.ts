import type { Tx } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";

/**
 * Identifies the database by its cluster, database and timeline. Every point-in-time recovery begins a new timeline, so
 * its name differs. A copy of the files has the same name.
 */
export async function findClusterName(tx: Tx): Promise<string> {
  const rows = await tx.query<{ name: string }>(
    sql`select format('cluster %s, timeline %s, database %s', s.system_identifier, c.timeline_id, d.oid) as name
      from pg_control_system() s cross join pg_control_checkpoint() c
      join pg_database d on d.datname = current_database() limit 1`,
  );
  return rows[0]?.name ?? "restored";
}
