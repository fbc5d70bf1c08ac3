import Type, { type Static } from "typebox";
import { lateOrder, period } from "#/console-api/overview/service-level/contract.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import { afterLeaving } from "#/modules/orders/states.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { type Statement, sql, tenant } from "#/store/db/sql.ts";

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

const countedPeriod = Type.Omit(period, ["open"]);

/** The orders of the days by period. @param by day, week or month */
export function countServiceLevels(
  tx: ClientTx,
  of: ReceivedOrders,
  by: string,
): Promise<Static<typeof countedPeriod>[]> {
  const columns = columnsOf(countedPeriod, "d", {
    day: sql`date_trunc(${by}::text, d.day::timestamp)::date::text`,
    received: sql`count(*)::integer`,
    inTime: sql`(count(*) filter (where d.left_at <= d.despatch_by))::integer`,
    late: sql`(count(*) filter (where d.left_at > d.despatch_by))::integer`,
    overdue: sql`(count(*) filter (where ${isOverdue(of.at)}))::integer`,
    untimed: sql`(count(*) filter (where d.left_at is not null and d.despatch_by is null))::integer`,
    cancelled: sql`(count(*) filter (where d.status = 'CANCELLED'))::integer`,
    despatchSeconds: sql`extract(epoch from percentile_disc(0.5)
      within group (order by d.left_at - d.received_at))::double precision`,
    deliverySeconds: sql`extract(epoch from percentile_disc(0.5) within group (
      order by case when d.status = 'DELIVERED' then d.ended_at - d.received_at end))::double precision`,
  });
  return tx.query(sql`select ${columns} from ${received(of)} d group by 1 order by 1 limit ${periodsMax}`);
}

const lateColumns = columnsOf(lateOrder, "d", {
  distributionCentre: sql`d.facility_code`,
  cause: sql`case when m.was_held then 'HELD' when m.has_waited then 'NO_STOCK' else 'WAREHOUSE' end`,
});

/** Orders of the days that left late or are overdue, the latest despatch time first. */
export function listLateOrders(tx: ClientTx, of: ReceivedOrders, limit: number): Promise<Static<typeof lateOrder>[]> {
  return tx.query(sql`select ${lateColumns}
      from ${received(of)} d cross join lateral (
        select coalesce(bool_or(e.code = 30), false) as was_held, coalesce(bool_or(e.code in (45, 48)), false) as has_waited
        from order_milestone e where e.client_id = ${tenant} and e.order_id = d.order_id
      ) m
      where d.left_at > d.despatch_by or ${isOverdue(of.at)}
      order by d.despatch_by desc, d.order_id limit ${limit}`);
}
