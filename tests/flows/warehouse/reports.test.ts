// warehouse.md: every report over the wire, through one life of goods and orders; each answer matches the document.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { TSchema } from "typebox";
import { Compile } from "typebox/compile";
import { createIds } from "#/kernel/values/ids.ts";
import { createReportKinds } from "#/modules/warehouse/reports/report-kinds.ts";
import { createWorkOrder } from "#/modules/workorders/index.ts";
import { createOutboxWriter } from "#/store/outbox/append.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import {
  attributes,
  authorisation,
  cancelOrder,
  catalogue,
  order,
  purchaseOrder,
} from "../../support/builders/documents.ts";
import { determinationContext } from "../../support/carriers/carriers.ts";
import { carrierOf, type PortTask, warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const brand = await server.onboard("BRAND");
const dc1 = await warehouseOf(server);
const dc2 = await warehouseOf(server, "DC2");
const carrier = await carrierOf(server, "RM");
await demo.accept(
  "CAT",
  catalogue("DEMO", [
    "A",
    "B",
    "KIT",
    { sku: "LOT", captureBatchRef: "true" },
    { sku: "SN", extendedAttributes: attributes({ CaptureSerial: "true" }) },
  ]),
);
await brand.accept("CAT", catalogue("BRAND", ["A"]));

const kinds = createReportKinds({
  findClient: async () => undefined,
  ssccs: { stockUp: async () => {}, take: async () => [] },
  carriers: determinationContext(),
});
const checks = new Map(kinds.map(({ path, answer }) => [path, Compile(withNulls(answer) as TSchema)]));

/** Converts `nullable` of OpenAPI 3.0 into keywords that the validator knows. */
function withNulls(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(withNulls);
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withNulls(value)]));
  return copy.nullable === true ? { anyOf: [copy, { type: "null" }] } : copy;
}

/** Sends a report, and validates its answer against its schema. */
async function report(path: string, body: object, port = dc1): Promise<Record<string, unknown>> {
  const answer = await port.report(path.slice(1), body);
  assert.deepEqual(
    [...(checks.get(path)?.Errors(answer) ?? ["no such kind"])],
    [],
    `${path} ${JSON.stringify(answer)}`,
  );
  return answer;
}

const isTask = (type: string, objectId: string) => (task: PortTask) => task.type === type && task.objectId === objectId;
const picked = (qtyPicked: number, more: object = {}) => [{ lineNumber: 1, qtyPicked, ...more }];
const parcel = (qty: number, more: object = {}) => ({
  weight: 0.5,
  weightUomCode: "KG",
  contents: [{ lineNumber: 1, qty }],
  ...more,
});
const olpnsOf = (answer: Record<string, unknown>) =>
  (answer.olpns as { olpnId: string; trackingNumber: string }[]).map(({ olpnId }) => olpnId);

async function balances(sku: string, clientId = "DEMO"): Promise<Record<string, number>> {
  const rows = await server.rows<{ condition: string; qty: string }>(
    "select condition, sum(qty) as qty from stock_balance where client_id = $1 and sku = $2 group by 1 having sum(qty) > 0 order by 1",
    clientId,
    sku,
  );
  return Object.fromEntries(rows.map(({ condition, qty }) => [condition, Number(qty)]));
}

/** Packs an order into one parcel. */
async function packedOrder(client: typeof demo, orderId: string, qty = 1): Promise<string> {
  const { clientId } = client.credentials;
  await client.accept("NO", order(clientId, orderId, [{ sku: "A", qty }], { distributionCentre: "DC1" }));
  await dc1.task((task) => isTask("PICK", orderId)(task) && task.clientId === clientId);
  await report("/pick/report", { clientId, orderId, lines: picked(qty) });
  const [olpnId] = olpnsOf(await report("/pack/report", { clientId, orderId, olpns: [parcel(qty)] }));
  return olpnId as string;
}

