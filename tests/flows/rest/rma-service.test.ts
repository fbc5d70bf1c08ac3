// rest.md §3 and §4, returns: authorised and returned goods, in lists by receipt; a return can be cancelled while
// nothing has arrived.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { authorisation, catalogue, type Parts } from "../../support/builders/documents.ts";
import { lifeOf } from "../../support/builders/life.ts";
import { faultsOf, orderOperationsOf, problemOf } from "../../support/builders/order-operations.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const life = await lifeOf(server, dc1, "DEMO", {
  items: ["A", "B", "C"],
});
const { client } = life;
const other = await server.onboard("OTHER");
await other.accept("CAT", catalogue("OTHER", ["A"]));
const demo = await orderOperationsOf(server, client);
const stranger = await orderOperationsOf(server, other);

const authorise = async (rmaNumber: string, lines: readonly (string | Parts)[], more: Parts = {}) =>
  (await client.accept("RMA", authorisation("DEMO", rmaNumber, lines, more))).token;
const take = (rmaNumber: string, lines: readonly object[], more: object = {}) =>
  dc1.report("return", { clientId: "DEMO", rmaNumber, lines, ...more });
const get = (rmaNumber: string) => demo.get(`/rma/get/${encodeURIComponent(rmaNumber)}`);
const cancel = (rmaNumber: string, body?: unknown, headers?: Record<string, string>) =>
  demo.post(`/rma/cancel/${encodeURIComponent(rmaNumber)}`, body, headers);
