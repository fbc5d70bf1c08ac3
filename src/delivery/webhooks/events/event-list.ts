import type { Database, Tx } from "#/db/database.ts";
import { readOneState } from "#/db/store/one-state.ts";
import type { LoggedEvent } from "#/delivery/webhooks/events/event-body.ts";
import * as repository from "#/delivery/webhooks/events/event-repository.ts";
import { idBoundary } from "#/kernel/values/ids.ts";

export interface EventPage {
  readonly events: readonly LoggedEvent[];
  /** Read on behind it. The same as before where there was nothing. */
  readonly nextPosition: number;
}

export interface EventReading {
  readonly filter: repository.EventFilter;
  /** Position behind which to read; undefined: from the start. */
  readonly after: number | undefined;
  /** ISO 8601 UTC; where to start when there is no position. */
  readonly since: string | undefined;
  readonly limit: number;
}

/** With a filter so many events are looked at for a page: some 50 ms where none of them is wanted. */
export const eventsLookedAtMax = 20_000;
/** 500 events of orders with 200 lines would be 35 MB. */
const bytesMax = 4 * 1024 * 1024;
/**
 * Ids are made before events are published, by several writers at a time: the first event published since a moment is
 * among the first so many that were made since. A client would have to have so many under way at once.
 */
const sinceLookedAt = 10_000;

/**
 * A page of a client's event log. Positions are given by the relay, in the order in which its transactions are committed,
 * so nothing ever appears behind a position that was read.
 */
export function readEvents(database: Database, clientId: string, reading: EventReading): Promise<EventPage> {
  return database.transaction(async (tx) => {
    const [, last] = await Promise.all([readOneState(tx), repository.findLastPosition(tx, clientId)]);
    const after = reading.after ?? (await startOf(tx, clientId, reading.since, last));
    const { filter, limit } = reading;
    const isFiltered = Object.values(filter).some((value) => value !== undefined);
    // Months that are not kept any more are not looked through.
    const first = isFiltered ? await repository.findFirstPosition(tx, clientId, after) : after + 1;
    if (first === undefined) return { events: [], nextPosition: Math.max(after, last) };
    const until = isFiltered ? Math.min(first - 1 + eventsLookedAtMax, Math.max(after, last)) : Number.MAX_SAFE_INTEGER;
    const events = await repository.listEvents(tx, clientId, { filter, after, until, limit, bytesMax });
    const found = events[0]?.found ?? 0;
    const isFull = found === limit || events.length < found;
    const reached = isFull ? undefined : Math.max(after, Math.min(until, last));
    return { events, nextPosition: reached ?? events.at(-1)?.position ?? after };
  });
}

async function startOf(tx: Tx, clientId: string, since: string | undefined, last: number): Promise<number> {
  if (since === undefined) return 0;
  // An id is never of an earlier moment than its event.
  const boundary = idBoundary(Math.max(0, Date.parse(since)));
  const position = await repository.findPositionSince(tx, clientId, boundary, sinceLookedAt);
  return position === undefined ? last : position - 1;
}
