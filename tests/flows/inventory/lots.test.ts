// rest.md §3: a lot or unit is traced from its receipt to the customers that got it, through work orders; what is left of a
// lot is put on hold, and released.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LotTrace } from "@crossdock/client/inventory";
import { testServer } from "../../support/app/server.ts";
import { attributes, authorisation, purchaseOrder } from "../../support/builders/documents.ts";
import { lifeOf } from "../../support/builders/life.ts";
import { answered, clientOf, refused } from "../../support/http/rest-client.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const dc2 = await warehouseOf(server, "DC2");
const serial = { extendedAttributes: attributes({ CaptureSerial: "true" }) };
const life = await lifeOf(server, dc1, "DEMO", {
  items: [
    { sku: "OIL", captureBatchRef: "true" },
    { sku: "SET", captureBatchRef: "true" },
    { sku: "TIN", captureBatchRef: "true" },
    "BOX",
    { sku: "SER", ...serial },
  ],
});
const { client } = life;
const clientId = "DEMO";
const { inventory, workOrders } = clientOf(server, client);
const other = clientOf(server, await server.onboard("OTHER"));

type Query = { sku: string; lotNumber?: string; serialNumber?: string; limit?: number; cursor?: string };
const path = "/v1/inventoryService/lot";
const trace = (query: Query) => answered(200, inventory.GET(`${path}/trace`, { params: { query } }));
const orders = (query: Query) => answered(200, inventory.GET(`${path}/orders`, { params: { query } }));
const oil = { sku: "OIL", lotNumber: "L1" };
const change = (
  kind: "hold" | "release",
  more: { lotNumber?: string; sku?: string; distributionCentre?: string } = {},
  headers: Record<string, string> = {},
) => inventory.POST(`${path}/${kind}`, { body: { ...oil, reason: "Recall 17", ...more }, headers });

const receive = async (port: typeof dc1, poNumber: string, sku: string, line: object) => {
  const distributionCentre = port === dc1 ? "DC1" : "DC2";
  await client.accept("PO", purchaseOrder(clientId, poNumber, [{ sku, qty: 20 }], { distributionCentre }));
  await port.report("goodsReceipt", { clientId, poNumber, receiptId: `R-${poNumber}`, lines: [{ sku, ...line }] });
  await life.quiet();
};
/** Despatches line 1 of a lot in a parcel for each quantity. */
async function ship(orderId: string, sku: string, lot: object, ...quantities: number[]): Promise<string[]> {
  const qty = quantities.reduce((sum, quantity) => sum + quantity, 0);
  await life.place(orderId, [{ sku, qty }]);
  await life.pick(orderId, qty, lot);
  const olpns = quantities.map((quantity) => ({
    weight: 1,
    weightUomCode: "KG",
    contents: [{ lineNumber: 1, qty: quantity, ...lot }],
  }));
  const { olpns: made } = await dc1.report("pack", { clientId, orderId, olpns });
  const olpnIds = (made as { olpnId: string }[]).map(({ olpnId }) => olpnId);
  await dc1.report("despatch", { clientId, olpnIds });
  return olpnIds;
}
const stockOf = ({ stock }: LotTrace) =>
  stock.map(({ sku, lotNumber, distributionCentre, condition, isHeld, qty, allocated }) =>
    [sku, lotNumber, distributionCentre, condition, isHeld, qty, allocated].join(" "),
  );

let parcels: string[] = [];

