// A report that is repeated while the first request is in progress, ten times concurrently and on two nodes, has one
// effect and one response (warehouse.md: a repeat of an accepted report answers the first result).
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { issueWarehouseCredential } from "#/modules/clients/index.ts";
import { ssccOf } from "#/modules/parcels/sscc.ts";
import { createTransfer } from "#/modules/transfers/index.ts";
import { createWorkOrder } from "#/modules/workorders/index.ts";
import { atEnd } from "../support/app/at-end.ts";
import { testServer } from "../support/app/server.ts";
import { authorisation, cancelOrder, catalogue, order, purchaseOrder } from "../support/builders/documents.ts";
import { brokenRules } from "../support/builders/stock.ts";
import { seedCarriers } from "../support/carriers/carriers.ts";
import type { Answer } from "../support/http/call.ts";
import { isReport, listPublishedOperations } from "../support/http/published-operations.ts";
import { type Port, portOf } from "../support/warehouse/warehouse-port.ts";

const timesAtOnce = 10;
const clientId = "DEMO";

/** The paths of the reports that the tests have sent. */
const reported = new Set<string>();

const server = await testServer();
const client = await server.onboard(clientId);
let nodes: Port[] = [];
let stopOther = async () => {};
atEnd(() => stopOther());

before(async () => {
  await seedCarriers(server.database);
  const other = await server.startNode();
  stopOther = other.stop;
  const { oauth } = await server.operate((tx, change) =>
    issueWarehouseCredential(tx, change, { facilityCode: "DC1", environment: "sandbox" }),
  );
  nodes = await Promise.all([server.url, other.url].map((url) => portOf(url, oauth)));
  await client.accept("CAT", catalogue(clientId, ["A", "B", "SET", "BOXED"]));
});

interface Effects {
  readonly movements: number;
  readonly events: number;
  readonly documents: number;
  readonly audits: number;
  readonly exceptions: number;
}

/** Everything that a report may change. The periodic event `inventory:changed` is not an effect of a report. */
async function effects(): Promise<Effects> {
  const [row] = await server.rows<Effects>(
    `select (select count(*) from stock_movement where client_id = $1)::int as movements,
      (select count(*) from event where client_id = $1 and topic <> 'inventory:changed')::int
        + (select count(*) from outbox where client_id = $1 and topic <> 'inventory:changed')::int as events,
      (select count(*) from outbound_document where client_id = $1)::int as documents,
      (select count(*) from audit_log where client_id = $1)::int as audits,
      (select count(*) from operator_exception where client_id = $1)::int as exceptions`,
    clientId,
  );
  return row as Effects;
}

