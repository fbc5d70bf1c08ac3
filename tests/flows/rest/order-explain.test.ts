// rest.md §3, order/explain: why an order has not shipped, and what happens next.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { OrderExplanation } from "#/modules/orders/explain/contract.ts";
import { testServer } from "../../support/app/server.ts";
import { attributes, purchaseOrder } from "../../support/builders/documents.ts";
import { type Life, lifeOf, withLots } from "../../support/builders/life.ts";
import { restCalls } from "../../support/http/rest-calls.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const dc2 = await warehouseOf(server, "DC2");

const callsOf = (life: Life) => restCalls(server.url, "/v1/orderService", life.client.credentials);

async function explained(life: Life, orderId: string): Promise<OrderExplanation> {
  const { status, body } = await callsOf(life)("GET", `/order/explain/${orderId}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body as unknown as OrderExplanation;
}

/** The refusals of a line: "LOT SHELF_LIFE L1 3". */
const refusalsOf = ({ lines: [line] }: OrderExplanation) =>
  line?.refusals.map(({ scope, code, stockPool, batchRef, facilityCode, qty }) =>
    [scope, code, batchRef ?? (scope === "FACILITY" ? facilityCode : stockPool), qty]
      .filter((part) => part !== null)
      .join(" "),
  );

const inDays = (days: number) => Temporal.Now.plainDateISO("UTC").add({ days }).toString();

test("an order without stock: the empty pool, and the purchase order that brings the goods", async () => {
  const life = await lifeOf(server, dc1, "NOSTOCK");
  await life.place("1", [{ sku: "A", qty: 3 }]);
  const before = await explained(life, "1");
  assert.equal(before.status, "BACKORDERED");
  assert.equal(before.isShipped, false);
  assert.equal(before.summary, "Line 1 waits for 3 EA of A at DC1: pool DEFAULT has no stock at DC1.");
  assert.match(before.next ?? "", /^Needed: a receipt into pool DEFAULT\. Cancelled if not received by \S+\.$/);
  assert.deepEqual(refusalsOf(before), ["POOL NO_STOCK DEFAULT", "FACILITY NO_STOCK DC2 0"]);
  const { qtyOrdered, qtyAllocated, qtyBackordered, qtyShort } = before.lines[0] ?? assert.fail();
  assert.deepEqual([qtyOrdered, qtyAllocated, qtyBackordered, qtyShort], [3, 0, 3, 3]);
  assert.deepEqual(before.routing, {
    distributionCentre: "DC1",
    by: "NAMED",
    text: "The order names DC1.",
    rule: null,
    candidates: [],
  });
  assert.equal(before.carrier, null);

  const expected = { extendedAttributes: { attribute: { "@name": "ExpectedDate", "#": "2026-12-01" } } };
  await life.client.accept("PO", purchaseOrder("NOSTOCK", "PO-1", [{ sku: "A", qty: 10 }], expected));
  const after = await explained(life, "1");
  assert.match(
    after.next ?? "",
    /^Purchase order PO-1 expects 10 of A \(expected date 2026-12-01\); a receipt is allocated at once\./,
  );
  const [receipt, ...others] = after.lines[0]?.expectedReceipts ?? [];
  assert.deepEqual(others, []);
  assert.deepEqual([receipt?.poNumber, receipt?.qty, receipt?.expectedDate], ["PO-1", 10, "2026-12-01"]);

  await life.client.accept("PO", purchaseOrder("NOSTOCK", "PO-1", [{ sku: "A", qty: 10 }], { actionType: "UPDATE" }));
  const undated = await explained(life, "1");
  assert.match(undated.next ?? "", /^Purchase order PO-1 expects 10 of A; a receipt is allocated at once\./);
  assert.equal(undated.lines[0]?.expectedReceipts[0]?.expectedDate, null);
});

test("lots are named in the order of allocation, each with the rule that refused it", async () => {
  const item = withLots("A", { MinShelfLifeDays: "30" });
  const life = await lifeOf(server, dc1, "LOTS", { items: [item], settings: { stockPools: "B2B" } });
  await life.stock([
    { sku: "A", qty: 2, batchRef: "LATE", expiryDate: inDays(400) },
    { sku: "A", qty: 10, batchRef: "SHORT", expiryDate: inDays(10) },
    { sku: "A", qty: 4, batchRef: "OTHER", stockPool: "B2B", expiryDate: inDays(400) },
  ]);
  await dc1.report(
    "adjustment",
    life.adjust([{ sku: "A", qty: 5, batchRef: "BROKEN", expiryDate: inDays(300), condition: "DAMAGED" }]).body,
  );
  await life.place("FIRST", [{ sku: "A", qty: 2 }]);
  await life.place("SECOND", [{ sku: "A", qty: 3 }]);
  const found = await explained(life, "SECOND");
  assert.deepEqual(refusalsOf(found), [
    "LOT SHELF_LIFE SHORT 10",
    "LOT CONDITION BROKEN 5",
    "LOT RESERVED LATE 2",
    "LOT POOL OTHER 4",
    "FACILITY NO_STOCK DC2 0",
  ]);
  const [shelfLife] = found.lines[0]?.refusals ?? [];
  assert.equal(shelfLife?.text, `The lot expires on ${inDays(10)}; the item needs 30 more days, until ${inDays(30)}.`);
  assert.equal(
    found.summary,
    `Line 1 waits for 3 EA of A at DC1: the lot expires on ${inDays(10)}; the item needs 30 more days, until ${inDays(30)}.`,
  );
  const first = await explained(life, "FIRST");
  assert.deepEqual([first.status, refusalsOf(first)], ["ALLOCATED", []]);
  assert.match(first.summary, /^The goods are allocated at DC1; /);
});

test("many lots of one item are bounded, and the rest is counted", async () => {
  const life = await lifeOf(server, dc1, "MANY", { items: [withLots("A", { MinShelfLifeDays: "30" })] });
  const lots = Array.from({ length: 33 }, (_, i) => ({ sku: "A", qty: 1, batchRef: `L${i}`, expiryDate: inDays(5) }));
  await life.stock(lots);
  await life.place("1", ["A"]);
  const [line] = (await explained(life, "1")).lines;
  assert.deepEqual([line?.refusals.length, line?.refusalsOmitted], [21, 13], "20 lots and the other facility");
});

test("a held order names its holds, and a free lot refuses nothing", async () => {
  const life = await lifeOf(server, dc1, "HELD");
  await life.place("1", ["A"], { distributionCentre: "DC1", doNotShip: true });
  const { body } = await callsOf(life)("POST", "/order/hold/1", { reason: "the customer called" });
  assert.equal(body.status, "ON_HOLD");
  await life.stock([{ sku: "A", qty: 5 }]);
  const held = await explained(life, "1");
  assert.match(held.summary, /^The order has been on hold since \S+: DO_NOT_SHIP .*, and 1 more\.$/);
  assert.equal(held.next, "An UPDATE of the order without doNotShip releases it.");
  assert.deepEqual(
    held.holds.map(({ type }) => type),
    ["DO_NOT_SHIP", "CLIENT_REQUEST"],
  );
  assert.deepEqual(refusalsOf(held), ["ORDER HOLD", "ORDER HOLD"]);
});

test("an inactive item is the reason, before its lots", async () => {
  const life = await lifeOf(server, dc1, "ITEMS", {
    items: ["A", { sku: "OLD", extendedAttributes: attributes({ Active: "false" }) }],
  });
  await life.stock([{ sku: "OLD", qty: 5 }]);
  await life.place("1", ["OLD"]);
  const found = await explained(life, "1");
  assert.deepEqual(refusalsOf(found), ["ITEM INACTIVE", "LOT INACTIVE DEFAULT 5"]);
  assert.equal(found.next?.startsWith("Needed: a CAT with Active true for OLD."), true, found.next ?? "");
});

test("another facility with free stock is named, with how the facility was chosen", async () => {
  const life = await lifeOf(server, dc1, "TWO");
  await life.stock([{ sku: "A", qty: 7 }], dc2);
  await life.place("1", [{ sku: "A", qty: 2 }]);
  const found = await explained(life, "1");
  assert.deepEqual(refusalsOf(found), ["POOL NO_STOCK DEFAULT", "FACILITY OTHER_FACILITY DC2 7"]);
  await life.place(
    "2",
    [
      { sku: "A", qty: 2 },
      { sku: "B", qty: 1 },
    ],
    {},
  );
  const routed = await explained(life, "2");
  assert.equal(routed.routing.by, "FIRST");
  await life.place("3", [{ sku: "A", qty: 2 }], {});
  const filled = await explained(life, "3");
  assert.deepEqual([filled.routing.by, filled.routing.distributionCentre], ["FILLS", "DC2"]);
});

test("a shipped order and a cancelled one say so", async () => {
  const life = await lifeOf(server, dc1, "GONE");
  await life.stock([{ sku: "A", qty: 5 }]);
  await life.ship("1", "A", 2);
  const shipped = await explained(life, "1");
  assert.deepEqual([shipped.isShipped, shipped.lines, shipped.nextCutOffAt], [true, [], null]);
  assert.equal(shipped.summary, "The order has shipped: everything has left DC1.");
  assert.equal(shipped.next, "The carrier reports the delivery.");
  await life.place("2", ["A"]);
  await life.cancel("2");
  const cancelled = await explained(life, "2");
  assert.match(cancelled.summary, /^The order is cancelled/);
  assert.deepEqual([cancelled.isShipped, cancelled.next], [false, null]);
});

test("another client's order and one that does not exist are the same 404", async () => {
  const life = await lifeOf(server, dc1, "MINE");
  const other = await lifeOf(server, dc1, "OTHER");
  await life.place("1", ["A"]);
  const answers = await Promise.all(
    ["1", "nowhere"].map((orderId) => callsOf(other)("GET", `/order/explain/${orderId}`)),
  );
  for (const { status, body } of answers) {
    assert.deepEqual([status, body.type], [404, "/problems/not-found"]);
  }
});
