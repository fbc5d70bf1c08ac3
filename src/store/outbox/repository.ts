import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { aheadMsMax } from "#/store/db/store/clock.ts";
import { appendRows, eventRowOf, type OutboundDraft } from "#/store/outbox/append.ts";
import { eventIdOf, eventsOf, ofBundle } from "#/store/outbox/bundle.ts";
import { packing, packJson, unpackJson } from "#/store/packed/packed.ts";

/** An event that waits: a row of the outbox, or one of the events of a bundle. */
export interface OutboxRow {
  /** The id of its event. */
  readonly outboxId: string;
  readonly topic: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly facilityCode: string | null;
  readonly feedToken: string | null;
  readonly data: unknown;
  readonly occurredAt: string;
  readonly outbound: OutboundDraft | null;
  readonly attempts: number;
}

export interface Lane {
  readonly fence: number;
  readonly lastPosition: number;
}

/**
 * Takes the client's lane where it has no owner, or an expired lease. Undefined: another relay holds it. This relay's
 * own lane, which it kept after a failed batch, is taken again; the fence prevents that batch from settling after all.
 * A lease that ends later than this one can comes from a clock that was ahead, and is void.
 */
export async function claimLane(
  tx: ClientTx,
  owner: string,
  at: string,
  leaseUntil: string,
): Promise<Lane | undefined> {
  const leaseMost = new Date(Date.parse(leaseUntil) + aheadMsMax).toISOString();
  const rows =
    await tx.query<Lane>(sql`update outbox_lane set owner = ${owner}::uuid, lease_until = ${leaseUntil}::timestamptz, fence = fence + 1
      where client_id = ${tenant} and (owner is null or owner = ${owner}::uuid or lease_until < ${at}::timestamptz
        or lease_until > ${leaseMost}::timestamptz)
      returning fence, last_position as "lastPosition"`);
  return rows[0];
}

/** The greatest position in the event log, which is normally the last one of the lane; 0 where there is none. */
export async function findNewestPosition(tx: ClientTx): Promise<number> {
  const rows = await tx.query<{ position: number }>(
    sql`select position from event where client_id = ${tenant} and position > 0 order by position desc limit 1`,
  );
  return rows[0]?.position ?? 0;
}

/** Writes the lane's new position, and keeps or releases the lease. Returns false where the lease was lost meanwhile. */
export async function settleLane(
  tx: ClientTx,
  lane: {
    readonly fence: number;
    readonly position: number;
    readonly owner: string | undefined;
    readonly leaseUntil: string;
  },
): Promise<boolean> {
  const rows =
    await tx.query(sql`update outbox_lane set last_position = ${lane.position}, owner = ${lane.owner}::uuid, lease_until = ${lane.leaseUntil}::timestamptz
      where client_id = ${tenant} and fence = ${lane.fence}
      returning fence`);
  return rows.length === 1;
}

/**
 * Clears the client's marks before its rows are read: a later commit makes its own mark. A mark that a running
 * transaction holds stays, because that transaction's rows are not visible yet. Runs in a separate short transaction,
 * because writers wait for it (as part of the publishing it cost them 1 ms a batch).
 */
export async function clearMarks(tx: ClientTx): Promise<void> {
  const marks = await tx.query<{ slot: string }>(
    sql`select slot from outbox_due where client_id = ${tenant} limit 1000 for update skip locked`,
  );
  if (marks.length === 0) return;
  const slots = marks.map(({ slot }) => slot);
  await tx.query(sql`delete from outbox_due where client_id = ${tenant} and slot = any(${slots}::uuid[])`);
}

/** Restores a mark where more rows wait. */
export function mark(tx: ClientTransaction, slot: string): void {
  tx.send(sql`insert into outbox_due as d (client_id, slot, marked) values (${tenant}, ${slot}, 0)
      on conflict (client_id, slot) do update set marked = excluded.marked returning marked`);
}

export interface PendingRows {
  readonly rows: OutboxRow[];
  /** The rows of the outbox that contain them. */
  readonly outboxIds: string[];
  /** The first row is a bundle. */
  readonly isBundled: boolean;
  /** The weight of the rows, in the units of the size. */
  readonly weight: number;
  /** More rows are waiting. */
  readonly hasMore: boolean;
}

interface StoredRow extends OutboxRow {
  readonly total: number;
  readonly found: number;
}

/**
 * The oldest waiting rows in the order of writing, up to a size, which is the sum of their weights and of one for each KiB
 * of storage, and up to a number of events. The first row is returned whatever its weight and its events.
 */