const recordOf = async (rmaNumber: string) => {
  const { status, body } = await get(rmaNumber);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

test("the record has every field of the feed, and null for what the feed left out", async () => {
  await life.stock([{ sku: "A", qty: 10 }]);
  await life.place("O-1", [{ sku: "A", qty: 3 }], { distributionCentre: "DC1", externalOrderReference: "SHOP-1" });
  const line = {
    sku: "A",
    returnReasonCode: "DAMAGED",
    qtyUom: "EA",
    quantityReturned: "2.000",
    attributeOne: "Handle broken",
    attributeThree: "Photo sent",
  };
  const more = { orderReference: "SHOP-1", creationTimeStamp: "2026-11-09T17:30:00+01:00" };
  const token = await authorise("FULL", [line, "B"], more);
  const { headers, body } = await get("FULL");
  const { receivedAt, updatedAt, ...rest } = body;
  assert.equal(updatedAt, receivedAt);
  assert.match(String(receivedAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const untouched = { qtyReceived: 0, discrepancy: "NONE", dispositions: [] };
  assert.deepEqual(rest, {
    rmaNumber: "FULL",
    clientId: "DEMO",
    status: "AUTHORISED",
    distributionCentre: "DC1",
    orderReference: "SHOP-1",
    orderId: "O-1",
    creationTimeStamp: "2026-11-09T16:30:00.000Z",
    lines: [
      { lineNumber: 1, ...line, quantityReturned: 2, qtyExpected: 2, ...untouched },
      {
        lineNumber: 2,
        sku: "B",
        returnReasonCode: null,
        qtyUom: null,
        quantityReturned: 1,
        attributeOne: null,
        attributeThree: null,
        qtyExpected: 1,
        ...untouched,
      },
    ],
    feedToken: token,
    closedAt: null,
    version: 1,
    receipts: [],
  });
  assert.equal(headers.get("etag"), '"1"');
  await authorise("PLAIN", ["A"]);
  const { orderReference, orderId, creationTimeStamp } = await recordOf("PLAIN");
  assert.deepEqual(
    { orderReference, orderId, creationTimeStamp },
    {
      orderReference: null,
      orderId: null,
      creationTimeStamp: null,
    },
  );
});

test("returned goods are shown by line, grade and remark; unauthorised ones are last", async () => {
  await authorise("GRADED", [{ sku: "A", quantityReturned: 4 }, "B"]);
  await take("GRADED", [
    { sku: "A", qty: 1, disposition: "RESELLABLE" },
    { sku: "A", qty: 1, disposition: "DAMAGED", note: "torn" },
  ]);
  const receiving = await recordOf("GRADED");
  assert.deepEqual([receiving.status, receiving.version, receiving.closedAt], ["RECEIVING", 2, null]);
  await take(
    "GRADED",
    [
      { sku: "A", qty: 1, disposition: "RESELLABLE" },
      { sku: "B", qty: 2, disposition: "SCRAP" },
      { sku: "C", qty: 1, disposition: "QUARANTINE" },
    ],
    { close: true },
  );
  const record = await recordOf("GRADED");
  assert.deepEqual([record.status, typeof record.closedAt], ["CLOSED", "string"]);
  assert.notEqual(record.updatedAt, record.receivedAt);
  const lot = { stockPool: "DEFAULT", batchRef: null, expiryDate: null, serials: [], returnReasonCode: null };
  const goods = { qty: 1, ...lot, note: null };
  const receipts = record.receipts as { bookedAt: string; distributionCentre: string; entries: object[] }[];
  assert.deepEqual(
    receipts.map(({ distributionCentre, entries }) => [distributionCentre, entries]),
    [
      [
        "DC1",
        [
          { lineNumber: 1, sku: "A", disposition: "RESELLABLE", ...goods },
          { lineNumber: 2, sku: "B", disposition: "SCRAP", ...goods, qty: 2 },
          { lineNumber: null, sku: "C", disposition: "QUARANTINE", ...goods },
        ],
      ],
      [
        "DC1",
        [
          { lineNumber: 1, sku: "A", disposition: "RESELLABLE", ...goods },
          { lineNumber: 1, sku: "A", disposition: "DAMAGED", ...goods, note: "torn" },
        ],
      ],
    ],
  );
  assert.ok(String(receipts[0]?.bookedAt) > String(receipts[1]?.bookedAt));
  const feed = { returnReasonCode: null, qtyUom: null, attributeOne: null, attributeThree: null };
  assert.deepEqual(record.lines, [
    {
      lineNumber: 1,
      sku: "A",
      ...feed,
      quantityReturned: 4,
      qtyExpected: 4,
      qtyReceived: 3,
      discrepancy: "SHORT",
      dispositions: [
        { disposition: "RESELLABLE", qty: 2, ...lot, note: null },
        { disposition: "DAMAGED", qty: 1, ...lot, note: "torn" },
      ],
    },
    {
      lineNumber: 2,
      sku: "B",
      ...feed,
      quantityReturned: 1,
      qtyExpected: 1,
      qtyReceived: 2,
      discrepancy: "OVER",
      dispositions: [{ disposition: "SCRAP", qty: 2, ...lot, note: null }],
    },
    {
      lineNumber: null,
      sku: "C",
      ...feed,
      quantityReturned: null,
      qtyExpected: 0,
      qtyReceived: 1,
      discrepancy: "UNPLANNED",
      dispositions: [{ disposition: "QUARANTINE", qty: 1, ...lot, note: null }],
    },
  ]);
  const [listed] = (await demo.list("/rma/list", { status: "CLOSED" })).items;
  assert.deepEqual(listed, record);
});

test("a list is sorted by receipt in both directions, and is stable while returns arrive", async () => {
  const numbers = ["L-1", "L-2", "L-3", "L-4", "L-5"];
  for (const rmaNumber of numbers) await authorise(rmaNumber, ["A", "B"], { distributionCentre: "DC2" });
  const dc2 = { distributionCentre: "DC2" };
  let more = 0;
  const add = () => authorise(`L-MORE-${++more}`, ["A"], dc2);
  const query = { ...dc2, limit: "2" };
  assert.deepEqual(await demo.walk("/rma/list", "rmaNumber", { ...query, sort: "-receivedAt" }, add), [
    ...numbers.toReversed(),
  ]);
  const forward = await demo.walk("/rma/list", "rmaNumber", query, add);
  assert.deepEqual(forward.slice(0, 7), [...numbers, "L-MORE-1", "L-MORE-2"]);
  assert.equal(new Set(forward).size, forward.length);
  assert.deepEqual((await stranger.list("/rma/list")).items, []);
});

test("a list takes a state, a facility, an order by either of its names, and moments", async () => {
  const numbersOf = (query: Record<string, string>) => demo.walk("/rma/list", "rmaNumber", query);
  await life.place("O-2", ["A"], { distributionCentre: "DC1", externalOrderReference: "SHOP-2" });
  await authorise("BY-ID", ["A"], { orderReference: "O-2" });
  await authorise("BY-NAME", ["A"], { orderReference: "SHOP-2" });
  for (const orderReference of ["O-2", "SHOP-2"]) {
    assert.deepEqual(await numbersOf({ orderReference }), ["BY-ID", "BY-NAME"]);
  }
  assert.deepEqual(await numbersOf({ orderReference: "O-2", sort: "-receivedAt", limit: "1" }), ["BY-NAME", "BY-ID"]);
  assert.deepEqual(await numbersOf({ orderReference: "NO-SUCH-ORDER" }), []);
  assert.equal((await cancel("BY-NAME")).status, 200);
  assert.deepEqual(await numbersOf({ orderReference: "O-2", status: "CANCELLED" }), ["BY-NAME"]);
  assert.deepEqual(await numbersOf({ orderReference: "O-2", distributionCentre: "DC2" }), []);
  const { receivedAt } = await recordOf("BY-ID");
  const [byId, byName] = ["BY-ID", "BY-NAME"];
  const since = (await numbersOf({ receivedFrom: String(receivedAt) })) as string[];
  assert.ok(since.includes(byId) && since.includes(byName) && !since.includes("FULL"));
  const before = (await numbersOf({ receivedTo: String(receivedAt) })) as string[];
  assert.ok(before.includes("FULL") && !before.includes(byName));
  const { updatedAt } = await recordOf(byName);
  const changed = (await numbersOf({ updatedSince: String(updatedAt) })) as string[];
  assert.ok(changed.includes(byName) && !changed.includes(byId));
});

test("a return is cancelled while nothing has come, with event and audit; the reason is kept", async () => {
  await authorise("C-1", ["A"]);
  const { status, headers, body } = await cancel("C-1", { reason: "The customer keeps it" });
  assert.equal(status, 200);
  assert.deepEqual([body.status, body.version, headers.get("etag")], ["CANCELLED", 2, '"2"']);
  assert.deepEqual(body, await recordOf("C-1"));
  await life.quiet();
  const topics = await server.rows<{ topic: string }>(
    "select topic from event where client_id = 'DEMO' and object_type = 'return' and object_id = 'C-1' order by position",
  );
  assert.deepEqual(
    topics.map(({ topic }) => topic),
    ["return:authorised", "return:cancelled"],
  );
  const audits = await server.rows<{ actor: string; action: string; detail: object }>(
    "select actor, action, detail from audit_log where client_id = 'DEMO' and object_id = 'C-1'",
  );
  assert.deepEqual(audits, [
    {
      actor: "client:DEMO",
      action: "cancel",
      detail: { from: "AUTHORISED", to: "CANCELLED", reason: "The customer keeps it" },
    },
  ]);
});

test("a cancellation sent again with its key is answered as before; without one it comes too late", async () => {
  await authorise("K-1", ["A"]);
  const key = { "idempotency-key": "cancel-K-1" };
  const first = await cancel("K-1", { reason: "twice" }, key);
  assert.equal(first.status, 200);
  const again = await cancel("K-1", { reason: "twice" }, key);
  assert.deepEqual([again.status, again.headers.get("etag"), again.body], [200, '"2"', first.body]);
  assert.equal(problemOf(await cancel("K-1", { reason: "else" }, key), 409).code, "conflict");
  assert.match(problemOf(await cancel("K-1"), 409).detail, /K-1 is CANCELLED/);
  await authorise("K-2", ["A"]);
  await take("K-2", [{ sku: "A", qty: 1, disposition: "RESELLABLE" }]);
  assert.match(problemOf(await cancel("K-2"), 409).detail, /K-2 is RECEIVED: .* while it is AUTHORISED/);
});

test("If-Match guards the version that was seen, and is judged before the state", async () => {
  await authorise("M-1", ["A"]);
  assert.equal(problemOf(await cancel("M-1", {}, { "if-match": '"2"' }), 412).code, "precondition-failed");
  assert.equal((await recordOf("M-1")).status, "AUTHORISED");
  assert.equal((await cancel("M-1", {}, { "if-match": '"1"' })).status, 200);
  assert.equal(problemOf(await cancel("M-1", {}, { "if-match": '"1"' }), 412).code, "precondition-failed");
  assert.equal(problemOf(await cancel("M-1", {}, { "if-match": '"2"' }), 409).code, "conflict");
  assert.equal(problemOf(await cancel("NONE", {}, { "if-match": '"1"' }), 404).code, "not-found");
});

test("objects of another client are 404", async () => {
  await authorise("OURS", ["A"]);
  for (const called of [
    await stranger.get("/rma/get/OURS"),
    await stranger.post("/rma/cancel/OURS"),
    await demo.get("/rma/get/NONE"),
    await demo.post("/rma/cancel/NONE"),
  ]) {
    assert.equal(problemOf(called, 404).code, "not-found");
  }
  assert.equal((await recordOf("OURS")).status, "AUTHORISED");
});

test("odd numbers are found by their percent-encoded names", async () => {
  for (const rmaNumber of ["A/B", "50% off", "Größe №7 📦", "a?b#c", "%2F"]) {
    await authorise(rmaNumber, ["A"]);
    assert.equal((await recordOf(rmaNumber)).rmaNumber, rmaNumber);
  }
  assert.equal((await cancel("A/B")).body.rmaNumber, "A/B");
});

test("a list of a facility that the client does not have is a 422, one where nothing comes back is empty", async () => {
  const unknown = await demo.get("/rma/list?distributionCentre=DC9");
  assert.equal(problemOf(unknown, 422).code, "unprocessable");
  assert.deepEqual(unknown.body.errors, [
    {
      pointer: "/query/distributionCentre",
      message: "'DC9' is not a facility of the client; did you mean DC1?",
    },
  ]);
  assert.deepEqual(await stranger.list("/rma/list", { distributionCentre: "DC2" }), { items: [], nextCursor: null });
});

test("all schema errors are reported before a query", async () => {
  assert.deepEqual(faultsOf(await demo.get("/rma/get/A%00B")), ["/path/rmaNumber"]);
  assert.deepEqual(faultsOf(await demo.get(`/rma/get/${"x".repeat(65)}`)), ["/path/rmaNumber"]);
  assert.deepEqual(faultsOf(await demo.get("/rma/get/FULL?verbose=1")), ["/query/verbose"]);
  const query = "status=LOST&sort=rmaNumber&limit=0&receivedFrom=yesterday&colour=red";
  assert.deepEqual(faultsOf(await demo.get(`/rma/list?${query}`)).sort(), [
    ...["/query/colour", "/query/limit", "/query/receivedFrom", "/query/sort", "/query/status"],
  ]);
  const { nextCursor } = await demo.list("/rma/list", { limit: "1" });
  const swapped = `/rma/list?sort=-receivedAt&cursor=${nextCursor}`;
  assert.deepEqual(faultsOf(await demo.get(swapped)), ["/query/cursor"]);
  assert.deepEqual(faultsOf(await demo.get("/rma/list?cursor=e30")), ["/query/cursor"]);
  assert.deepEqual(faultsOf(await demo.get("/rma/list?distributionCentre=DC9&limit=0")), ["/query/limit"]);
  assert.deepEqual(faultsOf(await cancel("FULL", { reason: "", why: "x" })).sort(), ["#/reason", "#/why"]);
  assert.deepEqual(faultsOf(await cancel("FULL", '{"reason":"\\u0000"}')), ["#/reason"]);
  assert.equal(problemOf(await cancel("FULL", "{"), 400).code, "malformed-request");
  assert.equal((await cancel("FULL", { clientId: "OTHER" })).status, 403);
  assert.equal((await recordOf("FULL")).status, "AUTHORISED");
});
