/** The figures of one client, facility and day, from the rows of that day. */
import { idBoundary } from "#/kernel/values/ids.ts";
import { lateOrdersOfDay, type Measure, stepsOfDoubling } from "#/modules/activity/measures.ts";
import { afterLeaving, everyState } from "#/modules/orders/states.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { type Statement, sql, tenant } from "#/store/db/sql.ts";

/** A day of a facility. */
export interface DaySpan {
  readonly facilityCode: string;
  /** IANA. */
  readonly timezone: string;
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** Its first moment, and the first moment after it, ISO 8601 UTC. */
  readonly from: string;
  readonly to: string;
}

export interface Figure {
  readonly measure: Measure;
  /** Empty: the measure is not divided. */
  readonly key: string;
  /** Exact text. */
  readonly quantity: string;
}

/** More than a day has: services, papers, lanes and hours bound them. */
const figuresMax = 100_000;

/** Every figure of the day that is not zero. */
export async function readDayFigures(tx: ClientTx, span: DaySpan): Promise<Figure[]> {
  const read = (statement: Statement) => tx.query<Figure>(statement);
  const figures = await Promise.all([
    read(ordersReceived(span)),
    read(parcelsDespatched(span)),
    read(goodsReceived(span)),
    read(goodsReturned(span)),
    read(workOrdersEnded(span)),
    read(unitsStored(span)),
  ]);
  return figures.flat();
}

/**
 * What became of the orders received on the day, and of the parcels that left on it. Their states, times and countries are
 * never erased; lanes and promised days are of the carrier decisions.
 *
 * @param measures of receiptMeasures and deliveryMeasures
 */
export async function readOutcomes(tx: ClientTx, span: DaySpan, measures: readonly Measure[]): Promise<Figure[]> {
  const figures = await Promise.all([
    tx.query<Figure>(ordersReceived(span)),
    tx.query<Figure>(parcelsDespatched(span)),
  ]);
  return figures.flat().filter(({ measure }) => measures.includes(measure));
}

/** The documents of a day in UTC. @param dayMs its first millisecond. */
export function readFeedFigures(tx: ClientTx, fromMs: number, toMs: number): Promise<Figure[]> {
  return tx.query(sql`select 'FEEDS' as measure, jsonb_build_array(d.feed_type, case when d.state in ('REJECTED', 'FAILED')
        then d.state else 'ACCEPTED' end)::text as key, count(*)::text as quantity
      from feed_document d
      where d.client_id = ${tenant} and d.token >= ${idBoundary(fromMs)}::uuid and d.token < ${idBoundary(toMs)}::uuid
      group by 2 limit ${figuresMax}`);
}

/** Seconds as a step of `stepsOfDoubling`, as text. */
const stepOf = (from: Statement, to: Statement): Statement => sql`round(ln(greatest(1, extract(epoch from
  ${to} - ${from})::float8)) * ${stepsOfDoubling / Math.LN2}::float8)::integer::text`;

const despatchStep = stepOf(sql`r.received_at`, sql`r.left_at`);
const deliveryStep = stepOf(sql`r.received_at`, sql`r.ended_at`);

