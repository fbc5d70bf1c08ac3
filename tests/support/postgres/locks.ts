import type { Database } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";
import { until } from "../app/until.ts";

/** Waits until this number of sessions of the database wait for a lock. */
export async function untilBlocked(database: Database, count = 1): Promise<void> {
  await until(`${count} sessions that wait for a lock`, async () => {
    const waiting = await database.query(sql`select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' limit 100`);
    return waiting.length >= count;
  });
}
