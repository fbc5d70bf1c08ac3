// warehouse.md: the port's own rules; other files test the effects of the reports on goods and orders.
import assert from "node:assert/strict";
import { test } from "node:test";
import { suspendClient } from "#/modules/clients/index.ts";
import { testServer } from "../../support/app/server.ts";
import { catalogue, order, purchaseOrder } from "../../support/builders/documents.ts";
import { carrierOf, warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const other = await server.onboard("OTHER", { facilities: ["DC2"] });
await demo.accept("CAT", catalogue("DEMO", ["A", "B"]));
await other.accept("CAT", catalogue("OTHER", ["A"]));
const dc1 = await warehouseOf(server);
const dc2 = await warehouseOf(server, "DC2");
const carrier = await carrierOf(server, "RM");

let adjustments = 0;
/** The initial stock of a warehouse. */
const stock = (sku: string, qty: number, more: object = {}) =>
  dc1.report("adjustment", {
    clientId: "DEMO",
    adjustmentId: `OPENING-${++adjustments}`,
    reasonCode: "INITIAL",
    lines: [{ sku, qty }],
    ...more,
  });

const exceptions = () =>
  server.rows<{ object_type: string; object_id: string; summary: string; state: string; detail: { report: string } }>(
    "select object_type, object_id, summary, state, detail from operator_exception where kind = 'REPORT_REFUSED' order by raised_at",
  );

const onHand = async (sku: string): Promise<number> => {
  const [row] = await server.rows<{ qty: string | null }>(
    "select sum(qty) as qty from stock_balance where client_id = 'DEMO' and sku = $1",
    sku,
  );
  return Number(row?.qty ?? 0);
};

test("the port is for warehouses, a client's token is not", async () => {
  const token = await fetch(`${server.url}/v1/oauth/token`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ grant_type: "client_credentials", ...demo.credentials.oauth }),
  }).then((answer) => answer.json() as Promise<{ access_token: string }>);
  const authorization = `Bearer ${token.access_token}`;
  const answer = await fetch(`${server.url}/v1/warehouseService/task/list`, { headers: { authorization } });
  assert.equal(answer.status, 403);
  assert.equal((await fetch(`${server.url}/v1/warehouseService/task/list`)).status, 401);
  assert.equal((await dc1.get("/task/list")).status, 200);
  assert.equal((await dc1.get("/nothing")).status, 404);
  assert.equal((await dc1.get("/pick/report")).status, 405);
});

test("a carrier's credentials report its events and open nothing else", async () => {
  for (const path of ["/task/list", "/item/list"]) assert.equal((await carrier.get(path)).status, 403);
  for (const kind of ["pick/report", "task/accept", "load/remove", "parcel/void"])
    assert.equal((await carrier.post(`/${kind}`, {})).status, 403);
  const event = { olpnId: "006141410000000012", eventCode: 160, occurredAt: "2026-11-20T10:00:00Z" };
  assert.match(await carrier.refuse("carrierEvent", event, 404), /no parcel 006141410000000012/);
  const { status } = await carrier.post("/carrierEvent/report", { ...event, olpnId: undefined });
  assert.equal(status, 400);
});

test("a body of the wrong shape is a 400 that names every fault, also within a batch", async () => {
  const body = { clientId: "DEMO", orderId: "X", lines: [{ lineNumber: 0, qtyPicked: 1.0005, hue: 1 }], more: 1 };
  const single = await dc1.post("/pick/report", body);
  assert.equal(single.status, 400);
  const pointers = (single.body.errors as { pointer: string }[]).map(({ pointer }) => pointer).sort();
  assert.deepEqual(pointers, ["#/lines/0/hue", "#/lines/0/lineNumber", "#/lines/0/qtyPicked", "#/more"]);
  const batch = await dc1.post("/pick/report", { reports: [{ clientId: "DEMO", orderId: "X", lines: [] }] });
  assert.deepEqual(
    (batch.body.errors as { pointer: string }[]).map(({ pointer }) => pointer),
    ["#/reports/0/lines"],
  );
  assert.equal((await dc1.post("/pick/report", { reports: [] })).status, 400);
  assert.equal((await dc1.post("/pick/report", { reports: Array(501).fill(body) })).status, 400);
  const neither = await dc1.post("/despatch/report", { clientId: "DEMO" });
  assert.match(String(neither.body.detail), /either loadId or olpnIds/);
});

