import type { Database } from "#/store/db/database.ts";
import { sql } from "#/store/db/sql.ts";
import { until } from "../app/until.ts";

/** Waits until this number of sessions of the database wait for a lock. */
export async function untilBlocked(database: Database, count = 1): Promise<void> {
  await until(`${count} sessions that wait for a lock`, async () => {
    const waiting = await database.query(sql`select pid from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' limit 100`);
    return waiting.length >= count;
  });
}

/** Nothing is written to the table before the release: a transaction that wants to write waits with its locks. */
export async function holdWritesTo(database: Database, table: string): Promise<() => Promise<void>> {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holder = database.transaction(async (tx) => {
    await tx.query({ text: `lock table ${table} in share mode`, name: "", values: [], isTenant: false });
    held.resolve();
    await released.promise;
  });
  await held.promise;
  return async () => {
    released.resolve();
    await holder;
  };
}
