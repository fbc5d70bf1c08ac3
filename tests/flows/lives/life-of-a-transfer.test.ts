// lifecycle.md §4 from outside: goods leave one facility of a client, are in transit, and arrive at another.
import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { attributes, catalogue, order, purchaseOrder } from "../../support/builders/documents.ts";
import { goodsOf } from "../../support/builders/goods.ts";
import { answered, clientOf, refused } from "../../support/http/rest-client.ts";
import { type PortTask, warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const goods = goodsOf(server, demo);
const [dc1, dc2] = await Promise.all([warehouseOf(server), warehouseOf(server, "DC2")]);
const { inventory, orders } = clientOf(server, demo);
const clientId = "DEMO";
const serial = { extendedAttributes: attributes({ CaptureSerial: "true" }) };
await demo.accept(
  "CAT",
  catalogue("DEMO", ["A", "B", "C", { sku: "LOT", captureBatchRef: "true" }, { sku: "SER", ...serial }]),
);
let adjustments = 0;
const stock = (sku: string, qty: number, more: object = {}) =>
  dc1.report("adjustment", {
    clientId,
    adjustmentId: `A-${++adjustments}`,
    reasonCode: qty < 0 ? "LOST" : "FOUND",
    lines: [{ sku, qty, ...more }],
  });
afterEach(() => goods.assertSound());

const service = "/v1/inventoryService/transfer";
type Line = { readonly sku: string; readonly qty: number };
const create = (transferId: string, lines: readonly Line[], more: object = {}) => {
  const body = { clientId, transferId, fromFacility: "DC1", toFacility: "DC2", lines: [...lines], ...more };
  return inventory.POST(`${service}/create`, { body });
};
const path = (transferId: string) => ({ params: { path: { transferId } } });
const get = (transferId: string) => answered(200, inventory.GET(`${service}/get/{transferId}`, path(transferId)));
const cancel = (transferId: string) =>
  inventory.POST(`${service}/cancel/{transferId}`, { ...path(transferId), body: {} });
const ship = (transferId: string, lines: readonly object[], more: object = {}) =>
  dc1.report("transfer", { clientId, transferId, lines, ...more });
const refuse = (status: number, transferId: string, lines: readonly object[]) =>
  goods.unchanged(() => dc1.refuse("transfer", { clientId, transferId, lines }, status));
const receive = (poNumber: string, receiptId: string, lines: readonly object[], more: object = {}) =>
  dc2.report("goodsReceipt", { clientId, poNumber, receiptId, lines, ...more });
const isTask = (type: string, objectId: string) => (task: PortTask) => task.type === type && task.objectId === objectId;
/** Shipped, in transit, received, damaged, lost of the first line. */
const sums = async (transferId: string) => {
  const { status, lines } = await get(transferId);
  const [line] = lines;
  return [status, line?.qtyShipped, line?.qtyInTransit, line?.qtyReceived, line?.qtyDamaged, line?.qtyLost];
};
const lookUp = async (sku: string, distributionCentre: string) => {
  const query = { sku, distributionCentre };
  const { items } = await answered(
    200,
    inventory.GET("/v1/inventoryService/findInventoryBySku", { params: { query } }),
  );
  const [item] = items;
  return [item?.onHand, item?.available, item?.allocated, item?.expected, item?.inTransit];
};

test("goods are allocated, shipped, in transit, received in parts, and the books of both facilities agree", async () => {
  await stock("A", 10);
  const made = await answered(201, create("T-1", [{ sku: "A", qty: 6 }], { notes: "Tuesday truck" }));
  assert.deepEqual([made.status, made.lines[0]?.qtyAllocated, made.version], ["RELEASED", 6, 1]);
  assert.deepEqual(await goods.stock("A"), ["GOOD 10/6"]);
  const { lines, notes, toFacility } = await dc1.task(isTask("TRANSFER", "T-1"));
  assert.deepEqual([lines.map(({ sku, qty }) => [sku, qty]), notes, toFacility], [[["A", 6]], "Tuesday truck", "DC2"]);
  assert.deepEqual(await lookUp("A", "DC1"), [10, 4, 6, 0, 0]);

  const shipped = await ship("T-1", [{ sku: "A", qty: 6 }], { carrierCode: "HAULIER", trackingNumber: "CN-1" });
  assert.deepEqual(shipped.status, "SHIPPED");
  assert.deepEqual(await goods.stock("A"), ["GOOD 4/0"]);
  assert.deepEqual(await sums("T-1"), ["SHIPPED", 6, 6, 0, 0, 0]);
  assert.deepEqual(await lookUp("A", "DC1"), [4, 4, 0, 0, 0]);
  assert.deepEqual(await lookUp("A", "DC2"), [0, 0, 0, 6, 6]);
  await dc1.task((task) => isTask("TRANSFER", "T-1")(task) && task.withdrawnAt !== null);
  const expected = await dc2.task(isTask("PURCHASE_ORDER", "T-1/DC1"));
  assert.deepEqual(
    expected.lines.map(({ sku, qty }) => [sku, qty]),
    [["A", 6]],
  );

  await receive("T-1", "R-1", [
    { sku: "A", qty: 2 },
    { sku: "A", qty: 1, condition: "DAMAGED" },
  ]);
  assert.deepEqual(await sums("T-1"), ["RECEIVING", 6, 3, 3, 1, 0]);
  assert.deepEqual(await lookUp("A", "DC2"), [3, 2, 0, 3, 3]);
  await receive("T-1", "R-2", [{ sku: "A", qty: 3 }]);
  assert.deepEqual(await sums("T-1"), ["RECEIVED", 6, 0, 6, 1, 0]);
  assert.deepEqual(await goods.stock("A", "DC2"), ["DAMAGED 1/0", "GOOD 5/0"]);
  assert.deepEqual(await goods.topics("transfer", "T-1"), [
    "transfer:created",
    "transfer:shipped",
    "transfer:received",
    "transfer:received",
  ]);
  const [adj] = await goods.outbound("ADJ", "T-1");
  assert.deepEqual(adj?.root.texts("reasonCode", "lines/line/sku", "lines/line/qty"), ["TRANSFER", "A", "-6"]);
  const [gr] = await goods.outbound("GR", "T-1/DC1");
  assert.deepEqual(gr?.root.texts("poNumber", "vendorOrderId", "receiptId"), ["T-1", "DC1", "R-1"]);
});

test("a transfer of more than is free is refused, and never takes what an order holds", async () => {
  await stock("B", 5);
  await demo.accept("NO", order("DEMO", "O-1", [{ sku: "B", qty: 3 }], { distributionCentre: "DC1" }));
  assert.deepEqual(await goods.stock("B"), ["GOOD 5/3"]);
  const { errors } = await refused(422, create("T-2", [{ sku: "B", qty: 3 }]));
  assert.deepEqual(
    errors.map(({ pointer }) => pointer),
    ["#/lines/0/qty"],
  );
  assert.match(String(errors[0]?.message), /2 of SKU B are free in DC1/);
  await answered(201, create("T-2", [{ sku: "B", qty: 2 }]));
  assert.deepEqual(await goods.stock("B"), ["GOOD 5/5"]);
  const cancelled = await answered(200, cancel("T-2"));
  assert.deepEqual([cancelled.status, cancelled.lines[0]?.qtyAllocated], ["CANCELLED", 0]);
  assert.deepEqual(await goods.stock("B"), ["GOOD 5/3"]);
  await refused(409, cancel("T-2"));
  await refused(409, create("T-2", [{ sku: "B", qty: 1 }]));
});

test("a request with faults names each of them", async () => {
  const { errors } = await refused(
    400,
    create(
      "T-3",
      [
        { sku: "A", qty: 1 },
        { sku: "A", qty: 1 },
      ],
      { toFacility: "DC1" },
    ),
  );
  assert.deepEqual(
    errors.map(({ pointer }) => pointer),
    ["#/toFacility", "#/lines/1/sku"],
  );
  const unknown = await refused(
    422,
    create(
      "T-3",
      [
        { sku: "A", qty: 0.5 },
        { sku: "Q", qty: 1 },
      ],
      { toFacility: "DC9" },
    ),
  );
  assert.deepEqual(
    unknown.errors.map(({ pointer }) => pointer),
    ["#/toFacility", "#/lines/0/qty", "#/lines/1/sku"],
  );
  await refused(404, inventory.GET(`${service}/get/{transferId}`, path("T-3")));
  await refused(404, cancel("T-3"));
  const stale = { params: { path: { transferId: "T-1" }, header: { "if-match": '"1"' } }, body: {} };
  await refused(412, inventory.POST(`${service}/cancel/{transferId}`, stale));
});

test("what does not ship is free again, and what does not arrive is lost when the transfer is closed", async () => {
  await stock("C", 8);
  await answered(201, create("T-4", [{ sku: "C", qty: 8 }]));
  assert.match(await refuse(409, "T-4", [{ sku: "C", qty: 9 }]), /8 are ordered/);
  assert.match(await refuse(422, "T-4", [{ sku: "A", qty: 1 }]), /not on transfer/);
  assert.match(await refuse(404, "T-9", [{ sku: "A", qty: 1 }]), /no transfer T-9/);
  await ship("T-4", [{ sku: "C", qty: 7 }]);
  assert.deepEqual(await goods.stock("C"), ["GOOD 1/0"]);
  assert.match(await refuse(409, "T-4", [{ sku: "C", qty: 1 }]), /SHIPPED/);
  await refused(409, cancel("T-4"));
  await receive("T-4", "R-3", [{ sku: "C", qty: 5 }], { closeOrder: true });
  assert.deepEqual(await sums("T-4"), ["CLOSED", 7, 0, 5, 0, 2]);
  assert.deepEqual((await goods.topics("transfer", "T-4")).at(-1), "transfer:closed");
  // Goods that come later reopen it.
  await receive("T-4", "R-4", [{ sku: "C", qty: 2 }]);
  assert.deepEqual(await sums("T-4"), ["RECEIVED", 7, 0, 7, 0, 0]);
});

test("a correction of a receipt puts goods back in transit, and more than shipped is on hold", async () => {
  await answered(201, create("T-5", [{ sku: "A", qty: 2 }]));
  await ship("T-5", [{ sku: "A", qty: 2 }]);
  await receive("T-5", "R-5", [{ sku: "A", qty: 3 }]);
  assert.deepEqual(await sums("T-5"), ["RECEIVED", 2, 0, 3, 0, 0]);
  assert.ok((await goods.stock("A", "DC2")).includes("ON_HOLD 1/0"));
  await receive("T-5", "R-6", [{ sku: "A", qty: 1 }], { correctsReceiptId: "R-5" });
  assert.deepEqual(await sums("T-5"), ["RECEIVING", 2, 1, 1, 0, 0]);
  await answered(
    200,
    orders.POST("/v1/orderService/purchaseOrder/close/{poNumber}", { params: { path: { poNumber: "T-5" } }, body: {} }),
  );
  assert.deepEqual(await sums("T-5"), ["CLOSED", 2, 0, 1, 0, 1]);
});

test("a lot ships as the warehouse names it, and a unit by its serial number", async () => {
  await stock("LOT", 5, { batchRef: "L1" });
  await stock("LOT", 5, { batchRef: "L2" });
  await stock("SER", 2, { serials: ["S1", "S2"] });
  await answered(
    201,
    create("T-6", [
      { sku: "LOT", qty: 4 },
      { sku: "SER", qty: 2 },
    ]),
  );
  assert.deepEqual(await goods.stock("LOT"), ["GOOD L1 5/4", "GOOD L2 5/0"]);
  assert.match(await refuse(422, "T-6", [{ sku: "LOT", qty: 1 }]), /batchRef/);
  assert.match(await refuse(409, "T-6", [{ sku: "SER", qty: 1, serials: ["S9"] }]), /S9/);
  await ship("T-6", [
    { sku: "LOT", qty: 3, batchRef: "L2" },
    { sku: "SER", qty: 1, serials: ["S2"] },
  ]);
  assert.deepEqual(await goods.stock("LOT"), ["GOOD L1 5/0", "GOOD L2 2/0"]);
  assert.deepEqual(await goods.stock("SER"), ["GOOD 1/0"]);
  await receive("T-6", "R-7", [
    { sku: "LOT", qty: 3, batchRef: "L2" },
    { sku: "SER", qty: 1, serials: ["S2"] },
  ]);
  assert.equal((await get("T-6")).status, "RECEIVED");
  assert.deepEqual(await goods.stock("SER", "DC2"), ["GOOD 1/0"]);
});

test("stock that is lost is taken from a transfer first, which then ships less", async () => {
  const [there] = await goods.stock("B");
  assert.equal(there, "GOOD 5/3");
  await answered(201, create("T-7", [{ sku: "B", qty: 2 }]));
  await stock("B", -1);
  const { lines, version } = await get("T-7");
  assert.deepEqual([lines[0]?.qtyAllocated, version], [1, 2]);
  assert.deepEqual(await goods.stock("B"), ["GOOD 4/4"]);
  assert.match(await refuse(409, "T-7", [{ sku: "B", qty: 2 }]), /1 are reserved for it or free/);
  await ship("T-7", [{ sku: "B", qty: 1 }]);
  assert.equal((await demo.order("O-1"))?.status, "ALLOCATED");
});

test("the feed cannot change the purchase order of a transfer, and its number may be one of the client's", async () => {
  await demo.accept("PO", purchaseOrder("DEMO", "T-7", ["A"], { vendorOrderId: "V-1", distributionCentre: "DC2" }));
  const parts = { vendorOrderId: "DC1", distributionCentre: "DC2", actionType: "CANCEL" };
  await demo.refuse("PO", purchaseOrder("DEMO", "T-7", [], parts), /is of a transfer/);
});

test("a list of transfers has filters and pages", async () => {
  const list = (query: object) => answered(200, inventory.GET(`${service}/list`, { params: { query } }));
  const ids = async (query: object) => (await list(query)).items.map(({ transferId }) => transferId);
  assert.deepEqual(await ids({}), ["T-1", "T-2", "T-4", "T-5", "T-6", "T-7"]);
  assert.deepEqual(await ids({ status: "CANCELLED" }), ["T-2"]);
  assert.deepEqual(await ids({ fromFacility: "DC2" }), []);
  const first = await list({ limit: 4, sort: "-receivedAt" });
  assert.equal(first.items.length, 4);
  assert.deepEqual(await ids({ cursor: first.nextCursor, limit: 4, sort: "-receivedAt" }), ["T-2", "T-1"]);
  const { updatedAt } = await get("T-5");
  assert.deepEqual(await ids({ updatedSince: updatedAt }), ["T-5", "T-6", "T-7"]);
  await refused(422, inventory.GET(`${service}/list`, { params: { query: { fromFacility: "DC9" } } }));
});
