/**
 * The number of orders at each stage, over all clients: open orders by the indexes of their lists, despatched and ended
 * orders by the time of that event. No query here reads an order that ended before the requested days.
 */

import type { CarrierCutOff } from "#/console-api/overview/flow/contract.ts";
import { within } from "#/console-api/overview/within-repository.ts";
import type { Scope } from "#/http/access/operator.ts";
import { atRiskBeforeMs } from "#/modules/orders/index.ts";
import { afterLeaving, beforeLeaving } from "#/modules/orders/states.ts";
import type { Tx } from "#/store/db/database.ts";
import { type Statement, acrossClients as sql } from "#/store/db/sql.ts";

/** The condition of the index of due orders. */
const hasNotLeft = sql`o.status in ${beforeLeaving}`;
const atRiskBefore = sql`${atRiskBeforeMs}::integer * interval '1 millisecond'`;
/** The local day of any zone begins at most this long before now, also where clocks are put back. */
const dayAtMost = sql`interval '26 hours'`;

const groupsMax = 10_000;
/**
 * A condition for all facilities. Its form makes PostgreSQL search the index of facilities and states for each of them:
 * a join reads the whole index, and several nodes cannot answer a subquery per facility (docs/citus.md).
 */
const inAnyFacility = sql`o.distribution_centre = any(array(select f.facility_code from facility f limit 10000))
  and o.order_date > '-infinity'`;

/** Statistics of a group of orders; ages in seconds. */
export interface Ages {
  readonly count: number;
  readonly oldest: number | null;
  readonly median: number | null;
  /** The number of orders up to each of the age limits, and then the number of those above the last limit. */
  readonly under_hour: number;
  readonly under_four_hours: number;
  readonly under_day: number;
  readonly under_three_days: number;
  readonly older: number;
}

/**
 * Divided as receivedFrom (at or after) and receivedTo (before) of the list divide orders. @param age an interval, of
 * each row
 */
function agesOf(age: Statement): Statement {
  return sql`count(*)::integer as count, extract(epoch from max(${age}))::double precision as oldest,
    extract(epoch from percentile_disc(0.5) within group (order by ${age}))::double precision as median,
    (count(*) filter (where ${age} <= interval '1 hour'))::integer as under_hour,
    (count(*) filter (where ${age} > interval '1 hour' and ${age} <= interval '4 hours'))::integer as under_four_hours,
    (count(*) filter (where ${age} > interval '4 hours' and ${age} <= interval '24 hours'))::integer as under_day,
    (count(*) filter (where ${age} > interval '24 hours' and ${age} <= interval '72 hours'))::integer as under_three_days,
    (count(*) filter (where ${age} > interval '72 hours'))::integer as older`;
}

/** Orders at each stage, derived from their states, by their age since receipt. @param at ISO 8601 */
export function countByStage(
  tx: Tx,
  scope: Scope,
  at: string,
  states: readonly { readonly stage: string; readonly state: string }[],
): Promise<(Ages & { readonly stage: string })[]> {
  const [names, values] = [states.map(({ stage }) => stage), states.map(({ state }) => state)];
  return tx.query(
    sql`select a.stage, ${agesOf(sql`a.age`)}
      from (
        select s.stage, ${at}::timestamptz - o.received_at as age
        from sales_order o join unnest(${names}::text[], ${values}::text[]) as s(stage, status) on s.status = o.status
        where ${inAnyFacility} and o.status = any(${values}::text[])
          and ${within(scope, sql`o.client_id`, sql`o.distribution_centre`)}
      ) a group by a.stage limit ${groupsMax}`,
  );
}

/**
 * Orders that have not completely left, by state: the number at risk, the number that are late, and of these the number
 * that the warehouse cannot hurry. @param at ISO 8601
 */
export function countUrgent(
  tx: Tx,
  scope: Scope,
  at: string,
): Promise<{ readonly status: string; readonly at_risk: number; readonly late: number; readonly stuck: number }[]> {
  return tx.query(
    sql`select o.status, (count(*) filter (where o.despatch_by >= ${at}::timestamptz))::integer as at_risk,
        (count(*) filter (where o.despatch_by < ${at}::timestamptz))::integer as late,
        (count(*) filter (where o.despatch_by < ${at}::timestamptz and (o.holds <> '[]' or o.status = 'BACKORDERED')))::integer as stuck
      from sales_order o
      where ${hasNotLeft} and coalesce(o.despatch_by, 'infinity'::timestamptz) < ${at}::timestamptz + ${atRiskBefore}
        and ${within(scope, sql`o.client_id`, sql`o.distribution_centre`)}
      group by o.status limit ${groupsMax}`,
  );
}

