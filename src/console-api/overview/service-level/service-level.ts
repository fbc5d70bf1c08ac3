import type { Static } from "typebox";
import { lateOrder, type periods, type ServiceLevel } from "#/console-api/overview/service-level/contract.ts";
import type { Performance } from "#/console-api/reports/contract.ts";
import { keyAt, performanceOf, type Summed, serviceLevelMeasures } from "#/console-api/reports/performance.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { lateOrdersOfDay } from "#/modules/activity/index.ts";
import { listFacilities } from "#/modules/facilities/index.ts";
import { afterLeaving, beforeLeaving } from "#/modules/orders/states.ts";
import type { ClientTx, Database } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

interface Request {
  /** Null: all. */
  readonly facilityCodes: readonly string[] | null;
  /** Days, `YYYY-MM-DD`, both included. */
  readonly from: string;
  readonly to: string;
  readonly by: (typeof periods)[number];
}

/**
 * The orders of a client by their receipt, against their despatch times. The figures are those by day
 * (docs/decisions/0074-activity-by-day.md); the late orders are listed from the orders that have not left, and from the
 * late ones that the figures name.
 */
export async function readServiceLevel(
  database: Database,
  clientId: string,
  { facilityCodes, from, to, by }: Request,
  nowMs: number,
): Promise<Omit<ServiceLevel, "uncomputed">> {
  const facilities = (await listFacilities(database)).filter(
    ({ facilityCode }) => facilityCodes === null || facilityCodes.includes(facilityCode),
  );
  const received = {
    facilityCodes: facilities.map(({ facilityCode }) => facilityCode),
    timezones: facilities.map(({ timezone }) => timezone),
    from,
    to,
    at: new Date(nowMs).toISOString(),
  };
  const [figures, lateOrders] = await readSnapshot(database, (tx) => {
    const view = tx.of(clientId);
    return Promise.all([sumPeriods(view, received, by), listLateOrders(view, received)]);
  });
  const items = [...Map.groupBy(figures, ({ day }) => day)]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([day, rows]) => {
      const found = performanceOf(rows);
      const [despatchSeconds, deliverySeconds] = [found.despatchTimes.median, found.deliveryTimes.median];
      return { day, ...countsOf(found), despatchSeconds, deliverySeconds };
    });
  return { clientId, total: countsOf(performanceOf(figures)), items, lateOrders };
}

const countsOf = ({ received, inTime, late, overdue, open, untimed, cancelled }: Performance) => ({
  received,
  inTime,
  late,
  overdue,
  open,
  untimed,
  cancelled,
});

interface ReceivedOrders {
  /** The facilities, and the time zone of each, IANA: a join with their table keeps Citus from sending the statement to the client's node. */
  readonly facilityCodes: readonly string[];
  readonly timezones: readonly string[];
  /** Days, both included. */
  readonly from: string;
  readonly to: string;
  /** Now, ISO 8601. */
  readonly at: string;
}

interface PeriodFigure extends Summed {
  /** The first day of the period. */
  readonly day: string;
}

/** More than the days have: the steps of times bound them. */
const figuresMax = 200_000;

/** @param by day, week or month */
function sumPeriods(
  tx: ClientTx,
  { facilityCodes, from, to, at }: ReceivedOrders,
  by: string,
): Promise<PeriodFigure[]> {
  return tx.query(sql`select date_trunc(${by}::text, a.day::timestamp)::date::text as day, a.measure,
        ${keyAt(at)} as key, sum(a.quantity)::double precision as quantity
      from activity_day a
      where a.client_id = ${tenant} and a.day >= ${from}::date and a.day <= ${to}::date
        and a.facility_code = any(${facilityCodes}::text[]) and a.measure = any(${serviceLevelMeasures}::text[])
      group by 1, 2, 3 limit ${figuresMax}`);
}

const lateColumns = columnsOf(lateOrder, "d", {
  distributionCentre: sql`d.facility_code`,
  cause: sql`case when m.was_held then 'HELD' when m.has_waited then 'NO_STOCK' else 'WAREHOUSE' end`,
});

/**
 * Orders of the days that left late or are overdue, the latest despatch time first. It reads the orders that have not
 * left, and by their keys those late ones that the figures of each day name.
 */
function listLateOrders(
  tx: ClientTx,
  { facilityCodes, timezones, from, to, at }: ReceivedOrders,
): Promise<Static<typeof lateOrder>[]> {
  // A local day of any time zone begins and ends within a day of that of UTC.
  const receivedFrom = new Date(Date.parse(from) - dayMs).toISOString();
  const receivedTo = new Date(Date.parse(to) + 2 * dayMs).toISOString();
  return tx.query(sql`
      with late as materialized (
        (select a.key::jsonb ->> 1 as order_id from activity_day a
          where a.client_id = ${tenant} and a.day >= ${from}::date and a.day <= ${to}::date
            and a.facility_code = any(${facilityCodes}::text[]) and a.measure = 'LATE_ORDER'
          order by a.key::jsonb ->> 0 desc, 1 limit ${lateOrdersOfDay})
        union
        (select o.order_id from sales_order o
          where o.client_id = ${tenant} and o.status in ${beforeLeaving} and o.despatch_by < ${at}::timestamptz
            and o.received_at >= ${receivedFrom}::timestamptz and o.received_at < ${receivedTo}::timestamptz
            and o.received_at < 'infinity' and o.distribution_centre = any(${facilityCodes}::text[])
            and (o.received_at at time zone (${timezones}::text[])[
              array_position(${facilityCodes}::text[], o.distribution_centre)])::date between ${from}::date and ${to}::date
          order by o.despatch_by desc, o.order_id limit ${lateOrdersOfDay})
      )
      select ${lateColumns} from late cross join lateral (
        select o.order_id, o.distribution_centre as facility_code, o.status, o.status_reason, o.despatch_by, o.received_at,
          case when o.status in ${afterLeaving} then (
            select max(p.despatched_at) from parcel p
            where p.client_id = ${tenant} and p.order_id = o.order_id and p.order_id > '') end as left_at
        from sales_order o where o.client_id = ${tenant} and o.order_id = late.order_id limit 1
      ) d cross join lateral (
        select coalesce(bool_or(e.code = 30), false) as was_held, coalesce(bool_or(e.code in (45, 48)), false) as has_waited
        from order_milestone e where e.client_id = ${tenant} and e.order_id = d.order_id
      ) m
      where d.left_at > d.despatch_by or (d.left_at is null and d.status <> 'CANCELLED' and d.despatch_by < ${at}::timestamptz)
      order by d.despatch_by desc, d.order_id limit ${lateOrdersOfDay}`);
}