test("a client that is not of the facility, and one that does not exist, are the same 404", async () => {
  const body = (clientId: string) => ({
    clientId,
    adjustmentId: "N-1",
    reasonCode: "FOUND",
    lines: [{ sku: "A", qty: 1 }],
  });
  assert.equal(await dc1.refuse("adjustment", body("OTHER"), 404), "Facility DC1 has no client OTHER.");
  assert.equal(await dc1.refuse("adjustment", body("NOBODY"), 404), "Facility DC1 has no client NOBODY.");
  await dc2.report("adjustment", body("OTHER"));
});

test("an object that is not there is a 404, and no exception", async () => {
  const before = (await exceptions()).length;
  const line = { sku: "A", qty: 1 };
  const receipt = { clientId: "DEMO", poNumber: "NONE", receiptId: "R-NONE", lines: [line] };
  assert.match(await dc1.refuse("goodsReceipt", receipt, 404), /no purchase order NONE at facility DC1/);
  const pick = { clientId: "DEMO", orderId: "NONE", lines: [{ lineNumber: 1, qtyPicked: 1 }] };
  assert.match(await dc1.refuse("pick", pick, 404), /NONE/);
  const back = { clientId: "DEMO", rmaNumber: "NONE", lines: [{ ...line, disposition: "RESELLABLE" }] };
  assert.match(await dc1.refuse("return", back, 404), /no return NONE/);
  assert.match(await dc1.refuse("workOrder", { clientId: "DEMO", workOrderId: "NONE", close: true }, 404), /NONE/);
  assert.match(await dc1.refuse("load", { loadId: "L", olpnIds: ["P-1"] }, 404), /no parcel P-1/);
  assert.match(await dc1.refuse("despatch", { loadId: "L" }, 404), /no load L/);
  assert.equal((await exceptions()).length, before);
  await demo.accept("PO", purchaseOrder("DEMO", "PO-DC1", ["A"]));
  const elsewhere = { ...receipt, poNumber: "PO-DC1" };
  assert.match(await dc2.refuse("goodsReceipt", elsewhere, 404), /no purchase order PO-DC1 at facility DC2/);
});

test("a repeat is answered as the first was and changes nothing; the same id with other content is a 409", async () => {
  const before = await onHand("A");
  const body = { clientId: "DEMO", adjustmentId: "I-1", reasonCode: "FOUND", lines: [{ sku: "A", qty: 5 }] };
  const first = await dc1.post("/adjustment/report", body);
  assert.equal(first.status, 200);
  assert.equal(first.headers.get("idempotent-replayed"), null);
  const again = await dc1.post("/adjustment/report", { reportId: "I-1-AGAIN", ...body });
  assert.equal(again.headers.get("idempotent-replayed"), "true");
  assert.deepEqual(again.body, first.body);
  assert.equal(await onHand("A"), before + 5);
  const changed = { ...body, lines: [{ sku: "A", qty: 6 }] };
  assert.match(await dc1.refuse("adjustment", changed, 409), /'I-1' was already accepted with other content/);
  // The reportId and the header are ids like the report's own; each kind is separate from the others.
  const held = {
    clientId: "DEMO",
    reasonCode: "CONDITION",
    lines: [{ sku: "A", qty: 1, fromCondition: "GOOD", toCondition: "ON_HOLD" }],
  };
  const hold = await dc1.report("hold", { ...held, reportId: "H-1" });
  assert.deepEqual(await dc1.report("hold", { ...held, reportId: "H-1" }), hold);
  await dc1.report("hold", held, { "idempotency-key": "H-1" });
  const replayed = await dc1.post("/hold/report", held, { "idempotency-key": "H-1" });
  assert.equal(replayed.headers.get("idempotent-replayed"), "true");
  const [{ qty }] = (await server.rows<{ qty: string }>(
    "select sum(qty) as qty from stock_balance where sku = 'A' and condition = 'ON_HOLD'",
  )) as [{ qty: string }];
  assert.equal(Number(qty), 2);
});

test("ten of the same report at once are one report", async () => {
  const before = await onHand("B");
  const body = { clientId: "DEMO", adjustmentId: "TEN", reasonCode: "FOUND", lines: [{ sku: "B", qty: 3 }] };
  const answers = await Promise.all(Array.from({ length: 10 }, () => dc1.post("/adjustment/report", body)));
  assert.deepEqual(
    answers.map(({ status }) => status),
    Array(10).fill(200),
  );
  assert.equal(answers.filter(({ headers }) => headers.get("idempotent-replayed") === null).length, 1);
  assert.equal(new Set(answers.map((answer) => JSON.stringify(answer.body))).size, 1);
  assert.equal(await onHand("B"), before + 3);
});