/**
 * Orders in transit, by whether their carrier has reported a parcel; without orders whose parcels are all lost. Orders
 * older than `since` are ignored: with a carrier that never reports, all orders stay in transit for ever.
 */
export function countInTransit(
  tx: Tx,
  scope: Scope,
  at: string,
  since: string,
): Promise<(Ages & { readonly has_moved: boolean })[]> {
  return tx.query(
    sql`select a.has_moved, ${agesOf(sql`a.age`)}
      from (
        select coalesce(p.has_moved, false) as has_moved, ${at}::timestamptz - o.received_at as age
        from sales_order o cross join lateral (
          select bool_or(q.status_at is not null) as has_moved, bool_and(q.status = 'LOST') as is_lost from parcel q
          where q.client_id = o.client_id and q.order_id = o.order_id and q.order_id > ''
        ) p
        where ${inAnyFacility} and o.status = 'DESPATCHED' and o.received_at >= ${since}::timestamptz
          and ${within(scope, sql`o.client_id`, sql`o.distribution_centre`)} and p.is_lost is not true
      ) a group by a.has_moved limit 2`,
  );
}

/** Orders delivered on the current day of their facility, by the time from receipt to delivery. @param at ISO 8601 */
export async function countDelivered(tx: Tx, scope: Scope, at: string): Promise<Ages | undefined> {
  const rows = await tx.query<Ages>(
    sql`select ${agesOf(sql`a.age`)}
      from (
        select o.ended_at - o.received_at as age
        from sales_order o join facility f on f.facility_code = o.distribution_centre
        where o.ended_at is not null and o.ended_at >= ${at}::timestamptz - ${dayAtMost} and o.status = 'DELIVERED'
          and o.ended_at >= date_trunc('day', ${at}::timestamptz at time zone f.timezone) at time zone f.timezone
          and ${within(scope, sql`o.client_id`, sql`o.distribution_centre`)}
      ) a limit 1`,
  );
  return rows[0];
}

/** A cut-off to examine. */
export interface CutOff {
  readonly facilityCode: string;
  /** ISO 8601: the cut-off, and the previous one. */
  readonly at: string;
  readonly since: string;
}

/** Separate from other tables, because next to a table Citus takes all arrays for arrays of the first one's type. */
const cutOffsOf = (cutOffs: readonly CutOff[]) =>
  sql`(select u.facility_code, u.at, u.since
    from unnest(${cutOffs.map((cutOff) => cutOff.facilityCode)}::text[], ${cutOffs.map((cutOff) => cutOff.at)}::timestamptz[],
      ${cutOffs.map((cutOff) => cutOff.since)}::timestamptz[]) as u(facility_code, at, since)) c`;

type OfCarrier<Counts extends keyof CarrierCutOff> = Pick<CarrierCutOff, "carrierCode" | Counts> & {
  readonly facilityCode: string;
};
export type WaitingOrders = OfCarrier<"waiting" | "packed" | "atRisk" | "late">;

/**
 * Orders that must leave by their facility's cut-off and have not left, by carrier: that of a parcel, or the client's
 * choice.
 */
export function countWaiting(
  tx: Tx,
  { clientIds }: Scope,
  at: string,
  cutOffs: readonly CutOff[],
): Promise<WaitingOrders[]> {
  const last = cutOffs.reduce((latest, cutOff) => (cutOff.at > latest ? cutOff.at : latest), at);
  return tx.query(
    sql`select c.facility_code as "facilityCode", coalesce(p.carrier_code, o.carrier_code) as "carrierCode",
        (count(*) filter (where o.status <> 'PACKED'))::integer as waiting,
        (count(*) filter (where o.status = 'PACKED'))::integer as packed,
        (count(*) filter (where o.despatch_by >= ${at}::timestamptz
          and o.despatch_by < ${at}::timestamptz + ${atRiskBefore}))::integer as "atRisk",
        (count(*) filter (where o.despatch_by < ${at}::timestamptz))::integer as late
      from ${cutOffsOf(cutOffs)} join sales_order o on o.distribution_centre = c.facility_code left join lateral (
        select min(q.carrier_code) as carrier_code from parcel q
        where q.client_id = o.client_id and q.order_id = o.order_id and q.order_id > ''
          and o.status in ('PICKING', 'PACKED', 'PARTIALLY_DESPATCHED')
      ) p on true
      where ${hasNotLeft} and coalesce(o.despatch_by, 'infinity'::timestamptz) <= ${last}::timestamptz
        and o.despatch_by <= c.at and (${clientIds}::text[] is null or o.client_id = any(${clientIds}::text[]))
      group by c.facility_code, coalesce(p.carrier_code, o.carrier_code)
      order by c.facility_code limit ${groupsMax}`,
  );
}

