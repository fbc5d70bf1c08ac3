// warehouse.md, goodsReceipt: corrections, the data that an item captures, several notices, and refusals.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { attributes, catalogue, order, type Parts, purchaseOrder } from "../../support/builders/documents.ts";
import { goodsOf } from "../../support/builders/goods.ts";
import { type PortTask, warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const other = await server.onboard("OTHER");
const goods = goodsOf(server, demo);
const dc1 = await warehouseOf(server);
const dc2 = await warehouseOf(server, "DC2");
const lot = { sku: "LOT", captureBatchRef: "true", extendedAttributes: attributes({ CaptureExpiry: "true" }) };
const serial = { sku: "SER", extendedAttributes: attributes({ CaptureSerial: "true" }) };
await demo.accept("CAT", catalogue("DEMO", ["A", "B", "C", lot, serial]));
await other.accept("CAT", catalogue("OTHER", ["A"]));
afterEach(() => goods.assertSound());

const announce = (poNumber: string, lines: readonly (string | Parts)[], more: Parts = {}) =>
  demo.accept("PO", purchaseOrder("DEMO", poNumber, lines, more));
const receipt = (poNumber: string, receiptId: string, lines: readonly object[], more: object = {}) => ({
  clientId: "DEMO",
  poNumber,
  receiptId,
  lines,
  ...more,
});
const receive = (...of: Parameters<typeof receipt>) => dc1.report("goodsReceipt", receipt(...of));
const refuse = (status: number, ...of: Parameters<typeof receipt>) =>
  goods.unchanged(() => dc1.refuse("goodsReceipt", receipt(...of), status));
const linesOf = async (objectId: string) =>
  (await goods.outbound("GR", objectId)).map(({ root }) => [
    root.texts("receiptId", "correctsReceiptId", "correction", "complete").join(" "),
    ...root
      .all("lines/line")
      .map((line) => line.texts("lineNumber", "sku", "qtyReceived", "qtyDamaged", "qtyTotal", "discrepancy").join(" ")),
  ]);

test("a correction states the receipt again; the GR tells the differences, which add up to what is there", async () => {
  await announce("PO-1", [
    { sku: "A", qty: 10 },
    { sku: "B", qty: 10 },
  ]);
  const lines = [
    { lineNumber: 1, sku: "A", qty: 8 },
    { lineNumber: 1, sku: "A", qty: 2, condition: "DAMAGED" },
    { lineNumber: 2, sku: "B", qty: 10 },
  ];
  assert.equal((await receive("PO-1", "R-1", lines)).status, "RECEIVED");
  const corrected = [
    { lineNumber: 1, sku: "A", qty: 9 },
    { lineNumber: 2, sku: "B", qty: 7 },
  ];
  const answer = await receive("PO-1", "R-2", corrected, { correctsReceiptId: "R-1" });
  assert.equal(answer.status, "RECEIVING");
  assert.deepEqual([await goods.stock("A"), await goods.stock("B")], [["GOOD 9/0"], ["GOOD 7/0"]]);
  assert.match(await refuse(409, "PO-1", "R-3", corrected, { correctsReceiptId: "R-1" }), /R-2/);
  await receive("PO-1", "R-3", lines, { correctsReceiptId: "R-2" });
  await receive("PO-1", "R-4", [], { correctsReceiptId: "R-3" });
  assert.deepEqual([await goods.stock("A"), await goods.stock("B")], [[], []]);
  const eventLines = await linesOf("PO-1");
  assert.deepEqual(eventLines, [
    ["R-1  false true", "1 A 10 2 10 DAMAGED", "2 B 10 0 10 NONE"],
    ["R-2 R-1 true false", "1 A -1 -2 9 NONE", "2 B -3 0 7 NONE"],
    ["R-3 R-2 true true", "1 A 1 2 10 DAMAGED", "2 B 3 0 10 NONE"],
    ["R-4 R-3 true false", "1 A -10 -2 0 NONE", "2 B -10 0 0 NONE"],
  ]);
  assert.deepEqual(await goods.topics("purchaseOrder", "PO-1"), [
    ...["goodsReceipt:received", "purchaseOrder:received", "goodsReceipt:received"],
    ...["goodsReceipt:received", "purchaseOrder:received", "goodsReceipt:received"],
  ]);
});

test("a correction of what is allocated takes it from the orders; of what is picked it is refused", async () => {
  await announce("F-1", [{ sku: "C", qty: 10 }]);
  await receive("F-1", "F-R1", [{ sku: "C", qty: 10 }]);
  const isPick = (orderId: string) => (task: PortTask) => task.type === "PICK" && task.objectId === orderId;
  for (const orderId of ["F-O1", "F-O2"]) {
    await demo.accept("NO", order("DEMO", orderId, [{ sku: "C", qty: 4 }], { distributionCentre: "DC1" }));
    await dc1.task(isPick(orderId));
  }
  await dc1.report("pick", { clientId: "DEMO", orderId: "F-O1", lines: [{ lineNumber: 1, qtyPicked: 4 }] });
  const correctsReceiptId = "F-R1";
  assert.match(await refuse(409, "F-1", "F-R2", [{ sku: "C", qty: 3 }], { correctsReceiptId }), /picked/);
  await receive("F-1", "F-R2", [{ sku: "C", qty: 7 }], { correctsReceiptId });
  assert.deepEqual(await goods.stock("C"), ["GOOD 7/7"]);
  assert.equal((await demo.order("F-O2"))?.status, "PARTIALLY_ALLOCATED");
  await receive("F-1", "F-R3", [{ sku: "C", qty: 10 }], { correctsReceiptId: "F-R2" });
  assert.deepEqual(await goods.stock("C"), ["GOOD 10/8"]);
});

test("a correction may name other SKUs and excess; what was on hold for it goes", async () => {
  await announce("E-1", [{ sku: "B", qty: 10 }]);
  await receive("E-1", "E-R1", [
    { sku: "B", qty: 15 },
    { sku: "A", qty: 1 },
  ]);
  assert.deepEqual(await goods.stock("B"), ["GOOD 11/0", "ON_HOLD 4/0"]);
  await receive("E-1", "E-R2", [{ sku: "B", qty: 10 }], { correctsReceiptId: "E-R1" });
  assert.deepEqual([await goods.stock("B"), await goods.stock("A")], [["GOOD 10/0"], []]);
  assert.deepEqual(await linesOf("E-1"), [
    ["E-R1  false true", "1 B 15 0 15 OVER", " A 1 0 1 UNPLANNED"],
    ["E-R2 E-R1 true true", "1 B -5 0 10 NONE", " A -1 0 0 UNPLANNED"],
  ]);
});

test("what an item captures is required; each serial is one unit in one place", async () => {
  await announce("L-1", [
    { sku: "LOT", qty: 5 },
    { sku: "SER", qty: 3 },
  ]);
  const whole = { batchRef: "B1", expiryDate: "2030-01-31" };
  assert.match(await refuse(422, "L-1", "L-R1", [{ sku: "LOT", qty: 1, expiryDate: "2030-01-31" }]), /batchRef/);
  assert.match(await refuse(422, "L-1", "L-R1", [{ sku: "LOT", qty: 1, batchRef: "B1" }]), /expiryDate/);
  assert.match(await refuse(422, "L-1", "L-R1", [{ sku: "SER", qty: 2, serials: ["S1"] }]), /serials/);
  assert.match(await refuse(422, "L-1", "L-R1", [{ sku: "SER", qty: 2, serials: ["S1", "S1"] }]), /twice/);
  const twice = [
    { sku: "SER", qty: 1, serials: ["S1"] },
    { sku: "SER", qty: 1, serials: ["S1"] },
  ];
  assert.match(await refuse(422, "L-1", "L-R1", twice), /two lines/);
  await receive("L-1", "L-R1", [
    { sku: "LOT", qty: 5, ...whole },
    { sku: "SER", qty: 2, serials: ["S1", "S2"] },
  ]);
  assert.deepEqual(await goods.stock("LOT"), ["GOOD B1 2030-01-31 5/0"]);
  assert.match(await refuse(409, "L-1", "L-R2", [{ sku: "SER", qty: 1, serials: ["S2"] }]), /in stock already/);
  const [gr] = await goods.outbound("GR", "L-1");
  const [lotLine, serialLine] = gr?.root.all("lines/line") ?? [];
  assert.deepEqual(lotLine?.texts("batchRef", "expiryDate"), ["B1", "2030-01-31"]);
  assert.deepEqual(
    serialLine?.all("serials/serial").map(({ content }) => content),
    ["S1", "S2"],
  );
  await receive(
    "L-1",
    "L-R2",
    [
      { sku: "LOT", qty: 5, batchRef: "B2", expiryDate: "2030-02-28" },
      { sku: "SER", qty: 2, serials: ["S2", "S3"] },
    ],
    { correctsReceiptId: "L-R1" },
  );
  assert.deepEqual(await goods.stock("LOT"), ["GOOD B2 2030-02-28 5/0"]);
  const serials = await server.rows<{ serial: string; state: string }>(
    "select serial, state from stock_serial where client_id = 'DEMO' order by serial",
  );
  assert.deepEqual(
    serials.map(({ serial, state }) => `${serial} ${state}`),
    ["S1 GONE", "S2 IN_STOCK", "S3 IN_STOCK"],
  );
});

test("notices of one order are received apart; with several the notice is named", async () => {
  await announce("V-1", [{ sku: "A", qty: 2 }], { vendorOrderId: "N1" });
  await receive("V-1", "V-R1", [{ sku: "A", qty: 1 }]);
  await announce("V-1", [{ sku: "A", qty: 4 }], { vendorOrderId: "N2" });
  assert.match(await refuse(422, "V-1", "V-R2", [{ sku: "A", qty: 1 }]), /N1, N2/);
  await receive("V-1", "V-R2", [{ sku: "A", qty: 4 }], { vendorOrderId: "N2" });
  const states = await server.rows<{ status: string }>(
    "select status from purchase_order where po_number = 'V-1' order by vendor_order_id",
  );
  assert.deepEqual(
    states.map(({ status }) => status),
    ["RECEIVING", "RECEIVED"],
  );
  const [gr] = await goods.outbound("GR", "V-1/N2");
  assert.deepEqual(gr?.root.texts("poNumber", "vendorOrderId"), ["V-1", "N2"]);
});

test("a wrong request is refused as a whole, and nothing changes", async () => {
  await announce("N-1", [{ sku: "A", qty: 2 }]);
  const fine = { sku: "B", qty: 1 };
  for (const qty of [0, -1, 1.0001]) await refuse(400, "N-1", "N-R", [fine, { sku: "A", qty }]);
  await refuse(422, "N-1", "N-R", [fine, { sku: "A", qty: 1.5 }]);
  await refuse(422, "N-1", "N-R", [fine, { sku: "A", lineNumber: 7, qty: 1 }]);
  await refuse(422, "N-1", "N-R", [fine, { sku: "B", lineNumber: 1, qty: 1 }]);
  await refuse(422, "N-1", "N-R", [fine, { sku: "GHOST", qty: 1 }]);
  await refuse(404, "GHOST", "N-R", [fine]);
  await refuse(404, "N-1", "N-R", [fine], { vendorOrderId: "GHOST" });
  await refuse(409, "N-1", "N-R", [fine], { correctsReceiptId: "GHOST" });
  await goods.unchanged(() => dc2.refuse("goodsReceipt", receipt("N-1", "N-R", [fine]), 404));
  await refuse(404, "N-1", "N-R", [{ sku: "A", qty: 1 }], { clientId: "OTHER" });
  await refuse(404, "N-1", "N-R", [{ sku: "A", qty: 1 }], { clientId: "GHOST" });
  await receive("N-1", "N-R", [{ sku: "A", qty: 1 }]);
  // A receipt belongs to its order: it cannot correct another order.
  await announce("N-2", [{ sku: "A", qty: 2 }]);
  assert.match(await refuse(409, "N-2", "N-R2", [{ sku: "A", qty: 1 }], { correctsReceiptId: "N-R" }), /N-1/);
  assert.match(await refuse(409, "N-2", "N-R", [{ sku: "A", qty: 1 }]), /N-R/);
});
