// The queries of `crossdock events check`: each statement scans a client's events or deliveries of a time range once.
import type { Transaction, Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery } from "#/db/tenant.ts";
import type { EventHead } from "#/delivery/webhooks/fan-out/event-repository.ts";

export interface Counters {
  /** The last assigned position. */
  readonly last_position: number;
  /** More than 0 where a restore has skipped positions and sequences. */
  readonly sequence_base: number;
  /** The position up to which events were fanned out; null where the client has never had a subscription. */
  readonly cursor: number | null;
  /** The greatest position of the log. */
  readonly newest: number | null;
}

export async function findCounters(tx: Tx, clientId: string): Promise<Counters | undefined> {
  const [row] = await tenantQuery<Counters>(
    tx,
    clientId,
    sql`select l.last_position, l.sequence_base,
        (select c.last_position from webhook_cursor c where c.client_id = ${tenant}) as cursor,
        (select v.position from event v where v.client_id = ${tenant} and v.position > 0
          order by v.position desc limit 1) as newest
      from outbox_lane l where l.client_id = ${tenant} limit 1`,
  );
  return row;
}

/** Events whose position does not follow the previous one. */
export function listBrokenPositions(
  tx: Tx,
  clientId: string,
  from: number,
  limit: number,
): Promise<{ readonly position: number; readonly before: number }[]> {
  return tenantQuery(
    tx,
    clientId,
    sql`select x.position, x.before from (
        select v.position, lag(v.position) over (order by v.position) as before
        from event v where v.client_id = ${tenant} and v.position > 0 and v.position >= ${from}::bigint
      ) x where x.position <> x.before + 1 order by x.position limit ${limit}`,
  );
}

export interface BrokenSequence {
  readonly object_type: string;
  readonly object_id: string;
  readonly position: number;
  readonly sequence: number;
  readonly before: number;
}

/** Events whose sequence does not follow the previous one of their object. */
export function listBrokenSequences(tx: Tx, clientId: string, from: number, limit: number): Promise<BrokenSequence[]> {
  return tenantQuery(
    tx,
    clientId,
    sql`select x.object_type, x.object_id, x.position, x.sequence, x.before from (
        select v.object_type, v.object_id, v.position, v.sequence,
          lag(v.sequence) over (partition by v.object_type, v.object_id order by v.position) as before
        from event v
        where v.client_id = ${tenant} and v.position > 0 and v.position >= ${from}::bigint
      ) x where x.sequence <> x.before + 1 order by x.position limit ${limit}`,
  );
}

export interface MissedRange {
  readonly webhookId: string;
  /** Positions: after the first, up to and including the second. */
  readonly after: number;
  readonly until: number;
  /** Events that happened later than this (ISO 8601 UTC). */
  readonly since: string;
  /** One topic, or the prefix of several. */
  readonly topic: string | undefined;
  readonly topicPrefix: string | undefined;
  /** Undefined: all. */
  readonly facilityCode: string | undefined;
  /** The smallest id that a delivery of these events can have. */
  readonly deliveriesFrom: string;
}

/** Events of a range that lack a delivery for one subscription, oldest first. */
export function listMissed(tx: Tx, clientId: string, range: MissedRange, limit: number): Promise<EventHead[]> {
  return tenantQuery(
    tx,
    clientId,
    sql`select v.event_id, v.position, v.topic, v.object_type, v.object_id, v.facility_code from event v
      where v.client_id = ${tenant} and v.position > 0 and v.position > ${range.after}::bigint
        and v.position <= ${range.until}::bigint and v.occurred_at > ${range.since}::timestamptz
        and (${range.topic}::text is null or v.topic = ${range.topic})
        and (${range.topicPrefix}::text is null or starts_with(v.topic, ${range.topicPrefix}))
        and (${range.facilityCode}::text is null or v.facility_code is null or v.facility_code = ${range.facilityCode})
        and not exists (
          select from webhook_delivery d
          where d.client_id = ${tenant} and d.webhook_id = ${range.webhookId}::uuid and d.attempts >= 0
            and d.delivery_id >= ${range.deliveriesFrom}::uuid and d.event_id = v.event_id)
      order by v.position limit ${limit}`,
  );
}

/**
 * The next event's number follows all existing ones. The fence prevents a relay that works on a batch from settling it.
 */
export async function raiseLane(tx: Transaction, clientId: string, position: number): Promise<void> {
  await tenantQuery(
    tx,
    clientId,
    sql`update outbox_lane set last_position = ${position}::bigint, fence = fence + 1
      where client_id = ${tenant} and last_position < ${position}::bigint returning last_position`,
  );
}