test("a refused report changes nothing, leaves its id free, and raises one exception", async () => {
  const before = await onHand("B");
  const body = { clientId: "DEMO", adjustmentId: "TOO-MUCH", reasonCode: "LOST", lines: [{ sku: "B", qty: -1000 }] };
  const reason = await dc1.refuse("adjustment", body, 409);
  await dc1.refuse("adjustment", body, 409);
  assert.equal(await onHand("B"), before);
  const kept = (await exceptions()).filter(({ object_id }) => object_id === "TOO-MUCH");
  assert.equal(kept.length, 1);
  assert.equal(kept[0]?.summary, reason);
  assert.deepEqual(
    [kept[0]?.object_type, kept[0]?.state, kept[0]?.detail.report],
    ["adjustment", "OPEN", "adjustment"],
  );
  // A report that was only too early needs no operator once it succeeds.
  await stock("B", 1000);
  await dc1.report("adjustment", body);
  assert.equal(await onHand("B"), before);
  assert.deepEqual(
    (await exceptions()).filter(({ object_id }) => object_id === "TOO-MUCH").map(({ state }) => state),
    ["RESOLVED"],
  );
});

test("a suspended client's goods are still processed", async () => {
  const gone = await server.onboard("GONE", { facilities: ["DC1"] });
  await gone.accept("CAT", catalogue("GONE", ["A"]));
  await server.operate((tx, change) => suspendClient(tx.of("GONE", change)));
  const body = { clientId: "GONE", adjustmentId: "S-1", reasonCode: "FOUND", lines: [{ sku: "A", qty: 1 }] };
  await dc1.report("adjustment", body);
});

test("a batch is tried in order; after a refusal the same object is not tried again", async () => {
  await stock("A", 10);
  await demo.accept("NO", order("DEMO", "BATCH-1", ["A"], { distributionCentre: "DC1" }));
  await demo.accept("NO", order("DEMO", "BATCH-2", ["A"], { distributionCentre: "DC1" }));
  await dc1.task(({ type, objectId }) => type === "PICK" && objectId === "BATCH-1");
  await dc1.task(({ type, objectId }) => type === "PICK" && objectId === "BATCH-2");
  const pick = (orderId: string, qtyPicked: number) => ({
    clientId: "DEMO",
    orderId,
    lines: [{ lineNumber: 1, qtyPicked }],
  });
  const reports = [pick("BATCH-1", 99), pick("BATCH-1", 1), pick("BATCH-2", 1), pick("NONE", 1)];
  const answer = await dc1.post("/pick/report", { reports }, { "idempotency-key": "BATCH" });
  assert.equal(answer.status, 200);
  const results = answer.body.results as {
    status: string;
    problem?: { status: number };
    result?: { status: string };
  }[];
  assert.deepEqual(
    results.map(({ status }) => status),
    ["REJECTED", "NOT_TRIED", "ACCEPTED", "REJECTED"],
  );
  assert.equal(results[0]?.problem?.status, 409);
  assert.equal(results[3]?.problem?.status, 404);
  assert.equal(results[2]?.result?.status, "PICKING");
  // Sent again: accepted reports get the same answer as before; refused reports are tried again.
  const again = await dc1.post("/pick/report", { reports }, { "idempotency-key": "BATCH" });
  assert.deepEqual(again.body, answer.body);
  const others = [pick("BATCH-1", 1), pick("BATCH-1", 1), pick("BATCH-2", 2)];
  const otherwise = await dc1.post("/pick/report", { reports: others }, { "idempotency-key": "BATCH" });
  assert.equal(otherwise.status, 409);
  const replay = await dc1.post("/pick/report", { reports: [pick("BATCH-1", 1)] }, { "idempotency-key": "ONE" });
  assert.equal(replay.headers.get("idempotent-replayed"), null);
  const replayed = await dc1.post("/pick/report", { reports: [pick("BATCH-1", 1)] }, { "idempotency-key": "ONE" });
  assert.equal(replayed.headers.get("idempotent-replayed"), "true");
  assert.deepEqual(replayed.body, replay.body);
});
