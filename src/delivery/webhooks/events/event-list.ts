import type { ClientTx, Database } from "#/db/database.ts";
import { readSnapshot } from "#/db/store/snapshot.ts";
import type { LoggedEvent } from "#/delivery/webhooks/events/event-body.ts";
import * as repository from "#/delivery/webhooks/events/event-repository.ts";
import { idBoundary } from "#/kernel/values/ids.ts";

export interface EventPage {
  readonly events: readonly LoggedEvent[];
  /** The next page starts after this position. Unchanged where the page is empty. */
  readonly nextPosition: number;
}

export interface EventReading {
  readonly filter: repository.EventFilter;
  /** The position after which to read; undefined: from the start. */
  readonly after: number | undefined;
  /** ISO 8601 UTC; the start where there is no position. */
  readonly since: string | undefined;
  readonly limit: number;
}

/** The number of events that a page with a filter looks at: some 50 ms where none of them matches. */
export const eventsLookedAtMax = 20_000;
/** 500 events of orders with 200 lines would be 35 MB. */
const bytesMax = 4 * 1024 * 1024;
/**
 * Ids are created before events are published, by several concurrent writers. The first event published since a moment
 * is therefore among the first events created since then, up to this number. Only a client with this many concurrent
 * events could exceed it.
 */
const sinceLookedAt = 10_000;

/**
 * A page of a client's event log. The relay assigns positions in the order in which its transactions commit, so no
 * event ever appears at or before a position that was read.
 */
export function readEvents(database: Database, clientId: string, reading: EventReading): Promise<EventPage> {
  return readSnapshot(database, async (tx) => {
    const view = tx.of(clientId);
    const last = await repository.findLastPosition(view);
    const after = reading.after ?? (await startOf(view, reading.since, last));
    const { filter, limit } = reading;
    const isFiltered = Object.values(filter).some((value) => value !== undefined);
    // Skips months that are no longer kept.
    const first = isFiltered ? await repository.findFirstPosition(view, after) : after + 1;
    if (first === undefined) return { events: [], nextPosition: Math.max(after, last) };
    const until = isFiltered ? Math.min(first - 1 + eventsLookedAtMax, Math.max(after, last)) : Number.MAX_SAFE_INTEGER;
    const events = await repository.listEvents(view, { filter, after, until, limit, bytesMax });
    const found = events[0]?.found ?? 0;
    const isFull = found === limit || events.length < found;
    const reached = isFull ? undefined : Math.max(after, Math.min(until, last));
    return { events, nextPosition: reached ?? events.at(-1)?.position ?? after };
  });
}

async function startOf(tx: ClientTx, since: string | undefined, last: number): Promise<number> {
  if (since === undefined) return 0;
  // An id is never from an earlier moment than its event.
  const boundary = idBoundary(Date.parse(since));
  const position = await repository.findPositionSince(tx, boundary, sinceLookedAt);
  return position === undefined ? last : position - 1;
}