test("goods come in, are corrected, counted, held and adjusted", async () => {
  await demo.accept(
    "PO",
    purchaseOrder("DEMO", "PO-1", [
      { sku: "A", qty: 100 },
      { sku: "LOT", qty: 10 },
    ]),
  );
  const receipt = { clientId: "DEMO", poNumber: "PO-1", receiptId: "R-1" };
  const noBatch = { ...receipt, lines: [{ lineNumber: 2, sku: "LOT", qty: 10 }] };
  assert.match(await dc1.refuse("goodsReceipt", noBatch, 422), /batch/i);
  const first = await report("/goodsReceipt/report", {
    ...receipt,
    lines: [
      { lineNumber: 1, sku: "A", qty: 90 },
      { lineNumber: 2, sku: "LOT", qty: 10, batchRef: "B-1", expiryDate: "2090-01-31" },
    ],
  });
  assert.equal(first.status, "RECEIVING");
  await report("/goodsReceipt/report", {
    ...receipt,
    receiptId: "R-2",
    correctsReceiptId: "R-1",
    lines: [
      { lineNumber: 1, sku: "A", qty: 100 },
      { lineNumber: 2, sku: "LOT", qty: 10, batchRef: "B-1", expiryDate: "2090-01-31" },
    ],
  });
  assert.deepEqual(await balances("A"), { GOOD: 100 });
  await report("/goodsReceipt/report", { ...receipt, receiptId: "R-3", lines: [], closeOrder: true });
  const reason = { clientId: "DEMO", reasonCode: "CONDITION" };
  await report("/hold/report", {
    ...reason,
    lines: [{ sku: "A", qty: 10, fromCondition: "GOOD", toCondition: "DAMAGED" }],
  });
  await report("/count/report", { clientId: "DEMO", countId: "C-1", lines: [{ sku: "A", countedQty: 95 }] });
  await report("/adjustment/report", {
    clientId: "DEMO",
    adjustmentId: "A-1",
    reasonCode: "FOUND",
    lines: [{ sku: "B", qty: 50 }],
  });
  assert.deepEqual(await balances("A"), { DAMAGED: 10, GOOD: 95 });
});

test("an order is picked, packed, loaded, despatched and delivered", async () => {
  await demo.accept("NO", order("DEMO", "LIFE", [{ sku: "A", qty: 3 }], { distributionCentre: "DC1" }));
  const { taskId, version } = await dc1.task(isTask("PICK", "LIFE"));
  await report("/pick/report", { clientId: "DEMO", orderId: "LIFE", lines: picked(2) });
  // The warehouse's own pick creates no new version of its task, even after all its consequences are processed.
  const pending = () => server.rows("select from outbox where client_id = 'DEMO' and state = 'PENDING' limit 1");
  await until("the pick is published", async () => (await pending()).length === 0);
  const task = await dc1.task(isTask("PICK", "LIFE"));
  assert.deepEqual([task.taskId, task.version, task.lines[0]?.qty], [taskId, version, 1]);
  await report("/pick/report", { clientId: "DEMO", orderId: "LIFE", lines: picked(1) });
  const packed = await report("/pack/report", { clientId: "DEMO", orderId: "LIFE", olpns: [parcel(2), parcel(1)] });
  const [first, second] = olpnsOf(packed) as [string, string];
  assert.deepEqual(
    (packed.olpns as { carrierCode: unknown; documents: { type: string }[] }[]).map(({ carrierCode, documents }) => [
      carrierCode,
      ...documents.map(({ type }) => type),
    ]),
    [
      ["ANY", "PACKING_SLIP", "SHIPPING_LABEL", "SHIPPING_LABEL"],
      ["ANY", "PACKING_SLIP", "SHIPPING_LABEL", "SHIPPING_LABEL"],
    ],
  );
  await report("/parcel/void", { clientId: "DEMO", olpnId: second });
  const [third] = olpnsOf(await report("/pack/report", { clientId: "DEMO", orderId: "LIFE", olpns: [parcel(1)] })) as [
    string,
  ];
  await report("/load/report", { loadId: "L-1", olpnIds: [first, third], vehicle: "VAN" });
  await report("/load/remove", { loadId: "L-1", olpnIds: [third] });
  await report("/despatch/report", { loadId: "L-1" });
  assert.equal((await demo.order("LIFE"))?.status, "PARTIALLY_DESPATCHED");
  assert.match(await dc2.refuse("despatch", { olpnIds: [third] }, 404), new RegExp(third));
  await report("/despatch/report", { clientId: "DEMO", olpnIds: [third] });
  assert.equal((await demo.order("LIFE"))?.status, "DESPATCHED");
  const occurredAt = new Date().toISOString();
  for (const olpnId of [first, third])
    await report("/carrierEvent/report", { olpnId, eventCode: 160, occurredAt }, carrier);
  const event = { olpnId: first, eventCode: 200, occurredAt, reportId: "E-1" };
  const delivered = await report("/carrierEvent/report", event, carrier);
  assert.deepEqual(await report("/carrierEvent/report", event, carrier), delivered);
  assert.match(await carrier.refuse("carrierEvent", { ...event, eventCode: 210 }, 409), /'E-1'/);
  assert.match(await carrier.refuse("carrierEvent", { olpnId: first, eventCode: 100, occurredAt }, 422), /up to 100/);
  const { orderStatus } = (
    (await report("/carrierEvent/report", { olpnId: third, eventCode: 200, occurredAt })).olpns as {
      orderStatus: string;
    }[]
  )[0] as { orderStatus: string };
  assert.equal(orderStatus, "DELIVERED");
});

