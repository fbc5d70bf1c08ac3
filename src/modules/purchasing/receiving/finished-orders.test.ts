// Changes of purchase orders without a warehouse report: by time, or by an UPDATE of the client.
import assert from "node:assert/strict";
import { test } from "node:test";
import { effective } from "#/intake/feeds/intake/definition.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import type { PurchaseOrderMessage } from "#/modules/purchasing/domain.ts";
import {
  closeDays,
  closeFinishedPurchaseOrders,
  listClientsWithFinishedPurchaseOrders,
} from "#/modules/purchasing/index.ts";
import { validatePurchaseOrders, writePurchaseOrders } from "#/modules/purchasing/service.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { accepted, intakeWorld, topics, type Wanted } from "../../../../tests/support/app/intake.ts";
import { at, changeAt, database } from "../../../../tests/support/builders/stocked-orders.ts";

type World = Awaited<ReturnType<typeof intakeWorld>>;

const ids = createIds();
const later = (days: number) => new Date(Date.parse(at) + days * dayMs).toISOString();

const statusOf = async ({ query }: World, poNumber: string) => {
  const [row] = await query<{ status: string; completed_at: string | null; closed_at: string | null }>(
    sql`select status, completed_at, closed_at from purchase_order
      where client_id = ${tenant} and po_number = ${poNumber} limit 1`,
  );
  return row && [row.status, row.completed_at, row.closed_at];
};

const discrepanciesOf = async ({ query }: World, poNumber: string) =>
  (
    await query<{ y: string }>(
      sql`select discrepancy as y from purchase_order_line
        where client_id = ${tenant} and po_number = ${poNumber} order by line_number limit 100`,
    )
  ).map(({ y }) => y);

/** Checks and writes an UPDATE as the feed does; returns its faults or its events. */
async function update(w: World, poNumber: string, wanted: Wanted) {
  const message: PurchaseOrderMessage = {
    poNumber,
    vendorOrderId: undefined,
    action: "UPDATE",
    revision: undefined,
    distributionCentre: "DC1",
    messageId: undefined,
    extendedAttributes: {},
    lines: wanted.map(([sku, qty], i) => ({
      path: "",
      lineNumber: i + 1,
      sku,
      qty: 0,
      uom: "",
      feedQty: qty * 1000,
      feedUom: undefined,
      lineId: undefined,
      altSku: undefined,
      productName: undefined,
    })),
  };
  const entry = {
    token: ids.next(Date.parse(at)),
    receivedAt: at,
    bodySha256: Buffer.alloc(32),
    message,
    faults: [],
    warnings: [],
    parkKey: undefined,
    missingSkus: [],
    replayOf: undefined,
  };
  const client = {
    clientId: w.clientId,
    status: "ACTIVE" as const,
    facilities: ["DC1", "DC2"],
    settings: {
      rejectedFeedStatus: 200 as const,
      parkUnknownSkus: false,
      identicalResend: "REJECT" as const,
      feedDeadlineMinutes: 15,
      catMode: "REPLACE" as const,
      customsDestinations: [],
      stockPools: "*" as const,
      availablePools: "*" as const,
      namelessAddress: "REFUSE" as const,
      doubtfulAddress: "WARN" as const,
      addressCheck: "OFF" as const,
      holdRules: [],
      routingRule: "ORDER" as const,
      splitOrders: false,
      backorder: "WAIT" as const,
    },
  };
  const batch = { client, entries: [entry], at: later(1), ids, inProgress: new Set<string>() };
  return database.transaction(async (transaction) => {
    const tx = transaction.of(client.clientId);
    await validatePurchaseOrders(tx, batch);
    if (effective(batch).length === 0) return entry.faults;
    return topics(await writePurchaseOrders(tx, batch));
  });
}

