// The queries of `crossdock events check`: each statement reads one page of a client's events or documents.

import type { EventHead } from "#/delivery/webhooks/events/event-list.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { unpackJson } from "#/store/packed/packed.ts";

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

export async function findCounters(tx: ClientTx): Promise<Counters | undefined> {
  const [row] = await tx.query<Counters>(sql`select l.last_position, l.sequence_base,
        (select c.last_position from webhook_cursor c where c.client_id = ${tenant}) as cursor,
        (select v.position from event v where v.client_id = ${tenant} and v.position > 0
          order by v.position desc limit 1) as newest
      from outbox_lane l where l.client_id = ${tenant} limit 1`);
  return row;
}

export interface CheckedEvent extends EventHead {
  readonly sequence: number | null;
  readonly occurred_at: string;
  /** The announced return of `return:received` and `return:closed`; null for other topics. */
  readonly rma_number: string | null;
}

/** Events after a position, in their order. */
export async function listChecked(tx: ClientTx, after: number, until: number, limit: number): Promise<CheckedEvent[]> {
  const events = await tx.query<
    Omit<CheckedEvent, "rma_number"> & { readonly data: unknown }
  >(sql`select event_id, position, topic, object_type, object_id, sequence, facility_code, occurred_at,
        case when topic in ('return:received', 'return:closed') then data end as data
      from event where client_id = ${tenant} and position > 0 and position > ${after}::bigint
        and position <= ${until}::bigint order by position limit ${limit}`);
  return events.map(({ data, ...event }) => {
    const { rmaNumber } = (unpackJson(data) ?? {}) as { readonly rmaNumber?: string | null };
    return { ...event, rma_number: rmaNumber ?? null };
  });
}

/** The ids among these, in their order, that outbound documents have. */
export async function listDocuments(tx: ClientTx, messageIds: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ message_id: string }>(sql`select message_id from outbound_document
      where client_id = ${tenant} and message_id >= ${messageIds[0] ?? null}::uuid
        and message_id <= ${messageIds.at(-1) ?? null}::uuid and message_id = any(${messageIds}::uuid[])
      limit ${messageIds.length}`);
  return rows.map(({ message_id }) => message_id);
}

export interface CheckedDocument {
  readonly message_id: string;
  readonly type: string;
  readonly object_id: string;
}

/**
 * Documents after an id. The comparison of both columns fits the primary key alone: by the index of ids alone a small
 * client's page read all documents of the others.
 */
export function listCheckedDocuments(tx: ClientTx, after: string, limit: number): Promise<CheckedDocument[]> {
  return tx.query(sql`select message_id, type, object_id from outbound_document
      where client_id = ${tenant} and (client_id, message_id) > (${tenant}, ${after}::uuid)
      order by client_id, message_id limit ${limit}`);
}

/** The ids among these, in their order, that events have. */
export async function listEventIds(tx: ClientTx, eventIds: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{
    event_id: string;
  }>(sql`select event_id from event where client_id = ${tenant} and event_id >= ${eventIds[0] ?? null}::uuid
        and event_id <= ${eventIds.at(-1) ?? null}::uuid and event_id = any(${eventIds}::uuid[])
      limit ${eventIds.length}`);
  return rows.map(({ event_id }) => event_id);
}

export interface MissedRange {
  readonly webhookId: string;
  /** Positions: after the first, up to and including the second. */
  readonly after: number;
  readonly until: number;
  /** Events that happened later than this (ISO 8601 UTC). */
  readonly since: string;
  /** Patterns of LIKE: `order:%`. The names of topics contain no `%` and no `_`. */
  readonly topicPatterns: readonly string[];
  /** Undefined: all. */
  readonly facilityCode: string | undefined;
  /** The smallest id that a delivery of these events can have. */
  readonly deliveriesFrom: string;
}

export interface Missed {
  /** The position of the first one. */
  readonly first: number | null;
  readonly count: number;
}

/** Events of a range that lack a delivery for one subscription. */
export async function countMissed(tx: ClientTx, range: MissedRange): Promise<Missed> {
  const [row] = await tx.query<Missed>(sql`select min(v.position) as first, count(*)::integer as count from event v
      where v.client_id = ${tenant} and v.position > 0 and v.position > ${range.after}::bigint
        and v.position <= ${range.until}::bigint and v.occurred_at > ${range.since}::timestamptz
        and v.topic like any(${range.topicPatterns}::text[])
        and (${range.facilityCode}::text is null or v.facility_code is null or v.facility_code = ${range.facilityCode})
        and not exists (
          select from webhook_delivery d
          where d.client_id = ${tenant} and d.webhook_id = ${range.webhookId}::uuid and d.attempts >= 0
            and d.delivery_id >= ${range.deliveriesFrom}::uuid and d.event_id = v.event_id)
      limit 1`);
  return row as Missed;
}