export async function listPending(
  tx: ClientTx,
  { size, eventsMax }: { readonly size: number; readonly eventsMax: number },
): Promise<PendingRows> {
  const found =
    await tx.query<StoredRow>(sql`select x.outbox_id as "outboxId", x.topic, x.object_type as "objectType", x.object_id as "objectId",
        x.facility_code as "facilityCode", x.feed_token as "feedToken", x.data, x.occurred_at as "occurredAt", x.outbound,
        x.attempts, x.total, x.found
      from (
        select o.outbox_id, o.topic, o.object_type, o.object_id, o.facility_code, o.feed_token, o.data, o.occurred_at,
          o.outbound, o.attempts, sum(o.weight + pg_column_size(o.data) / 1024) over (order by o.outbox_id)::integer as total,
          sum(o.events) over (order by o.outbox_id) as events,
          row_number() over (order by o.outbox_id) as place, count(*) over ()::integer as found
        from (
          select outbox_id, topic, object_type, object_id, facility_code, feed_token, data, occurred_at, outbound, attempts,
            weight, events
          from outbox where client_id = ${tenant} and state = 'PENDING' order by outbox_id limit ${eventsMax}
        ) o
      ) x
      where x.place = 1 or (x.total <= ${size} and x.events <= ${eventsMax}) order by x.outbox_id limit ${eventsMax}`);
  const last = found.at(-1);
  if (last === undefined) return { rows: [], outboxIds: [], isBundled: false, weight: 0, hasMore: false };
  return {
    rows: found.flatMap(eventsOfRow),
    outboxIds: found.map(({ outboxId }) => outboxId),
    isBundled: found[0]?.objectId === ofBundle,
    weight: last.total,
    hasMore: found.length < last.found || last.found === eventsMax,
  };
}

function eventsOfRow(row: StoredRow): OutboxRow[] {
  if (row.objectId !== ofBundle) {
    return [{ ...row, data: unpackJson(row.data), outbound: unpackJson(row.outbound) as OutboundDraft | null }];
  }
  return eventsOf(row.data).map((event, place) => ({
    ...event,
    outboxId: eventIdOf(row.outboxId, place),
    facilityCode: event.facilityCode ?? null,
    feedToken: event.feedToken ?? null,
    outbound: (event.outbound as OutboundDraft | undefined) ?? null,
    attempts: 0,
  }));
}

/** More bundles than these are not read for their objects: each takes up to 0.1 ms of the main thread. */
const bundlesMax = 100;

/**
 * The objects among these that have waiting rows other than the named ones, as `type id`. Undefined: too many bundles
 * wait to say so.
 */
export async function listObjectsWaiting(
  tx: ClientTx,
  objectIds: readonly string[],
  outboxIds: readonly string[] = [],
): Promise<string[] | undefined> {
  const [rows, bundles] = await Promise.all([
    tx.query<{ object: string }>(sql`select distinct object_type || ' ' || object_id as object from outbox
      where client_id = ${tenant} and state = 'PENDING' and object_id = any(${objectIds}::text[])
        and outbox_id <> all(${outboxIds}::uuid[]) limit 100000`),
    tx.query<{ data: unknown }>(sql`select data from outbox
      where client_id = ${tenant} and state = 'PENDING' and object_id = ${ofBundle}
        and outbox_id <> all(${outboxIds}::uuid[]) limit ${bundlesMax + 1}`),
  ]);
  if (bundles.length > bundlesMax) return undefined;
  const sought = new Set(objectIds);
  const bundled = bundles.flatMap(({ data }) => eventsOf(data)).filter(({ objectId }) => sought.has(objectId));
  return [
    ...rows.map(({ object }) => object),
    ...bundled.map(({ objectType, objectId }) => `${objectType} ${objectId}`),
  ];
}

/** Replaces a bundle by a row for each of its events, in its place. */
export function divideBundle(tx: ClientTransaction, { rows, outboxIds }: PendingRows): void {
  deletePublished(tx, outboxIds);
  appendRows(
    tx,
    rows.map((row) =>
      eventRowOf({
        ...row,
        facilityCode: row.facilityCode ?? undefined,
        feedToken: row.feedToken ?? undefined,
        outbound: row.outbound ?? undefined,
      }),
    ),
  );
}

/** The base of an object's sequence, which a restore raises: 0 before the first. */
const sequenceBase = sql`(select b.sequence_base from outbox_lane b where b.client_id = ${tenant})`;

export interface PublishedEvent {
  readonly eventId: string;
  readonly position: number;
  readonly topic: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly facilityCode: string | null | undefined;
  readonly occurredAt: string;
  readonly data: unknown;
}

