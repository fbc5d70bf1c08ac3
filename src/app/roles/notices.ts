import type { Database, Tx } from "#/store/db/database.ts";
import { sql } from "#/store/db/sql.ts";

/** NOTIFY channel for events to publish. */
export const outboxChannel = "crossdock_outbox";

/** NOTIFY channel for facilities whose tasks have changed; the payload is the facility. */
export const taskChannel = "crossdock_tasks";

/** Notifications are hints, so many commits share one. A NOTIFY inside each transaction serialises the commits. */
const coalesceMs = 50;

/** Tells the relays that a transaction appended events. It is a hint: a relay at rest looks every five seconds. */
export async function notifyOutbox(tx: Tx): Promise<void> {
  await tx.query(sql`select pg_notify(${outboxChannel}, '')`);
}

interface OutboxNotice {
  /** Called after each commit that appended events. */
  send(): void;
  /** Called when a notification from another process arrives. */
  notify(): void;
  /** Sets the function that wakes up the relay of this process. Undefined after the relay has stopped. */
  wakeLocally(wake: (() => void) | undefined): void;
  stop(): Promise<void>;
}

export function createOutboxNotice(database: Database, onError: (error: Error) => void): OutboxNotice {
  let wake: (() => void) | undefined;
  const notice = coalesced(() => notifyOutbox(database).catch(onError));
  return {
    send: () => (wake ?? notice.send)(),
    notify: () => wake?.(),
    wakeLocally(local) {
      wake = local;
    },
    stop: notice.stop,
  };
}

interface TaskNotice {
  /** Called after each commit that changed tasks. */
  send(facilityCodes: Iterable<string>): void;
  stop(): Promise<void>;
}

/** Tells the processes that serve the port that a facility has new tasks. */
export function createTaskNotice(database: Database, onError: (error: Error) => void): TaskNotice {
  const changed = new Set<string>();
  const notice = coalesced(() => {
    const facilityCodes = [...changed];
    changed.clear();
    return database
      .query(sql`select pg_notify(${taskChannel}, f.code) from unnest(${facilityCodes}::text[]) as f(code)`)
      .catch(onError);
  });
  return {
    send(facilityCodes) {
      for (const facilityCode of facilityCodes) changed.add(facilityCode);
      if (changed.size > 0) notice.send();
    },
    stop: notice.stop,
  };
}

function coalesced(notify: () => Promise<unknown>): { send(): void; stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<unknown> = Promise.resolve();

  function flush(): void {
    timer = undefined;
    sending = notify();
  }

  return {
    send() {
      timer ??= setTimeout(flush, coalesceMs);
    },
    async stop() {
      // Sends the pending notification now, so that what a command changed does not wait for the next poll.
      if (timer !== undefined) {
        clearTimeout(timer);
        flush();
      }
      await sending;
    },
  };
}
