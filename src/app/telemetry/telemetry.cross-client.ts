// Queries of the gauges over all clients. Each reads an index of open rows, up to a limit. That limits the cost of a
// backlog, and a year of orders costs nothing.
import type { Tx } from "#/store/db/database.ts";
import { acrossClients as sql } from "#/store/db/sql.ts";

export interface OpenDocuments {
  readonly feed_type: string;
  readonly state: "ACCEPTED" | "PARKED";
  readonly count: number;
  readonly oldest: string;
}

/** Documents that wait for their outcome or for a SKU. @param limit total of both states */
export function countOpenDocuments(tx: Tx, limit: number): Promise<OpenDocuments[]> {
  return tx.query(
    sql`select d.feed_type, d.state, count(*)::integer as count, min(d.received_at) as oldest from (
        select feed_type, state, received_at from feed_document where state in ('ACCEPTED', 'PARKED') limit ${limit}
      ) d group by d.feed_type, d.state limit 100`,
  );
}

export async function countOverdueDocuments(tx: Tx, limit: number): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    sql`select count(*)::integer as count from (
        select state from feed_document where state = 'ACCEPTED' and overdue_at is not null limit ${limit}
      ) d limit 1`,
  );
  return rows[0]?.count ?? 0;
}

export interface OutboxRows {
  readonly state: "PENDING" | "FAILED";
  readonly count: number;
  readonly oldest: string;
}

/** Published rows leave the outbox, so every event in it is waiting. @param limit rows that are read. */
export function countOutboxRows(tx: Tx, limit: number): Promise<OutboxRows[]> {
  return tx.query(
    sql`select o.state, least(sum(o.events), ${limit})::integer as count, min(o.occurred_at) as oldest from (
        select state, events, occurred_at from outbox where client_id > '' limit ${limit}
      ) o group by o.state limit 10`,
  );
}

/** Deliveries with a due time. Ids carry their time, so the smallest id gives the age of the oldest delivery. */
export async function countDueDeliveries(
  tx: Tx,
  limit: number,
): Promise<{ readonly count: number; readonly oldest_id: string | null }> {
  const rows = await tx.query<{ count: number; oldest_id: string | null }>(
    sql`select count(*)::integer as count, min(d.delivery_id::text) as oldest_id from (
        select delivery_id from webhook_delivery where due_at is not null limit ${limit}
      ) d limit 1`,
  );
  return rows[0] ?? { count: 0, oldest_id: null };
}

/** Due time of the subscription that has waited longest without a worker. */
export async function findLongestWaitingLane(tx: Tx, at: string): Promise<string | undefined> {
  const rows = await tx.query<{ due_at: string }>(
    sql`select due_at from webhook_lane
      where due_at is not null and due_at <= ${at}::timestamptz and (owner is null or lease_until < ${at}::timestamptz)
      order by due_at limit 1`,
  );
  return rows[0]?.due_at;
}

export async function countDisabledSubscriptions(tx: Tx, limit: number): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    sql`select count(*)::integer as count from (
        select status from webhook where status = 'DISABLED' limit ${limit}
      ) w limit 1`,
  );
  return rows[0]?.count ?? 0;
}
