/** Received documents, sent webhooks, and the state of stock, over all clients. */

import Type, { type Static } from "typebox";
import { troubled } from "#/console-api/overview/health/contract.ts";
import { ofClients, within } from "#/console-api/overview/within-repository.ts";
import type { Scope } from "#/http/access/operator.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import type { Tx } from "#/store/db/database.ts";
import { type Statement, acrossClients as sql } from "#/store/db/sql.ts";

const groupsMax = 50_000;

export interface FeedRate {
  /** Unix seconds. */
  readonly at: number;
  readonly feed_type: string;
  readonly accepted: number;
  readonly rejected: number;
}

export interface Stretch {
  /** Moments of receipt, ISO 8601, and tokens that enclose all documents of that time. */
  readonly from: string;
  readonly to: string;
  readonly fromToken: string;
  readonly toToken: string;
  /** Seconds. */
  readonly step: number;
}

/**
 * Documents received between two moments, by time and type. A parked document was refused to its sender (acks: success
 * false).
 */
export function countDocuments(
  tx: Tx,
  scope: Pick<Scope, "clientIds">,
  { from, to, fromToken, toToken, step }: Stretch,
): Promise<FeedRate[]> {
  return tx.query(
    sql`select extract(epoch from r.at)::double precision as at, r.feed_type, r.accepted, r.rejected
      from (select date_bin(${step}::integer * interval '1 second', d.received_at, timestamptz '1970-01-01Z') as at,
        d.feed_type, (count(*) filter (where d.state not in ('REJECTED', 'PARKED')))::integer as accepted,
        (count(*) filter (where d.state in ('REJECTED', 'PARKED')))::integer as rejected
      from feed_document d
      where d.received_at < 'infinity' and d.received_at >= ${from}::timestamptz and d.received_at < ${to}::timestamptz
        and d.token >= ${fromToken}::uuid and d.token < ${toToken}::uuid
        and ${ofClients(scope, sql`d.client_id`)}
      group by 1, 2) r
      order by r.at, r.feed_type limit ${groupsMax}`,
  );
}

/** No client has more subscriptions. */
const subscriptionsMax = 1_000;

/**
 * The subscriptions of each client in the scope, for the facilities in the scope; addresses of pushed feeds are
 * excluded. The limit keeps the look-up of each client separate, where a join reads all of them.
 */
function subscriptionsOf(scope: Scope, status: Statement): Statement {
  const { facilityCodes } = scope;
  return sql`tenant c cross join lateral (
      select n.client_id, n.webhook_id, n.topic_name, n.additional_topic_names, n.url, n.status, n.updated_at from webhook n
      where n.client_id = c.client_id and n.kind = 'WEBHOOK' and ${status}
        and (${facilityCodes}::text[] is null or n.facility_code = '*' or n.facility_code = any(${facilityCodes}::text[]))
      limit ${subscriptionsMax}
    ) w`;
}

/** Subscriptions by status. */
export function countSubscriptions(
  tx: Tx,
  scope: Scope,
): Promise<{ readonly status: string; readonly count: number }[]> {
  return tx.query(
    sql`select w.status, count(*)::integer as count
      from ${subscriptionsOf(scope, sql`true`)}
      where ${ofClients(scope, sql`c.client_id`)} group by w.status limit 10`,
  );
}

const troubledFields = Type.Omit(troubled, ["host"]);
export type TroubledSubscription = Static<typeof troubledFields> & { readonly url: string };

/** Subscriptions that fail or were switched off, the most recently changed first. */
export function listTroubled(tx: Tx, scope: Scope, limit: number): Promise<TroubledSubscription[]> {
  return tx.query(
    sql`select ${columnsOf(troubledFields, "w")}, w.url
      from ${subscriptionsOf(scope, sql`n.status in ('FAILING', 'DISABLED')`)}
      where ${ofClients(scope, sql`c.client_id`)}
      order by w.updated_at desc, w.webhook_id limit ${limit}`,
  );
}

/** Whether the subscription of a delivery belongs to the facilities, or to all of them. */
const isOfFacilities = ({ facilityCodes }: Scope) =>
  sql`(${facilityCodes}::text[] is null or exists (
    select from webhook w where w.client_id = d.client_id and w.webhook_id = d.webhook_id
      and (w.facility_code = '*' or w.facility_code = any(${facilityCodes}::text[]))))`;