/** Inserts events in the order of their positions; each continues the sequence of its object. */
export function insertEvents(tx: ClientTransaction, events: readonly PublishedEvent[]): void {
  const rows = JSON.stringify(
    events.map((event) => ({
      event_id: event.eventId,
      position: event.position,
      topic: event.topic,
      object_type: event.objectType,
      object_id: event.objectId,
      facility_code: event.facilityCode,
      occurred_at: event.occurredAt,
      data: packJson(tx, event.data, packing.event),
    })),
  );
  tx.send(sql`insert into event as e
        (client_id, event_id, position, topic, object_type, object_id, sequence, facility_code, occurred_at, data)
      select t.client_id, given.event_id, given.position, given.topic, given.object_type, given.object_id,
        greatest(s.last_sequence, ${sequenceBase})
          + row_number() over (partition by given.object_type, given.object_id order by given.position),
        given.facility_code, given.occurred_at, given.data
      from tenant t cross join json_to_recordset(${rows}::json)
        as given(event_id uuid, position bigint, topic text, object_type text, object_id text, facility_code text,
          occurred_at timestamptz, data json)
      left join event_sequence s
        on s.client_id = ${tenant} and s.object_type = given.object_type and s.object_id = given.object_id
      where t.client_id = ${tenant}`);
  const counts = JSON.stringify(
    [...Map.groupBy(events, ({ objectType, objectId }) => `${objectType} ${objectId}`).values()].map((ofObject) => ({
      object_type: ofObject[0]?.objectType,
      object_id: ofObject[0]?.objectId,
      count: ofObject.length,
    })),
  );
  tx.send(sql`insert into event_sequence as c (client_id, object_type, object_id, last_sequence)
      select t.client_id, given.object_type, given.object_id,
        greatest(s.last_sequence, ${sequenceBase}) + given.count
      from tenant t cross join json_to_recordset(${counts}::json)
        as given(object_type text, object_id text, count integer)
      left join event_sequence s
        on s.client_id = ${tenant} and s.object_type = given.object_type and s.object_id = given.object_id
      where t.client_id = ${tenant}
      on conflict (client_id, object_type, object_id) do update set last_sequence = excluded.last_sequence
      returning last_sequence`);
}

/**
 * After a restore: skips numbers of the next event, the next outbound document and the next event of each object. No
 * stored cursor or number gets a second meaning. A relay that works on a batch has the previous position: the fence
 * prevents it from settling, and it starts the batch again.
 */
export async function leaveOut(
  tx: ClientTx,
  numbers: { readonly positions: number; readonly sequences: number },
): Promise<void> {
  await tx.query(sql`update outbox_lane set last_position = last_position + ${numbers.positions}::bigint,
        outbound_position = outbound_position + ${numbers.positions}::bigint,
        sequence_base = sequence_base + ${numbers.sequences}::bigint, fence = fence + 1
      where client_id = ${tenant}`);
}

/** Each document has its own token: the counts of documents that ended long ago have no use. @param before a token. */
export async function purgeFeedCounts(tx: ClientTx, before: string, limit = 2_000): Promise<number> {
  const rows = await tx.query(sql`delete from event_sequence e
      where e.client_id = ${tenant} and e.object_type = 'feed' and e.object_id = any(array(
        select o.object_id from event_sequence o
        where o.client_id = ${tenant} and o.object_type = 'feed' and o.object_id < ${before}
        order by o.object_id limit ${limit}))
      returning e.last_sequence`);
  return rows.length;
}

export function deletePublished(tx: ClientTransaction, outboxIds: readonly string[]): void {
  tx.send(sql`delete from outbox where client_id = ${tenant} and outbox_id = any(${outboxIds}::uuid[])`);
}

/**
 * Makes the given-up rows of a document pending again; returns the number of rows. @param slot marks the client as due.
 */
export async function reviveFailed(tx: ClientTransaction, feedToken: string, slot: string): Promise<number> {
  const rows = await tx.query(sql`update outbox set state = 'PENDING', attempts = 0, last_error = null
      where client_id = ${tenant} and feed_token = ${feedToken}::uuid and state = 'FAILED'
      returning outbox_id`);
  if (rows.length > 0) mark(tx, slot);
  return rows.length;
}

/** Records that a row could not be handled; after the last attempt it is FAILED, and waits for an operator. */
export async function noteFailure(tx: ClientTx, outboxId: string, error: string, isLast: boolean): Promise<void> {
  await tx.query(sql`update outbox set attempts = attempts + 1, last_error = ${error}, state = ${isLast ? "FAILED" : "PENDING"}
      where client_id = ${tenant} and outbox_id = ${outboxId}::uuid`);
}
