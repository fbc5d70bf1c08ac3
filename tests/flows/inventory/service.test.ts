// rest.md §3, §4: current stock, by SKU, by lot, and page by page.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { clearOfMidnight, dateIn } from "../../support/app/midnight.ts";
import { testServer } from "../../support/app/server.ts";
import { attributes, authorisation, catalogue, order, purchaseOrder } from "../../support/builders/documents.ts";
import { goodsOf } from "../../support/builders/goods.ts";
import { post } from "../../support/builders/stock.ts";
import type { Answer } from "../../support/http/call.ts";
import { restCalls } from "../../support/http/rest-calls.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const demo = await server.onboard("DEMO", { facilities: ["DC1", "DC2"], settings: { stockPools: "B2B,OTHER" } });
const other = await server.onboard("OTHER", { facilities: ["DC1"] });
const goods = goodsOf(server, demo);
const dc1 = await warehouseOf(server);
const rest = restCalls(server.url, "/v1", demo.credentials);
const restOfOther = restCalls(server.url, "/v1", other.credentials);
const odd = "SKU <&>\"'/ ü 日本 😀%2F";
const serial = { sku: "SER", extendedAttributes: attributes({ CaptureSerial: "true" }) };
const cased = { sku: "KG", extendedAttributes: attributes({ StockUom: "KG" }) };
await demo.accept(
  "CAT",
  catalogue("DEMO", ["A", "B", "C", "IDLE", odd, { sku: "LOT", captureBatchRef: "true" }, serial, cased]),
);
await other.accept("CAT", catalogue("OTHER", ["A", "ALIEN"]));
afterEach(() => goods.assertSound());

const service = "/inventoryService";
const find = (products: unknown, more: object = {}, call = rest) =>
  call("POST", `${service}/findInventoryBySkuList`, { distributionCentre: "DC1", products, ...more });
const details = (products: unknown, more: object = {}) =>
  rest("POST", `${service}/findInventoryDetailsBySkuList`, { distributionCentre: "DC1", products, ...more });
type Query = Readonly<Record<string, string | number>>;
const query = (of: Query) =>
  new URLSearchParams(Object.entries(of).map(([name, value]) => [name, String(value)])).toString();
const findOne = (of: Query) =>
  rest("GET", `${service}/findInventoryBySku?${query({ distributionCentre: "DC1", ...of })}`);
const listed = (of: Query = {}, call = rest) =>
  call("GET", `${service}/inventory/list?${query({ distributionCentre: "DC1", ...of })}`);

interface Item {
  readonly sku: string;
  readonly found: boolean;
  readonly available: number;
  readonly lots: readonly Readonly<Record<string, unknown>>[];
  readonly [field: string]: unknown;
}
function itemsOf({ status, body }: Answer): Item[] {
  assert.equal(status, 200, JSON.stringify(body));
  return body.items as Item[];
}
const itemOf = (answer: Answer) => itemsOf(answer)[0] as Item;
const skusOf = (answer: Answer) => itemsOf(answer).map(({ sku }) => sku);
const pointersOf = ({ body }: Answer) => (body.errors as { pointer: string }[]).map(({ pointer }) => pointer);
const book = (...movements: Parameters<typeof post>[2]) => post(server.database, "DEMO", movements);

const nothing = {
  onHand: 0,
  available: 0,
  allocated: 0,
  onHold: 0,
  damaged: 0,
  unsellable: 0,
  unsellableReasons: [],
  expected: 0,
  inTransit: 0,
  inReturn: 0,
  backordered: 0,
  stockPools: [],
  kit: null,
  lastMovementAt: null,
};

test("before anything has moved, position and quantities are zero", async () => {
  const askedMs = Date.now();
  const answer = await find(["A", "NONE"]);
  assert.deepEqual(itemsOf(answer), [
    { sku: "A", found: true, ...nothing, uom: "EA" },
    { sku: "NONE", found: false, ...nothing, uom: null },
  ]);
  const { items: _items, asOf, ...head } = answer.body;
  assert.deepEqual(head, { clientId: "DEMO", distributionCentre: "DC1", position: 0 });
  assert.ok(Date.parse(asOf as string) >= askedMs && Date.parse(asOf as string) <= Date.now(), String(asOf));
  const page = await listed();
  assert.deepEqual([page.body.items, page.body.position, page.body.nextCursor], [[], 0, null]);
});

