// operations.md §2, `seed --size`: a catalogue and the orders of a year, as consistent as processed orders.
import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "#/kernel/clock.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { isSscc } from "#/kernel/values/gtin.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { checkStock } from "#/modules/inventory/index.ts";
import { demoCarrierData } from "#/sandbox/demo/carriers/carriers.ts";
import { readDemoCredentials } from "#/sandbox/demo/greeting.ts";
import { seedDemo } from "#/sandbox/demo/seed.ts";
import { seedHistory } from "#/sandbox/history/index.ts";
import { withSchemaLock } from "#/store/db/schema/migrator.ts";
import { makePastPartitions } from "#/store/db/schema/partitions.ts";
import { commandLine } from "../../support/app/cli.ts";
import { testServer } from "../../support/app/server.ts";
import { restCalls } from "../../support/http/rest-calls.ts";

const size = 300;
// The demo without its history: all history here is that of `seed --size` and of the test.
const server = await testServer({ CROSSDOCK_DEMO_HISTORY: "false" });
const { config, database, rows } = server;
const ids = createIds();
const context = { database, clock: systemClock, ids, gs1Prefix: config.gs1Prefix };
await seedDemo({ config, database, clock: systemClock, ids });
const credentials = readDemoCredentials(config.dataDir);
assert.ok(credentials);
await withSchemaLock(config.database.url as string, (connection) =>
  makePastPartitions(connection, "carrier_decision", Date.now() - 366 * dayMs, Date.now()),
);
const parts: number[] = [];
const report = await seedHistory(context, { clientId: "DEMO", size, onProgress: (part) => parts.push(part) });

const orders = restCalls(server.url, "/v1/orderService", credentials);
const carriers = restCalls(server.url, "/v1/carrierDeterminationService", credentials);

interface Listed {
  readonly orderId: string;
  readonly status: string;
  readonly receivedAt: string;
  readonly olpns: readonly string[];
}

async function listAll(): Promise<Listed[]> {
  const all: Listed[] = [];
  for (let cursor: unknown = null, pages = 0; pages < 20; pages++) {
    const more = cursor === null ? "" : `&cursor=${encodeURIComponent(String(cursor))}`;
    const { status, body } = await orders("GET", `/order/list?limit=50${more}`);
    assert.equal(status, 200, JSON.stringify(body));
    all.push(...(body.items as Listed[]));
    cursor = body.nextCursor ?? null;
    if (cursor === null) return all;
  }
  throw new Error("the list has no end");
}

test("a history tells how much it has added and how far it is", () => {
  assert.deepEqual([report.items, report.orders], [100, size]);
  assert.equal(
    Object.values(report.states).reduce((sum, count) => sum + count, 0),
    size,
  );
  assert.deepEqual([parts.at(-1), parts.toSorted((left, right) => left - right)], [1, parts]);
});

test("history has no event, document or task, and no stock that waits for allocation", async () => {
  const counts = await rows<Record<string, number>>(
    `select (select count(*)::int from outbox where object_id like '%H-%') as pending,
      (select count(*)::int from event where object_id like '%H-%') as events,
      (select count(*)::int from outbound_document where object_id like '%H-%') as documents,
      (select count(*)::int from warehouse_task where object_id like '%H-%') as tasks,
      (select count(*)::int from order_document where order_id like 'H-%') as papers,
      (select count(*)::int from stock_change where sku like 'H-%') as touched`,
  );
  assert.deepEqual(counts, [{ pending: 0, events: 0, documents: 0, tasks: 0, papers: 0, touched: 0 }]);
});

