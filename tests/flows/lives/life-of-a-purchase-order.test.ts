// lifecycle.md §2 from outside: a brand announces goods, a warehouse receives them, and the brand is notified.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { until, untilTaken } from "../../support/app/until.ts";
import { attributes, catalogue, order, type Parts, purchaseOrder } from "../../support/builders/documents.ts";
import { goodsOf, inDays, runJob } from "../../support/builders/goods.ts";
import { type PortTask, warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const goods = goodsOf(server, demo);
const dc1 = await warehouseOf(server);
const kg = { extendedAttributes: attributes({ StockUom: "KG" }) };
await demo.accept("CAT", catalogue("DEMO", ["A", "B", "C", "W", { sku: "KGS", ...kg }]));
// An INV lists every SKU that has ever moved (outbound.md).
for (const qty of [1, -1]) {
  const lines = ["A", "W"].map((sku) => ({ sku, qty }));
  await dc1.report("adjustment", { clientId: "DEMO", adjustmentId: `SEEN${qty}`, reasonCode: "OTHER", lines });
}
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
const stateOf = async (poNumber: string) => {
  const [row] = await server.rows<{ status: string }>(
    "select status from purchase_order where po_number = $1",
    poNumber,
  );
  return row?.status;
};
/** Each line of a GR: number, SKU, then its quantities. */
const linesOf = async (poNumber: string) =>
  (await goods.outbound("GR", poNumber)).map(({ root }) => [
    ...root.texts("receiptId", "correction", "complete"),
    ...root.all("lines/line").map((line) =>
      line
        .texts("lineNumber", "sku", "qtyExpected", "qtyReceived", "qtyDamaged", "qtyTotal", "discrepancy")
        .map((text) => text ?? "-")
        .join(" "),
    ),
  ]);
const isTask = (objectId: string) => (task: PortTask) => task.type === "PURCHASE_ORDER" && task.objectId === objectId;

test("goods come in parts: RECEIVING with the first, RECEIVED with the last, and each receipt is reported once", async () => {
  await announce("PO-1", [
    { sku: "A", qty: 10 },
    { sku: "B", qty: 5 },
  ]);
  assert.equal(await stateOf("PO-1"), "OPEN");
  const expected = (await goods.snapshot()).get("A");
  assert.deepEqual(expected?.texts("onHand", "expected", "available"), ["0", "10", "0"]);
  await receive("PO-1", "R-1", [{ sku: "A", qty: 4 }]);
  assert.equal(await stateOf("PO-1"), "RECEIVING");
  assert.deepEqual((await goods.snapshot()).get("A")?.texts("onHand", "expected", "available"), ["4", "6", "4"]);
  const { lines } = await dc1.task((task) => isTask("PO-1")(task) && task.version === 2);
  assert.deepEqual(
    lines.map(({ lineNumber, qty }) => [lineNumber, qty]),
    [
      [1, 6],
      [2, 5],
    ],
  );
  const answer = await receive("PO-1", "R-2", [
    { lineNumber: 1, sku: "A", qty: 6 },
    { lineNumber: 2, sku: "B", qty: 5 },
  ]);
  assert.equal(answer.status, "RECEIVED");
  assert.deepEqual(await linesOf("PO-1"), [
    ["R-1", "false", "false", "1 A 10 4 0 4 NONE"],
    ["R-2", "false", "true", "1 A 10 6 0 10 NONE", "2 B 5 5 0 5 NONE"],
  ]);
  assert.deepEqual(await goods.topics("purchaseOrder", "PO-1"), [
    "goodsReceipt:received",
    "goodsReceipt:received",
    "purchaseOrder:received",
  ]);
  const [, , received] = await goods.events("purchaseOrder", "PO-1");
  assert.deepEqual(Object.keys(received?.data ?? {}).sort(), ["lines", "poNumber", "status", "vendorOrderId"]);
  assert.equal((await goods.snapshot()).get("A")?.text("expected"), "0");
  await dc1.task((task) => isTask("PO-1")(task) && task.withdrawnAt !== null);
});

test("the warehouse closes: complete, or short, with a report for lines without goods too", async () => {
  await announce("C-1", ["A", { sku: "B", qty: 3 }, { sku: "C", qty: 2 }]);
  const body = receipt("C-1", "C-R0", [], { closeOrder: true });
  assert.match(await goods.unchanged(() => dc1.refuse("goodsReceipt", body, 409)), /OPEN/);
  const answer = await receive("C-1", "C-R1", [{ sku: "B", qty: 2 }], { closeOrder: true });
  assert.equal(answer.status, "CLOSED");
  assert.deepEqual(await linesOf("C-1"), [
    ["C-R1", "false", "true", "2 B 3 2 0 2 SHORT", "1 A 1 0 0 0 SHORT", "3 C 2 0 0 0 SHORT"],
  ]);
  assert.deepEqual(await goods.topics("purchaseOrder", "C-1"), ["goodsReceipt:received", "purchaseOrder:closed"]);
  assert.deepEqual((await goods.snapshot()).get("A")?.text("expected"), "0");
  await announce("C-2", ["A"]);
  assert.equal((await receive("C-2", "C-R2", [{ sku: "A", qty: 1 }], { closeOrder: true })).status, "CLOSED");
  assert.deepEqual((await goods.topics("purchaseOrder", "C-2")).slice(1), [
    "purchaseOrder:received",
    "purchaseOrder:closed",
  ]);
  await announce("C-3", ["A"]);
  await receive("C-3", "C-R3", [{ sku: "A", qty: 1 }]);
  assert.equal((await receive("C-3", "C-R4", [], { closeOrder: true })).status, "CLOSED");
  assert.deepEqual((await linesOf("C-3")).at(-1), ["C-R4", "false", "true"]);
});

test("an OPEN order is cancelled by its client, and its goods go on hold; one with goods is not cancelled", async () => {
  await announce("X-1", ["A"]);
  await demo.accept("PO", purchaseOrder("DEMO", "X-1", [], { actionType: "CANCEL" }));
  assert.equal(await stateOf("X-1"), "CANCELLED");
  assert.deepEqual(await goods.topics("purchaseOrder", "X-1"), ["purchaseOrder:cancelled"]);
  const body = receipt("X-1", "X-R1", [{ sku: "A", qty: 1 }]);
  const before = await goods.stock("A");
  const answer = await dc1.report("goodsReceipt", { ...body, closeOrder: true });
  assert.equal(answer.status, "CANCELLED");
  assert.deepEqual((answer.lines as object[])[0], {
    lineNumber: null,
    sku: "A",
    qtyReceived: 1,
    qtyTotal: 1,
    discrepancy: "UNPLANNED",
    booked: [{ condition: "ON_HOLD", qty: 1, reason: "UNPLANNED" }],
  });
  assert.deepEqual(await goods.stock("A"), [...before, "ON_HOLD 1/0"]);
  assert.deepEqual(await linesOf("X-1"), [["X-R1", "false", "true", "- A 0 1 0 1 UNPLANNED"]]);
  const [kept] = await goods.exceptions("X-1");
  assert.deepEqual([kept?.kind, kept?.state], ["UNPLANNED", "OPEN"]);
  assert.match(kept?.summary as string, /ON_HOLD, because the order is CANCELLED$/);
  assert.equal(await stateOf("X-1"), "CANCELLED");
  await announce("X-2", ["A", "B"]);
  await receive("X-2", "X-R2", [{ sku: "A", qty: 1 }]);
  await demo.refuse("PO", purchaseOrder("DEMO", "X-2", [], { actionType: "CANCEL" }), /^\[STATE\].*RECEIVING/);
});

test("units above the tolerance are ON_HOLD and an exception; units within it are GOOD", async () => {
  await announce("T-1", [{ sku: "C", qty: 100 }]);
  await receive("T-1", "T-R1", [{ sku: "C", qty: 110 }]);
  assert.deepEqual(await goods.stock("C"), ["GOOD 110/0"]);
  assert.deepEqual(await goods.exceptions("T-1"), []);
  const answer = await receive("T-1", "T-R2", [{ sku: "C", qty: 2 }]);
  assert.deepEqual((answer.lines as { booked: object[] }[])[0]?.booked, [
    { condition: "ON_HOLD", qty: 2, reason: "OVER_RECEIPT" },
  ]);
  assert.deepEqual(await goods.stock("C"), ["GOOD 110/0", "ON_HOLD 2/0"]);
  assert.deepEqual(
    (await goods.exceptions("T-1")).map(({ kind, state }) => [kind, state]),
    [["OVER_RECEIPT", "OPEN"]],
  );
  assert.deepEqual(await linesOf("T-1"), [
    ["T-R1", "false", "true", "1 C 100 110 0 110 OVER"],
    ["T-R2", "false", "true", "1 C 100 2 0 112 OVER"],
  ]);
  await demo.set({ overReceiptTolerance: "0" });
  await announce("T-2", [{ sku: "KGS", qty: 10 }]);
  await receive("T-2", "T-R3", [{ sku: "KGS", qty: 10.001 }]);
  assert.deepEqual(await goods.stock("KGS"), ["GOOD 10/0", "ON_HOLD 0.001/0"]);
  await demo.set({ overReceiptTolerance: "" });
  const reasons = await server.rows<{ reason: string | null; qty: string }>(
    "select reason, trim_scale(qty) as qty from stock_movement where reference_id in ('T-R2', 'T-R3') order by position",
  );
  assert.deepEqual(
    reasons.map(({ reason, qty }) => [reason, Number(qty)]),
    [
      ["OVER_RECEIPT", 2],
      [null, 10],
      ["OVER_RECEIPT", 0.001],
    ],
  );
});

test("a SKU that is not on the order is kept ON_HOLD and raised; one that the client does not have is refused", async () => {
  await announce("U-1", ["A"]);
  const before = await goods.stock("B");
  await receive("U-1", "U-R1", [
    { sku: "A", qty: 1 },
    { sku: "B", qty: 7 },
  ]);
  assert.deepEqual((await goods.stock("B")).slice(before.length), ["ON_HOLD 7/0"]);
  assert.deepEqual((await linesOf("U-1"))[0]?.slice(3), ["1 A 1 1 0 1 NONE", "- B 0 7 0 7 UNPLANNED"]);
  assert.deepEqual(
    (await goods.exceptions("U-1")).map(({ kind }) => kind),
    ["UNPLANNED"],
  );
  const unknown = receipt("U-1", "U-R2", [{ sku: "NOBODY", qty: 1 }]);
  assert.match(await goods.unchanged(() => dc1.refuse("goodsReceipt", unknown, 422)), /NOBODY/);
});

test("damaged goods are stock in their condition, and published", async () => {
  await announce("D-1", [{ sku: "C", qty: 10 }]);
  const lines = [
    { sku: "C", qty: 6 },
    { sku: "C", qty: 3, condition: "DAMAGED" },
    { sku: "C", qty: 1, condition: "QUARANTINE" },
  ];
  await receive("D-1", "D-R1", lines);
  assert.deepEqual(await goods.stock("C"), ["DAMAGED 3/0", "GOOD 116/0", "ON_HOLD 2/0", "QUARANTINE 1/0"]);
  assert.deepEqual(await linesOf("D-1"), [["D-R1", "false", "true", "1 C 10 10 3 10 DAMAGED"]]);
  const item = (await goods.snapshot()).get("C");
  assert.deepEqual(item?.texts("onHand", "allocated", "onHold", "damaged", "available"), ["122", "0", "3", "3", "116"]);
});

test("a receipt reopens a closed order for 30 days, and no longer", async () => {
  await announce("O-1", [{ sku: "A", qty: 3 }]);
  await receive("O-1", "O-R1", [{ sku: "A", qty: 1 }], { closeOrder: true });
  const closedBefore = (days: number) =>
    server.rows("update purchase_order set closed_at = $1 where po_number = 'O-1'", new Date(inDays(-days).now()));
  await closedBefore(30.01);
  const late = receipt("O-1", "O-R2", [{ sku: "A", qty: 1 }]);
  assert.match(await goods.unchanged(() => dc1.refuse("goodsReceipt", late, 409)), /30 days/);
  await closedBefore(29.99);
  assert.equal((await dc1.report("goodsReceipt", late)).status, "RECEIVING");
  assert.equal((await receive("O-1", "O-R3", [{ sku: "A", qty: 1 }])).status, "RECEIVED");
  const last = (await linesOf("O-1")).slice(1);
  assert.deepEqual(last, [
    ["O-R2", "false", "false", "1 A 3 1 0 2 NONE"],
    ["O-R3", "false", "true", "1 A 3 1 0 3 NONE"],
  ]);
});

test("a complete order closes by itself after 7 days, and not before; what is still expected stays open", async () => {
  await announce("S-1", ["A"]);
  await receive("S-1", "S-R1", [{ sku: "A", qty: 1 }]);
  await announce("S-2", ["A", "B"]);
  await receive("S-2", "S-R2", [{ sku: "A", qty: 1 }]);
  await runJob(server, "purchase-order-close", inDays(6.99));
  assert.deepEqual([await stateOf("S-1"), await stateOf("S-2")], ["RECEIVED", "RECEIVING"]);
  // The job skips rows that another transaction has locked for a second; its next round processes them.
  await until("the complete one to be closed", async () => {
    await runJob(server, "purchase-order-close", inDays(7.01));
    return (await stateOf("S-1")) === "CLOSED";
  });
  assert.equal(await stateOf("S-2"), "RECEIVING");
  assert.equal((await goods.topics("purchaseOrder", "S-1")).at(-1), "purchaseOrder:closed");
});

test("an order that waits gets what comes, at once", async () => {
  await demo.accept("NO", order("DEMO", "WAITS", [{ sku: "W", qty: 2 }], { distributionCentre: "DC1" }));
  await goods.outbound("OS", "WAITS");
  assert.equal((await demo.order("WAITS"))?.status, "BACKORDERED");
  assert.equal((await goods.snapshot()).get("W")?.text("backordered"), "2");
  await announce("W-1", [{ sku: "W", qty: 5 }]);
  await receive("W-1", "W-R1", [{ sku: "W", qty: 5 }]);
  const statuses = (await goods.outbound("OS", "WAITS")).map(({ root }) => root.text("status"));
  assert.deepEqual(statuses, ["BACKORDERED", "ALLOCATED"]);
  const item = (await goods.snapshot()).get("W");
  assert.deepEqual(item?.texts("onHand", "allocated", "available", "backordered"), ["5", "2", "3", "0"]);
});

test("an UPDATE that asks for more makes a complete order RECEIVING again, one that asks for what came completes it", async () => {
  await announce("UP-1", [{ sku: "A", qty: 2 }]);
  await receive("UP-1", "UP-R1", [{ sku: "A", qty: 2 }]);
  const update = (qty: number) => purchaseOrder("DEMO", "UP-1", [{ sku: "A", qty }], { actionType: "UPDATE" });
  await demo.accept("PO", update(5));
  assert.equal(await stateOf("UP-1"), "RECEIVING");
  await demo.refuse("PO", update(1), /^\[STATE\].*2/);
  await demo.accept("PO", update(2));
  assert.equal(await stateOf("UP-1"), "RECEIVED");
  assert.deepEqual((await goods.topics("purchaseOrder", "UP-1")).slice(2), [
    "purchaseOrder:updated",
    "purchaseOrder:updated",
    "purchaseOrder:received",
  ]);
});

test("receipts that come at once are all booked, one GR each, with totals that go up", async () => {
  await announce("P-1", [{ sku: "A", qty: 20 }]);
  const before = (await goods.stock("A")).join();
  // As a warehouse's system does: a report that a busy server refuses is sent again, and counts as the same receipt.
  const receiveAtLast = async (receiptId: string) => {
    const body = receipt("P-1", receiptId, [{ lineNumber: 1, sku: "A", qty: 1 }]);
    const answer = await untilTaken(() => dc1.post("/goodsReceipt/report", body));
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => receiveAtLast(`P-R${i}`)));
  assert.equal(answers.filter(({ status }) => status === "RECEIVED").length, 1);
  const totals = (await goods.outbound("GR", "P-1")).map(({ root }) => Number(root.text("lines/line/qtyTotal")));
  assert.deepEqual(
    totals,
    Array.from({ length: 20 }, (_, i) => i + 1),
  );
  assert.notEqual((await goods.stock("A")).join(), before);
  assert.equal(await stateOf("P-1"), "RECEIVED");
});
