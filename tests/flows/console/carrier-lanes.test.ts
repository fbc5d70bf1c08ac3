// Cost and time by lane in the console (contract carriers.md, Lanes): known parcels, their prices and their hours.
import assert from "node:assert/strict";
import { test } from "node:test";
import { hourMs } from "#/kernel/values/durations.ts";
import { noteDays, restateAll } from "#/modules/activity/index.ts";
import { type ConsoleUser, signIn } from "../../support/app/console.ts";
import { clearOfMidnight, dateIn } from "../../support/app/midnight.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { leeds } from "../../support/builders/documents.ts";
import { lifeOf, parcel } from "../../support/builders/life.ts";
import { carrierSet } from "../../support/carriers/carrier-data.ts";
import { saveCarriers } from "../../support/carriers/carriers.ts";
import { assertActivity, assertLanes } from "../../support/oracles/activity.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
await saveCarriers(server.database, carrierSet);
const dc1 = await warehouseOf(server);
const dc2 = await warehouseOf(server, "DC2");
const acme = await lifeOf(server, dc1, "ACME", { items: ["A"] });
const beta = await lifeOf(server, dc2, "BETA", { items: ["A"] });
await acme.stock([{ sku: "A", qty: 50 }]);
await beta.stock([{ sku: "A", qty: 5 }], dc2);

await clearOfMidnight("Europe/London");
const nowMs = Date.now();
const at = (hours: number) => new Date(nowMs + hours * hourMs).toISOString();
const daysAgo = (days: number) => dateIn("Europe/London", -days);
const range = { from: daysAgo(4), to: daysAgo(0) };

interface Shipped {
  readonly clientId: string;
  readonly orderId: string;
  readonly parcels: number;
  /** Hours before now. */
  readonly leftBefore: number;
  /** Hours after it left; undefined: on its way. */
  readonly arrivedAfter?: number;
  readonly more?: object;
  readonly service?: object;
}

/** An order whose parcels of half a kilogram leave and arrive at known times. */
async function ship(shipped: Shipped): Promise<void> {
  const { clientId, orderId, parcels, leftBefore, arrivedAfter, more = {}, service = {} } = shipped;
  const [life, port, distributionCentre] = clientId === "ACME" ? [acme, dc1, "DC1"] : [beta, dc2, "DC2"];
  await life.place(orderId, [{ sku: "A", qty: parcels }], { distributionCentre, ...more });
  await port.report("pick", { clientId, orderId, lines: [{ lineNumber: 1, qtyPicked: parcels }] });
  const olpns = Array.from({ length: parcels }, () => parcel([{ lineNumber: 1, qty: 1 }], service));
  const packed = (await port.report("pack", { clientId, orderId, olpns })).olpns as { olpnId: string }[];
  const olpnIds = packed.map(({ olpnId }) => olpnId);
  await port.report("despatch", { clientId, olpnIds, occurredAt: at(-leftBefore) });
  if (arrivedAfter === undefined) return;
  for (const olpnId of olpnIds)
    await port.report("carrierEvent", { clientId, olpnId, eventCode: 200, occurredAt: at(arrivedAfter - leftBefore) });
}

const toBerlin = { shipToAddress: { ...leeds, city: "Berlin", zip: "10115", country: "DE" } };
await ship({ clientId: "ACME", orderId: "TWO", parcels: 2, leftBefore: 90, arrivedAfter: 30 });
await ship({ clientId: "ACME", orderId: "SLOW", parcels: 1, leftBefore: 80, arrivedAfter: 70.5 });
await ship({ clientId: "ACME", orderId: "AWAY", parcels: 1, leftBefore: 10 });
await ship({ clientId: "ACME", orderId: "BERLIN", parcels: 1, leftBefore: 60, arrivedAfter: 47.2, more: toBerlin });
await ship({ clientId: "ACME", orderId: "EARLIER", parcels: 1, leftBefore: 150, arrivedAfter: 20 });
await ship({ clientId: "ACME", orderId: "OLD", parcels: 1, leftBefore: 500, arrivedAfter: 20 });
const named = { carrierCode: "ALPHA", carrierServiceCode: "ALPHA-24" };
await ship({ clientId: "ACME", orderId: "NAMED", parcels: 1, leftBefore: 5, more: toBerlin, service: named });
await ship({ clientId: "BETA", orderId: "OTHER", parcels: 1, leftBefore: 20, arrivedAfter: 10 });

/** Waits until the events of the server are counted. */
async function published(clientId: string): Promise<void> {
  const unpublished = "select from outbox where client_id = $1";
  await until("the events to be published", async () => (await server.rows(unpublished, clientId)).length === 0);
  await assertActivity(server.database, clientId);
}