test("every quantity of a SKU is answered, and is that of INV", async () => {
  await book(
    { sku: "A", qty: 10_000 },
    { sku: "A", qty: 1500, condition: "QUARANTINE" },
    { sku: "A", qty: 500, condition: "ON_HOLD" },
    { sku: "A", qty: 2000, condition: "DAMAGED" },
    { sku: "A", qty: 4000, expiryDate: "2020-01-01" },
    { sku: "A", qty: 8000, stockPool: "B2B" },
    { sku: "B", qty: 500 },
    { sku: "KG", qty: 1250 },
  );
  await demo.accept("PO", purchaseOrder("DEMO", "PO-1", [{ sku: "A", qty: 7 }], { distributionCentre: "DC1" }));
  await demo.accept("PO", purchaseOrder("DEMO", "PO-2", [{ sku: "A", qty: 9 }], { distributionCentre: "DC2" }));
  await demo.accept(
    "RMA",
    authorisation("DEMO", "RMA-1", [{ sku: "A", quantityReturned: 3 }], { distributionCentre: "DC1" }),
  );
  await demo.accept("NO", order("DEMO", "O-1", [{ sku: "A", qty: 4 }], { distributionCentre: "DC1" }));
  await demo.accept("NO", order("DEMO", "O-2", [{ sku: "B", qty: 5 }], { distributionCentre: "DC1" }));
  const inv = await goods.snapshot();
  const answer = await find(["A", "B", "KG"], { clientId: "DEMO" });
  const [a, b, kg] = itemsOf(answer) as [Item, Item, Item];
  const { lastMovementAt, ...quantities } = a;
  assert.deepEqual(quantities, {
    sku: "A",
    found: true,
    uom: "EA",
    onHand: 26,
    allocated: 4,
    onHold: 6,
    damaged: 2,
    unsellable: 8,
    unsellableReasons: [
      { reason: "ON_HOLD", qty: 0.5 },
      { reason: "QUARANTINE", qty: 1.5 },
      { reason: "DAMAGED", qty: 2 },
      { reason: "EXPIRED", qty: 4 },
    ],
    available: 14,
    expected: 7,
    inTransit: 0,
    inReturn: 3,
    backordered: 0,
    kit: null,
    stockPools: [
      { stockPool: "B2B", onHand: 8, available: 8 },
      { stockPool: "DEFAULT", onHand: 18, available: 6 },
    ],
  });
  assert.ok(Date.parse(lastMovementAt as string) <= Date.parse(answer.body.asOf as string));
  assert.deepEqual([b.onHand, b.available, b.backordered], [0.5, 0, 4.5]);
  assert.deepEqual([kg.onHand, kg.uom], [1.25, "KG"]);
  // Expected and returned quantities are for the default pool, as in INV.
  const ofDefault = inv.get("A");
  for (const name of ["allocated", "onHold", "damaged", "expected", "inReturn", "backordered"]) {
    assert.equal(Number(ofDefault?.text(name)), a[name], name);
  }
  assert.equal(Number(ofDefault?.text("onHand")), 18);
  assert.equal(Number(ofDefault?.text("available")), 6);
  const [{ position } = { position: 0 }] = await server.rows<{ position: number }>(
    "select last_position as position from stock_book where client_id = 'DEMO' and facility_code = 'DC1'",
  );
  assert.equal(answer.body.position, position);
  assert.deepEqual(itemOf(await findOne({ sku: "A" })), a);
});