/** Waits until nothing more is published and the effects no longer change. */
async function atRest(): Promise<Effects> {
  for (const until = Date.now() + 60_000; ; ) {
    const first = await effects();
    const [pending] = await server.rows<{ n: number }>(
      `select (select count(*) from outbox where client_id = $1)::int
        + (select count(*) from stock_change where client_id = $1 and needs_allocation)::int as n`,
      clientId,
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    if (pending?.n === 0 && JSON.stringify(await effects()) === JSON.stringify(first)) return first;
    assert.ok(Date.now() < until, "the server comes to rest");
  }
}

/** Retries like a warehouse that gets a 503, because requests before its own took too long. */
async function insist(port: Port, path: string, body: object, headers?: Record<string, string>): Promise<Answer> {
  for (const until = Date.now() + 60_000; ; ) {
    const answer = await port.post(path, body, headers);
    if (answer.status !== 503 || Date.now() > until) return answer;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** Sends the report to both nodes at the same time. Returns the common response. */
async function atOnce(path: string, body: object, headers?: Record<string, string>): Promise<Record<string, unknown>> {
  reported.add(path);
  const sent = await atRest();
  const answers = await Promise.all(
    Array.from({ length: timesAtOnce }, (_, i) => insist(nodes[i % nodes.length] as Port, path, body, headers)),
  );
  const [first] = answers as [Answer];
  for (const { status, body: answerBody } of answers) {
    assert.equal(status, 200, `${path}: ${JSON.stringify(answerBody)}`);
    assert.deepEqual(answerBody, first.body, `${path}: all are answered as the first`);
  }
  const originals = answers.filter(({ headers: got }) => got.get("idempotent-replayed") === null);
  assert.equal(originals.length, 1, `${path}: one of them took effect, the others are repeats`);
  const once = await atRest();
  assert.equal(once.exceptions, sent.exceptions, `${path}: nothing for an operator`);
  // A later single repeat gives the reference result of the ten: it changes nothing.
  const again = await (nodes[0] as Port).post(path, body, headers);
  assert.deepEqual([again.status, again.body], [200, first.body]);
  assert.deepEqual(await atRest(), once);
  assert.deepEqual(await brokenRules(server.database, clientId), []);
  return first.body;
}

const onHand = async (sku: string) => {
  const rows = await server.rows<{ condition: string; qty: string }>(
    "select condition, qty from stock_balance where client_id = $1 and sku = $2 and qty > 0 order by condition",
    clientId,
    sku,
  );
  return rows.map(({ condition, qty }) => `${condition} ${Number(qty)}`);
};

test("goods reported ten times at once are booked once", async () => {
  await client.accept("PO", purchaseOrder(clientId, "PO-1", [{ sku: "A", qty: 100 }]));
  const lines = [{ lineNumber: 1, sku: "A", qty: 60 }];
  const receipt = { clientId, poNumber: "PO-1" };
  await atOnce("/goodsReceipt/report", { ...receipt, receiptId: "R-1", lines });
  await atOnce("/goodsReceipt/report", {
    ...receipt,
    receiptId: "R-2",
    reportId: "again",
    lines: [{ ...lines[0], qty: 40 }],
  });
  assert.deepEqual(await onHand("A"), ["GOOD 100"]);
  const rows = await server.rows("select from outbound_document where client_id = $1 and type = 'GR'", clientId);
  assert.equal(rows.length, 2);
  await atOnce("/goodsReceipt/report", {
    ...receipt,
    receiptId: "R-3",
    correctsReceiptId: "R-2",
    lines: [{ ...lines[0], qty: 30 }],
  });
  assert.deepEqual(await onHand("A"), ["GOOD 90"]);
});

test("a carton reported ten times at once comes once", async () => {
  const sscc = ssccOf("4012345", 1);
  const line = { sku: "BOXED", qty: 5 };
  await client.accept(
    "PO",
    purchaseOrder(clientId, "PO-CARTON", [line], { cartons: { carton: [{ sscc, lines: { line: [line] } }] } }),
  );
  await atOnce("/goodsReceipt/report", { clientId, sscc, receiptId: "R-CARTON" });
  assert.deepEqual(await onHand("BOXED"), ["GOOD 5"]);
});

test("adjustments, holds and counts reported ten times at once are booked once", async () => {
  const lines = [{ sku: "B", qty: 20 }];
  await atOnce("/adjustment/report", { clientId, adjustmentId: "ADJ-1", reasonCode: "FOUND", lines });
  await atOnce(
    "/adjustment/report",
    { clientId, adjustmentId: "ADJ-2", reasonCode: "FOUND", lines },
    { "idempotency-key": "k" },
  );
  assert.deepEqual(await onHand("B"), ["GOOD 40"]);
  const held = [{ sku: "B", qty: 10, fromCondition: "GOOD", toCondition: "ON_HOLD" }];
  await atOnce("/hold/report", { clientId, reportId: "H-1", reasonCode: "OTHER", lines: held });
  assert.deepEqual(await onHand("B"), ["GOOD 30", "ON_HOLD 10"]);
  await atOnce("/count/report", { clientId, countId: "C-1", lines: [{ sku: "B", countedQty: 25 }] });
  assert.deepEqual(await onHand("B"), ["GOOD 25", "ON_HOLD 10"]);
});

test("an order picked, packed and despatched ten times at once leaves once", async () => {
  await client.accept("NO", order(clientId, "LIFE", [{ sku: "A", qty: 3 }], { distributionCentre: "DC1" }));
  await (nodes[0] as Port).task(({ type, objectId }) => type === "PICK" && objectId === "LIFE");
  const report = { clientId, orderId: "LIFE" };
  await atOnce("/pick/report", { ...report, reportId: "P-1", lines: [{ lineNumber: 1, qtyPicked: 2 }] });
  await atOnce("/pick/report", { ...report, reportId: "P-2", lines: [{ lineNumber: 1, qtyPicked: 1 }] });
  const parcel = { weight: 1, weightUomCode: "KG" };
  const contents = [{ lineNumber: 1, qty: 1 }];
  await atOnce("/pack/report", {
    ...report,
    reportId: "K-0",
    olpns: [
      { ...parcel, contents },
      { ...parcel, contents },
    ],
  });
  const packed = await atOnce("/pack/report", { ...report, reportId: "K-1", olpns: [{ ...parcel, contents }] });
  const [{ olpnId }] = packed.olpns as [{ olpnId: string }];
  await atOnce("/parcel/void", { clientId, reportId: "V-1", olpnId });
  await atOnce("/pack/report", { ...report, reportId: "K-2", olpns: [{ ...parcel, contents }] });
  const parcels = await server.rows<{ olpn_id: string }>(
    "select olpn_id from parcel where client_id = $1 and order_id = 'LIFE' and status = 'PACKED' order by 1",
    clientId,
  );
  assert.equal(parcels.length, 3);
  const olpnIds = parcels.map(({ olpn_id }) => olpn_id);
  await atOnce("/load/report", { clientId, reportId: "L-1", loadId: "LOAD", olpnIds });
  await atOnce("/load/remove", { clientId, reportId: "L-2", loadId: "LOAD", olpnIds: olpnIds.slice(0, 1) });
  await atOnce("/despatch/report", { clientId, reportId: "D-1", loadId: "LOAD" });
  await atOnce("/despatch/report", { clientId, reportId: "D-2", olpnIds: olpnIds.slice(0, 1) });
  const [sent] = await server.rows<{ status: string; gone: string }>(
    `select o.status, l.qty_despatched as gone from sales_order o join sales_order_line l using (client_id, order_id)
     where o.client_id = $1 and o.order_id = 'LIFE'`,
    clientId,
  );
  assert.deepEqual([sent?.status, Number(sent?.gone)], ["DESPATCHED", 3]);
  const delivered = { eventCode: 200, occurredAt: new Date().toISOString() };
  for (const id of olpnIds) await atOnce("/carrierEvent/report", { ...delivered, olpnId: id, reportId: `E-${id}` });
  assert.equal((await client.order("LIFE"))?.status, "DELIVERED");
  assert.deepEqual(await onHand("A"), ["GOOD 87"]);
});

test("a short pick, a cancel answer and a return reported ten times at once are booked once", async () => {
  await client.accept("NO", order(clientId, "SHORT", [{ sku: "A", qty: 4 }], { distributionCentre: "DC1" }));
  const { taskId } = await (nodes[0] as Port).task(({ type, objectId }) => type === "PICK" && objectId === "SHORT");
  const report = { clientId, orderId: "SHORT" };
  await atOnce("/pick/report", { ...report, reportId: "S-1", lines: [{ lineNumber: 1, qtyPicked: 1, qtyShort: 1 }] });
  assert.deepEqual(await onHand("A"), ["GOOD 86", "ON_HOLD 1"]);
  const accepted = await Promise.all(nodes.map((node) => node.post("/task/accept", { taskIds: [taskId] })));
  assert.deepEqual(
    accepted.map(({ status }) => status),
    [200, 200],
  );
  await client.accept("NO", cancelOrder(clientId, "SHORT"));
  await (nodes[0] as Port).task(({ type, objectId }) => type === "CANCEL_REQUEST" && objectId === "SHORT");
  await atOnce("/cancel/report", { ...report, reportId: "X-1", lines: [{ lineNumber: 1, outcome: "CANCELLED" }] });
  assert.equal((await client.order("SHORT"))?.status, "CANCELLED");
  assert.deepEqual(await onHand("A"), ["GOOD 86", "ON_HOLD 1"]);
  await client.accept("RMA", authorisation(clientId, "RMA-1", [{ sku: "A", quantityReturned: 2 }]));
  await (nodes[0] as Port).task(({ type, objectId }) => type === "RETURN" && objectId === "RMA-1");
  const lines = [{ lineNumber: 1, sku: "A", qty: 2, disposition: "RESELLABLE" }];
  await atOnce("/return/report", { clientId, rmaNumber: "RMA-1", reportId: "RET-1", lines });
  assert.deepEqual(await onHand("A"), ["GOOD 88", "ON_HOLD 1"]);
});

test("a work order reported ten times at once is assembled once", async () => {
  const components = [{ sku: "B", qtyPer: 2 }];
  await server.operate(async (tx, change) => {
    const request = { clientId, facilityCode: "DC1", workOrderId: "W-1", finishedGoodSku: "SET", qty: 3, components };
    const made = await createWorkOrder(tx.of(clientId, change), request);
    assert.ok(made.ok, JSON.stringify(made));
  });
  const report = { clientId, workOrderId: "W-1" };
  await atOnce("/workOrder/report", { ...report, reportId: "W-1-1", finishedGood: { qty: 2 } });
  await atOnce("/workOrder/report", { ...report, reportId: "W-1-2", finishedGood: { qty: 1 } });
  assert.deepEqual([await onHand("SET"), await onHand("B")], [["GOOD 3"], ["GOOD 19", "ON_HOLD 10"]]);
});

test("a transfer reported ten times at once leaves once", async () => {
  await server.operate(async (tx, change) => {
    const request = { transferId: "T-1", fromFacility: "DC1", toFacility: "DC2", lines: [{ sku: "A", qty: 5 }] };
    const made = await createTransfer(tx.of(clientId, change), request);
    assert.ok(made.ok, JSON.stringify(made));
  });
  await atOnce("/transfer/report", { clientId, transferId: "T-1", reportId: "T-1-1", lines: [{ sku: "A", qty: 5 }] });
  assert.deepEqual(await onHand("A"), ["GOOD 83", "ON_HOLD 1"]);
});

test("goods without a purchase order reported ten times at once are stored once", async () => {
  await atOnce("/unidentifiedReceipt/report", { clientId, receiptId: "R-UNKNOWN", packages: 2 });
  const rows = await server.rows("select receipt_id from unidentified_receipt where client_id = $1", clientId);
  assert.equal(rows.length, 1);
});

test("of two reports with one id and other content, sent at once, one is accepted and the other refused", async () => {
  const bodies = [1, 2].map((qty) => ({
    clientId,
    adjustmentId: "TWO",
    reasonCode: "FOUND",
    lines: [{ sku: "B", qty }],
  }));
  const answers = await Promise.all(
    Array.from({ length: timesAtOnce }, async (_, i) => {
      const body = bodies[i % 2] as object;
      return { i, ...(await insist(nodes[(i >> 1) % nodes.length] as Port, "/adjustment/report", body)) };
    }),
  );
  const winner = answers.find(({ status }) => status === 200);
  assert.ok(winner);
  for (const { i, status, body } of answers)
    assert.equal(status, i % 2 === winner.i % 2 ? 200 : 409, JSON.stringify(body));
  assert.deepEqual(await onHand("B"), [`GOOD ${20 + (winner.i % 2)}`, "ON_HOLD 10"]);
  await atRest();
});

test("no report of the port was left out", () => {
  const published = listPublishedOperations().filter(isReport);
  const paths = published.map(({ path }) => path.replace("/v1/warehouseService", ""));
  assert.deepEqual(paths.filter((path) => !reported.has(path)).sort(), []);
});