/** The job does not hear of rows that a test changes. No parcel left more than `days` days ago: it begins with the first order. */
async function computeAll(clientId: string, days = 22): Promise<void> {
  const text = "update sales_order set received_at = now() - $2::integer * interval '1 day' where client_id = $1";
  await server.rows(text, clientId, days);
  await server.database.transaction(async (tx) => restateAll(tx.of(clientId)));
  await assertActivity(server.database, clientId);
}
for (const clientId of ["ACME", "BETA"]) await computeAll(clientId);

const promise = (orderId: string, day: string, clientId = "BETA") =>
  server.rows(
    `update carrier_decision set decision = jsonb_set(decision::jsonb, '{choices,0,6}', to_jsonb($2::text))::json
      where client_id = $3 and order_id = $1`,
    orderId,
    day,
    clientId,
  );

interface Lane {
  readonly distributionCentre: string;
  readonly country: string | null;
  readonly zone: string | null;
  readonly serviceCode: string | null;
  readonly current: Record<string, unknown>;
  readonly before: Record<string, unknown>;
}

const viewer = await signIn(server, "viewer");
async function lanes(query: Readonly<Record<string, string>> = {}, user: ConsoleUser = viewer): Promise<Lane[]> {
  const { status, body } = await user.get(`/carrierLane/summary?${new URLSearchParams({ ...range, ...query })}`);
  assert.equal(status, 200, JSON.stringify(body));
  return (body as { items: Lane[] }).items;
}
const nameOf = ({ distributionCentre, country, zone, serviceCode }: Lane) =>
  [distributionCentre, country, zone, serviceCode].filter(Boolean).join(" ");
const pounds = (parcels: number, amount: number, perParcel: number, perKg: number) => [
  { currency: "GBP", parcels, amount, perParcel, perKg },
];

test("a lane has the cost of its parcels, a shipment's price shared among its parcels, and their hours", async () => {
  const found = await lanes({ clientId: "ACME" });
  assert.deepEqual(found.map(nameOf), ["DC1 GB BETA-72", "DC1 DE ALPHA-48", "DC1 DE ALPHA-24"]);
  const [home, berlin, without] = found as [Lane, Lane, Lane];
  // 4.00 and 10 per cent fuel for each of the parcels of half a kilogram.
  assert.deepEqual(home.current, {
    parcels: 4,
    costs: pounds(4, 17.6, 4.4, 8.8),
    delivered: 3,
    medianHours: 30,
    p90Hours: 71,
    due: 3,
    onTime: 3,
  });
  assert.deepEqual(home.before, {
    parcels: 1,
    costs: pounds(1, 4.4, 4.4, 8.8),
    delivered: 1,
    medianHours: 20,
    p90Hours: 20,
    due: 1,
    onTime: 1,
  });
  assert.deepEqual([berlin.current.costs, berlin.current.medianHours], [pounds(1, 7.7, 7.7, 15.4), 48]);
  const { parcels, costs, due } = without.current;
  assert.deepEqual({ parcels, costs, due }, { parcels: 1, costs: [], due: 0 }, "no decision, no price");
});

test("the zones of a country are separate lanes on request", async () => {
  const found = await lanes({ clientId: "ACME", destination: "ZONE" });
  assert.deepEqual(found.map(nameOf), ["DC1 GB DOMESTIC BETA-72", "DC1 DE EUROPE ALPHA-48", "DC1 DE ALPHA-24"]);
});

test("a parcel after its promised day is late: delivered later, or not at all", async () => {
  await ship({ clientId: "BETA", orderId: "LATE", parcels: 1, leftBefore: 60, arrivedAfter: 24 });
  await ship({ clientId: "BETA", orderId: "LOST", parcels: 1, leftBefore: 60 });
  await promise("LATE", at(-61).slice(0, 10));
  await promise("LOST", at(-61).slice(0, 10));
  await computeAll("BETA");
  const [lane] = await lanes({ clientId: "BETA" });
  assert.deepEqual([lane?.current.parcels, lane?.current.due, lane?.current.onTime], [3, 3, 1]);
});

test("erased personal data leave the figures as they were", async () => {
  const before = await lanes({ clientId: "ACME" });
  await server.rows(
    `update carrier_decision set request = '{"isBlanked": true, "shipTo": {"country": "GB"}}'
      where client_id = 'ACME' and order_id = 'TWO'`,
  );
  await computeAll("ACME");
  // Another day, because answers are shared for some seconds.
  assert.deepEqual(await lanes({ clientId: "ACME", to: daysAgo(-1) }), before);
});

