import type { Database } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";

/** Notices on this channel say that there is something to publish. */
export const outboxChannel = "crossdock_outbox";

export interface OutboxNotice {
  /** To be called after each commit that appended events. */
  send(): void;
  /** A notice of another process arrived. */
  heard(): void;
  /** The relay of this process is woken directly; undefined when it has ended. */
  wakeLocally(wake: (() => void) | undefined): void;
  stop(): Promise<void>;
}

/** Notices are hints, so many commits share one: NOTIFY inside each transaction would make the commits queue up. */
const coalesceMs = 50;

export function createOutboxNotice(database: Database, onError: (error: Error) => void): OutboxNotice {
  let wake: (() => void) | undefined;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<unknown> = Promise.resolve();

  function notify(): void {
    timer = undefined;
    sending = database.query(sql`select pg_notify(${outboxChannel}, '')`).catch(onError);
  }

  return {
    send() {
      if (wake) return wake();
      timer ??= setTimeout(notify, coalesceMs);
    },
    heard: () => wake?.(),
    wakeLocally(local) {
      wake = local;
    },
    async stop() {
      // What is pending is said now: a command that ends must not leave its events to the relay's poll.
      if (timer !== undefined) {
        clearTimeout(timer);
        notify();
      }
      await sending;
    },
  };
}
