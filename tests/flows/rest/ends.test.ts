// lifecycle.md §2 and §3: purchase orders and returns that lack goods end by the client, an operator, a tolerance or
// their date, and are then no longer expected.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { commandLine } from "../../support/app/cli.ts";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { attributes, authorisation, catalogue, type Parts, purchaseOrder } from "../../support/builders/documents.ts";
import { goodsOf, inDays, runJob } from "../../support/builders/goods.ts";
import { orderOperationsOf, problemOf } from "../../support/builders/order-operations.ts";
import { type PortTask, warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const demo = await server.onboard("DEMO", { facilities: ["DC1", "DC2"] });
const other = await server.onboard("OTHER");
const goods = goodsOf(server, demo);
const dc1 = await warehouseOf(server);
const anna = await signIn(server, "operator");
const ofDc2 = await signIn(server, "operator", { facilityCodes: ["DC2"] });
const viewer = await signIn(server, "viewer");
const rest = await orderOperationsOf(server, demo);
const stranger = await orderOperationsOf(server, other);
await demo.accept("CAT", catalogue("DEMO", ["A", "B", "C"]));
// An INV lists every SKU that has ever moved (outbound.md).
for (const qty of [1, -1]) {
  const lines = ["A", "B", "C"].map((sku) => ({ sku, qty }));
  await dc1.report("adjustment", { clientId: "DEMO", adjustmentId: `SEEN${qty}`, reasonCode: "OTHER", lines });
}
afterEach(() => goods.assertSound());

const announce = (poNumber: string, lines: readonly (string | Parts)[], more: Parts = {}) =>
  demo.accept("PO", purchaseOrder("DEMO", poNumber, lines, more));
const authorise = (rmaNumber: string, lines: readonly (string | Parts)[]) =>
  demo.accept("RMA", authorisation("DEMO", rmaNumber, lines));
const receive = (poNumber: string, lines: readonly object[]) =>
  dc1.report("goodsReceipt", { clientId: "DEMO", poNumber, receiptId: `R-${poNumber}`, lines });
const take = (rmaNumber: string, lines: readonly object[]) =>
  dc1.report("return", { clientId: "DEMO", rmaNumber, lines });
const good = (sku: string, qty: number) => ({ sku, qty, disposition: "RESELLABLE" });
const closePath = (poNumber: string) => `/purchaseOrder/close/${poNumber}`;
const statusOf = async (poNumber: string) => (await rest.get(`/purchaseOrder/get/${poNumber}`)).body.status;
const statusOfReturn = async (rmaNumber: string) => (await rest.get(`/rma/get/${rmaNumber}`)).body.status;
const expectedOf = async (sku: string) => (await goods.snapshot()).get(sku)?.texts("expected", "inReturn");
const linesOf = (record: Readonly<Record<string, unknown>>) =>
  (record.lines as Record<string, unknown>[]).map((line) =>
    [line.sku, line.qty ?? line.qtyExpected, line.qtyReceived, line.discrepancy].join(" "),
  );
const auditOf = (objectId: string) =>
  server.rows<{ actor: string; detail: object }>(
    "select actor, detail from audit_log where object_id = $1 and action = 'close' order by audit_id",
    objectId,
  );

const command = commandLine(server);
const crossdock = (...words: string[]) => command(words);

test("purchaseOrder/get answers what the PO says, and a GR of version 1.2 what is on hold of its lines", async () => {
  const line = { lineId: "L-1", lineNumber: 1, sku: "A", altSku: "4711", productName: "Cup", qty: 10, qtyUom: "EA" };
  const more = { messageId: "MSG-1", extendedAttributes: attributes({ SupplierCode: "S-1" }) };
  await announce("PO-ALL", [line], more);
  const { body } = await rest.get("/purchaseOrder/get/PO-ALL");
  assert.partialDeepStrictEqual(body, {
    messageId: "MSG-1",
    extendedAttributes: { SupplierCode: "S-1" },
    lines: [{ lineId: "L-1", altSku: "4711", productName: "Cup", qty: 10, feedQty: 10, qtyUom: "EA" }],
  });
  await demo.set({ goodsReceiptVersion: "1.2" });
  await receive("PO-ALL", [{ sku: "A", qty: 13 }]);
  const [receipt] = await goods.outbound("GR", "PO-ALL");
  const fields = ["lineId", "altSku", "qtyReceived", "qtyOnHold", "discrepancy"] as const;
  assert.deepEqual(
    receipt?.root.all("lines/line").map((received) => received.texts(...fields)),
    [["L-1", "4711", "13", "2", "OVER"]],
  );
  await demo.set({ goodsReceiptVersion: "" });
  await dc1.report("adjustment", {
    clientId: "DEMO",
    adjustmentId: "PO-ALL-OUT",
    reasonCode: "CORRECTION",
    lines: [
      { sku: "A", qty: -11 },
      { sku: "A", qty: -2, condition: "ON_HOLD" },
    ],
  });
});

test("a client closes a purchase order short: one GR says so, the task is withdrawn, and nothing is expected", async () => {
  await announce("PO-1", [
    { sku: "A", qty: 10 },
    { sku: "B", qty: 3 },
  ]);
  await receive("PO-1", [{ sku: "A", qty: 4 }]);
  assert.deepEqual(
    [await expectedOf("A"), await expectedOf("B")],
    [
      ["6", "0"],
      ["3", "0"],
    ],
  );
  const key = { "idempotency-key": "close-PO-1" };
  const { status, body } = await rest.post(closePath("PO-1"), { reason: "The vendor is late" }, key);
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual([body.status, linesOf(body)], ["CLOSED", ["A 10 4 SHORT", "B 3 0 SHORT"]]);
  assert.deepEqual((await rest.post(closePath("PO-1"), { reason: "The vendor is late" }, key)).body, body);
  assert.deepEqual((await rest.get("/purchaseOrder/get/PO-1")).body, body);
  const booked = body.receipts as { entries: Record<string, unknown>[] }[];
  assert.deepEqual(
    booked.map(({ entries }) => entries.map(({ sku, qty, condition }) => [sku, qty, condition])),
    [[["A", 4, "GOOD"]]],
  );
  assert.deepEqual(
    [await expectedOf("A"), await expectedOf("B")],
    [
      ["0", "0"],
      ["0", "0"],
    ],
  );
  const receipts = (await goods.outbound("GR", "PO-1")).map(({ root: receipt }) => [
    receipt.text("complete"),
    ...receipt.all("lines/line").map((line) => line.texts("sku", "qtyReceived", "qtyTotal", "discrepancy").join(" ")),
  ]);
  assert.deepEqual(receipts, [
    ["false", "A 4 4 NONE"],
    ["true", "A 0 4 SHORT", "B 0 0 SHORT"],
  ]);
  assert.deepEqual(await goods.topics("purchaseOrder", "PO-1"), ["goodsReceipt:received", "purchaseOrder:closed"]);
  await dc1.task((task: PortTask) => task.objectId === "PO-1" && task.withdrawnAt !== null);
  assert.deepEqual(await auditOf("PO-1"), [
    { actor: "client:DEMO", detail: { from: "RECEIVING", to: "CLOSED", reason: "The vendor is late" } },
  ]);
  assert.match(problemOf(await rest.post(closePath("PO-1")), 409).detail, /PO-1 is CLOSED; it has ended already/);
  // Goods that still arrive reopen it.
  await dc1.report("goodsReceipt", {
    clientId: "DEMO",
    poNumber: "PO-1",
    receiptId: "R-LATE",
    lines: [{ sku: "A", qty: 1 }],
  });
  assert.equal(await statusOf("PO-1"), "RECEIVING");
  assert.deepEqual(await expectedOf("B"), ["3", "0"]);
  assert.equal((await rest.post(closePath("PO-1"))).status, 200);
});

test("an operator closes one that nothing has arrived for; viewers and other facilities may not", async () => {
  await announce("PO-2", [{ sku: "C", qty: 7 }]);
  const path = "/client/purchaseOrder/close/PO-2?clientId=DEMO";
  assert.equal((await viewer.post(path)).status, 403);
  assert.equal((await ofDc2.post(path)).status, 404);
  assert.deepEqual(await expectedOf("C"), ["7", "0"]);
  const answer = await anna.post(path);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.deepEqual(await expectedOf("C"), ["0", "0"]);
  const [audit] = await auditOf("PO-2");
  assert.match(String(audit?.actor), /^user:/);
  await announce("PO-3", [{ sku: "C", qty: 1 }], { distributionCentre: "DC2" });
  assert.equal((await ofDc2.post("/client/purchaseOrder/close/PO-3?clientId=DEMO")).status, 200);
});

test("of several shipping notices one is named; strangers find none", async () => {
  for (const vendorOrderId of ["V-1", "V-2"]) await announce("PO-4", ["A"], { vendorOrderId });
  assert.match(problemOf(await rest.post(closePath("PO-4")), 409).detail, /several vendorOrderIds.*V-1, V-2/);
  assert.match(problemOf(await rest.get("/purchaseOrder/get/PO-4"), 409).detail, /several vendorOrderIds.*V-1, V-2/);
  const { body } = await rest.post(`${closePath("PO-4")}?vendorOrderId=V-2`);
  assert.deepEqual([body.vendorOrderId, body.status], ["V-2", "CLOSED"]);
  const first = await rest.get("/purchaseOrder/get/PO-4?vendorOrderId=V-1");
  assert.equal(first.body.status, "OPEN");
  for (const called of [
    await stranger.post(closePath("PO-4")),
    await stranger.get("/purchaseOrder/get/PO-4"),
    await rest.post(`${closePath("PO-4")}?vendorOrderId=V-9`),
    await rest.post("/rma/close/NONE"),
  ]) {
    assert.equal(problemOf(called, 404).code, "not-found");
  }
});

test("a return in receipt is closed with an RS; one without goods is cancelled instead", async () => {
  await authorise("RMA-1", [{ sku: "A", quantityReturned: 3 }, "B"]);
  assert.match(problemOf(await rest.post("/rma/close/RMA-1"), 409).detail, /AUTHORISED: .*cancel it instead/);
  await take("RMA-1", [good("A", 1)]);
  assert.deepEqual(
    [await expectedOf("A"), await expectedOf("B")].map((texts) => texts?.[1]),
    ["2", "1"],
  );
  assert.equal(
    problemOf(await rest.post("/rma/close/RMA-1", {}, { "if-match": '"9"' }), 412).code,
    "precondition-failed",
  );
  assert.equal((await stranger.post("/rma/close/RMA-1")).status, 404);
  const { status, body } = await anna.post("/client/rma/close/RMA-1?clientId=DEMO", { reason: "No more" });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(linesOf(body as Record<string, unknown>), ["A 3 1 SHORT", "B 1 0 SHORT"]);
  assert.deepEqual(
    [await expectedOf("A"), await expectedOf("B")].map((texts) => texts?.[1]),
    ["0", "0"],
  );
  const last = (await goods.outbound("RS", "RMA-1")).at(-1)?.root;
  assert.deepEqual(
    [last?.text("status"), ...(last?.all("lines/line").map((line) => line.text("discrepancy")) ?? [])],
    ["CLOSED", "SHORT", "SHORT"],
  );
  assert.deepEqual((await goods.topics("return", "RMA-1")).at(-1), "return:closed");
  assert.equal((await rest.post("/rma/close/RMA-1")).status, 409);
});

test("a client closes a return in receipt", async () => {
  await authorise("RMA-OWN", [{ sku: "B", quantityReturned: 2 }]);
  await take("RMA-OWN", [good("B", 1)]);
  const { status, body } = await rest.post("/rma/close/RMA-OWN", { reason: "The customer keeps one" });
  assert.deepEqual([status, body.status], [200, "CLOSED"]);
  const [audit] = await auditOf("RMA-OWN");
  assert.equal(audit?.actor, "client:DEMO");
});

test("the command closes both, and names what it refuses", async () => {
  await announce("PO-5", ["A"]);
  await authorise("RMA-2", [{ sku: "A", quantityReturned: 2 }]);
  await take("RMA-2", [good("A", 1)]);
  const close = ["api", "closePurchaseOrder", "clientId=DEMO", "poNumber=PO-5", "reason=lost"];
  const order = await crossdock(...close, "--json");
  assert.equal(JSON.parse(order.stdout || order.stderr).status, "CLOSED");
  const rma = await crossdock("api", "closeRma", "clientId=DEMO", "rmaNumber=RMA-2");
  assert.match(rma.stdout, /\nstatus +CLOSED\n/, rma.stderr);
  assert.deepEqual([await statusOf("PO-5"), await statusOfReturn("RMA-2")], ["CLOSED", "CLOSED"]);
  assert.deepEqual(await goods.topics("purchaseOrder", "PO-5"), ["purchaseOrder:closed"]);
  const again = await crossdock(...close);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /PO-5 is CLOSED/);
});

