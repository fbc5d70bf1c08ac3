// Samples the number of open connections of a deployment's nodes, and records the maximum.
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "#/store/db/database.ts";
import { atEnd } from "../../support/app/at-end.ts";

export interface ConnectionWatch {
  /** The maximum number of open connections, in total and by name. */
  end(): Promise<{ readonly total: number; readonly byName: Readonly<Record<string, number>> }>;
}

const lookMs = 100;

/** @param database the test's own, whose connections are not counted */
export function watchConnections(database: Database): ConnectionWatch {
  const byName: Record<string, number> = {};
  let total = 0;
  let isOver = false;
  const looking = (async () => {
    for (; !isOver; await sleep(lookMs)) {
      const rows = await database.query<{ name: string; count: number }>({
        // The application name of the store watch includes the pool size.
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
  // For a test that fails before it ends the watch.
  atEnd(end);
  return { end };
}
