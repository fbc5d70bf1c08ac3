// operations.md §1: the demo that a first start creates, before any client sends anything.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { readTimeline } from "#/console-api/orders/routes.ts";
import type { TimelineEntry } from "#/console-api/orders/timeline-contract.ts";
import { findOrderHead } from "#/console-api/orders/timeline-repository.ts";
import { systemClock } from "#/kernel/clock.ts";
import { hourMs } from "#/kernel/values/durations.ts";
import { hasValidCheckDigit } from "#/kernel/values/gtin.ts";
import { createIds, timeOfId } from "#/kernel/values/ids.ts";
import { checkStock } from "#/modules/inventory/index.ts";
import { traceLot } from "#/modules/lots/trace.ts";
import { brands } from "#/sandbox/demo/brands.ts";
import { readDemoCredentials } from "#/sandbox/demo/greeting.ts";
import { seedDemo } from "#/sandbox/demo/seed.ts";
import type { Database } from "#/store/db/database.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";
import { type TestServer, testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { leeds, order, type Parts } from "../../support/builders/documents.ts";
import { assertActivity, assertLanes, assertServiceLevel } from "../../support/oracles/activity.ts";

/** As at a first start: no worker publishes or delivers while the demo is created. */
const firstStart = { CROSSDOCK_ROLES: "api,feeds,auth" };

const place = (city: string, zip: string, country: string): Parts => ({
  lastName: "Novak",
  address1: "1 Main Street",
  city,
  zip,
  country,
});
const abroad = [
  place("Berlin", "10117", "DE"),
  place("Zürich", "8001", "CH"),
  place("Dublin", "D02 X285", "IE"),
  place("New York", "10001", "US"),
];
/** The orders' shipping methods, in rotation: none, then two speeds. */
const methods: readonly Parts[] = [{}, { shippingMethod: "STANDARD" }, { shippingMethod: "EXPRESS" }];

interface DemoParcel {
  readonly order_id: string;
  readonly carrier_code: string;
  readonly tracking_url: string | null;
}

/** The tracking pages of the demo's carriers. */
const trackingPages: Readonly<Record<string, string>> = {
  NWP: "https://track.northway.example/",
  HBP: "https://track.harbourpost.example/",
  KEX: "https://track.kestrel.example/",
};

function assertTracked({ order_id, carrier_code, tracking_url }: DemoParcel): void {
  const page = trackingPages[carrier_code] ?? assert.fail(`${order_id} goes by the unknown carrier ${carrier_code}`);
  assert.ok(tracking_url?.startsWith(page), `${order_id} of ${carrier_code}: ${tracking_url}`);
}

type Rows = Awaited<ReturnType<typeof testServer>>["rows"];

/** The steps of each order are in sequence, and no carrier reported the same code of a parcel twice. */
async function assertOrderly(rows: Rows): Promise<void> {
  const reversed = await rows(
    `select client_id, order_id, was.code, was.at, followed.code as before_code, followed.at as before_at
      from order_milestone was join order_milestone followed using (client_id, order_id)
      where (was.code, followed.code) in ((10, 50), (50, 52), (52, 60), (50, 60), (60, 100), (100, 110), (110, 120), (120, 200))
        and coalesce(was.olpn_id = followed.olpn_id, true) and followed.at < was.at
        and not exists (select 1 from order_milestone earlier where earlier.client_id = was.client_id
          and earlier.order_id = was.order_id and earlier.code = was.code and earlier.at < was.at)`,
  );
  assert.deepEqual(reversed, []);
  const repeated = await rows(
    `select client_id, order_id, olpn_id, code from order_milestone where code > 100
      group by client_id, order_id, olpn_id, code having count(*) > 1`,
  );
  assert.deepEqual(repeated, []);
  const unanswered = await rows(
    "select client_id, order_id from sales_order o where status = 'PICKING' and exists (select 1 from order_milestone m where m.client_id = o.client_id and m.order_id = o.order_id and m.code = 88 and m.at < now() - interval '2 hours')",
  );
  assert.deepEqual(unanswered, [], "no request to cancel waits beyond its time");
}

test("the demo has a known stock, and all of it is found", async () => {
  const server = await testServer(firstStart);
  const { config, database } = server;
  await seedDemo({ config, database, clock: systemClock, ids: createIds() });
  const json = { "content-type": "application/json" };
  const proof = JSON.stringify({ grant_type: "client_credentials", ...readDemoCredentials(config.dataDir)?.oauth });
  const answer = await fetch(`${server.url}/v1/oauth/token`, { method: "POST", headers: json, body: proof });
  const { access_token } = (await answer.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}` };
  const list = `${server.url}/v1/inventoryService/inventory/list?distributionCentre=DC1`;
  const { items } = (await (await fetch(list, { headers })).json()) as {
    items: { sku: string; found: boolean; uom: string | null; onHand: number }[];
  };
  assert.ok(items.some(({ sku, onHand }) => sku === "TEE-M" && onHand > 0));
  assert.deepEqual(
    items.filter(({ found, uom }) => !found || uom === null),
    [],
  );
});

test("what the demo sends is carried: the simulated warehouse names no carrier, and each parcel has one with its papers", async () => {
  const server = await testServer(firstStart);
  const { config, database, rows } = server;
  await seedDemo({ config, database, clock: systemClock, ids: createIds() });
  const { feed } = readDemoCredentials(config.dataDir) ?? {};
  assert.ok(feed);
  const addresses = [leeds, ...abroad];
  for (const [i, shipToAddress] of addresses.entries()) {
    const body = order("DEMO", `WEB-${i}`, [{ sku: "TEE-M", qty: 2 }], { shipToAddress, ...(methods[i] ?? {}) });
    const sent = await fetch(`${server.url}/feeds/DEMO/NO`, {
      method: "POST",
      body,
      headers: { "x-api-key": feed.apiKey, "content-type": "application/xml" },
    });
    assert.match(await sent.text(), /<success>true/);
  }
  const dataDir = mkdtempSync(path.join(os.tmpdir(), "crossdock-demo-"));
  const sim = await server.startNode({
    CROSSDOCK_ROLES: "api,feeds,auth,worker,warehouse-sim",
    CROSSDOCK_WAREHOUSE_SIM: "true",
    CROSSDOCK_WAREHOUSE_SIM_SPEED: "100",
    CROSSDOCK_DATA_DIR: dataDir,
  });
  try {
    const orderIds = ["WEB-100045", ...addresses.map((_, i) => `WEB-${i}`)];
    await until(
      "the demo's orders to be delivered",
      async () => {
        const orders = await rows<{ order_id: string; status: string; holds: object[] }>(
          "select order_id, status, holds from sales_order where client_id = 'DEMO' and order_id = any($1)",
          orderIds,
        );
        assert.deepEqual(
          orders.flatMap(({ holds }) => holds),
          [],
        );
        const ended = orders.filter(({ status }) => status === "DELIVERED");
        return ended.length === orderIds.length;
      },
      100_000,
    );
  } finally {
    await sim.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
  const parcels = await rows<DemoParcel & { service: string | null; decided: boolean; papers: number }>(
    `select p.order_id, p.carrier_code, p.tracking_url, p.carrier_service_code as service, p.decision_id is not null as decided,
        (select count(*)::int from order_document d where d.client_id = p.client_id and d.olpn_id = p.olpn_id) as papers
      from parcel p where p.client_id = 'DEMO' and p.order_id = any($1) order by p.order_id`,
    ["WEB-100045", ...addresses.map((_, i) => `WEB-${i}`)],
  );
  assert.ok(parcels.length > addresses.length);
  for (const { order_id, service, decided, papers } of parcels) {
    assert.ok(service !== null && decided && papers >= 3, `${order_id}: ${service}, ${papers} papers`);
  }
  parcels.forEach(assertTracked);
  await assertOrderly(rows);
});

/** The stage of the life of an order that an entry of its timeline reports; undefined for one that belongs to none. */
function stageOf({ kind, code, text }: TimelineEntry): number | undefined {
  if (kind === "ROUTING" || (kind === "FEED" && text.includes(", new: processed"))) return 0;
  if (kind === "ALLOCATION") return 2;
  if (kind === "DECISION") return 4;
  const byCode = [[10, 20], [40, 45, 48, 50], [52, 55, 58], [60, 70, 75], [80], [95, 100], [110, 120, 150]];
  if (kind === "MILESTONE") {
    const place = byCode.findIndex((codes) => codes.includes(code ?? 0));
    return place >= 0 ? place + 1 : (code ?? 0) > 150 ? 8 : undefined;
  }
  const topics = ["received", "allocated", "picking", "packed", "loaded", "despatched"];
  const place = kind === "EVENT" ? topics.findIndex((topic) => text === `Event: order:${topic}`) : -1;
  return place >= 0 ? place + 1 : undefined;
}

/** Each order of the demo tells its life in its order, whichever table an entry comes from. */
async function assertToldInOrder({ database, rows }: TestServer): Promise<void> {
  const orders = await rows<{ client_id: string; order_id: string }>("select client_id, order_id from sales_order");
  assert.ok(orders.length > 400);
  const staged = new Map<string, number>();
  const untold: string[] = [];
  for (const { client_id, order_id } of orders) {
    const page = await readSnapshot(database, async (tx) => {
      const view = tx.of(client_id);
      const head = await findOrderHead(view, order_id);
      assert.ok(head);
      return readTimeline(view, { orderId: order_id, head, limit: 500 });
    });
    assert.ok(page.ok && page.value.nextCursor === null);
    let last: { stage: number; entry: TimelineEntry } | undefined;
    for (const entry of page.value.items) {
      const stage = stageOf(entry);
      if (stage === undefined) continue;
      staged.set(entry.kind, (staged.get(entry.kind) ?? 0) + 1);
      if (last && stage < last.stage) untold.push(`${client_id} ${order_id}: ${entry.text} after ${last.entry.text}`);
      last = { stage, entry };
    }
  }
  assert.deepEqual(untold, []);
  for (const kind of ["FEED", "ROUTING", "EVENT", "MILESTONE", "ALLOCATION", "DECISION"])
    assert.ok((staged.get(kind) ?? 0) > 20, `${kind}: ${staged.get(kind)}`);
  const untimely = await rows(
    `select p.client_id, p.order_id, p.olpn_id from parcel p join sales_order o using (client_id, order_id)
      where p.packed_at < o.received_at or coalesce(p.loaded_at, p.packed_at) < p.packed_at
        or coalesce(p.despatched_at, p.loaded_at, p.packed_at) < coalesce(p.loaded_at, p.packed_at)
        or coalesce(p.status_at, p.despatched_at) < p.despatched_at
      union all select t.client_id, t.object_id, t.task_id::text from warehouse_task t
        join sales_order o on o.client_id = t.client_id and o.order_id = t.object_id
      where t.released_at < o.received_at or t.accepted_at < t.released_at or t.withdrawn_at < t.released_at
      union all select d.client_id, d.order_id, d.type from order_document d join parcel p using (client_id, olpn_id)
      where d.created_at < p.packed_at
      union all select m.client_id, m.reference_id, m.type from stock_movement m
        join sales_order o on o.client_id = m.client_id and o.order_id = m.reference_id
      where m.reference_type = 'order' and (m.occurred_at < o.received_at or m.booked_at > m.occurred_at + interval '1 day')`,
  );
  assert.deepEqual(untimely, []);
  const deliveries = await rows<{ delivery_id: string; event_id: string }>(
    "select delivery_id, event_id from webhook_delivery",
  );
  const waitsMs = deliveries.map(({ delivery_id, event_id }) => timeOfId(delivery_id) - timeOfId(event_id));
  assert.ok(waitsMs.length > 400 && waitsMs.every((ms) => ms >= 0 && ms < hourMs), `${Math.max(...waitsMs)} ms`);
}

/** A database in which a transaction and all later ones fail, as if the process were killed there. */
function killedAfter(database: Database, transactions: number): Database {
  let left = transactions;
  const killed = () => Promise.reject(new Error("killed"));
  return {
    ...database,
    query: (statement) => (left > 0 ? database.query(statement) : killed()),
    transaction: (work, options) => (--left > 0 ? database.transaction(work, options) : killed()),
  };
}

test("an interrupted demo is completed by the next start: each order once, and consistent stock", async () => {
  const server = await testServer(firstStart);
  const { config, database, rows } = server;
  const seed = (through: Database) =>
    seedDemo({ config, database: through, clock: systemClock, ids: createIds(), url: server.url });
  for (const transactions of [1, 12, 45, 90, 200]) await assert.rejects(seed(killedAfter(database, transactions)));
  await seed(database);
  const [made] = await rows<{ stages: number; orders: number }>(
    `select (select count(*)::int from demo_stage where done_at is null and stage <> 'begin') as stages,
      (select count(*)::int from sales_order) as orders`,
  );
  assert.equal(made?.stages, 0);
  for (const { clientId } of brands) {
    assert.deepEqual(await database.transaction((tx) => checkStock(tx.of(clientId))), [], clientId);
  }
  await seed(database);
  const [again] = await rows<{ orders: number }>("select count(*)::int as orders from sales_order");
  assert.equal(again?.orders, made?.orders, "a second run adds nothing");
});

test("no screen of the console is empty: every state, every kind of refusal, webhooks that work and one that does not", async () => {
  const server = await testServer(firstStart);
  const { config, database, rows } = server;
  await seedDemo({ config, database, clock: systemClock, ids: createIds(), url: server.url });
  const setOf = async (text: string) => new Set((await rows<{ it: string }>(text)).map(({ it }) => it));
  const has = (what: string, found: ReadonlySet<string>, ...wanted: readonly string[]) =>
    assert.deepEqual(
      wanted.filter((text) => !found.has(text)),
      [],
      `${what}: ${[...found].join(" ")}`,
    );

  has(
    "orders",
    await setOf("select distinct status as it from sales_order"),
    ...["ON_HOLD", "BACKORDERED", "PARTIALLY_ALLOCATED", "ALLOCATED", "PICKING", "PACKED", "PARTIALLY_DESPATCHED"],
    ...["DESPATCHED", "DELIVERED", "RETURNED_TO_SENDER", "CANCELLED"],
  );
  has(
    "holds",
    await setOf("select distinct h->>'type' as it from sales_order, jsonb_array_elements(holds) h"),
    ...["DO_NOT_SHIP", "CLIENT_REQUEST", "ADDRESS_INVALID", "HAZMAT_REVIEW", "CARRIER_UNAVAILABLE", "OTHER"],
    "PRE_ORDER",
  );
  has(
    "papers of the order to Jersey",
    await setOf("select type || ' ' || content_type as it from order_document where order_id = 'LL-70035'"),
    ...["PACKING_SLIP application/pdf", "CN22 application/pdf", "CN22 application/zpl"],
  );
  has(
    "lines of the split order",
    await setOf(
      "select facility_code || ' ' || qty_allocated::float8 as it from sales_order_line where order_id = 'LL-70058'",
    ),
    ...["DC1 1", "DC2 2"],
  );
  const recalled = { sku: "HONEY-HEATHER-340", lotNumber: "B-26100", serialNumber: undefined };
  const trace = await database.transaction((tx) => traceLot(tx.of("FJORD"), recalled, 50, new Date().toISOString()));
  has(
    "held goods of the recalled lot",
    new Set(trace.stock.flatMap((row) => (row.isHeld ? row.distributionCentre : []))),
    "DC1",
    "DC2",
  );
  has("orders of the recalled lot", new Set(trace.orders.map(({ orderId }) => orderId)), "FP-60023", "FP-60024");
  assert.deepEqual(
    trace.reservations.map(({ ownerId, qtyPicked }) => [ownerId, qtyPicked]),
    [["FP-60013", 2]],
  );
  has(
    "parcels",
    await setOf("select distinct status as it from parcel"),
    ...["PACKED", "LOADED", "DESPATCHED", "IN_TRANSIT", "OUT_FOR_DELIVERY", "AVAILABLE_FOR_COLLECTION", "DELIVERED"],
    ...["EXCEPTION", "LOST", "RETURNED_TO_SENDER"],
  );
  has(
    "refusals",
    await setOf(
      "select distinct substring(e from '^\\[[A-Z_]+\\]') as it from feed_document, jsonb_array_elements_text(findings->'errors') e",
    ),
    ...["[XML]", "[XSD]", "[UNKNOWN_SKU]", "[DUPLICATE]", "[STATE]", "[POSTCODE]", "[FACILITY]", "[UNKNOWN_ORDER]"],
  );
  has("documents", await setOf("select distinct state as it from feed_document"), "REJECTED", "PARKED", "PROCESSED");
  has("channels", await setOf("select distinct channel as it from feed_document"), "HTTP", "SFTP");
  has(
    "purchase orders",
    await setOf("select distinct status as it from purchase_order"),
    "OPEN",
    "RECEIVING",
    "RECEIVED",
    "CLOSED",
  );
  const cartons = await setOf(
    "select case when r.receipt_id is null then 'expected' else 'came' end as it from purchase_order_carton c left join goods_receipt r on r.client_id = c.client_id and r.sscc = c.sscc",
  );
  has("cartons", cartons, "expected", "came");
  has(
    "discrepancies",
    await setOf("select distinct discrepancy as it from purchase_order_line"),
    "SHORT",
    "OVER",
    "DAMAGED",
  );
  has(
    "returns",
    await setOf("select distinct status as it from return_authorisation"),
    "AUTHORISED",
    "RECEIVING",
    "CLOSED",
  );
  has(
    "work orders",
    await setOf("select distinct status as it from work_order"),
    ...["WAITING_COMPONENTS", "RELEASED", "IN_PROGRESS", "COMPLETED", "CLOSED_SHORT", "CANCELLED"],
  );
  has(
    "stock",
    await setOf("select distinct condition as it from stock_balance where qty > 0"),
    "ON_HOLD",
    "DAMAGED",
    "QUARANTINE",
  );
  has(
    "movements",
    await setOf("select distinct type as it from stock_movement"),
    ...["RECEIPT", "RETURN", "DESPATCH", "ADJUSTMENT", "CONSUMPTION", "PRODUCTION", "HOLD", "RELEASE"],
    ...["ALLOCATION", "DEALLOCATION", "PICK"],
  );
  has("subscriptions", await setOf("select distinct status as it from webhook"), "ACTIVE", "FAILING", "PAUSED");
  has(
    "deliveries",
    await setOf("select distinct status as it from webhook_delivery"),
    "DELIVERED",
    "RETRYING",
    "FAILED",
  );
  has("mails", await setOf("select distinct address as it from alert_mail"), "operations@lumen.example");
  has(
    "exceptions",
    await setOf("select distinct kind as it from operator_exception"),
    "REPORT_REFUSED",
    "BLIND_RETURN",
    "OVER_RECEIPT",
    "UNPLANNED",
  );
  has("counts", await setOf("select distinct status as it from stock_count"), "WAITING");
  assert.ok((await setOf("select distinct actor as it from audit_log")).size >= 6);
  for (const { clientId } of brands) {
    assert.ok((await assertActivity(database, clientId)) > 100, clientId);
    await assertServiceLevel(database, clientId);
    assert.ok((await assertLanes(database, clientId)) > 1, clientId);
  }
  const [counts] = await rows<{
    orders: number;
    items: number;
    nights: number;
    late: number;
    expiring: number;
    refused: number;
  }>(
    `select (select count(*)::int from sales_order) as orders, (select count(*)::int from item) as items,
      (select count(distinct snapshot_date)::int from stock_snapshot) as nights,
      (select count(*)::int from outbound_document where acknowledged_at is null and created_at < now() - interval '24 hours') as late,
      (select count(*)::int from stock_balance where expiry_date < now() + interval '10 days' and qty > 0) as expiring,
      (select count(*)::int from carrier_decision where decision->>'chosen' is null) as refused`,
  );
  assert.ok(counts && counts.orders > 400 && counts.items >= 40 && counts.nights >= 5, JSON.stringify(counts));
  assert.ok(counts.late > 0 && counts.expiring > 0 && counts.refused > 0, JSON.stringify(counts));
  for (const { clientId } of brands) {
    assert.deepEqual(await database.transaction((tx) => checkStock(tx.of(clientId))), [], clientId);
  }
  const sent = await rows<DemoParcel>(
    "select order_id, carrier_code, tracking_url from parcel where status <> 'VOIDED'",
  );
  assert.ok(sent.length > 400);
  sent.forEach(assertTracked);
  await assertOrderly(rows);
  await assertToldInOrder(server);
  // The item of the guides is as short as their documents.
  const items = await rows<{ client_id: string; sku: string; ean_code: string | null }>(
    "select client_id, sku, ean_code from item where sku <> 'HELLO-TEE'",
  );
  const eans = items.map(({ ean_code }) => ean_code ?? "");
  assert.deepEqual(
    items.filter(({ ean_code }) => ean_code === null || !hasValidCheckDigit(ean_code)),
    [],
  );
  assert.equal(new Set(eans).size, eans.length, "no EAN twice");
  const targets = await setOf("select distinct substring(url from '^https?://[^/]+') as it from webhook");
  for (const target of targets) assert.match(target, /^http:\/\/127\.0\.0\.1:/, "nothing leaves the machine");
});
