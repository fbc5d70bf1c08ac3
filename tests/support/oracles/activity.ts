// The figures by day against direct counts of the tables, which are made in other ways than the job makes them.
import assert from "node:assert/strict";
import type { CarrierLane, LaneFigures } from "#/console-api/carriers/lanes/contract.ts";
import { readLanes } from "#/console-api/carriers/lanes/lanes.ts";
import { readServiceLevel } from "#/console-api/overview/service-level/service-level.ts";
import { systemClock } from "#/kernel/clock.ts";
import { toAlpha2 } from "#/kernel/values/country.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createActivityRounds } from "#/modules/activity/index.ts";
import { createDirectory } from "#/modules/clients/index.ts";
import type { Database } from "#/store/db/database.ts";
import { sql } from "#/store/db/sql.ts";
import { until } from "../app/until.ts";

interface Counted {
  readonly day: string;
  readonly facility: string;
  readonly measure: string;
  readonly key: string;
  readonly quantity: number;
}

const left = sql`('DESPATCHED', 'DELIVERED', 'RETURNED_TO_SENDER')`;

/** By the direct way: of single columns, of the ledger, and of what is not corrected. */
function countDirectly(database: Database, clientId: string): Promise<Counted[]> {
  return database.query(sql`
    with zone as (select facility_code, timezone from facility),
    found as (
      select o.received_at as at, o.distribution_centre as facility, v.measure, '' as key, v.quantity
      from sales_order o cross join lateral (values ('ORDERS_RECEIVED', 1::numeric),
        ('ORDERS_CANCELLED', (o.status = 'CANCELLED')::integer)) v(measure, quantity)
      where o.client_id = ${clientId}
      union all
      select o.received_at, o.distribution_centre, v.measure, '', v.quantity
      from sales_order_line l join sales_order o using (client_id, order_id)
        cross join lateral (values ('LINES_RECEIVED', 1::numeric), ('UNITS_RECEIVED', l.qty_ordered)) v(measure, quantity)
      where o.client_id = ${clientId}
      union all
      select o.received_at, o.distribution_centre, v.measure, v.key, 1
      from sales_order o left join (
        select p.order_id, max(p.despatched_at) as left_at from parcel p where p.client_id = ${clientId} group by 1
      ) l on l.order_id = o.order_id and o.status in ${left} cross join lateral (
        select case when l.left_at is null then 'ORDERS_NOT_LEFT' when o.despatch_by is null then 'ORDERS_UNTIMED'
            when l.left_at <= o.despatch_by then 'ORDERS_IN_TIME' else 'ORDERS_LATE' end as measure,
          case when l.left_at is null and o.despatch_by is not null
            then floor(extract(epoch from o.despatch_by) * 1000)::text else '' end as key
      ) v
      where o.client_id = ${clientId} and o.status <> 'CANCELLED'
      union all
      (select distinct on (p.order_id) p.despatched_at, p.facility_code, 'ORDERS_DESPATCHED', '', 1
      from parcel p join sales_order o using (client_id, order_id)
      where p.client_id = ${clientId} and p.despatched_at is not null and o.status in ${left}
      order by p.order_id, p.despatched_at desc, p.olpn_id desc)
      union all
      select p.despatched_at, p.facility_code, 'PARCELS', coalesce(p.carrier_code, '') || ' ' || coalesce(p.carrier_service_code, ''), 1
      from parcel p where p.client_id = ${clientId} and p.despatched_at is not null
      union all
      select m.booked_at, m.facility_code, case m.type when 'DESPATCH' then 'UNITS_DESPATCHED' else 'RECEIPT_UNITS' end, '',
        case m.type when 'DESPATCH' then -m.qty else m.qty end
      from stock_movement m where m.client_id = ${clientId} and (m.type, m.reference_type) in (('DESPATCH', 'order'), ('RECEIPT', 'receipt'))
      union all
      select r.booked_at, r.facility_code, 'RECEIPTS', '', 1 from goods_receipt r
      where r.client_id = ${clientId} and r.corrects_receipt_id is null
      union all
      select d.booked_at, d.facility_code, 'RETURN_UNITS', d.disposition, d.qty from return_disposition d where d.client_id = ${clientId}
      union all
      select w.updated_at, w.facility_code, 'WORK_ORDER_UNITS', '', w.qty_completed from work_order w
      where w.client_id = ${clientId} and w.status in ('COMPLETED', 'CLOSED_SHORT')
    )
    select (f.at at time zone z.timezone)::date::text as day, f.facility, f.measure, f.key, sum(f.quantity)::float8 as quantity
    from found f join zone z on z.facility_code = f.facility group by 1, 2, 3, 4
    union all
    select s.snapshot_date::text, s.facility_code, 'STORAGE_UNITS', r.uom, sum(r.on_hand)::float8
    from stock_snapshot s join stock_snapshot_row r using (client_id, snapshot_id)
    where s.client_id = ${clientId} and s.kind = 'MIDNIGHT' group by 1, 2, 3, 4
    union all
    select (d.received_at at time zone 'UTC')::date::text, '', 'FEEDS',
      d.feed_type || ' ' || case when d.state in ('REJECTED', 'FAILED') then d.state else 'ACCEPTED' end, count(*)::float8
    from feed_document d where d.client_id = ${clientId} group by 1, 2, 3, 4`);
}