test("a lot is traced from its receipts over work orders to orders, parcels, customers and returns", async () => {
  await receive(dc1, "PO-1", "OIL", { qty: 20, batchRef: "L1" });
  await receive(dc2, "PO-2", "OIL", { qty: 5, batchRef: "L1" });
  await life.stock([
    { sku: "OIL", qty: 9, batchRef: "L2" },
    { sku: "BOX", qty: 9 },
  ]);
  parcels = await ship("O-1", "OIL", { batchRef: "L1" }, 2, 1);
  const body = {
    workOrderId: "W-1",
    facilityCode: "DC1",
    finishedGoodSku: "SET",
    qty: 2,
    components: [
      { sku: "OIL", qtyPer: 3 },
      { sku: "BOX", qtyPer: 1 },
    ],
  };
  await answered(201, workOrders.POST("/v1/workOrderService/workOrder/create", { body }));
  await dc1.report("workOrder", { clientId, workOrderId: "W-1", finishedGood: { qty: 2, batchRef: "G1" } });
  const [set = ""] = await ship("O-2", "SET", { batchRef: "G1" }, 1);
  await life.place("O-3", [{ sku: "OIL", qty: 4 }]);
  await client.accept("RMA", authorisation(clientId, "RMA-1", [{ sku: "OIL" }], { orderReference: "O-1" }));
  const back = { sku: "OIL", qty: 1, disposition: "QUARANTINE", batchRef: "L1" };
  await dc1.report("return", { clientId, rmaNumber: "RMA-1", lines: [back] });
  await life.quiet();

  const answer = await trace(oil);
  assert.deepEqual(
    [answer.found, answer.lotNumber, answer.serialNumber, answer.ordersNextCursor],
    [true, "L1", null, null],
  );
  assert.deepEqual(answer.lots, [
    { ...oil, level: 0, workOrderId: null },
    { sku: "SET", lotNumber: "G1", level: 1, workOrderId: "W-1" },
  ]);
  assert.deepEqual(stockOf(answer), [
    "OIL L1 DC1 GOOD false 11 4",
    "OIL L1 DC1 QUARANTINE true 1 0",
    "OIL L1 DC2 GOOD false 5 0",
    "SET G1 DC1 GOOD false 1 0",
  ]);
  assert.deepEqual(
    answer.reservations.map((held) => [
      held.ownerType,
      held.ownerId,
      held.lotNumber,
      held.qtyAllocated,
      held.qtyPicked,
    ]),
    [["ORDER", "O-3", "L1", 4, 0]],
  );
  assert.deepEqual(
    answer.receipts.map(({ poNumber, receiptId, distributionCentre, qty }) => [
      poNumber,
      receiptId,
      distributionCentre,
      qty,
    ]),
    [
      ["PO-2", "R-PO-2", "DC2", 5],
      ["PO-1", "R-PO-1", "DC1", 20],
    ],
  );
  const use = {
    workOrderId: "W-1",
    componentSku: "OIL",
    componentLotNumber: "L1",
    goodsSku: "SET",
    goodsLotNumber: "G1",
  };
  assert.deepEqual(
    answer.uses.map(({ bookedAt: _, ...fields }) => fields),
    [{ ...use, qty: 6 }],
  );
  assert.deepEqual(
    answer.returns.map(({ rmaNumber, disposition, qty, lotNumber }) => [rmaNumber, disposition, qty, lotNumber]),
    [["RMA-1", "QUARANTINE", 1, "L1"]],
  );
  assert.deepEqual(
    answer.orders.map((order) => [
      order.orderId,
      order.sku,
      order.lotNumber,
      order.qty,
      order.parcels.map((p) => [p.olpnId, p.qty]),
    ]),
    [
      [
        "O-1",
        "OIL",
        "L1",
        3,
        [
          [parcels[0], 2],
          [parcels[1], 1],
        ],
      ],
      ["O-2", "SET", "G1", 1, [[set, 1]]],
    ],
  );
  const [first] = answer.orders;
  assert.deepEqual(
    [first?.shipToAddress?.lastName, first?.shipToAddress?.email, first?.status],
    ["Khan", null, "DESPATCHED"],
  );
  assert.ok(
    first?.parcels.every(({ trackingNumber, despatchedAt }) => trackingNumber !== null && despatchedAt !== null),
  );
  const made = await trace({ sku: "SET", lotNumber: "G1" });
  assert.deepEqual(
    made.components.map(({ componentSku, componentLotNumber, qty }) => [componentSku, componentLotNumber, qty]),
    [
      ["BOX", null, 2],
      ["OIL", "L1", 6],
    ],
  );
  assert.deepEqual(
    made.orders.map(({ orderId }) => orderId),
    ["O-2"],
  );
  const foreign = other.inventory.GET(`${path}/trace`, { params: { query: oil } });
  assert.equal((await answered(200, foreign)).found, false);
});

