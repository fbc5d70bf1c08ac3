import { eventBody, type LoggedEvent } from "#/delivery/webhooks/events/event-body.ts";
import { idBoundary } from "#/kernel/values/ids.ts";
import type { ClientTx, Database } from "#/store/db/database.ts";
import { allOf, sql, tenant } from "#/store/db/sql.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";
import { unpackJson } from "#/store/packed/packed.ts";

export interface EventPage {
  readonly events: readonly LoggedEvent[];
  /** The next page starts after this position. Unchanged where the page is empty. */
  readonly nextPosition: number;
}

export interface EventReading {
  readonly filter: EventFilter;
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
/** A packed event of many like lines is some 20 times as large when it is read, one of three lines four times. */
const unpackedFactor = 16;
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
    const last = await findLastPosition(view);
    const after = reading.after ?? (await startOf(view, reading.since, last));
    const { filter, limit } = reading;
    const isFiltered = Object.values(filter).some((value) => value !== undefined);
    // Skips months that are no longer kept.
    const first = isFiltered ? await findFirstPosition(view, after) : after + 1;
    if (first === undefined) return { events: [], nextPosition: Math.max(after, last) };
    const until = isFiltered ? Math.min(first - 1 + eventsLookedAtMax, Math.max(after, last)) : Number.MAX_SAFE_INTEGER;
    const events = await listEvents(view, { filter, after, until, limit, bytesMax });
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
  const position = await findPositionSince(tx, boundary, sinceLookedAt);
  return position === undefined ? last : position - 1;
}

export interface EventFilter {
  /** Undefined: all. */
  readonly topicNames: readonly string[] | undefined;
  /** Events of the facility, and events without a facility. */
  readonly facilityCode: string | undefined;
  readonly objectType: string | undefined;
  readonly objectId: string | undefined;
}

export interface EventPageRequest {
  readonly filter: EventFilter;
  /** Positions: after the first, up to and including the second. */
  readonly after: number;
  readonly until: number;
  readonly limit: number;
  /** Events beyond this size are left to the next page; the first event is returned whatever its size. */
  readonly bytesMax: number;
}

/** A row, with the number of events before the page was cut for its size. */
export interface ListedEvent extends LoggedEvent {
  readonly found: number;
}

/** Events of the log by position. */
export async function listEvents(tx: ClientTx, page: EventPageRequest): Promise<ListedEvent[]> {
  const { filter, after, until, limit, bytesMax } = page;
  const conditions = allOf([
    // Matches the partial index of positions `event_position`.
    sql`e.position > 0`,
    filter.topicNames === undefined ? undefined : sql`e.topic = any(${filter.topicNames}::text[])`,
    filter.facilityCode === undefined
      ? undefined
      : sql`(e.facility_code = ${filter.facilityCode} or e.facility_code is null)`,
    filter.objectType === undefined ? undefined : sql`e.object_type = ${filter.objectType}`,
    filter.objectId === undefined ? undefined : sql`e.object_id = ${filter.objectId}`,
  ]);
  const events =
    await tx.query<ListedEvent>(sql`select x.event_id, x.position, x.topic, x.object_type, x.object_id, x.sequence, x.facility_code, x.occurred_at, x.data, x.found
      from (
        select e.event_id, e.position, e.topic, e.object_type, e.object_id, e.sequence, e.facility_code, e.occurred_at, e.data,
          count(*) over ()::integer as found, sum(octet_length(e.data::text) * case json_typeof(e.data) when 'string' then ${unpackedFactor} else 1 end)
            over (order by e.position) as bytes,
          row_number() over (order by e.position) as place
        from (
          select e.event_id, e.position, e.topic, e.object_type, e.object_id, e.sequence, e.facility_code, e.occurred_at, e.data
          from event e where e.client_id = ${tenant} and ${conditions}
            and e.position > ${after}::bigint and e.position <= ${until}::bigint
          order by e.position limit ${limit}
        ) e
      ) x
      where x.place = 1 or x.bytes <= ${bytesMax} order by x.position limit ${limit}`);
  return events.map(unpacked);
}

const unpacked = <Event extends LoggedEvent>(event: Event): Event => ({
  ...event,
  data: unpackJson(event.data) as object,
});

/** The position of the first kept event after this one; undefined where there is none. */
export async function findFirstPosition(tx: ClientTx, after: number): Promise<number | undefined> {
  const rows = await tx.query<{
    position: number;
  }>(sql`select position from event where client_id = ${tenant} and position > 0 and position > ${after}::bigint
      order by position limit 1`);
  return rows[0]?.position;
}

/** The position of the first event since a moment. @param boundary the smallest id of that moment. */
export async function findPositionSince(tx: ClientTx, boundary: string, looked: number): Promise<number | undefined> {
  const rows = await tx.query<{ position: number | null }>(sql`select min(x.position) as position from (
        select e.position from event e where e.client_id = ${tenant} and e.event_id >= ${boundary}::uuid
        order by e.event_id limit ${looked}
      ) x limit 1`);
  return rows[0]?.position ?? undefined;
}

/** The position of the newest event. */
export async function findLastPosition(tx: ClientTx): Promise<number> {
  const rows = await tx.query<{ last_position: number }>(
    sql`select last_position from outbox_lane where client_id = ${tenant} limit 1`,
  );
  return rows[0]?.last_position ?? 0;
}

export type EventHead = Omit<LoggedEvent, "sequence" | "occurred_at" | "data">;

/** Events after a position, in their order, without their payload. */
export function listFannedOut(tx: ClientTx, after: number, limit: number): Promise<EventHead[]> {
  return tx.query(sql`select event_id, position, topic, object_type, object_id, facility_code from event
      where client_id = ${tenant} and position > 0 and position > ${after}::bigint order by position limit ${limit}`);
}

/** Those events with these ids that are still kept. */
export async function listEventsById(tx: ClientTx, eventIds: readonly string[]): Promise<LoggedEvent[]> {
  const events =
    await tx.query<LoggedEvent>(sql`select event_id, position, topic, object_type, object_id, sequence, facility_code, occurred_at, data from event
      where client_id = ${tenant} and event_id = any(${eventIds}::uuid[]) limit ${eventIds.length}`);
  return events.map(unpacked);
}

/** The message of an event: the same in every attempt, because its content never changes. */
export interface Message {
  /** The header webhook-id. */
  readonly id: string;
  readonly body: string | Buffer;
}

/** Returns messages by event id; events that are no longer kept are missing. */
export type MessageSource = (tx: ClientTx, eventIds: readonly string[]) => Promise<ReadonlyMap<string, Message>>;

/** Messages of the event log. */
export const readEventMessages: MessageSource = async (tx, eventIds) => {
  if (eventIds.length === 0) return new Map();
  const events = await listEventsById(tx, eventIds);
  return new Map(
    events.map((event) => {
      const body = eventBody(tx.clientId, event);
      return [event.event_id, { id: body.id, body: JSON.stringify(body) }];
    }),
  );
};