const readKept = (database: Database, clientId: string): Promise<Counted[]> =>
  database.query(sql`select a.day::text as day, a.facility_code as facility, a.measure, a.key, a.quantity::float8 as quantity
    from activity_day a where a.client_id = ${clientId}`);

/** Carrier and service of a lane, as the direct count has them; a despatch time in milliseconds; the parts of a feed's key. */
function keyOf({ measure, key }: Counted): string {
  if (measure === "ORDERS_NOT_LEFT" && key !== "") return String(Date.parse(key));
  if (measure === "PARCELS")
    return (JSON.parse(key) as (string | null)[])
      .slice(2)
      .map((part) => part ?? "")
      .join(" ");
  return measure === "FEEDS" ? (JSON.parse(key) as string[]).join(" ") : key;
}

/** The demo moves documents and parcels into the past, and neither their tokens nor the ledger. */
const anyDay: ReadonlySet<string> = new Set(["FEEDS", "UNITS_DESPATCHED"]);

function totals(rows: readonly Counted[], measures: ReadonlySet<string>, of: (row: Counted) => string): string[] {
  const groups = Map.groupBy(
    rows.filter((row) => measures.has(row.measure)),
    (row) => `${anyDay.has(row.measure) ? "" : row.day} ${row.facility} ${row.measure} ${of(row)}`,
  );
  return [...groups]
    .map(([name, found]) => [name, found.reduce((sum, { quantity }) => sum + quantity, 0)] as const)
    .filter(([, quantity]) => Math.abs(quantity) > 1e-9)
    .map(([name, quantity]) => `${name}: ${Math.round(quantity * 1000) / 1000}`)
    .toSorted();
}

const without = (some: readonly string[], others: readonly string[]) => {
  const names = new Set(others);
  return some.filter((name) => !names.has(name));
};

/**
 * Has the job make every noted day, and compares the figures of a client with direct counts. Nothing else may change
 * the client meanwhile.
 *
 * @returns the number of compared figures
 */
export async function assertActivity(database: Database, clientId: string): Promise<number> {
  const { findClient } = createDirectory({ database, clock: systemClock, environment: "sandbox" });
  // The job of a server that runs may be making a day.
  await until("no day is due", async () => {
    await createActivityRounds({ database, clock: systemClock, findClient }).run();
    const due =
      await database.query(sql`select l.client_id from outbox_lane l left join activity_cursor c using (client_id)
      where l.client_id = ${clientId} and c.position is distinct from l.last_position
      union all select d.client_id from activity_due d where d.client_id = ${clientId}`);
    return due.length === 0;
  });
  const [direct, kept] = await Promise.all([countDirectly(database, clientId), readKept(database, clientId)]);
  const measures = new Set(direct.map(({ measure }) => measure));
  const expected = totals(direct, measures, ({ key }) => key);
  const found = totals(kept, measures, keyOf);
  const [missing, wrong] = [without(expected, found), without(found, expected)];
  assert.deepEqual({ missing, wrong }, { missing: [], wrong: [] }, `figures by day of ${clientId}`);
  return expected.length;
}