test("goods of a component that was reported without a finished good are in every lot of the work order", async () => {
  const body = {
    workOrderId: "W-2",
    facilityCode: "DC1",
    finishedGoodSku: "SET",
    qty: 1,
    consumption: "REPORTED" as const,
    components: [
      { sku: "OIL", qtyPer: 1 },
      { sku: "BOX", qtyPer: 1 },
    ],
  };
  await answered(201, workOrders.POST("/v1/workOrderService/workOrder/create", { body }));
  const report = (more: object) => dc1.report("workOrder", { clientId, workOrderId: "W-2", ...more });
  await report({ components: [{ sku: "OIL", qty: 1, batchRef: "L2" }] });
  await report({ finishedGood: { qty: 1, batchRef: "G2" }, components: [{ sku: "BOX", qty: 1 }] });
  const { lots, uses } = await trace({ sku: "OIL", lotNumber: "L2" });
  assert.deepEqual(
    lots.map(({ lotNumber, level, workOrderId }) => [lotNumber, level, workOrderId]),
    [
      ["L2", 0, null],
      ["G2", 1, "W-2"],
    ],
  );
  assert.deepEqual(
    uses.map(({ goodsLotNumber }) => goodsLotNumber),
    [null],
  );
  const { components } = await trace({ sku: "SET", lotNumber: "G2" });
  assert.deepEqual(
    components.map(({ componentSku }) => componentSku),
    ["BOX", "OIL"],
  );
});

test("the orders of a lot come page by page, and continue where the trace ends", async () => {
  for (const orderId of ["O-6", "O-4", "O-5"]) await ship(orderId, "OIL", { batchRef: "L2" }, 1);
  const l2 = { sku: "OIL", lotNumber: "L2" };
  const short = await trace({ ...l2, limit: 1 });
  const seen = short.orders.map(({ orderId }) => orderId);
  for (let cursor = short.ordersNextCursor; cursor !== null; ) {
    const page = await orders({ ...l2, limit: 1, cursor });
    seen.push(...page.items.map(({ orderId }) => orderId));
    cursor = page.nextCursor;
  }
  assert.deepEqual(seen, ["O-4", "O-5", "O-6"]);
  // The page after the last order of a lot begins with the next lot.
  const [, second] = (await orders({ ...oil, limit: 1 })).items.concat(
    (await orders({ ...oil, limit: 1, cursor: (await orders({ ...oil, limit: 1 })).nextCursor ?? "" })).items,
  );
  assert.equal(second?.orderId, "O-2");
  const wrong = { params: { query: { ...l2, cursor: "x" } } };
  assert.equal((await refused(400, inventory.GET(`${path}/orders`, wrong))).errors[0]?.pointer, "/query/cursor");
});

test("a request names a lot or a serial number, and an unknown one is not found", async () => {
  for (const list of [`${path}/trace`, `${path}/orders`] as const) {
    const { errors } = await refused(422, inventory.GET(list, { params: { query: { sku: "OIL" } } }));
    assert.equal(errors[0]?.pointer, "/query/lotNumber");
  }
  assert.equal((await trace({ sku: "OIL", lotNumber: "L9" })).found, false);
  assert.equal((await trace({ sku: "SER", serialNumber: "S9" })).found, false);
});

test("a unit is traced by its serial number, also over a return", async () => {
  await receive(dc1, "PO-3", "SER", { qty: 2, serials: ["S1", "S2"] });
  const before = await trace({ sku: "SER", serialNumber: "S1", lotNumber: "ANY" });
  assert.deepEqual([before.lotNumber, before.serialNumber], [null, "S1"]);
  assert.deepEqual(stockOf(before), ["SER  DC1 GOOD false 1 0"]);
  assert.deepEqual([before.lots, before.orders, before.receipts.map(({ poNumber }) => poNumber)], [[], [], ["PO-3"]]);
  const [olpnId] = await ship("O-7", "SER", { serials: ["S1"] }, 1);
  const gone = await trace({ sku: "SER", serialNumber: "S1" });
  assert.deepEqual(
    [
      gone.found,
      gone.stock,
      gone.orders.map((order) => [order.orderId, order.parcels.map((p) => [p.olpnId, p.serials])]),
    ],
    [true, [], [["O-7", [[olpnId, ["S1"]]]]]],
  );
  await client.accept("RMA", authorisation(clientId, "RMA-2", [{ sku: "SER" }], { orderReference: "O-7" }));
  const back = { sku: "SER", qty: 1, disposition: "RESELLABLE", serials: ["S1"] };
  await dc1.report("return", { clientId, rmaNumber: "RMA-2", lines: [back] });
  const again = await trace({ sku: "SER", serialNumber: "S1" });
  assert.deepEqual(
    [again.returns.map(({ rmaNumber }) => rmaNumber), again.orders.map(({ orderId }) => orderId)],
    [["RMA-2"], ["O-7"]],
  );
  assert.deepEqual(stockOf(again), ["SER  DC1 GOOD false 1 0"]);
});