const despatchTime = sql`to_char(r.despatch_by at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Orders by their receipt, and what became of them since. */
const ordersReceived = ({ facilityCode, from, to }: DaySpan): Statement => sql`
  with received as materialized (
    select o.order_id, o.status, o.despatch_by, o.received_at, o.ended_at, l.lines, l.units, l.whole,
      case when o.status in ${afterLeaving} then (
        select max(p.despatched_at) from parcel p
        where p.client_id = ${tenant} and p.order_id = o.order_id and p.order_id > '') end as left_at
    from sales_order o cross join lateral (
      select count(*) as lines, sum(i.qty_ordered) as units,
        count(*) filter (where i.qty_despatched = i.qty_ordered) as whole
      from sales_order_line i where i.client_id = ${tenant} and i.order_id = o.order_id
    ) l
    where o.client_id = ${tenant} and o.distribution_centre = ${facilityCode} and o.status in ${everyState}
      and o.order_date < 'infinity' and o.received_at >= ${from}::timestamptz and o.received_at < ${to}::timestamptz
  )
  select f.measure, f.key, f.quantity::text from (
    select v.measure, '' as key, v.quantity::numeric from (
      select count(*) as orders, sum(r.lines) as lines, sum(r.units) as units,
        count(*) filter (where r.status = 'CANCELLED') as cancelled,
        count(*) filter (where r.left_at <= r.despatch_by) as in_time,
        count(*) filter (where r.left_at > r.despatch_by) as late,
        count(*) filter (where r.left_at is not null and r.despatch_by is null) as untimed,
        sum(r.lines) filter (where r.left_at is not null) as lines_left,
        sum(r.whole) filter (where r.left_at is not null) as lines_whole
      from received r
    ) s cross join lateral (values ('ORDERS_RECEIVED', s.orders), ('LINES_RECEIVED', s.lines),
      ('UNITS_RECEIVED', s.units), ('ORDERS_CANCELLED', s.cancelled), ('ORDERS_IN_TIME', s.in_time),
      ('ORDERS_LATE', s.late), ('ORDERS_UNTIMED', s.untimed), ('LINES_OF_LEFT', s.lines_left),
      ('LINES_IN_FULL', s.lines_whole)) v(measure, quantity)
    union all
    select 'ORDERS_NOT_LEFT', coalesce(${despatchTime}, ''), count(*)
    from received r where r.left_at is null and r.status <> 'CANCELLED' group by 2
    union all
    (select 'LATE_ORDER', jsonb_build_array(${despatchTime}, r.order_id)::text, 1 from received r
      where r.left_at > r.despatch_by order by r.despatch_by desc, r.order_id limit ${lateOrdersOfDay})
    union all
    select 'DESPATCH_TIME', ${despatchStep}, count(*) from received r where r.left_at is not null group by 2
    union all
    select 'DELIVERY_TIME', ${deliveryStep}, count(*) from received r where r.status = 'DELIVERED' group by 2
  ) f where f.quantity <> 0 limit ${figuresMax}`;

/**
 * Parcels by their despatch. A decision has the price of all parcels that were packed with it, so each parcel has its
 * share. The request has their number until it is blanked with the order's personal data; then the order's parcels of
 * the decision are counted. The limit within the look-up keeps it a look-up of one key in the partition of its month.
 */
const parcelsDespatched = ({ facilityCode, timezone, from, to }: DaySpan): Statement => sql`
  with gone as materialized (
    select p.olpn_id, p.order_id, p.contents, p.weight, p.weight_uom_code,
      coalesce(d.country, w.ship_to_address ->> 'country', o.ship_to_address ->> 'country') as country, d.choice ->> 4 as zone, p.carrier_code,
      p.carrier_service_code, d.choice -> 2 ->> 0 as currency, d.choice ->> 6 as promised,
      (d.choice -> 2 ->> 2)::numeric / greatest(1, coalesce(d.parcels, (select count(*) from parcel q
        where q.client_id = ${tenant} and q.order_id = p.order_id and q.order_id > ''
          and q.decision_id = p.decision_id))) as amount,
      case when p.status = 'DELIVERED'
        then greatest(0, ceil(extract(epoch from p.status_at - p.despatched_at) / 3600))::integer end as hours,
      case when p.status = 'DELIVERED' then (p.status_at at time zone ${timezone})::date::text end as delivered,
      o.status in ${afterLeaving} and not exists (select from parcel q where q.client_id = ${tenant}
        and q.order_id = p.order_id and q.order_id > '' and q.despatched_at is not null
        and (q.despatched_at, q.olpn_id) > (p.despatched_at, p.olpn_id)) as is_last
    from parcel p cross join lateral (
      select s.status, s.ship_to_address from sales_order s
      where s.client_id = ${tenant} and s.order_id = p.order_id limit 1
    ) o left join lateral (
      select w.ship_to_address from order_content w
      where w.client_id = ${tenant} and w.order_id = p.order_id limit 1
    ) w on true left join lateral (
      select c.decision -> 'choices' -> 0 as choice, c.request -> 'shipTo' ->> 'country' as country,
        jsonb_array_length(c.request -> 'parcels') as parcels
      from carrier_decision c where c.client_id = ${tenant} and c.decision_id = p.decision_id limit 1
    ) d on true
    where p.client_id = ${tenant} and p.despatched_at is not null and p.despatched_at >= ${from}::timestamptz
      and p.despatched_at < ${to}::timestamptz and p.facility_code > '' and p.facility_code = ${facilityCode}
  ), lane as materialized (
    select jsonb_build_array(g.country, g.zone, g.carrier_code, g.carrier_service_code) as lane, g.weight,
      g.weight_uom_code, g.currency, g.promised, g.amount, g.hours, g.delivered
    from gone g
  )
  select f.measure, f.key, f.quantity::text from (
    select 'ORDERS_DESPATCHED' as measure, '' as key, count(*)::numeric as quantity from gone g where g.is_last
    union all
    select v.measure, '', v.quantity from (
      select count(distinct (g.order_id, c ->> 'lineNumber'))::numeric as lines, sum((c ->> 'qty')::numeric) as units
      from gone g cross join lateral jsonb_array_elements(g.contents) c
    ) s cross join lateral (values ('LINES_DESPATCHED', s.lines), ('UNITS_DESPATCHED', s.units)) v(measure, quantity)
    union all
    select 'PAPERS', d.type, count(distinct (d.order_id, d.olpn_id)) from gone g cross join lateral (
      select b.type, b.order_id, b.olpn_id from order_document b where b.client_id = ${tenant} and b.order_id = g.order_id
        and b.order_id > '' and (b.olpn_id = g.olpn_id or (b.olpn_id = '' and g.is_last)) limit 1000
    ) d group by 2
    union all
    select 'PARCELS', n.lane::text, count(*) from lane n group by 2
    union all
    select v.measure, (n.lane || to_jsonb(n.currency))::text, sum(v.quantity) from lane n
      cross join lateral (values ('PARCEL_COST', n.amount), ('PARCELS_PRICED', 1)) v(measure, quantity)
      where n.currency is not null group by 1, 2
    union all
    select 'PARCEL_WEIGHT', (n.lane || jsonb_build_array(n.currency, n.weight_uom_code))::text, sum(n.weight) from lane n
      where n.currency is not null group by 2
    union all
    select 'PARCEL_HOURS', (n.lane || to_jsonb(n.hours))::text, count(*) from lane n where n.hours is not null group by 2
    union all
    select case when n.delivered <= n.promised then 'PARCELS_ON_TIME' else 'PARCELS_LATE' end, n.lane::text, count(*)
      from lane n where n.delivered is not null and n.promised is not null group by 1, 2
    union all
    select 'PARCELS_PROMISED', (n.lane || to_jsonb(n.promised))::text, count(*) from lane n
      where n.delivered is null and n.promised is not null group by 2
  ) f where f.quantity <> 0 limit ${figuresMax}`;

/** Receipts by their booking. A correction replaces its receipt, and counts the difference on the day of the correction. */
const goodsReceived = ({ facilityCode, from, to }: DaySpan): Statement => sql`
  select v.measure, '' as key, v.quantity::text from (
    select count(*) filter (where r.corrects_receipt_id is null) as receipts,
      sum(l.lines - coalesce(c.lines, 0)) as lines, sum(coalesce(l.units, 0) - coalesce(c.units, 0)) as units
    from goods_receipt r cross join lateral (
      select count(*) as lines, sum(i.qty) as units from goods_receipt_line i
      where i.client_id = ${tenant} and i.facility_code = r.facility_code and i.receipt_id = r.receipt_id
    ) l cross join lateral (
      select count(*) as lines, sum(i.qty) as units from goods_receipt_line i
      where i.client_id = ${tenant} and i.facility_code = r.facility_code and i.receipt_id = r.corrects_receipt_id
    ) c
    where r.client_id = ${tenant} and r.facility_code = ${facilityCode} and r.booked_at > '-infinity'
      and r.booked_at >= ${from}::timestamptz and r.booked_at < ${to}::timestamptz
  ) s cross join lateral (values ('RECEIPTS', s.receipts), ('RECEIPT_LINES', s.lines), ('RECEIPT_UNITS', s.units))
    v(measure, quantity)
  where v.quantity <> 0 limit ${figuresMax}`;

const goodsReturned = ({ facilityCode, from, to }: DaySpan): Statement => sql`
  with booked as materialized (
    select d.rma_number, d.olpn_id, d.return_id, d.disposition, d.qty from return_disposition d
    where d.client_id = ${tenant} and d.facility_code = ${facilityCode} and d.booked_at > '-infinity'
      and d.booked_at >= ${from}::timestamptz and d.booked_at < ${to}::timestamptz
  )
  select f.measure, f.key, f.quantity::text from (
    select 'RETURNS' as measure, '' as key, count(distinct (b.rma_number, b.olpn_id, b.return_id))::numeric as quantity
    from booked b
    union all
    select 'RETURN_UNITS', b.disposition, sum(b.qty) from booked b group by 2
  ) f where f.quantity <> 0 limit ${figuresMax}`;

/** Nothing changes a work order after its end. */
const workOrdersEnded = ({ facilityCode, from, to }: DaySpan): Statement => sql`
  select v.measure, '' as key, v.quantity::text from (
    select count(*) as orders, sum(w.qty_completed) as units from work_order w
    where w.client_id = ${tenant} and w.facility_code = ${facilityCode} and w.updated_at >= '-infinity'
      and w.updated_at >= ${from}::timestamptz and w.updated_at < ${to}::timestamptz
      and w.status in ('COMPLETED', 'CLOSED_SHORT') and w.qty_completed > 0
  ) s cross join lateral (values ('WORK_ORDERS', s.orders), ('WORK_ORDER_UNITS', s.units)) v(measure, quantity)
  where v.quantity <> 0 limit ${figuresMax}`;

/** From the snapshot of the midnight that ended the day. */
const unitsStored = ({ facilityCode, day }: DaySpan): Statement => sql`
  select 'STORAGE_UNITS' as measure, r.uom as key, sum(r.on_hand)::text as quantity
  from stock_snapshot s join stock_snapshot_row r on r.snapshot_id = s.snapshot_id
  where s.client_id = ${tenant} and s.facility_code = ${facilityCode} and s.snapshot_date = ${day}::date
    and s.kind = 'MIDNIGHT' and r.client_id = ${tenant} and r.on_hand <> 0
  group by 2 limit ${figuresMax}`;