test("within the client's tolerance a purchase order closes 7 days after its last change, and not before", async () => {
  await demo.set({ underReceiptTolerance: "5" });
  await announce("PO-6", [
    { sku: "A", qty: 100 },
    { sku: "B", qty: 10 },
  ]);
  await receive("PO-6", [
    { sku: "A", qty: 95 },
    { sku: "B", qty: 10 },
  ]);
  await announce("PO-7", [{ sku: "A", qty: 100 }]);
  await receive("PO-7", [{ sku: "A", qty: 94 }]);
  await announce("PO-8", ["A"]);
  await runJob(server, "purchase-order-close", inDays(6.99));
  assert.equal(await statusOf("PO-6"), "RECEIVING");
  await until("the one within the tolerance to be closed", async () => {
    await runJob(server, "purchase-order-close", inDays(7.01));
    return (await statusOf("PO-6")) === "CLOSED";
  });
  assert.deepEqual([await statusOf("PO-7"), await statusOf("PO-8")], ["RECEIVING", "OPEN"]);
  const [audit] = await auditOf("PO-6");
  assert.deepEqual(audit?.detail, { from: "RECEIVING", to: "CLOSED", cause: "TOLERANCE" });
  await demo.set({ underReceiptTolerance: "" });
});

test("by date what nothing has changed for long is closed, and returns too", async () => {
  await demo.set({ purchaseOrderDays: "20", rmaDays: "30" });
  await authorise("RMA-3", [{ sku: "B", quantityReturned: 2 }]);
  await take("RMA-3", [good("B", 1)]);
  await authorise("RMA-4", ["B"]);
  await take("RMA-4", [good("B", 1)]);
  await runJob(server, "purchase-order-close", inDays(19.99));
  assert.deepEqual([await statusOf("PO-7"), await statusOf("PO-8")], ["RECEIVING", "OPEN"]);
  await until("both to be closed", async () => {
    await runJob(server, "purchase-order-close", inDays(20.01));
    return (await statusOf("PO-7")) === "CLOSED" && (await statusOf("PO-8")) === "CLOSED";
  });
  assert.deepEqual((await expectedOf("A"))?.[0], "0");
  await runJob(server, "return-expiry", inDays(6.99));
  assert.equal(await statusOfReturn("RMA-4"), "RECEIVED");
  await until("the complete return to be closed", async () => {
    await runJob(server, "return-expiry", inDays(7.01));
    return (await statusOfReturn("RMA-4")) === "CLOSED";
  });
  assert.equal(await statusOfReturn("RMA-3"), "RECEIVING");
  await until("the short return to be closed", async () => {
    await runJob(server, "return-expiry", inDays(30.01));
    return (await statusOfReturn("RMA-3")) === "CLOSED";
  });
  assert.deepEqual((await expectedOf("B"))?.[1], "0");
  await demo.set({ purchaseOrderDays: "", rmaDays: "" });
});
