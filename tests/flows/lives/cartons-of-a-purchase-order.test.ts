// warehouse.md, goodsReceipt: a brand announces cartons, and a warehouse receives them by SSCC.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { ssccOf } from "#/modules/parcels/sscc.ts";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { attributes, catalogue, type Parts, purchaseOrder } from "../../support/builders/documents.ts";
import { goodsOf } from "../../support/builders/goods.ts";
import { restCalls } from "../../support/http/rest-calls.ts";
import { type PortTask, warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const goods = goodsOf(server, demo);
const [dc1, dc2] = [await warehouseOf(server), await warehouseOf(server, "DC2")];
const rest = restCalls(server.url, "/v1/orderService", demo.credentials);
const lotted = { captureBatchRef: "1", extendedAttributes: attributes({ CaptureExpiry: 1, "Uom.CS": 6 }) };
await demo.accept("CAT", catalogue("DEMO", ["A", "B", { sku: "L", ...lotted }]));
afterEach(() => goods.assertSound());

const sscc = (serial: number) => ssccOf("4012345", serial);
const carton = (serial: number, ...lines: readonly Parts[]): Parts => ({ sscc: sscc(serial), lines: { line: lines } });
const announce = (poNumber: string, lines: readonly (string | Parts)[], cartons: readonly Parts[], more: Parts = {}) =>
  demo.accept("PO", purchaseOrder("DEMO", poNumber, lines, { ...more, cartons: { carton: cartons } }));
const receive = (receiptId: string, more: object) =>
  dc1.report("goodsReceipt", { clientId: "DEMO", receiptId, ...more });
const refuse = (receiptId: string, status: number, more: object) =>
  dc1.refuse("goodsReceipt", { clientId: "DEMO", receiptId, ...more }, status);

interface Shown {
  readonly status: string;
  readonly cartons: readonly { readonly sscc: string; readonly receiptId: string | null }[];
  readonly receipts: readonly { readonly receiptId: string; readonly sscc: string | null }[];
  readonly lines: readonly { readonly qtyReceived: number }[];
}

const shown = async (poNumber: string) =>
  (await rest("GET", `/purchaseOrder/get/${poNumber}`)).body as unknown as Shown;
/** Each carton and the receipt that it came with. */
const cameWith = async (poNumber: string) => (await shown(poNumber)).cartons.map(({ receiptId }) => receiptId);
const received = async (poNumber: string) => (await shown(poNumber)).lines.map(({ qtyReceived }) => qtyReceived);
const isTask = (objectId: string) => (task: PortTask) => task.type === "PURCHASE_ORDER" && task.objectId === objectId;
const expectedIn = ({ purchaseOrder = {} }: PortTask) =>
  (purchaseOrder.cartons as readonly { sscc: string }[]).map((carton) => carton.sscc);

test("a carton is received by its SSCC alone, as announced; the task shows those that have not come", async () => {
  const lines = [
    { sku: "A", qty: 10 },
    { sku: "L", qty: 1, qtyUom: "CS" },
  ];
  const lot = { lineNumber: 2, qty: 1, batchRef: "B-1", expiryDate: "2090-06-30" };
  await announce("PO-1", lines, [carton(1, { sku: "A", qty: 6 }, lot), carton(2, { lineNumber: 1, qty: 4 })], {
    carrierCode: "HAULIER",
    trackingNumber: "CN-1",
    expectedDate: "2026-11-20",
  });
  const { purchaseOrder: first = {} } = await dc1.task(isTask("PO-1"));
  assert.deepEqual([first.expectedDate, first.carrierCode, first.trackingNumber], ["2026-11-20", "HAULIER", "CN-1"]);
  assert.deepEqual(
    first.cartons,
    (await shown("PO-1")).cartons.map(({ receiptId: _, ...each }) => each),
  );
  const answer = await receive("R-1", { sscc: sscc(1) });
  assert.deepEqual([answer.poNumber, answer.status], ["PO-1", "RECEIVING"]);
  assert.deepEqual(await cameWith("PO-1"), ["R-1", null]);
  assert.deepEqual(await received("PO-1"), [6, 6]);
  const [row] = await server.rows<{ batch_ref: string; qty: string }>(
    "select batch_ref, qty from stock_balance where client_id = 'DEMO' and sku = 'L'",
  );
  assert.deepEqual([row?.batch_ref, Number(row?.qty)], ["B-1", 6]);
  assert.deepEqual(expectedIn(await dc1.task((task) => isTask("PO-1")(task) && task.version === 2)), [sscc(2)]);
  const last = await receive("R-2", { sscc: sscc(2), poNumber: "PO-1", lines: [] });
  assert.equal(last.status, "RECEIVED");
  assert.deepEqual(
    (await shown("PO-1")).receipts.map(({ receiptId, sscc }) => [receiptId, sscc]),
    [
      ["R-2", sscc(2)],
      ["R-1", sscc(1)],
    ],
  );
});

test("counted quantities beside the SSCC are booked in the place of the announced ones", async () => {
  await announce(
    "PO-2",
    [{ sku: "A", qty: 10 }, "B"],
    [carton(11, { lineNumber: 1, qty: 10 }, { lineNumber: 2, qty: 1 }), carton(12)],
  );
  const counted = [
    { sku: "A", qty: 7 },
    { sku: "A", qty: 5, condition: "DAMAGED" },
  ];
  const { lines } = await receive("R-21", { sscc: sscc(11), lines: counted });
  assert.deepEqual(
    (lines as { discrepancy: string; qtyReceived: number }[]).map(({ qtyReceived, discrepancy }) => [
      qtyReceived,
      discrepancy,
    ]),
    [[12, "OVER"]],
  );
  assert.deepEqual(await received("PO-2"), [12, 0]);
  assert.match(
    await refuse("R-22", 422, { sscc: sscc(12) }),
    /announced without its content; report the counted lines/,
  );
  assert.equal((await receive("R-22", { sscc: sscc(12), lines: [{ sku: "B", qty: 1 }] })).status, "RECEIVED");
  assert.deepEqual(await cameWith("PO-2"), ["R-21", "R-22"]);
});

test("a carton comes once: a repeat gets the first answer, another receipt of it is refused", async () => {
  await announce("PO-3", [{ sku: "A", qty: 10 }], [carton(21, { sku: "A", qty: 10 })]);
  const first = await receive("R-31", { sscc: sscc(21) });
  assert.deepEqual(await receive("R-31", { sscc: sscc(21) }), first);
  const again = await refuse("R-32", 409, { sscc: sscc(21) });
  assert.match(again, /of purchase order PO-3 came with receipt R-31 already; correct that receipt, or report by line/);
  assert.deepEqual(await received("PO-3"), [10]);
});

test("a correction is of the same carton; one to nothing says that it has not come", async () => {
  await announce("PO-4", [{ sku: "A", qty: 10 }], [carton(31, { sku: "A", qty: 10 }), carton(32)]);
  await receive("R-41", { sscc: sscc(31) });
  await receive("R-42", { poNumber: "PO-4", correctsReceiptId: "R-41", lines: [{ sku: "A", qty: 8 }] });
  assert.deepEqual(await cameWith("PO-4"), ["R-42", null]);
  // The label of the other carton was read.
  await receive("R-43", { sscc: sscc(32), correctsReceiptId: "R-42", lines: [{ sku: "A", qty: 8 }] });
  assert.deepEqual(await cameWith("PO-4"), [null, "R-43"]);
  await receive("R-44", { poNumber: "PO-4", correctsReceiptId: "R-43", lines: [] });
  assert.deepEqual(await cameWith("PO-4"), [null, null]);
  assert.deepEqual(await received("PO-4"), [0]);
  await receive("R-45", { sscc: sscc(31) });
  assert.deepEqual(await cameWith("PO-4"), ["R-45", null]);

  const operator = await signIn(server);
  const { items } = (await operator.get("/purchaseOrder/list?clientId=DEMO")).body;
  const listed = (items as { poNumber: string; cartons: number; cartonsReceived: number }[]).find(
    ({ poNumber }) => poNumber === "PO-4",
  );
  assert.deepEqual([listed?.cartons, listed?.cartonsReceived], [2, 1]);
});

test("a carton of another facility, client or purchase order is not known; one of a cancelled order comes on hold", async () => {
  await announce("PO-5", [{ sku: "B", qty: 3 }], [carton(41, { sku: "B", qty: 3 })]);
  assert.match(
    await refuse("R-51", 404, { sscc: sscc(49) }),
    /^No purchase order of client DEMO at facility DC1 announces carton 0/,
  );
  assert.match(
    await refuse("R-51", 404, { sscc: sscc(41), poNumber: "PO-1" }),
    /^Purchase order PO-1 does not announce carton 0/,
  );
  await dc2.refuse("goodsReceipt", { clientId: "DEMO", receiptId: "R-51", sscc: sscc(41) }, 404);
  assert.equal((await dc1.post("/goodsReceipt/report", { clientId: "DEMO", receiptId: "R-51" })).status, 400);
  await demo.accept("PO", purchaseOrder("DEMO", "PO-5", [], { actionType: "CANCEL" }));
  const { lines } = await receive("R-52", { sscc: sscc(41) });
  assert.deepEqual((lines as { booked: object[] }[])[0]?.booked, [
    { condition: "ON_HOLD", qty: 3, reason: "UNPLANNED" },
  ]);
  // The open purchase order that announces the carton takes it, not the cancelled one.
  await announce("PO-6", [{ sku: "B", qty: 3 }], [carton(41, { sku: "B", qty: 3 })]);
  assert.equal((await receive("R-53", { sscc: sscc(41) })).poNumber, "PO-6");
});
