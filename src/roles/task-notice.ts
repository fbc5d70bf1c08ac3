import type { Database } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";

/** NOTIFY channel for facilities whose tasks have changed; the payload is the facility. */
export const taskChannel = "crossdock_tasks";

export interface TaskNotice {
  /** Called after each commit that changed tasks. */
  send(facilityCodes: Iterable<string>): void;
  stop(): Promise<void>;
}

/** Notifications are hints, so many commits share one statement. */
const coalesceMs = 50;

/** Tells the processes that serve the port that a facility has new tasks. */
export function createTaskNotice(database: Database, onError: (error: Error) => void): TaskNotice {
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<unknown> = Promise.resolve();

  function notify(): void {
    timer = undefined;
    const facilityCodes = [...changed];
    changed.clear();
    sending = database
      .query(sql`select pg_notify(${taskChannel}, f.code) from unnest(${facilityCodes}::text[]) as f(code)`)
      .catch(onError);
  }

  return {
    send(facilityCodes) {
      for (const facilityCode of facilityCodes) changed.add(facilityCode);
      if (changed.size > 0) timer ??= setTimeout(notify, coalesceMs);
    },
    async stop() {
      if (timer !== undefined) {
        clearTimeout(timer);
        notify();
      }
      await sending;
    },
  };
}