/** Orders for the cut-off that have left, by the carrier that took them. */
export function countLeft(tx: Tx, { clientIds }: Scope, cutOffs: readonly CutOff[]): Promise<OfCarrier<"done">[]> {
  const first = cutOffs.reduce(
    (earliest, cutOff) => (cutOff.since < earliest ? cutOff.since : earliest),
    "9999-12-31T00:00:00Z",
  );
  return tx.query(
    sql`select g.facility_code as "facilityCode", g.carrier_code as "carrierCode", count(*)::integer as done
      from (
        select p.facility_code, coalesce(min(p.carrier_code), min(o.carrier_code)) as carrier_code
        from parcel p join ${cutOffsOf(cutOffs)} on c.facility_code = p.facility_code
          join sales_order o on o.client_id = p.client_id and o.order_id = p.order_id
        where p.despatched_at is not null and p.despatched_at >= ${first}::timestamptz and p.despatched_at >= c.since
          and o.despatch_by = c.at and o.status in ${afterLeaving}
          and (${clientIds}::text[] is null or p.client_id = any(${clientIds}::text[]))
        group by p.facility_code, p.client_id, p.order_id
      ) g group by g.facility_code, g.carrier_code limit ${groupsMax}`,
  );
}

/** The number of orders on a local day of their facility, `YYYY-MM-DD`. */
export interface DayCount {
  readonly day: string;
  readonly count: number;
}

const dayOf = (at: Statement) => sql`(${at} at time zone f.timezone)::date`;

/** Orders received since a moment, by day. @param since ISO 8601 */
export function countReceivedByDay(
  tx: Tx,
  scope: Scope,
  states: readonly string[],
  since: string,
): Promise<DayCount[]> {
  return tx.query(
    sql`select ${dayOf(sql`o.received_at`)}::text as day, count(*)::integer as count
      from sales_order o join facility f on f.facility_code = o.distribution_centre
      where ${inAnyFacility} and o.status = any(${states}::text[]) and o.received_at >= ${since}::timestamptz
        and ${within(scope, sql`o.client_id`, sql`o.distribution_centre`)}
      group by ${dayOf(sql`o.received_at`)} limit ${groupsMax}`,
  );
}

/** Orders whose first parcel has left since a moment, by day. @param since ISO 8601 */
export function countDespatchedByDay(tx: Tx, scope: Scope, since: string): Promise<DayCount[]> {
  return tx.query(
    sql`select ${dayOf(sql`o.at`)}::text as day, count(*)::integer as count
      from (
        select min(p.despatched_at) as at, min(p.facility_code) as facility_code from parcel p
        where p.despatched_at is not null and p.despatched_at >= ${since}::timestamptz
          and ${within(scope, sql`p.client_id`, sql`p.facility_code`)}
        group by p.client_id, p.order_id
      ) o join facility f on f.facility_code = o.facility_code
      group by ${dayOf(sql`o.at`)} limit ${groupsMax}`,
  );
}

/** Orders delivered since a moment, by day, and the median of the seconds from receipt. @param since ISO 8601 */
export function countDeliveredByDay(
  tx: Tx,
  scope: Scope,
  since: string,
): Promise<(DayCount & { readonly lead_time: number })[]> {
  return tx.query(
    sql`select ${dayOf(sql`o.ended_at`)}::text as day, count(*)::integer as count,
        extract(epoch from percentile_disc(0.5) within group (order by o.ended_at - o.received_at))::double precision
          as lead_time
      from sales_order o join facility f on f.facility_code = o.distribution_centre
      where o.ended_at is not null and o.ended_at >= ${since}::timestamptz and o.status = 'DELIVERED'
        and ${within(scope, sql`o.client_id`, sql`o.distribution_centre`)}
      group by ${dayOf(sql`o.ended_at`)} limit ${groupsMax}`,
  );
}