test("SKUs are answered in the order asked, duplicates once, odd and unknown ones too", async () => {
  const answer = await find(["NONE", odd, "B", "A", "B", "a", odd, " A"]);
  assert.deepEqual(
    itemsOf(answer).map(({ sku, found }) => [sku, found]),
    [
      ["NONE", false],
      [odd, true],
      ["B", true],
      ["A", true],
      ["a", false],
      [" A", false],
    ],
  );
  assert.deepEqual(itemOf(await findOne({ sku: odd })).found, true);
  assert.deepEqual(itemOf(await findOne({ sku: "NONE" })), { sku: "NONE", found: false, ...nothing, uom: null });
});

test("the setting availablePools says which pools the top-level available counts", async () => {
  const available = async () => {
    const { available: top, stockPools } = itemOf(await find(["A"]));
    return [top, (stockPools as { available: number }[]).map((pool) => pool.available)];
  };
  await demo.set({ availablePools: "B2B,OTHER" });
  assert.deepEqual(await available(), [8, [8, 6]]);
  await demo.set({ availablePools: "NONE" });
  assert.deepEqual(await available(), [0, [8, 6]]);
  assert.equal(itemOf(await listed()).available, 0);
  await demo.set({ availablePools: "" });
  assert.deepEqual(await available(), [14, [8, 6]]);
});

test("details list the lots with what is on hand, and the serial numbers where they are captured", async () => {
  await book(
    { sku: "LOT", qty: 5000, batchRef: "B1", expiryDate: "2090-12-31" },
    { sku: "LOT", qty: 2000, batchRef: "B0", expiryDate: "2020-12-31" },
    { sku: "LOT", qty: 1000, batchRef: "B2", condition: "DAMAGED" },
  );
  const head = { clientId: "DEMO", adjustmentId: "ADJ-SER", reasonCode: "INITIAL" };
  const adjusted = await dc1.post("/adjustment/report", {
    ...head,
    lines: [{ sku: "SER", qty: 3, serials: ["S3", "S1", "S2"] }],
  });
  assert.equal(adjusted.status, 200, JSON.stringify(adjusted.body));
  await demo.accept("NO", order("DEMO", "O-LOT", [{ sku: "LOT", qty: 2 }], { distributionCentre: "DC1" }));
  await goods.stock("LOT");
  const answer = await details(["SER", "LOT", "NONE", "IDLE"]);
  const [ser, lot, none, idle] = itemsOf(answer) as [Item, Item, Item, Item];
  const plain = { serials: [], serialsTruncated: false, stockPool: "DEFAULT" };
  assert.deepEqual(
    lot.lots.map(({ receivedAt, ...rest }) => [Date.parse(receivedAt as string) <= Date.now(), rest]),
    [
      { batchRef: "B0", expiryDate: "2020-12-31", condition: "GOOD", qty: 2, allocated: 0 },
      { batchRef: "B1", expiryDate: "2090-12-31", condition: "GOOD", qty: 5, allocated: 2 },
      { batchRef: "B2", expiryDate: null, condition: "DAMAGED", qty: 1, allocated: 0 },
    ].map((lot) => [true, { ...lot, ...plain }]),
  );
  assert.deepEqual([lot.onHand, lot.onHold, lot.damaged, lot.allocated, lot.available], [8, 2, 1, 2, 3]);
  assert.deepEqual(
    ser.lots.map(({ serials, batchRef, qty }) => ({ serials, batchRef, qty })),
    [{ serials: ["S1", "S2", "S3"], batchRef: null, qty: 3 }],
  );
  assert.deepEqual([none.found, none.lots, idle.found, idle.lots, idle.lotsTruncated], [false, [], true, [], false]);
  // Without lots and the two flags, the answer equals that of the plain look-up.
  const plainItems = itemsOf(await find(["SER", "LOT", "NONE", "IDLE"]));
  assert.deepEqual(
    itemsOf(answer).map(({ lots: _lots, lotsTruncated: _truncated, ...rest }) => rest),
    plainItems,
  );
});

