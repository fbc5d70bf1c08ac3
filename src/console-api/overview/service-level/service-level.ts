import Type, { type Static } from "typebox";
import {
  lateOrder,
  ordersMax,
  period,
  type periods,
  type ServiceLevel,
} from "#/console-api/overview/service-level/contract.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { listFacilities } from "#/modules/facilities/index.ts";
import { afterLeaving } from "#/modules/orders/states.ts";
import type { ClientTx, Database } from "#/store/db/database.ts";
import { type Statement, sql, tenant } from "#/store/db/sql.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

const lateOrdersMax = 200;

interface Request {
  /** Null: all. */
  readonly facilityCodes: readonly string[] | null;
  /** Days, `YYYY-MM-DD`, both included. */
  readonly from: string;
  readonly to: string;
  readonly by: (typeof periods)[number];
}

/**
 * The orders of a client by their receipt, against their despatch times.
 *
 * @returns undefined if the days have more than {@link ordersMax} orders
 */
export async function readServiceLevel(
  database: Database,
  clientId: string,
  { facilityCodes, from, to, by }: Request,
  nowMs: number,
): Promise<ServiceLevel | undefined> {
  const facilities = (await listFacilities(database)).filter(
    ({ facilityCode }) => facilityCodes === null || facilityCodes.includes(facilityCode),
  );
  const received = {
    facilityCodes: facilities.map(({ facilityCode }) => facilityCode),
    timezones: facilities.map(({ timezone }) => timezone),
    from,
    to,
    // A local day of any time zone begins and ends within a day of that of UTC.
    receivedFrom: new Date(Date.parse(from) - dayMs).toISOString(),
    receivedTo: new Date(Date.parse(to) + 2 * dayMs).toISOString(),
    at: new Date(nowMs).toISOString(),
  };
  const found = await readSnapshot(database, async (tx) => {
    const view = tx.of(clientId);
    const orders = await countReceived(view, received, ordersMax + 1);
    if (orders > ordersMax) return undefined;
    return Promise.all([countServiceLevels(view, received, by), listLateOrders(view, received, lateOrdersMax)]);
  });
  if (found === undefined) return undefined;
  const [periods, lateOrders] = found;
  const whole = (seconds: number | null) => (seconds === null ? null : Math.max(0, Math.round(seconds)));
  const items = periods.map((period) => ({
    ...period,
    open: period.received - period.inTime - period.late - period.overdue - period.untimed - period.cancelled,
    despatchSeconds: whole(period.despatchSeconds),
    deliverySeconds: whole(period.deliverySeconds),
  }));
  const sum = (name: keyof ServiceLevel["total"]) => items.reduce((total, item) => total + item[name], 0);
  const total = {
    received: sum("received"),
    inTime: sum("inTime"),
    late: sum("late"),
    overdue: sum("overdue"),
    open: sum("open"),
    untimed: sum("untimed"),
    cancelled: sum("cancelled"),
  };
  return { clientId, total, items, lateOrders };
}

interface ReceivedOrders {
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
async function countReceived(
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
function countServiceLevels(tx: ClientTx, of: ReceivedOrders, by: string): Promise<Static<typeof countedPeriod>[]> {
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
function listLateOrders(tx: ClientTx, of: ReceivedOrders, limit: number): Promise<Static<typeof lateOrder>[]> {
  return tx.query(sql`select ${lateColumns}
      from ${received(of)} d cross join lateral (
        select coalesce(bool_or(e.code = 30), false) as was_held, coalesce(bool_or(e.code in (45, 48)), false) as has_waited
        from order_milestone e where e.client_id = ${tenant} and e.order_id = d.order_id
      ) m
      where d.left_at > d.despatch_by or ${isOverdue(of.at)}
      order by d.despatch_by desc, d.order_id limit ${limit}`);
}
