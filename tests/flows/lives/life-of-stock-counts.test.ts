// warehouse.md, count: against the balance at the moment of the count, with and without picked stock, and after short
// picks.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { attributes, catalogue, order } from "../../support/builders/documents.ts";
import { goodsOf } from "../../support/builders/goods.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const goods = goodsOf(server, demo);
const dc1 = await warehouseOf(server);
const serial = { sku: "SER", extendedAttributes: attributes({ CaptureSerial: "true" }) };
await demo.accept("CAT", catalogue("DEMO", ["A", "B", "C", "D", "E", serial]));
afterEach(() => goods.assertSound());

const clientId = "DEMO";
let adjustments = 0;
const adjust = (sku: string, qty: number, more: object = {}) =>
  dc1.report("adjustment", {
    clientId,
    adjustmentId: `A-${++adjustments}`,
    reasonCode: "FOUND",
    lines: [{ sku, qty, ...more }],
  });
const count = (countId: string, sku: string, countedQty: number, more: object = {}, line: object = {}) =>
  dc1.report("count", { clientId, countId, lines: [{ sku, countedQty, ...line }], ...more });
const ordered = async (orderId: string, sku: string, qty: number) => {
  await demo.accept("NO", order("DEMO", orderId, [{ sku, qty }], { distributionCentre: "DC1" }));
  await dc1.task(({ type, objectId }) => type === "PICK" && objectId === orderId);
};
const pick = (orderId: string, qtyPicked: number, more: object = {}) =>
  dc1.report("pick", { clientId, orderId, lines: [{ lineNumber: 1, qtyPicked, ...more }] });
const documentLines = async (countId: string) =>
  (await goods.outbound("ADJ", countId)).flatMap(({ root }) => [
    root.text("reasonCode"),
    ...root
      .all("lines/line")
      .map((line) => line.texts("sku", "qty", "fromCondition", "toCondition", "qtyOnHandAfter").join(" ")),
  ]);

test("a difference is an adjustment with reason COUNT and one ADJ; what is as known is nothing", async () => {
  await adjust("A", 10);
  await count("C-1", "A", 8);
  assert.deepEqual(await documentLines("C-1"), ["COUNT", "A -2 GOOD  8"]);
  await count("C-2", "A", 9);
  assert.deepEqual(await documentLines("C-2"), ["COUNT", "A 1  GOOD 9"]);
  assert.deepEqual((await count("C-3", "A", 9)).lines, []);
  assert.deepEqual(await documentLines("C-3"), []);
  await count("C-4", "A", 1, {}, { condition: "DAMAGED" });
  assert.deepEqual(await goods.stock("A"), ["DAMAGED 1/0", "GOOD 9/0"]);
  const split = [
    { sku: "A", countedQty: 5 },
    { sku: "A", countedQty: 4 },
  ];
  assert.deepEqual((await dc1.report("count", { clientId, countId: "C-5", lines: split })).lines, []);
});

test("picked and packed units are not compared unless they were counted too", async () => {
  await adjust("B", 10);
  await ordered("B-1", "B", 4);
  await pick("B-1", 3);
  assert.deepEqual((await count("B-C1", "B", 7)).lines, []);
  assert.deepEqual((await count("B-C2", "B", 10, { includesStaged: true })).lines, []);
  const olpns = [{ weight: 1, weightUomCode: "KG", contents: [{ lineNumber: 1, qty: 2 }] }];
  await dc1.report("pack", { clientId, orderId: "B-1", olpns });
  assert.deepEqual((await count("B-C3", "B", 7)).lines, []);
  await count("B-C4", "B", 6);
  assert.deepEqual(await goods.stock("B"), ["GOOD 9/4"]);
  // Fewer pieces than the order still needs: it gives up one.
  await count("B-C5", "B", 0);
  assert.deepEqual(await goods.stock("B"), ["GOOD 3/3"]);
});