test("a list pages by SKU, is stable while entries are booked, and has a cursor", async () => {
  const all = await listed({ limit: 500 });
  assert.deepEqual(skusOf(all), ["A", "B", "KG", "LOT", "SER"]);
  assert.deepEqual(itemsOf(all).slice(0, 2), itemsOf(await find(["A", "B"])));
  const seen: string[] = [];
  let page = await listed({ limit: 2 });
  for (let n = 0; ; n++) {
    assert.equal(page.body.position, all.body.position);
    seen.push(...skusOf(page));
    if (page.body.nextCursor === null) break;
    await book({ sku: n === 0 ? "C" : "A", qty: 1000 });
    page = await listed({ limit: 2, cursor: page.body.nextCursor as string });
  }
  assert.deepEqual(seen, ["A", "B", "C", "KG", "LOT", "SER"]);

  // C arrived during the reading, and A changed after the reader had passed it: the next round returns both.
  const since = Number(all.body.position);
  const changed = await listed({ changedSincePosition: since });
  assert.deepEqual(skusOf(changed), ["A", "C"]);
  assert.deepEqual(itemsOf(changed), itemsOf(await find(["A", "C"])));
  const first = await listed({ changedSincePosition: since, limit: 1 });
  assert.deepEqual(skusOf(first), ["A"]);
  const second = await listed({
    changedSincePosition: since,
    limit: 1,
    cursor: first.body.nextCursor as string,
  });
  assert.deepEqual([skusOf(second), second.body.nextCursor], [["C"], null]);
  const now = Number(changed.body.position);
  assert.deepEqual(skusOf(await listed({ changedSincePosition: now })), []);
  assert.deepEqual(skusOf(await listed({ changedSincePosition: now + 1000 })), []);
  await demo.accept("NO", order("DEMO", "O-C", [{ sku: "C", qty: 1 }], { distributionCentre: "DC1" }));
  await goods.stock("C");
  assert.deepEqual(skusOf(await listed({ changedSincePosition: now })), ["C"]);
  assert.deepEqual(skusOf(await listed({ distributionCentre: "DC2" })), []);
});

test("1000 SKUs are looked up at once, and 1001 are refused", async () => {
  const products = Array.from({ length: 1000 }, (_, i) => `X-${i}-${"x".repeat(64 - `X-${i}-`.length)}`);
  products[500] = "A";
  const answer = await find(products);
  assert.deepEqual(skusOf(answer), products);
  assert.equal(itemsOf(answer).filter(({ found }) => found).length, 1);
  assert.deepEqual(skusOf(await details(products)), products);
  const tooMany = await find([...products, "A"]);
  assert.deepEqual([tooMany.status, pointersOf(tooMany)], [400, ["#/products"]]);
});

test("all errors of a request are reported at once", async () => {
  for (const operation of ["findInventoryBySkuList", "findInventoryDetailsBySkuList"]) {
    const call = (body: unknown) => rest("POST", `${service}/${operation}`, body as object);
    const refused = async (body: unknown, ...pointers: string[]) => {
      const answer = await call(body);
      assert.deepEqual([answer.status, pointersOf(answer).sort()], [400, pointers.sort()], JSON.stringify(body));
    };
    await refused({}, "#/distributionCentre", "#/products");
    await refused({ distributionCentre: "DC1", products: [] }, "#/products");
    await refused({ distributionCentre: "DC1", products: "A" }, "#/products");
    await refused(
      { distributionCentre: 1, products: ["", 5, "x".repeat(65)], x: 1 },
      ...[...["#/distributionCentre", "#/products/0", "#/products/1", "#/products/2", "#/x"]],
    );
    await refused({ distributionCentre: "DC1", products: ["A\u0000", "A\ud800"] }, "#/products/0", "#/products/1");
    const unknown = await call({ distributionCentre: "DC9", products: ["A"] });
    assert.deepEqual([unknown.status, pointersOf(unknown)], [422, ["#/distributionCentre"]]);
    assert.equal((await call({ clientId: "OTHER", distributionCentre: "DC1", products: ["A"] })).status, 403);
    assert.equal(
      (await rest("POST", `${service}/${operation}?clientId=DEMO`, { distributionCentre: "DC1", products: ["A"] }))
        .status,
      200,
    );
  }
  const refusal = await findOne({ sku: "", x: 1 });
  assert.deepEqual([refusal.status, pointersOf(refusal).sort()], [400, ["/query/sku", "/query/x"]]);
  const elsewhere = await findOne({ sku: "A", distributionCentre: "DC3" });
  assert.deepEqual([elsewhere.status, pointersOf(elsewhere)], [422, ["/query/distributionCentre"]]);
  const bad = await listed({ changedSincePosition: -1, limit: 501, cursor: "" });
  assert.deepEqual(
    [bad.status, pointersOf(bad).sort()],
    [400, ["/query/changedSincePosition", "/query/cursor", "/query/limit"]],
  );
  const { body } = await listed({ limit: 1 });
  for (const foreign of [{ changedSincePosition: 1 }, { distributionCentre: "DC2" }, { cursor: "abc" }] as Query[]) {
    const refused = await listed({ cursor: body.nextCursor as string, ...foreign });
    assert.deepEqual([refused.status, pointersOf(refused)], [400, ["/query/cursor"]]);
  }
  assert.equal((await listed({ distributionCentre: "DC3" })).status, 422);
  assert.equal((await rest("GET", `${service}/inventory/list`)).status, 400);
});