/** Deliveries that have not ended, counted up to the limit, and the id of the oldest among those. */
export async function countWaitingDeliveries(
  tx: Tx,
  scope: Scope,
  limit: number,
): Promise<{ readonly count: number; readonly oldest: string | null }> {
  const rows = await tx.query<{ count: number; oldest: string | null }>(
    sql`select count(*)::integer as count, min(o.id) as oldest
      from (
        select d.delivery_id::text as id from webhook_delivery d
        where d.completed_at is null and d.status <> 'HELD' and ${ofClients(scope, sql`d.client_id`)}
          and ${isOfFacilities(scope)} limit ${limit}
      ) o limit 1`,
  );
  return rows[0] ?? { count: 0, oldest: null };
}

/** Attempts that have ended since the moment of an id, and the number of successful ones. */
export async function countAttempts(
  tx: Tx,
  scope: Scope,
  sinceId: string,
): Promise<{ readonly attempts: number; readonly taken: number }> {
  const rows = await tx.query<{ attempts: number; taken: number }>(
    sql`select coalesce(sum(t.attempts), 0)::integer as attempts, coalesce(sum(t.taken), 0)::integer as taken
      from tenant c cross join lateral (
        select count(*) as attempts, count(*) filter (where n.status between 200 and 299) as taken from webhook_attempt n
        where n.client_id = c.client_id and n.attempt_id >= ${sinceId}::uuid
      ) t
      where ${ofClients(scope, sql`c.client_id`)} limit 1`,
  );
  return rows[0] ?? { attempts: 0, taken: 0 };
}

/** Deliveries that were given up since a moment, ISO 8601. */
export async function countGivenUp(tx: Tx, scope: Scope, since: string): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    sql`select count(*)::integer as count from webhook_delivery d
      where d.status = 'FAILED' and d.completed_at >= ${since}::timestamptz and ${ofClients(scope, sql`d.client_id`)}
        and ${isOfFacilities(scope)} limit 1`,
  );
  return rows[0]?.count ?? 0;
}

/** The number of SKUs for which orders wait for stock, and of the waiting lines. */
export async function countBackordered(
  tx: Tx,
  scope: Scope,
): Promise<{ readonly skus: number; readonly lines: number }> {
  const rows = await tx.query<{ skus: number; lines: number }>(
    sql`select count(*)::integer as skus, coalesce(sum(b.lines), 0)::integer as lines
      from (
        select count(*) as lines from sales_order_line l
        where l.qty_open + l.qty_backordered > 0 and l.qty_backordered > 0
          and ${within(scope, sql`l.client_id`, sql`l.facility_code`)}
        group by l.client_id, l.facility_code, l.sku
      ) b limit 1`,
  );
  return rows[0] ?? { skus: 0, lines: 0 };
}

export interface ExpiryCount {
  readonly expired: number;
  readonly expiring: number;
  readonly promised: number;
}

/**
 * Lots of good stock that have expired, or will expire within the given days; and among the expired ones those with
 * stock that is still allocated to orders. @param at ISO 8601
 */
export async function countExpiring(tx: Tx, scope: Scope, at: string, days: number): Promise<ExpiryCount> {
  const rows = await tx.query<ExpiryCount>(
    sql`select (count(*) filter (where b.expiry_date < e.today))::integer as expired,
        (count(*) filter (where b.expiry_date >= e.today))::integer as expiring,
        (count(*) filter (where b.expiry_date < e.today and b.allocated > 0))::integer as promised
      from stock_balance b join (
        select f.facility_code, (${at}::timestamptz at time zone f.timezone)::date as today from facility f
      ) e on e.facility_code = b.facility_code
      where b.expiry_date < 'infinity' and b.expiry_date < (${at}::timestamptz at time zone 'UTC')::date + ${days}::integer
        and b.condition = 'GOOD' and b.qty > 0 and ${within(scope, sql`b.client_id`, sql`b.facility_code`)}
      limit 1`,
  );
  return rows[0] ?? { expired: 0, expiring: 0, promised: 0 };
}

/** Products with stock on hold. */
export async function countOnHold(tx: Tx, scope: Scope): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    sql`select count(*)::integer as count from (
        select distinct b.client_id, b.facility_code, b.sku from stock_balance b
        where b.condition = 'ON_HOLD' and b.qty > 0 and ${within(scope, sql`b.client_id`, sql`b.facility_code`)}
      ) h limit 1`,
  );
  return rows[0]?.count ?? 0;
}

/** Open exceptions of these kinds. */
export async function countOpenExceptions(tx: Tx, scope: Scope, kinds: readonly string[]): Promise<number> {
  const rows = await tx.query<{ count: number }>(
    sql`select count(*)::integer as count from operator_exception e
      where e.state = 'OPEN' and e.kind = any(${kinds}::text[])
        and ${ofClients(scope, sql`e.client_id`)}
        and (${scope.facilityCodes}::text[] is null or e.facility_code = any(${scope.facilityCodes}::text[])) limit 1`,
  );
  return rows[0]?.count ?? 0;
}