test("a hold takes what is left of a lot from sale in every facility, once, and a release gives it back", async () => {
  await life.place("O-8", [{ sku: "OIL", qty: 2 }]);
  await life.pick("O-8", 2, { batchRef: "L1" });
  const key = { "Idempotency-Key": "recall-17" };
  const held = await answered(200, change("hold", {}, key));
  assert.deepEqual(
    [held.qty, held.qtyInHand, held.changes.map(({ distributionCentre, qty }) => [distributionCentre, qty])],
    [
      14,
      2,
      [
        ["DC1", 9],
        ["DC2", 5],
      ],
    ],
  );
  assert.deepEqual(await answered(200, change("hold", {}, key)), held);
  const again = await answered(200, change("hold"));
  assert.deepEqual([again.qty, again.qtyInHand, again.changes], [0, 2, []]);
  assert.deepEqual(stockOf(await trace(oil)).slice(0, 4), [
    "OIL L1 DC1 GOOD false 2 2",
    "OIL L1 DC1 ON_HOLD true 9 0",
    "OIL L1 DC1 QUARANTINE true 1 0",
    "OIL L1 DC2 ON_HOLD true 5 0",
  ]);
  await life.quiet();
  // The order that had the lot allocated looks for other stock.
  assert.equal(await life.lotsOf("O-3"), "L2 4 FIFO");
  const part = await answered(200, change("release", { distributionCentre: "DC2" }));
  assert.deepEqual(
    part.changes.map(({ distributionCentre, qty }) => [distributionCentre, qty]),
    [["DC2", 5]],
  );
  const rest = await answered(200, change("release"));
  assert.deepEqual(
    rest.changes.map(({ distributionCentre, qty }) => [distributionCentre, qty]),
    [["DC1", 9]],
  );
  assert.equal((await answered(200, change("release"))).qty, 0);
  const audits = await server.rows<{ reason: string }>(
    "select distinct detail ->> 'note' as reason from audit_log where client_id = 'DEMO' and action = 'hold' and detail ->> 'note' is not null",
  );
  assert.deepEqual(audits, [{ reason: "Recall 17" }]);
  await life.assertSound();
});

test("a release leaves goods on hold that a pick did not find", async () => {
  const tin = { sku: "TIN", lotNumber: "T1" };
  await life.stock([{ sku: "TIN", qty: 6, batchRef: "T1" }]);
  await life.place("O-9", [{ sku: "TIN", qty: 2 }]);
  await life.pick("O-9", 0, { qtyShort: 2, batchRef: "T1" });
  await life.quiet();
  assert.equal((await answered(200, change("hold", tin))).qty, 4);
  assert.deepEqual(stockOf(await trace(tin)), ["TIN T1 DC1 ON_HOLD true 6 0"]);
  assert.equal((await answered(200, change("release", tin))).qty, 4);
  assert.equal((await answered(200, change("release", tin))).qty, 0);
  const conditions = (await trace(tin)).stock.map(({ condition, qty }) => [condition, qty]);
  assert.deepEqual(conditions, [
    ["GOOD", 4],
    ["ON_HOLD", 2],
  ]);
});

test("units of a held product keep their serial numbers, and a foreign facility is refused", async () => {
  await life.stock([{ sku: "SER", qty: 1, batchRef: "B1", serials: ["S5"] }]);
  const lot = { sku: "SER", lotNumber: "B1" };
  assert.equal((await answered(200, change("hold", lot))).qty, 1);
  assert.deepEqual(stockOf(await trace({ sku: "SER", serialNumber: "S5" })), ["SER B1 DC1 ON_HOLD true 1 0"]);
  assert.equal((await answered(200, change("release", lot))).qty, 1);
  for (const kind of ["hold", "release"] as const) {
    const { errors } = await refused(422, change(kind, { distributionCentre: "DC9" }));
    assert.equal(errors[0]?.pointer, "#/distributionCentre");
    const used = { "Idempotency-Key": `used-${kind}` };
    await answered(200, change(kind, lot, used));
    await refused(409, change(kind, { ...lot, sku: "OIL" }, used));
  }
});
