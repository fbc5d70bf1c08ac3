import type { ClientTx } from "#/db/database.ts";
import { type Statement, sql, tenant } from "#/db/sql.ts";
import { afterLeaving, type OrderState } from "#/modules/orders/states.ts";

export interface ServiceLevelRow {
  /** The day, or the first day of the week or month, `YYYY-MM-DD` in the time zone of each order's facility. */
  readonly day: string;
  readonly received: number;
  readonly in_time: number;
  readonly late: number;
  readonly overdue: number;
  readonly untimed: number;
  readonly cancelled: number;
  /** Medians of the seconds from receipt to despatch of the last parcel, and to delivery; null without such orders. */
  readonly despatch_seconds: number | null;
  readonly delivery_seconds: number | null;
}

export interface LateOrderRow {
  readonly order_id: string;
  readonly facility_code: string;
  readonly status: OrderState;
  readonly status_reason: string | null;
  readonly received_at: string;
  readonly despatch_by: string;
  /** Null: it has not left. */
  readonly left_at: string | null;
  readonly was_held: boolean;
  readonly has_waited: boolean;
}

export interface ReceivedOrders {
  /** The facilities, and the time zone of each, IANA: a join with their table keeps Citus from sending the statement to the client's node. */
  readonly facilityCodes: readonly string[];
  readonly timezones: readonly string[];
  /** Days, both included. */
  readonly from: string;
  readonly to: string;
  /** Moments around the days in every time zone, ISO 8601. */
  readonly receivedFrom: string;
  readonly receivedTo: string;
  /** Now, ISO 8601. */
  readonly at: string;
}

/** Days of the longest report. */
const periodsMax = 400;

/**
 * The orders that a client sent on some days, each with the time when its last parcel left. It reads the orders by
 * their receipt, and the parcels of each by its key.
 */
const received = ({ facilityCodes, timezones, ...days }: ReceivedOrders): Statement => sql`(
  select r.day, r.order_id, r.facility_code, r.status, r.status_reason, r.despatch_by, r.received_at, r.ended_at,
    case when r.status in ${afterLeaving} then (
      select max(p.despatched_at) from parcel p
      where p.client_id = ${tenant} and p.order_id = r.order_id and p.order_id > '') end as left_at
  from (
    select o.order_id, o.distribution_centre as facility_code, o.status, o.status_reason, o.despatch_by, o.received_at, o.ended_at,
      (o.received_at at time zone (${timezones}::text[])[
        array_position(${facilityCodes}::text[], o.distribution_centre)])::date as day
    from sales_order o
    where o.client_id = ${tenant} and o.received_at >= ${days.receivedFrom}::timestamptz
      and o.received_at < ${days.receivedTo}::timestamptz and o.received_at >= '-infinity'
      and o.distribution_centre = any(${facilityCodes}::text[])
  ) r
  where r.day >= ${days.from}::date and r.day <= ${days.to}::date
)`;

/**
 * The number of orders that the report would read, up to the limit. The report reads those of all facilities by their
 * receipt, so this counts them too: with a condition on the facility it would read all to find a few.
 */
export async function countReceived(
  tx: ClientTx,
  { receivedFrom, receivedTo }: ReceivedOrders,
  limit: number,
): Promise<number> {
  const rows = await tx.query<{ orders: number }>(sql`select count(*)::integer as orders from (
        select o.order_id from sales_order o
        where o.client_id = ${tenant} and o.received_at >= ${receivedFrom}::timestamptz
          and o.received_at < ${receivedTo}::timestamptz and o.received_at >= '-infinity' limit ${limit}
      ) counted limit 1`);
  return rows[0]?.orders ?? 0;
}

/** A condition of an order that has not left by its despatch time. */
const isOverdue = (at: string): Statement =>
  sql`(d.left_at is null and d.status <> 'CANCELLED' and d.despatch_by < ${at}::timestamptz)`;

/** The orders of the days by period. @param period day, week or month */
export function countServiceLevels(tx: ClientTx, of: ReceivedOrders, period: string): Promise<ServiceLevelRow[]> {
  return tx.query(sql`select date_trunc(${period}::text, d.day::timestamp)::date::text as day, count(*)::integer as received,
        (count(*) filter (where d.left_at <= d.despatch_by))::integer as in_time,
        (count(*) filter (where d.left_at > d.despatch_by))::integer as late,
        (count(*) filter (where ${isOverdue(of.at)}))::integer as overdue,
        (count(*) filter (where d.left_at is not null and d.despatch_by is null))::integer as untimed,
        (count(*) filter (where d.status = 'CANCELLED'))::integer as cancelled,
        extract(epoch from percentile_disc(0.5) within group (order by d.left_at - d.received_at))::double precision
          as despatch_seconds,
        extract(epoch from percentile_disc(0.5) within group (
          order by case when d.status = 'DELIVERED' then d.ended_at - d.received_at end))::double precision
          as delivery_seconds
      from ${received(of)} d group by 1 order by 1 limit ${periodsMax}`);
}

/** Orders of the days that left late or are overdue, the latest despatch time first. */
export function listLateOrders(tx: ClientTx, of: ReceivedOrders, limit: number): Promise<LateOrderRow[]> {
  return tx.query(sql`select d.order_id, d.facility_code, d.status, d.status_reason, d.received_at, d.despatch_by, d.left_at,
        m.was_held, m.has_waited
      from ${received(of)} d cross join lateral (
        select coalesce(bool_or(e.code = 30), false) as was_held, coalesce(bool_or(e.code in (45, 48)), false) as has_waited
        from order_milestone e where e.client_id = ${tenant} and e.order_id = d.order_id
      ) m
      where d.left_at > d.despatch_by or ${isOverdue(of.at)}
      order by d.despatch_by desc, d.order_id limit ${limit}`);
}