/** Compares the service level of the last 60 days with a direct count, over all orders of a client. */
export async function assertServiceLevel(database: Database, clientId: string): Promise<void> {
  const nowMs = Date.now();
  const date = (daysAgo: number) => new Date(nowMs - daysAgo * dayMs).toISOString().slice(0, 10);
  const days = { from: date(60), to: date(-1), facilityCodes: null, by: "month" } as const;
  const { total, items, lateOrders } = await readServiceLevel(database, clientId, days, nowMs);
  const direct = await database.query<Record<string, unknown> & { late_orders: string[] | null }>(sql`
    with ordered as (
      select o.order_id, o.status, o.despatch_by, case when o.status in ${left} then (
        select max(p.despatched_at) from parcel p where p.client_id = o.client_id and p.order_id = o.order_id) end as left_at
      from sales_order o where o.client_id = ${clientId}
    ), judged as (
      select o.order_id, o.despatch_by, case when o.status = 'CANCELLED' then 'cancelled'
          when o.left_at is null and o.despatch_by < ${new Date(nowMs).toISOString()}::timestamptz then 'overdue'
          when o.left_at is null then 'open' when o.despatch_by is null then 'untimed'
          when o.left_at <= o.despatch_by then 'inTime' else 'late' end as word
      from ordered o
    )
    select count(*)::integer as received, count(*) filter (where word = 'inTime')::integer as "inTime",
      count(*) filter (where word = 'late')::integer as late, count(*) filter (where word = 'overdue')::integer as overdue,
      count(*) filter (where word = 'open')::integer as open, count(*) filter (where word = 'untimed')::integer as untimed,
      count(*) filter (where word = 'cancelled')::integer as cancelled,
      array_agg(order_id order by despatch_by desc, order_id) filter (where word in ('late', 'overdue')) as late_orders
    from judged`);
  const { late_orders, ...counts } = direct[0] ?? assert.fail("no count");
  assert.deepEqual(total, counts, `service level of ${clientId}`);
  assert.equal(
    items.reduce((sum, { received }) => sum + received, 0),
    counts.received,
  );
  const listed = lateOrders.map(({ orderId }) => orderId);
  assert.deepEqual(listed, (late_orders ?? []).slice(0, 200), `late orders of ${clientId}`);
}

interface LeftParcel {
  readonly facility: string;
  readonly carrier: string | null;
  readonly service: string | null;
  readonly kg: number;
  /** Days in the facility's time zone. */
  readonly leftOn: string;
  readonly deliveredOn: string | null;
  readonly today: string;
  readonly hours: number;
  readonly country: string | null;
  readonly choice: readonly [unknown, unknown, Price | null, unknown, string | null, unknown, string | null] | null;
  /** Parcels that share the price. */
  readonly shares: number;
}

type Price = readonly [currency: string, unknown, amount: string];

/** One row for each parcel, of whatever day. */
const listLeftParcels = (database: Database, clientId: string, nowMs: number): Promise<LeftParcel[]> =>
  database.query(sql`
    select p.facility_code as facility, p.carrier_code as carrier, p.carrier_service_code as service,
      (p.weight * case p.weight_uom_code when 'LB' then 0.45359237 when 'G' then 0.001 when 'OZ' then 0.028349523125
        else 1 end)::float8 as kg,
      (p.despatched_at at time zone f.timezone)::date::text as "leftOn",
      case p.status when 'DELIVERED' then (p.status_at at time zone f.timezone)::date::text end as "deliveredOn",
      (${new Date(nowMs).toISOString()}::timestamptz at time zone f.timezone)::date::text as today,
      extract(epoch from p.status_at - p.despatched_at)::float8 / 3600 as hours,
      coalesce(c.request #>> '{shipTo,country}', w.ship_to_address ->> 'country', o.ship_to_address ->> 'country') as country,
      c.decision #> '{choices,0}' as choice, coalesce(jsonb_array_length((c.request -> 'parcels')::jsonb), (
        select count(*) from parcel q where q.client_id = p.client_id and q.order_id = p.order_id
          and q.decision_id = p.decision_id))::integer as shares
    from parcel p join facility f using (facility_code) join sales_order o using (client_id, order_id)
      left join order_content w using (client_id, order_id)
      left join carrier_decision c using (client_id, decision_id)
    where p.client_id = ${clientId} and p.despatched_at is not null`);