test("a count is as of its time: later receipts, picks and despatches are not its difference", async () => {
  await adjust("C", 10);
  await ordered("C-1", "C", 3);
  const before = new Date().toISOString();
  await new Promise((resolve) => setTimeout(resolve, 5));
  await pick("C-1", 3);
  await adjust("C", 5);
  assert.deepEqual((await count("C-C1", "C", 10, { occurredAt: before })).lines, []);
  assert.deepEqual((await count("C-C2", "C", 10, { occurredAt: before, includesStaged: true })).lines, []);
  const picked = new Date().toISOString();
  await new Promise((resolve) => setTimeout(resolve, 5));
  const olpns = [{ weight: 1, weightUomCode: "KG", contents: [{ lineNumber: 1, qty: 3 }] }];
  const packed = await dc1.report("pack", { clientId, orderId: "C-1", olpns });
  const [{ olpnId }] = packed.olpns as [{ olpnId: string }];
  await dc1.report("despatch", { clientId, olpnIds: [olpnId] });
  assert.deepEqual((await count("C-C3", "C", 12, { occurredAt: picked })).lines, []);
  assert.deepEqual((await count("C-C4", "C", 15, { occurredAt: picked, includesStaged: true })).lines, []);
  await count("C-C5", "C", 9, { occurredAt: before });
  assert.deepEqual(await goods.stock("C"), ["GOOD 11/0"]);
});

test("what a pick did not find is on hold until a count says where it is", async () => {
  await adjust("D", 10);
  await ordered("D-1", "D", 8);
  await pick("D-1", 3, { qtyShort: 5 });
  // The other two are allocated at once; three are missing.
  assert.deepEqual(await goods.stock("D"), ["GOOD 5/5", "ON_HOLD 5/0"]);
  const [short] = (await goods.outbound("ADJ")).filter(({ root }) => root.text("reasonCode") === "SHORT_PICK");
  const [line] = short?.root.all("lines/line") ?? [];
  assert.deepEqual(line?.texts("qty", "fromCondition", "toCondition", "qtyOnHandAfter"), [
    "5",
    "GOOD",
    "ON_HOLD",
    "10",
  ]);
  // The shelf holds the two known pieces, and one of the five.
  await count("D-C1", "D", 3);
  assert.deepEqual(await goods.stock("D"), ["GOOD 6/6"]);
  assert.deepEqual(await documentLines("D-C1"), ["COUNT", "D 1 ON_HOLD GOOD 6", "D -4 ON_HOLD  6"]);
});

test("released units are no longer a short pick, even if others are put on hold", async () => {
  await adjust("E", 5);
  await ordered("E-1", "E", 5);
  await pick("E-1", 0, { qtyShort: 3 });
  const release = { sku: "E", qty: 3, fromCondition: "ON_HOLD", toCondition: "GOOD" };
  await dc1.report("hold", { clientId, reasonCode: "CONDITION", lines: [release] });
  await adjust("E", 4, { condition: "ON_HOLD" });
  assert.deepEqual((await count("E-C1", "E", 5)).lines, []);
  assert.deepEqual(await goods.stock("E"), ["GOOD 5/5", "ON_HOLD 4/0"]);
});

test("serials are counted by name: missing ones go, others come, and each has the condition that it is in", async () => {
  await adjust("SER", 3, { serials: ["S1", "S2", "S3"] });
  await count("S-C1", "SER", 3, {}, { serials: ["S1", "S2", "S4"] });
  const serials = await server.rows<{ place: string }>(
    "select serial || ' ' || state as place from stock_serial where sku = 'SER' order by serial",
  );
  assert.deepEqual(
    serials.map(({ place }) => place),
    ["S1 IN_STOCK", "S2 IN_STOCK", "S3 GONE", "S4 IN_STOCK"],
  );
  assert.deepEqual(await goods.stock("SER"), ["GOOD 3/0"]);
  await ordered("S-1", "SER", 1);
  await pick("S-1", 0, { qtyShort: 1 });
  assert.deepEqual((await goods.stock("SER")).sort(), ["GOOD 2/1", "ON_HOLD 1/0"]);
  // The missing serial is unknown: any of them may be written off, up to the quantity on hold.
  const writeOff = (serial: string) => ({
    clientId,
    adjustmentId: `OFF-${serial}`,
    reasonCode: "LOST",
    lines: [{ sku: "SER", qty: -1, condition: "ON_HOLD", serials: [serial] }],
  });
  await dc1.report("adjustment", writeOff("S2"));
  await goods.unchanged(() => dc1.refuse("adjustment", writeOff("S1"), 409));
  assert.deepEqual(await goods.stock("SER"), ["GOOD 2/1"]);
});