test("a load of several clients leaves whole, and each client's order is its own", async () => {
  await dc1.report("adjustment", {
    clientId: "BRAND",
    adjustmentId: "A-1",
    reasonCode: "FOUND",
    lines: [{ sku: "A", qty: 5 }],
  });
  const olpnIds = [await packedOrder(demo, "SHARED"), await packedOrder(brand, "SHARED")];
  assert.deepEqual(
    olpnsOf(await report("/load/report", { loadId: "L-2", olpnIds, reportId: "LOADED" })).sort(),
    [...olpnIds].sort(),
  );
  const foreign = await dc1.refuse("despatch", { clientId: "DEMO", olpnIds }, 404);
  assert.match(foreign, new RegExp(olpnIds[1] as string));
  const body = { loadId: "L-2", reportId: "GONE" };
  const gone = await report("/despatch/report", body);
  assert.deepEqual(olpnsOf(gone).sort(), [...olpnIds].sort());
  for (const client of [demo, brand]) assert.equal((await client.order("SHARED"))?.status, "DESPATCHED");
  // The load is now empty, and the repeated report is still recognised.
  assert.deepEqual(await dc1.report("despatch", body), gone);
  assert.equal((await balances("A", "BRAND")).GOOD, 4);
});

test("one client's refusal keeps the whole load back", async () => {
  const olpnIds = [await packedOrder(brand, "BACK"), await packedOrder(demo, "BACK")];
  await dc1.report("despatch", { olpnIds: [olpnIds[1]] });
  const refusal = await dc1.refuse("despatch", { olpnIds }, 409);
  assert.match(refusal, new RegExp(olpnIds[1] as string));
  assert.equal((await brand.order("BACK"))?.status, "PACKED");
});

test("an OLPN that another client's parcel has is a refusal, not a fault", async () => {
  const taken = await packedOrder(brand, "OWNER");
  await demo.accept("NO", order("DEMO", "THIEF", ["A"], { distributionCentre: "DC1" }));
  await dc1.task((task) => isTask("PICK", "THIEF")(task) && task.clientId === "DEMO");
  await report("/pick/report", { clientId: "DEMO", orderId: "THIEF", lines: picked(1) });
  const body = { clientId: "DEMO", orderId: "THIEF", olpns: [parcel(1, { olpnId: taken })] };
  assert.match(await dc1.refuse("pack", body, 409), new RegExp(taken));
});

