import type { Database } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";

/** NOTIFY channel for events to publish. */
export const outboxChannel = "crossdock_outbox";

export interface OutboxNotice {
  /** Called after each commit that appended events. */
  send(): void;
  /** Called when a notification from another process arrives. */
  notify(): void;
  /** Sets the function that wakes up the relay of this process. Undefined after the relay has stopped. */
  wakeLocally(wake: (() => void) | undefined): void;
  stop(): Promise<void>;
}

/** Notifications are hints, so many commits share one. A NOTIFY inside each transaction serialises the commits. */
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
    notify: () => wake?.(),
    wakeLocally(local) {
      wake = local;
    },
    async stop() {
      // Sends the pending notification now, so that the events of a command do not wait for the relay's poll.
      if (timer !== undefined) {
        clearTimeout(timer);
        notify();
      }
      await sending;
    },
  };
}