const placeOf = (parcel: LeftParcel) => [
  parcel.facility,
  parcel.country === null ? null : (toAlpha2(parcel.country) ?? parcel.country),
  parcel.choice?.[4] ?? null,
  parcel.carrier,
  parcel.service,
];

/** To two decimals: sums of the two ways differ in the last digits. */
const coarse = (value: number | null) => (value === null ? null : Math.round(value * 100 + 1e-4) / 100);

function figuresOf(parcels: readonly LeftParcel[]): LaneFigures {
  const hours = parcels
    .filter(({ deliveredOn }) => deliveredOn !== null)
    .map((parcel) => Math.max(0, Math.ceil(parcel.hours)))
    .toSorted((left, right) => left - right);
  const within = (part: number) => hours[Math.ceil(hours.length * part) - 1] ?? null;
  const due = parcels.filter(({ choice, deliveredOn, today }) => {
    const promised = choice?.[6] ?? null;
    return promised !== null && (deliveredOn !== null || promised < today);
  });
  const currencies = [...new Set(parcels.flatMap(({ choice }) => choice?.[2]?.[0] ?? []))];
  const costs = currencies.map((currency) => {
    const priced = parcels.filter(({ choice }) => choice?.[2]?.[0] === currency);
    const amount = priced.reduce((sum, { choice, shares }) => sum + Number(choice?.[2]?.[2]) / Math.max(1, shares), 0);
    const kg = priced.reduce((sum, parcel) => sum + parcel.kg, 0);
    return {
      currency,
      parcels: priced.length,
      amount,
      perParcel: amount / priced.length,
      perKg: kg > 0 ? amount / kg : null,
    };
  });
  return {
    parcels: parcels.length,
    costs,
    delivered: hours.length,
    medianHours: within(0.5),
    p90Hours: within(0.9),
    due: due.length,
    onTime: due.filter(({ choice, deliveredOn }) => deliveredOn !== null && deliveredOn <= String(choice?.[6])).length,
  };
}

const comparable = ({ costs, ...figures }: LaneFigures) => ({
  ...figures,
  costs: costs
    .map((cost) => ({
      ...cost,
      amount: coarse(cost.amount),
      perParcel: coarse(cost.perParcel),
      perKg: coarse(cost.perKg),
    }))
    .toSorted((left, right) => (left.currency < right.currency ? -1 : 1)),
});

/**
 * Compares the lanes of the last 30 days, and of as many before, with figures of each parcel.
 *
 * @returns the number of lanes
 */
export async function assertLanes(database: Database, clientId: string): Promise<number> {
  const nowMs = Date.now();
  const date = (daysAgo: number) => new Date(nowMs - daysAgo * dayMs).toISOString().slice(0, 10);
  const [from, to, beforeFrom] = [date(29), date(-1), date(60)];
  const parcels = (await listLeftParcels(database, clientId, nowMs)).filter(({ leftOn }) => leftOn >= beforeFrom);
  for (const destination of ["COUNTRY", "ZONE"] as const) {
    const isOfLane = (_: unknown, i: number) => destination === "ZONE" || i !== 2;
    const expected = [...Map.groupBy(parcels, (parcel) => JSON.stringify(placeOf(parcel).filter(isOfLane)))].map(
      ([place, found]) => [
        place,
        comparable(figuresOf(found.filter(({ leftOn }) => leftOn >= from))),
        comparable(figuresOf(found.filter(({ leftOn }) => leftOn < from))),
      ],
    );
    const report = await readLanes(
      database,
      { clientIds: [clientId], facilityCodes: null },
      { from, to, destination },
      nowMs,
    );
    assert.equal(report.beforeFrom, beforeFrom);
    const shown = report.items.map(({ current, before, ...lane }: CarrierLane) => [
      JSON.stringify(
        [lane.distributionCentre, lane.country, lane.zone, lane.carrierCode, lane.serviceCode].filter(isOfLane),
      ),
      comparable(current),
      comparable(before),
    ]);
    const byPlace = (rows: typeof shown) => rows.toSorted(([left = ""], [right = ""]) => (left < right ? -1 : 1));
    assert.deepEqual(byPlace(shown), byPlace(expected), `lanes of ${clientId} by ${destination}`);
  }
  return new Set(parcels.map((parcel) => JSON.stringify(placeOf(parcel)))).size;
}