test("a cancel request is answered line by line", async () => {
  await demo.accept("NO", order("DEMO", "CANCEL", ["A"], { distributionCentre: "DC1" }));
  const { taskId } = await dc1.task(isTask("PICK", "CANCEL"));
  await dc1.post("/task/accept", { taskIds: [taskId] });
  await demo.accept("NO", cancelOrder("DEMO", "CANCEL"));
  await dc1.task(isTask("CANCEL_REQUEST", "CANCEL"));
  const body = { clientId: "DEMO", orderId: "CANCEL", lines: [{ lineNumber: 1, outcome: "CANCELLED" }] };
  assert.equal((await report("/cancel/report", body)).status, "CANCELLED");
  await dc1.task((task) => isTask("CANCEL_REQUEST", "CANCEL")(task) && task.withdrawnAt !== null);
});

test("returns come back, announced, unannounced and refused", async () => {
  await demo.accept("RMA", authorisation("DEMO", "RMA-1", [{ sku: "A", quantityReturned: 2 }]));
  const lines = [
    { lineNumber: 1, sku: "A", qty: 1, disposition: "RESELLABLE" },
    { lineNumber: 1, sku: "A", qty: 1, disposition: "SCRAP" },
  ];
  assert.equal((await report("/return/report", { clientId: "DEMO", rmaNumber: "RMA-1", lines })).status, "RECEIVED");
  await report("/return/report", {
    clientId: "DEMO",
    returnId: "BLIND",
    lines: [{ sku: "A", qty: 1, disposition: "RESELLABLE" }],
  });
  assert.equal((await balances("A")).QUARANTINE, 1);
});

test("a work order is assembled", async () => {
  const writer = createOutboxWriter(createIds());
  await server.operate(async (tx, change) => {
    const made = await createWorkOrder(tx.of("DEMO", change), {
      clientId: "DEMO",
      facilityCode: "DC1",
      workOrderId: "WO-1",
      finishedGoodSku: "KIT",
      qty: 5,
      components: [{ sku: "B", qtyPer: 2 }],
    });
    assert.ok(made.ok, JSON.stringify(made));
    writer.append(tx.of("DEMO"), change.at, made.value.events);
  });
  const task = await dc1.task(isTask("WORK_ORDER", "WO-1"));
  assert.deepEqual(
    task.lines.map(({ sku, qty }) => [sku, qty]),
    [["B", 10]],
  );
  const body = { clientId: "DEMO", workOrderId: "WO-1", finishedGood: { qty: 5 } };
  assert.equal((await report("/workOrder/report", body)).status, "COMPLETED");
  assert.deepEqual([await balances("KIT"), await balances("B")], [{ GOOD: 5 }, { GOOD: 40 }]);
  assert.match(await dc1.refuse("workOrder", body, 409), /COMPLETED/);
});

test("a line that the order does not have cannot be packed, nor answered for", async () => {
  await dc1.report("adjustment", {
    clientId: "DEMO",
    adjustmentId: "ODD",
    reasonCode: "FOUND",
    lines: [{ sku: "B", qty: 5 }],
  });
  await demo.accept("NO", order("DEMO", "ODD", [{ sku: "B", qty: 2 }], { distributionCentre: "DC1" }));
  await dc1.task((task) => task.type === "PICK" && task.objectId === "ODD");
  await dc1.report("pick", { clientId: "DEMO", orderId: "ODD", lines: [{ lineNumber: 1, qtyPicked: 2 }] });
  const parcel = { weight: 1, weightUomCode: "KG", contents: [{ lineNumber: 9, qty: 1 }] };
  assert.match(await dc1.refuse("pack", { clientId: "DEMO", orderId: "ODD", olpns: [parcel] }, 422), /no line 9/);
  await demo.accept("NO", cancelOrder("DEMO", "ODD"));
  const answer = { lineNumber: 9, outcome: "CANCELLED" };
  assert.match(await dc1.refuse("cancel", { clientId: "DEMO", orderId: "ODD", lines: [answer] }, 422), /line 9/);
});