test("the orders of a year are listed page by page, and most of them are delivered", async () => {
  const listed = (await listAll()).filter(({ orderId }) => orderId.startsWith("H-"));
  assert.equal(new Set(listed.map(({ orderId }) => orderId)).size, size);
  const countOf = (state: string) => listed.filter(({ status }) => status === state).length;
  assert.ok(countOf("DELIVERED") > size * 0.8, `${countOf("DELIVERED")} are delivered`);
  for (const state of ["CANCELLED", "RETURNED_TO_SENDER", "ON_HOLD", "BACKORDERED"]) {
    assert.ok(countOf(state) > 0, `no order is ${state}`);
  }
  const ages = listed.map(({ receivedAt }) => (Date.now() - Date.parse(receivedAt)) / dayMs);
  assert.ok(Math.max(...ages) > 350 && Math.max(...ages) <= 365.1, `${Math.max(...ages)} days`);
  assert.ok(Math.min(...ages) < 5 && Math.min(...ages) > 0, `${Math.min(...ages)} days`);
  const months = new Set(listed.map((order) => order.receivedAt.slice(0, 7)));
  assert.ok(months.size >= 12, [...months].join(" "));
});

test("a delivered order has a parcel whose carrier was decided for real, then and not today", async () => {
  const { body } = await orders("GET", "/order/get/H-0000001");
  assert.equal(body.status, "DELIVERED", JSON.stringify(body));
  const [olpnId = ""] = body.olpns as string[];
  assert.ok(isSscc(olpnId), olpnId);
  const milestones = (body.milestones as { code: number; at: string }[]).map(({ code }) => code);
  assert.deepEqual(milestones, [10, 20, 50, 52, 60, 100, 120, 160, 200]);
  const parcel = (await orders("GET", `/olpn/get/${olpnId}`)).body;
  assert.equal(parcel.status, "DELIVERED", JSON.stringify(parcel));
  const answer = await carriers("GET", `/carrier/decision/${parcel.decisionId}`);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  const decision = answer.body as {
    orderId: string;
    olpnId: string;
    decidedAt: string;
    chosen: { serviceCode: string };
    alternatives: object[];
  };
  assert.deepEqual([decision.orderId, decision.olpnId], ["H-0000001", olpnId]);
  assert.equal(decision.chosen.serviceCode, parcel.carrierServiceCode);
  const { parcels } = (await orders("GET", "/order/status/H-0000001")).body as { parcels: { packedAt: string }[] };
  assert.equal(Date.parse(decision.decidedAt), Date.parse(parcels[0]?.packedAt ?? ""));
  assert.ok(decision.alternatives.length > 0);
  assert.ok(Date.now() - Date.parse(decision.decidedAt) > 300 * dayMs, decision.decidedAt);
});

test("the record of an order has its events in the order of time", async () => {
  const odd = await rows<{ order_id: string }>(
    `select o.order_id from sales_order o left join parcel p on p.client_id = o.client_id and p.order_id = o.order_id
     where o.order_id like 'H-%' and not (o.order_date <= o.received_at and o.received_at <= o.updated_at
       and o.updated_at <= now() and (p.olpn_id is null or (o.received_at < p.packed_at and p.packed_at < p.despatched_at
         and p.despatched_at <= coalesce(p.status_at, p.despatched_at) and p.updated_at <= now()))
       and (p.olpn_id is not null) = (o.status in ('DELIVERED', 'DESPATCHED', 'RETURNED_TO_SENDER')))`,
  );
  assert.deepEqual(odd, []);
});

test("stock and its ledger agree, and what is left is there to be sold", async () => {
  assert.deepEqual(await database.transaction((tx) => checkStock(tx.of("DEMO"))), []);
  const [stock] = await rows<{ skus: number; held: number }>(
    "select count(*)::int as skus, sum(allocated)::int as held from stock_balance where sku like 'H-%' and qty > 0",
  );
  assert.deepEqual([(stock?.skus ?? 0) >= 190, stock?.held], [true, 0]);
});

test("past decisions are run again under a draft: by the same data all of them are the same", async () => {
  const draft = demoCarrierData;
  const from = new Date(Date.now() - 366 * dayMs).toISOString();
  const to = new Date().toISOString();
  const { status, body } = await carriers("POST", "/carrier/simulate", { from, to, draft });
  assert.equal(status, 200, JSON.stringify(body));
  const shipped = await rows<{ n: number }>("select count(*)::int as n from parcel where order_id like 'H-%'");
  const total = body.total as { decisions: number; unchanged: number; changed: number; nobodyFits: number };
  assert.deepEqual([total.unchanged + total.nobodyFits, total.changed], [total.decisions, 0]);
  assert.ok(total.decisions >= (shipped[0]?.n ?? 0) && total.decisions > size * 0.8);
});

