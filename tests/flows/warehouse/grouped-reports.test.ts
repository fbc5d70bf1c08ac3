// Reports on one book commit in groups (docs/decisions/0043): each keeps its own answer, and none depends on another.
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkStock } from "#/modules/inventory/index.ts";
import { ssccOf } from "#/modules/parcels/sscc.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { catalogue, order } from "../../support/builders/documents.ts";
import { brokenRules } from "../../support/builders/stock.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const clientId = "DEMO";
const server = await testServer();
const demo = await server.onboard(clientId);
const port = await warehouseOf(server);
await demo.accept("CAT", catalogue(clientId, ["A"]));
await port.report("adjustment", {
  clientId,
  adjustmentId: "OPENING",
  reasonCode: "FOUND",
  lines: [{ sku: "A", qty: 1_000 }],
});

const lines = [{ lineNumber: 1, qtyPicked: 2 }];
const parcel = { weight: 0.5, weightUomCode: "KG", contents: [{ lineNumber: 1, qty: 2 }] };

async function releasedOrders(prefix: string, count: number): Promise<string[]> {
  const orderIds = Array.from({ length: count }, (_, i) => `${prefix}-${i}`);
  for (const orderId of orderIds)
    await demo.accept("NO", order(clientId, orderId, [{ sku: "A", qty: 2 }], { distributionCentre: "DC1" }));
  const allocated = () =>
    server.rows("select 1 from sales_order where order_id like $1 and status = 'ALLOCATED'", `${prefix}-%`);
  await until("all orders are allocated", async () => (await allocated()).length === count);
  return orderIds;
}

const statusesOf = async (sent: readonly Promise<{ readonly status: number }>[]) =>
  (await Promise.all(sent)).map(({ status }) => status);

/** The number of transactions that wrote these orders last. */
async function transactionsOf(prefix: string): Promise<number> {
  const rows = await server.rows<{ n: string }>(
    "select count(distinct xmin::text) as n from sales_order where order_id like $1",
    `${prefix}-%`,
  );
  return Number(rows[0]?.n);
}

const codesOf = async (orderId: string) =>
  (
    await server.rows<{ code: number }>("select code from order_milestone where order_id = $1 order by code", orderId)
  ).map(({ code }) => code);

test("reports that arrive together share transactions, from the pick to the delivery", async () => {
  const orderIds = await releasedOrders("LIFE", 20);
  const all = orderIds.map(() => 200);
  assert.deepEqual(
    await statusesOf(orderIds.map((orderId) => port.post("/pick/report", { clientId, orderId, lines }))),
    all,
  );
  assert.ok((await transactionsOf("LIFE")) <= 10, `${await transactionsOf("LIFE")} transactions`);
  const packed = await Promise.all(
    orderIds.map((orderId) => port.report("pack", { clientId, orderId, olpns: [parcel] })),
  );
  assert.ok((await transactionsOf("LIFE")) <= 10, `${await transactionsOf("LIFE")} transactions`);
  const olpnIds = packed.map(({ olpns }) => (olpns as { olpnId: string }[])[0]?.olpnId as string);
  assert.equal(new Set(olpnIds).size, orderIds.length);
  assert.deepEqual(
    packed.map(({ orderId }) => orderId),
    orderIds,
  );
  const papers = packed.map(({ olpns }) => (olpns as { documents: { documentId: string }[] }[])[0]?.documents ?? []);
  assert.equal(new Set(papers.flat().map(({ documentId }) => documentId)).size, papers.flat().length);
  assert.ok(papers.every(({ length }) => length === papers[0]?.length && length > 0));
  assert.deepEqual(
    await statusesOf(olpnIds.map((olpnId) => port.post("/despatch/report", { clientId, olpnIds: [olpnId] }))),
    all,
  );
  const occurredAt = new Date().toISOString();
  const delivered = olpnIds.map((olpnId) => port.post("/carrierEvent/report", { olpnId, eventCode: 200, occurredAt }));
  assert.deepEqual(await statusesOf(delivered), all);
  for (const orderId of orderIds) {
    assert.equal((await demo.order(orderId))?.status, "DELIVERED");
    assert.deepEqual(await codesOf(orderId), [10, 20, 40, 50, 52, 55, 60, 70, 75, 100, 200]);
  }
  assert.deepEqual(await checkStock(server.database.of(clientId)), []);
});

