import type { Database, Tx } from "#/store/db/database.ts";
import { sql } from "#/store/db/sql.ts";

/** NOTIFY channel for events to publish. */
export const outboxChannel = "crossdock_outbox";

/** NOTIFY channel for facilities whose tasks have changed; the payload is the facility. */
export const taskChannel = "crossdock_tasks";

/** Notifications are hints, so many commits share one. A NOTIFY inside each transaction serialises the commits. */
const coalesceMs = 50;

/** Tells the relays that transactions appended events of these clients. It is a hint: a relay at rest looks every five seconds. */
export async function notifyOutbox(tx: Tx, clientIds: Iterable<string>): Promise<void> {
  await tx.query(sql`select pg_notify(${outboxChannel}, c.id) from unnest(${[...clientIds]}::text[]) as c(id)`);
}

interface OutboxNotice {
  /** Called after each commit that appended events of the client. */
  send(clientId: string): void;
  /** Called when a notification from another process arrives. @param clientId undefined: that of any client was lost. */
  notify(clientId: string | undefined): void;
  /** Sets the function that wakes up the relay of this process. Undefined after the relay has stopped. */
  wakeLocally(wake: ((clientId?: string) => void) | undefined): void;
  stop(): Promise<void>;
}

export function createOutboxNotice(database: Database, onError: (error: Error) => void): OutboxNotice {
  let wake: ((clientId?: string) => void) | undefined;
  const notice = coalesced((clientIds) => notifyOutbox(database, clientIds).catch(onError));
  return {
    send: (clientId) => (wake ? wake(clientId) : notice.send([clientId])),
    notify: (clientId) => wake?.(clientId),
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
  return coalesced((facilityCodes) =>
    database
      .query(sql`select pg_notify(${taskChannel}, f.code) from unnest(${[...facilityCodes]}::text[]) as f(code)`)
      .catch(onError),
  );
}

function coalesced(notify: (names: Iterable<string>) => Promise<unknown>): TaskNotice {
  let names = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<unknown> = Promise.resolve();

  function flush(): void {
    timer = undefined;
    sending = notify(names);
    names = new Set();
  }

  return {
    send(added) {
      for (const name of added) names.add(name);
      if (names.size > 0) timer ??= setTimeout(flush, coalesceMs);
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