test("a held order that is released is worked like any other", async () => {
  const held = (await listAll()).find(({ orderId, status }) => orderId.startsWith("H-") && status === "ON_HOLD");
  assert.ok(held);
  const headers = { "idempotency-key": "release-1" };
  const released = await orders("POST", `/order/release/${held.orderId}`, {}, headers);
  assert.equal(released.status, 200, JSON.stringify(released.body));
  for (let attempts = 0; attempts < 600; attempts++) {
    const { body } = await orders("GET", `/order/get/${held.orderId}`);
    if (body.status === "ALLOCATED") return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail("the order is not allocated");
});

test("a second run changes nothing", async () => {
  const state = () =>
    rows(
      `select (select count(*) from stock_movement) as movements, (select count(*) from carrier_decision) as decisions,
        (select count(*) from parcel) as parcels, (select sum(version) from sales_order) as versions`,
    );
  const was = await state();
  const again = await seedHistory(context, { clientId: "DEMO", size });
  assert.deepEqual(again, { items: 0, orders: 0, states: {} });
  assert.deepEqual(await state(), was);
});

test("an interrupted run continues after its last complete batch", async () => {
  const longer = size + 600;
  const end = (part: number) => {
    // After the first batch of orders, whose last one is the 500th.
    if (part >= 0.5) throw new Error("the run is ended");
  };
  await assert.rejects(seedHistory(context, { clientId: "DEMO", size: longer, onProgress: end }), /is ended/);
  const there = () =>
    rows<{ n: number }>("select count(*)::int as n from sales_order where order_id like 'H-%'").then(([row]) => row?.n);
  assert.equal(await there(), 500);
  const rest = await seedHistory(context, { clientId: "DEMO", size: longer });
  assert.deepEqual([rest.items, rest.orders, await there()], [0, 400, longer]);
});

test("two runs at a time share the work: each order is there once, and the stock is sound", async () => {
  const runs = await Promise.all([1, 2].map(() => seedHistory(context, { clientId: "DEMO", size: 1_600 })));
  assert.equal(
    runs.reduce((sum, { orders }) => sum + orders, 0),
    700,
  );
  assert.deepEqual(await database.transaction((tx) => checkStock(tx.of("DEMO"))), []);
});

const crossdock = (words: readonly string[], more: Record<string, string> = {}) =>
  commandLine(server)(words, { CROSSDOCK_TEST_POSTGRES_URL: "", ...more });

test("the command adds what is missing, tells each tenth where there is no terminal, and sums up", async () => {
  const { code, stdout, stderr } = await crossdock(["seed", "--size", "1900", "--json"]);
  assert.equal(code, 0, stderr);
  const { clientId, added, states } = JSON.parse(stdout) as Record<string, unknown>;
  assert.deepEqual([clientId, added], ["DEMO", { items: 0, orders: 300 }]);
  assert.ok((states as { DELIVERED: number }).DELIVERED > 200);
  assert.equal(stderr.trim().split("\n").at(-1), "100 %");
});

test("a text that is not a size is refused as wrong usage, and production is refused", async () => {
  const wrong = await Promise.all(["0", "-1", "1.5", "many"].map((size) => crossdock(["seed", `--size=${size}`])));
  assert.deepEqual(
    wrong.map(({ code }) => code),
    [2, 2, 2, 2],
  );
  const secret = "a master key for tests, long enough";
  const { code, stderr } = await crossdock(["seed", "--size", "10"], {
    CROSSDOCK_ENVIRONMENT: "production",
    CROSSDOCK_SECRET: secret,
    CROSSDOCK_GS1_PREFIX: "0614141",
    CROSSDOCK_BASE_URL: "https://api.crossdock.example",
  });
  assert.deepEqual([code, stderr.includes("refused in production")], [1, true], stderr);
});