test("a refused report spoils no other, and writes nothing", async () => {
  const orderIds = await releasedOrders("SPOIL", 6);
  const [first, second, ...others] = orderIds as [string, string, ...string[]];
  const tooMany = [{ lineNumber: 1, qtyPicked: 3 }];
  const statuses = await statusesOf([
    port.post("/pick/report", { clientId, orderId: "NONE", lines }),
    port.post("/pick/report", { clientId, orderId: first, lines: tooMany }),
    port.post("/pick/report", { clientId, orderId: second, lines: [{ lineNumber: 9, qtyPicked: 1 }] }),
    ...others.map((orderId) => port.post("/pick/report", { clientId, orderId, lines })),
  ]);
  assert.deepEqual(statuses, [404, 409, 422, ...others.map(() => 200)]);
  assert.equal((await demo.order(first))?.status, "ALLOCATED");
  const short = [{ lineNumber: 1, qtyPicked: 1, qtyShort: 1 }];
  assert.deepEqual(
    await statusesOf([
      port.post("/pick/report", { clientId, orderId: first, lines: short }),
      port.post("/pick/report", { clientId, orderId: second, lines }),
      port.post("/pack/report", { clientId, orderId: others[0], olpns: [parcel] }),
      port.post("/pack/report", {
        clientId,
        orderId: others[1],
        olpns: [{ ...parcel, contents: [{ lineNumber: 9, qty: 1 }] }],
      }),
    ]),
    [200, 200, 200, 422],
  );
  assert.deepEqual(await checkStock(server.database.of(clientId)), []);
});

test("reports of one order, or with one id, that arrive together are processed one after the other", async () => {
  const [orderId, ...others] = (await releasedOrders("SAME", 8)) as [string, ...string[]];
  const half = [{ lineNumber: 1, qtyPicked: 1 }];
  const same = Array.from({ length: 4 }, () => port.post("/pick/report", { clientId, orderId, lines: half }));
  const once = others.flatMap((other) =>
    [1, 2].map(() => port.post("/pick/report", { clientId, orderId: other, lines, reportId: `R-${other}` })),
  );
  assert.deepEqual((await statusesOf(same)).sort(), [200, 200, 409, 409]);
  assert.deepEqual(
    await statusesOf(once),
    once.map(() => 200),
  );
  const olpnId = ssccOf("0614141", 900_001);
  const numbered = { ...parcel, olpnId };
  const packs = others
    .slice(0, 3)
    .map((other) => port.post("/pack/report", { clientId, orderId: other, olpns: [numbered] }));
  assert.deepEqual((await statusesOf(packs)).sort(), [200, 409, 409]);
  assert.deepEqual(await checkStock(server.database.of(clientId)), []);
});

test("the reports of a batch share transactions, keep their order per object, and are not tried after a refusal", async () => {
  const orderIds = await releasedOrders("BATCH", 16);
  const [first, second] = orderIds as [string, string];
  const pickOf = (orderId: string, qtyPicked = 2) => ({ clientId, orderId, lines: [{ lineNumber: 1, qtyPicked }] });
  const reports = [
    pickOf(first, 3),
    ...orderIds.slice(1).map((orderId) => pickOf(orderId)),
    pickOf(first),
    pickOf(second),
  ];
  const send = () => port.post("/pick/report", { reports }, { "Idempotency-Key": "BATCH" });
  const { status, body } = await send();
  assert.equal(status, 200, JSON.stringify(body));
  const results = body.results as { status: string; problem?: { status: number } }[];
  assert.deepEqual(
    results.map((result) => result.status),
    ["REJECTED", ...orderIds.slice(1).map(() => "ACCEPTED"), "NOT_TRIED", "REJECTED"],
  );
  assert.ok((await transactionsOf("BATCH")) <= 6, `${await transactionsOf("BATCH")} transactions`);
  assert.deepEqual((await send()).body.results, results);
  assert.deepEqual(await checkStock(server.database.of(clientId)), []);
});

test("despatches and picks that arrive together leave the book at the position of its last entry", async () => {
  const leaving = await releasedOrders("LEAVE", 4);
  const staying = await releasedOrders("STAY", 4);
  const olpnIds: string[] = [];
  for (const orderId of leaving) {
    await port.report("pick", { clientId, orderId, lines });
    const { olpns } = await port.report("pack", { clientId, orderId, olpns: [parcel] });
    olpnIds.push((olpns as { olpnId: string }[])[0]?.olpnId as string);
  }
  const together = leaving.flatMap((_, i) => [
    port.post("/despatch/report", { clientId, olpnIds: [olpnIds[i]] }),
    port.post("/pick/report", { clientId, orderId: staying[i], lines }),
  ]);
  assert.deepEqual(
    await statusesOf(together),
    together.map(() => 200),
  );
  assert.deepEqual(await brokenRules(server.database, clientId), []);
});