test("a complete order closes automatically after seven days, and not before", async () => {
  const w = await intakeWorld("FIN1");
  await w.items(["A"]);
  await w.purchaseOrder("PO-1", [["A", 10]]);
  await w.purchaseOrder("PO-2", [["A", 10]], "ASN-1");
  await w.purchaseOrder("PO-3", [["A", 10]]);
  for (const poNumber of ["PO-1", "PO-2"]) {
    accepted(await w.receive({ poNumber, receiptId: `R-${poNumber}`, lines: [{ sku: "A", qty: 10 }] }));
  }
  accepted(await w.receive({ poNumber: "PO-3", receiptId: "R-3", lines: [{ sku: "A", qty: 9 }] }));
  const close = (now: string) => {
    const before = new Date(Date.parse(now) - closeDays * dayMs).toISOString();
    return database.transaction(async (tx) => ({
      clients: await listClientsWithFinishedPurchaseOrders(tx, before, 100),
      drafts: await closeFinishedPurchaseOrders(tx.of(w.clientId, changeAt(now)), before),
    }));
  };
  assert.deepEqual(await close(later(7)), { clients: [], drafts: [] });
  const now = new Date(Date.parse(later(7)) + 1).toISOString();
  const { clients, drafts } = await close(now);
  assert.deepEqual(clients, ["FIN1"]);
  assert.deepEqual(
    drafts.map(({ topic, objectId, outbound }) => [topic, objectId, outbound]),
    [
      ["purchaseOrder:closed", "PO-1", undefined],
      ["purchaseOrder:closed", "PO-2/ASN-1", undefined],
    ],
  );
  assert.deepEqual(drafts[1]?.data, {
    poNumber: "PO-2",
    vendorOrderId: "ASN-1",
    status: "CLOSED",
    lines: [{ lineNumber: 1, sku: "A", qty: 10, qtyReceived: 10, qtyDamaged: 0, discrepancy: "NONE" }],
  });
  assert.deepEqual(await statusOf(w, "PO-1"), ["CLOSED", at, now]);
  assert.deepEqual(await statusOf(w, "PO-3"), ["RECEIVING", null, null]);
  assert.deepEqual(await w.audits("PO-2/ASN-1"), ["receive", "startReceiving", "complete", "close"]);
  assert.deepEqual(await close(later(30)), { clients: [], drafts: [] });
});

test("a higher quantity reopens a complete order; a lower quantity can complete an order", async () => {
  const w = await intakeWorld("FIN2");
  await w.items(["A", "B"]);
  await w.purchaseOrder("PO-1", [["A", 10]]);
  accepted(await w.receive({ poNumber: "PO-1", receiptId: "R-1", lines: [{ sku: "A", qty: 10 }] }));
  assert.deepEqual(await statusOf(w, "PO-1"), ["RECEIVED", at, null]);
  assert.deepEqual(await update(w, "PO-1", [["A", 12]]), ["purchaseOrder:updated"]);
  assert.deepEqual(await statusOf(w, "PO-1"), ["RECEIVING", null, null]);
  const completed = ["purchaseOrder:updated", "purchaseOrder:received"];
  assert.deepEqual(await update(w, "PO-1", [["A", 10]]), completed);
  assert.deepEqual(await statusOf(w, "PO-1"), ["RECEIVED", later(1), null]);
  assert.deepEqual(
    await update(w, "PO-1", [
      ["A", 10],
      ["B", 1],
    ]),
    ["purchaseOrder:updated"],
  );
  assert.equal((await statusOf(w, "PO-1"))?.[0], "RECEIVING");
  assert.deepEqual(await w.audits("PO-1", "feed"), [
    ...["update", "startReceiving", "update", "complete", "update", "startReceiving"],
  ]);
  await w.assertSound();
});

test("an over-received line may stay unchanged; the ordered quantity decides its discrepancy", async () => {
  const w = await intakeWorld("FIN3");
  await w.items(["A"]);
  await w.purchaseOrder("PO-1", [["A", 10]]);
  accepted(await w.receive({ poNumber: "PO-1", receiptId: "R-1", lines: [{ sku: "A", qty: 12 }] }));
  assert.deepEqual(await update(w, "PO-1", [["A", 10]]), ["purchaseOrder:updated"]);
  assert.deepEqual(await discrepanciesOf(w, "PO-1"), ["OVER"]);
  assert.deepEqual(await update(w, "PO-1", [["A", 12]]), ["purchaseOrder:updated"]);
  assert.deepEqual(await discrepanciesOf(w, "PO-1"), ["NONE"]);
  const faults = (await update(w, "PO-1", [["A", 11]])) as { text?: string }[];
  assert.match(JSON.stringify(faults), /UPDATE asks for 11 in line 1: 12 of SKU A were received/);
});

test("an open order stays open after any UPDATE", async () => {
  const w = await intakeWorld("FIN4");
  await w.items(["A"]);
  await w.purchaseOrder("PO-1", [["A", 10]]);
  assert.deepEqual(await update(w, "PO-1", [["A", 1]]), ["purchaseOrder:updated"]);
  assert.deepEqual(await statusOf(w, "PO-1"), ["OPEN", null, null]);
});
