// warehouse.md: one object of the facility, by its id.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { authorisation, catalogue, order, purchaseOrder } from "../../support/builders/documents.ts";
import { problemOf } from "../../support/builders/order-operations.ts";
import type { Answer } from "../../support/http/call.ts";
import { packingWorld } from "../../support/papers/packing.ts";
import { carrierOf, type Port, warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const dc2 = await warehouseOf(server, "DC2");
const carrier = await carrierOf(server, "RM");
const toDc1 = { distributionCentre: "DC1" };
const lot = { sku: "LOT", captureBatchRef: true };
const life = await packingWorld({ server, dc1 }, "ONE", undefined, ["A", lot]);
const other = await server.onboard("TWO");

async function found(port: Port, path: string): Promise<Record<string, unknown>> {
  const answer = await port.get(path);
  assert.equal(answer.status, 200, `${path} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const numbersOf = (line: Record<string, unknown>, ...names: string[]) => names.map((name) => line[name]);
const linesOf = (body: Record<string, unknown>) => body.lines as Record<string, unknown>[];

/** The path is an object of DC1, of no other facility, and of no other kind of caller. */
async function isOfDc1Alone(path: string): Promise<void> {
  const nothing: Answer = await dc1.get(path.replace(/[^/]+$/, "NOTHING"));
  for (const answer of [await dc2.get(path), nothing]) problemOf(answer, 404);
  problemOf(await carrier.get(path), 403);
  const token = await life.rest("GET", `/warehouseService${path}`);
  assert.equal(token.status, 403);
}

test("an order has its lines with their quantities, and neither prices nor payer", async () => {
  await life.place("O-1", [{ sku: "A", qty: 2 }], { ...toDc1, shippingMethod: "STD" });
  await life.pick("O-1", 1);
  const body = await found(dc1, "/order/get/O-1");
  assert.deepEqual(
    [body.orderId, body.clientId, body.distributionCentre, body.shippingMethod],
    ["O-1", "ONE", "DC1", "STD"],
  );
  const [line] = linesOf(body);
  assert.ok(line);
  assert.deepEqual(numbersOf(line, "sku", "qtyOrdered", "qtyAllocated", "qtyPicked"), ["A", 2, 1, 1]);
  const ofClient = (await life.orders.get("/order/get/O-1")).body;
  for (const name of ["totalPrice", "billToAddress", "payments"]) {
    assert.ok(name in ofClient);
    assert.ok(!(name in body), name);
  }
  assert.ok(!("unitNetPrice" in line));
  assert.deepEqual(body.shipToAddress, ofClient.shipToAddress);
  await isOfDc1Alone("/order/get/O-1");
});

test("a task is answered as its list shows it, also after it was withdrawn", async () => {
  await life.place("T-1", ["A"], toDc1);
  const task = await dc1.task(({ objectId }) => objectId === "T-1");
  assert.deepEqual(await found(dc1, `/task/get/${task.taskId}`), task);
  await life.pick("T-1", 1);
  const withdrawn = await dc1.task(({ objectId, withdrawnAt }) => objectId === "T-1" && withdrawnAt !== null);
  assert.deepEqual(await found(dc1, `/task/get/${task.taskId.toUpperCase()}`), withdrawn);
  await isOfDc1Alone(`/task/get/${task.taskId}`);
});

test("a parcel has its contents and its events", async () => {
  await life.picked("P-1");
  const { olpnId, trackingNumber } = await life.packOne("P-1");
  const body = await found(dc1, `/parcel/get/${olpnId}`);
  assert.deepEqual(
    [body.olpnId, body.orderId, body.status, body.trackingNumber],
    [olpnId, "P-1", "PACKED", trackingNumber],
  );
  assert.deepEqual(body, (await life.orders.get(`/olpn/get/${olpnId}`)).body);
  await isOfDc1Alone(`/parcel/get/${olpnId}`);
});

test("an item and its stock by lot; the client is required where several have the SKU", async () => {
  await dc1.report("adjustment", {
    clientId: "ONE",
    adjustmentId: "LOTS",
    reasonCode: "INITIAL",
    lines: [
      { sku: "LOT", qty: 3, batchRef: "B1" },
      { sku: "LOT", qty: 4, batchRef: "B2", condition: "DAMAGED" },
    ],
  });
  const listed = await found(dc1, "/item/list?limit=500");
  const item = (listed.items as { sku: string }[]).find(({ sku }) => sku === "LOT");
  assert.deepEqual(await found(dc1, "/item/get/LOT"), item);
  const stock = await found(dc1, "/stock/get/LOT");
  assert.deepEqual(numbersOf(stock, "clientId", "distributionCentre", "onHand", "available"), ["ONE", "DC1", 7, 3]);
  assert.deepEqual(
    (stock.lots as Record<string, unknown>[]).map((row) => numbersOf(row, "batchRef", "condition", "qty")).toSorted(),
    [
      ["B1", "GOOD", 3],
      ["B2", "DAMAGED", 4],
    ],
  );
  // DC2 works for the client, so it has the item; it has no stock of it.
  assert.equal((await found(dc2, "/stock/get/LOT")).onHand, 0);
  await other.accept("CAT", catalogue("TWO", ["LOT"]));
  for (const path of ["/item/get/LOT", "/stock/get/LOT"]) {
    const { detail } = problemOf(await dc1.get(path), 400);
    assert.ok(detail.length > 0);
    assert.equal((await found(dc1, `${path}?clientId=TWO`)).clientId, "TWO");
    problemOf(await dc1.get(`${path}?clientId=NOBODY`), 404);
    problemOf(await dc1.get(path.replace("LOT", "NOTHING")), 404);
    problemOf(await dc1.get(`${path.replace("LOT", "NOTHING")}?clientId=ONE`), 404);
    problemOf(await carrier.get(path), 403);
  }
});

test("a purchase order, with and without a vendor order, by the objectId of its task", async () => {
  await life.client.accept("PO", purchaseOrder("ONE", "PO-1", [{ sku: "A", qty: 5 }]));
  await life.client.accept("PO", purchaseOrder("ONE", "PO-2", [{ sku: "A", qty: 6 }], { vendorOrderId: "V-1" }));
  await dc1.report("goodsReceipt", {
    clientId: "ONE",
    poNumber: "PO-1",
    receiptId: "R-1",
    lines: [{ sku: "A", qty: 2 }],
  });
  const body = await found(dc1, "/purchaseOrder/get/PO-1");
  assert.deepEqual(
    [body.purchaseOrderId, body.poNumber, body.vendorOrderId, body.status],
    ["PO-1", "PO-1", null, "RECEIVING"],
  );
  assert.deepEqual(
    linesOf(body).map((line) => numbersOf(line, "lineNumber", "sku", "qty", "qtyReceived", "discrepancy")),
    [[1, "A", 5, 2, "NONE"]],
  );
  const withVendor = await found(dc1, `/purchaseOrder/get/${encodeURIComponent("PO-2/V-1")}`);
  assert.deepEqual([withVendor.poNumber, withVendor.vendorOrderId], ["PO-2", "V-1"]);
  problemOf(await dc1.get("/purchaseOrder/get/PO-2"), 404);
  await isOfDc1Alone("/purchaseOrder/get/PO-1");
});

test("a return and a work order", async () => {
  await life.client.accept("RMA", authorisation("ONE", "RMA-1", ["A"]));
  const returned = await found(dc1, "/rma/get/RMA-1");
  const { receipts, ...record } = (await life.orders.get("/rma/get/RMA-1")).body;
  assert.deepEqual([returned, receipts], [record, []]);
  await isOfDc1Alone("/rma/get/RMA-1");

  const created = await life.rest("POST", "/workOrderService/workOrder/create", {
    facilityCode: "DC1",
    workOrderId: "WO-1",
    finishedGoodSku: "LOT",
    qty: 1,
    components: [{ sku: "A", qtyPer: 2 }],
  });
  assert.equal(created.status, 201, JSON.stringify(created.body));
  const workOrder = await found(dc1, "/workOrder/get/WO-1");
  assert.deepEqual(workOrder, (await life.rest("GET", "/workOrderService/workOrder/get/WO-1")).body);
  await isOfDc1Alone("/workOrder/get/WO-1");
});

test("a transfer, for the facility that ships it", async () => {
  await life.stock([{ sku: "A", qty: 3 }]);
  const body = { transferId: "TR-1", fromFacility: "DC1", toFacility: "DC2", lines: [{ sku: "A", qty: 2 }] };
  const created = await life.rest("POST", "/inventoryService/transfer/create", body);
  assert.equal(created.status, 201, JSON.stringify(created.body));
  assert.deepEqual(await found(dc1, "/transfer/get/TR-1"), created.body);
  await dc1.report("transfer", { clientId: "ONE", transferId: "TR-1", lines: [{ sku: "A", qty: 2 }] });
  const { status, lines } = await found(dc1, "/transfer/get/TR-1");
  assert.deepEqual([status, (lines as { qtyInTransit: number }[])[0]?.qtyInTransit], ["SHIPPED", 2]);
  await isOfDc1Alone("/transfer/get/TR-1");
});

test("an id that several clients have needs the client", async () => {
  await other.accept("CAT", catalogue("TWO", ["A"]));
  for (const clientId of ["ONE", "TWO"]) {
    const client = clientId === "ONE" ? life.client : other;
    await client.accept("NO", order(clientId, "SAME", ["A"], toDc1));
  }
  const { status, body } = await dc1.get("/order/get/SAME");
  assert.equal(status, 400);
  assert.deepEqual(
    (body.errors as { pointer: string }[]).map(({ pointer }) => pointer),
    ["/query/clientId"],
  );
  assert.equal((await found(dc1, "/order/get/SAME?clientId=TWO")).clientId, "TWO");
});
