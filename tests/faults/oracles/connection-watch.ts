// How many connections the nodes of a deployment have open at the most, looked at all the time.
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "#/db/database.ts";
import { atEnd } from "../../support/app/at-end.ts";

export interface ConnectionWatch {
  /** The most that were open at one time, and the most of each name. */
  end(): Promise<{ readonly total: number; readonly byName: Readonly<Record<string, number>> }>;
}

const lookMs = 100;

/** @param database the test's own, whose connections do not count */
export function watchConnections(database: Database): ConnectionWatch {
  const byName: Record<string, number> = {};
  let total = 0;
  let isOver = false;
  const looking = (async () => {
    for (; !isOver; await sleep(lookMs)) {
      const rows = await database.query<{ name: string; count: number }>({
        // The watch of the store carries the size of the pool in its name.
        text: `select split_part(application_name, ',', 1) as name, count(*)::int as count from pg_stat_activity
          where datname = current_database() and application_name like 'crossdock%' and application_name <> 'crossdock test'
          group by 1`,
        values: [],
        name: "test connections",
        isTenant: false,
      });
      total = Math.max(
        total,
        rows.reduce((sum, { count }) => sum + count, 0),
      );
      for (const { name, count } of rows) byName[name] = Math.max(byName[name] ?? 0, count);
    }
  })();
  const end = async () => {
    isOver = true;
    await looking;
    return { total, byName };
  };
  // Of a test that fails before it ends the watch.
  atEnd(end);
  return { end };
}