test("a client is shown nothing of another one's stock", async () => {
  const [a, alien] = itemsOf(await find(["A", "ALIEN"], {}, restOfOther)) as [Item, Item];
  assert.deepEqual([a, alien.found], [{ sku: "A", found: true, ...nothing, uom: "EA" }, true]);
  assert.equal(itemOf(await find(["ALIEN"])).found, false);
  const page = await listed({}, restOfOther);
  assert.deepEqual([page.body.items, page.body.position], [[], 0]);
  const closed = await find(["A"], { distributionCentre: "DC2" }, restOfOther);
  assert.deepEqual([closed.status, pointersOf(closed)], [422, ["#/distributionCentre"]]);
});

test("available leaves out what no order may take, and unsellable says why: in look-ups, INV and snapshots alike", async () => {
  const of = (more: object) => ({ sku: "FRESH", extendedAttributes: attributes({ MinShelfLifeDays: "30", ...more }) });
  await demo.accept("CAT", catalogue("DEMO", [of({})]));
  await clearOfMidnight("Europe/London");
  await book(
    { sku: "FRESH", qty: 10_000, expiryDate: dateIn("Europe/London", 10) },
    { sku: "FRESH", qty: 3000, expiryDate: dateIn("Europe/London", 30) },
  );
  const amounts = async () => {
    const { available, unsellable, unsellableReasons } = itemOf(await find(["FRESH"]));
    const inv = (await goods.snapshot()).get("FRESH");
    assert.equal(Number(inv?.text("available")), available);
    const page = itemsOf(await listed({ limit: 500 })).find(({ sku }) => sku === "FRESH");
    assert.deepEqual([page?.available, page?.unsellableReasons], [available, unsellableReasons]);
    return { available, unsellable, unsellableReasons };
  };
  const tooOld = { reason: "SHELF_LIFE", qty: 10 };
  assert.deepEqual(await amounts(), { available: 3, unsellable: 10, unsellableReasons: [tooOld] });

  // An order gets exactly what was available, and waits for the rest.
  await demo.accept("NO", order("DEMO", "O-FRESH", [{ sku: "FRESH", qty: 5 }], { distributionCentre: "DC1" }));
  await goods.outbound("OS", "O-FRESH");
  const { allocated, backordered } = itemOf(await find(["FRESH"]));
  assert.deepEqual([allocated, backordered], [3, 2]);
  assert.deepEqual(await amounts(), { available: 0, unsellable: 10, unsellableReasons: [tooOld] });

  await demo.accept("CAT", catalogue("DEMO", [of({ Active: "false" })], "2026-11-03T08:00:00Z"));
  const inactive = { reason: "INACTIVE", qty: 10 };
  assert.deepEqual(await amounts(), { available: 0, unsellable: 10, unsellableReasons: [inactive] });
});