test("users see the lanes of their clients and facilities only", async () => {
  const facilitiesOf = async (query: Readonly<Record<string, string>>, user: ConsoleUser) =>
    [...new Set((await lanes(query, user)).map(({ distributionCentre }) => distributionCentre))].sort();
  assert.deepEqual(await facilitiesOf({}, viewer), ["DC1", "DC2"]);
  assert.deepEqual(await facilitiesOf({ distributionCentre: "DC2" }, viewer), ["DC2"]);
  assert.deepEqual(await facilitiesOf({}, await signIn(server, "viewer", { facilityCodes: ["DC1"] })), ["DC1"]);
  const ofBeta = await signIn(server, "viewer", { clientIds: ["BETA"] });
  assert.deepEqual(await facilitiesOf({}, ofBeta), ["DC2"]);
  assert.equal(
    (await ofBeta.get(`/carrierLane/summary?${new URLSearchParams({ ...range, clientId: "ACME" })}`)).status,
    403,
  );
});

test("days in the wrong order, or more than a year of them, are refused with the limit", async () => {
  for (const [from, to] of [
    [range.to, range.from],
    [daysAgo(366), range.to],
  ] as const) {
    const { status, body } = await viewer.get(`/carrierLane/summary?${new URLSearchParams({ from, to })}`);
    assert.equal(status, 400);
    const message = "must be from the first day on, and the report has at most 366 days";
    assert.deepEqual((body as { errors: object[] }).errors, [{ pointer: "/query/to", message }]);
  }
});

test("a parcel that is delivered after its day is final has its hours, up to a year after it left", async () => {
  const lanesOf = async (days: number, to = days) =>
    (await lanes({ clientId: "BETA", from: daysAgo(days), to: daysAgo(to) })).map(({ current }) => [
      current.parcels,
      current.delivered,
      current.medianHours,
      current.due,
      current.onTime,
    ]);
  for (const days of [80, 380]) {
    const orderId = `AFTER-${days}`;
    // At noon: at midnight of another season the hour is of another day.
    const leftAt = `${daysAgo(days)}T12:00:00.000Z`;
    const hours = 24 * (days - 1);
    const arrivedAt = new Date(Date.parse(leftAt) + hours * hourMs).toISOString();
    await ship({ clientId: "BETA", orderId, parcels: 1, leftBefore: 1 });
    await promise(orderId, daysAgo(days - 2));
    await server.rows(
      "update parcel set despatched_at = $2 where client_id = 'BETA' and order_id = $1",
      orderId,
      leftAt,
    );
    await server.database.transaction(async (tx) =>
      noteDays(tx.of("BETA"), [{ day: daysAgo(days), facilityCode: "DC2" }]),
    );
    await published("BETA");
    assert.deepEqual(await lanesOf(days), [[1, 0, null, 1, 0]]);
    const [{ olpn_id: olpnId } = {}] = await server.rows<{ olpn_id: string }>(
      "select olpn_id from parcel where client_id = 'BETA' and order_id = $1",
      orderId,
    );
    await dc2.report("carrierEvent", { clientId: "BETA", olpnId, eventCode: 200, occurredAt: arrivedAt });
    await published("BETA");
    assert.deepEqual(await lanesOf(days, days - 1), [days === 80 ? [1, 1, hours, 1, 0] : [1, 0, null, 1, 0]]);
  }
});

test("any parcels have in their lanes what they have one by one", async () => {
  await server.rows(
    `with copied as (
        insert into sales_order select (jsonb_populate_record(o, jsonb_build_object('order_id', o.order_id || '-' || n))).*
          from sales_order o cross join generate_series(1, 60) as n
          where o.client_id = 'ACME' and o.order_id in ('TWO', 'SLOW', 'BERLIN', 'NAMED') returning order_id)
      insert into parcel select (jsonb_populate_record(p, jsonb_build_object('order_id', c.order_id, 'olpn_id',
          p.olpn_id || c.order_id, 'contents', '[]'::jsonb, 'weight', 1 + d.n % 7, 'weight_uom_code',
          (array['KG', 'LB'])[1 + d.n % 2], 'despatched_at', d.despatched_at, 'status',
          (array['DELIVERED', 'DELIVERED', 'IN_TRANSIT', 'RETURNED_TO_SENDER'])[1 + d.n % 4],
          'status_at', d.despatched_at + random() * interval '9 days'))).*
        from copied c join parcel p on p.client_id = 'ACME' and p.order_id = regexp_replace(c.order_id, '-.*', '')
          cross join lateral (select now() - random() * interval '58 days' as despatched_at,
            (random() * 100 + length(c.order_id))::integer as n) d`,
  );
  for (const [orderId, days] of [
    ["TWO", 40],
    ["SLOW", 20],
    ["BERLIN", 5],
  ] as const)
    await promise(orderId, daysAgo(days), "ACME");
  await computeAll("ACME", 59);
  assert.ok((await assertLanes(server.database, "ACME")) >= 3);
  assert.ok((await assertLanes(server.database, "BETA")) >= 1);
});
