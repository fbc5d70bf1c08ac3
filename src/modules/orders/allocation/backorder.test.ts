import assert from "node:assert/strict";
import { test } from "node:test";
import { createIds } from "#/kernel/values/ids.ts";
import {
  cancelExpiredBackorders,
  giveUpPartialAllocations,
  reportUnansweredCancelRequests,
} from "#/modules/orders/allocation/backorder.ts";
import { createAllocationConsumer } from "#/modules/orders/allocation/consumer.ts";
import { cancelOrder } from "#/modules/orders/commands/cancel-order.ts";
import { listOrderWork, takeOrders } from "#/modules/orders/order-work.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { createOutboxWriter } from "#/store/outbox/append.ts";
import { at, changeAt, database, topicsOf, world } from "../../../../tests/support/builders/stocked-orders.ts";

const ids = createIds();
const jobAfter = (hours: number) => ({
  database,
  ids,
  writer: createOutboxWriter(ids),
  clock: { now: () => Date.parse(at) + hours * 3_600_000 },
});

test("a quantity backordered beyond backorderDays is cancelled, and the rest leaves", async () => {
  const { items, stock, order, allocate, read, buckets } = await world("DAYS", { backorderDays: 10 });
  await items(["A"]);
  await stock([{ sku: "A", qty: 1 }]);
  await order("1", [{ sku: "A", qty: 2 }]);
  await order("2", [{ sku: "A", qty: 2 }]);
  await allocate({ orderIds: ["1", "2"] });
  assert.equal(await cancelExpiredBackorders(jobAfter(239)), 0);
  assert.equal(await cancelExpiredBackorders(jobAfter(241)), 2);
  assert.deepEqual(await buckets("1"), { ordered: 2, allocated: 1, cancelled: 1 });
  const [first, second] = [await read("1"), await read("2")];
  assert.deepEqual(
    [first.status, second.status, second.statusReason],
    ["ALLOCATED", "CANCELLED", "not in stock for 10 days"],
  );
});

test("stock of a partial order is released after 72 h, only to an order that it completes", async () => {
  const { items, stock, order, allocate, read, buckets, clientId } = await world("GIVEUP");
  await items(["A", "B"]);
  await stock([{ sku: "A", qty: 2 }]);
  await order("1", [
    { sku: "A", qty: 2 },
    { sku: "B", qty: 1 },
  ]);
  await order("2", [{ sku: "A", qty: 3 }], { priority: 1 });
  await allocate({ orderIds: ["1"] });
  await allocate({ orderIds: ["2"] });
  assert.equal(await giveUpPartialAllocations(jobAfter(73)), 0, "no order can be completed");
  await order("3", [{ sku: "A", qty: 1 }], { priority: 9 });
  await allocate({ orderIds: ["3"] });
  assert.equal(await giveUpPartialAllocations(jobAfter(71)), 0);
  assert.equal(await giveUpPartialAllocations(jobAfter(73)), 1);
  assert.equal((await read("3")).status, "ALLOCATED");
  assert.deepEqual(
    [await buckets("1"), await buckets("2")],
    [
      { ordered: 2, backordered: 2 },
      { ordered: 3, backordered: 2, allocated: 1 },
    ],
  );
  const held = await database
    .of(clientId)
    .query<{ allocated: string }>(
      sql`select allocated from stock_balance where client_id = ${tenant} and facility_code = 'DC1' and sku = 'A' limit 10`,
    );
  assert.deepEqual(held, [{ allocated: "2.000" }]);
});

test("an operator is notified once of a cancel request that has no answer for two hours", async () => {
  const { clientId, items, stock, order, allocate } = await world("UNANSWERED");
  await items(["A"]);
  await stock([{ sku: "A", qty: 1 }]);
  await order("1", [{ sku: "A", qty: 1 }]);
  await allocate({ orderIds: ["1"] });
  await database.transaction((tx) => takeOrders(tx.of(clientId, changeAt()), ["1"]));
  await database.transaction((tx) => cancelOrder(tx.of(clientId, changeAt()), { orderId: "1", reason: "no" }));
  assert.equal(await reportUnansweredCancelRequests(jobAfter(1.9)), 0);
  assert.equal(await reportUnansweredCancelRequests(jobAfter(2.1)), 1);
  assert.equal(await reportUnansweredCancelRequests(jobAfter(3)), 0);
  const raised = await database
    .of(clientId)
    .query<{ kind: string; object_id: string }>(
      sql`select kind, object_id from operator_exception where client_id = ${tenant} and object_type = 'order' limit 10`,
    );
  assert.deepEqual(raised, [{ kind: "CANCEL_UNANSWERED", object_id: "1" }]);
});

test("a partly allocated order is released to the warehouse only with partial shipment", async () => {
  for (const [clientId, settings, shipPartial, isWanted] of [
    ["WORKWAIT", {}, false, false],
    ["WORKPART", {}, true, true],
    ["WORKSHIP", { backorder: "SHIP_AND_WAIT" }, false, true],
  ] as const) {
    const { items, stock, order, allocate } = await world(clientId, settings);
    await items(["A"]);
    await stock([{ sku: "A", qty: 1, batchRef: "B1" }]);
    await order("1", [{ sku: "A", qty: 2 }], { shipPartial });
    const { drafts } = await allocate({ orderIds: ["1"] });
    const released = isWanted ? ["1 40"] : [];
    assert.deepEqual(topicsOf(drafts).sort(), ["1 48", ...released, "1 order:partiallyAllocated"].sort());
    const [pick] = await listOrderWork(database.of(clientId), ["1"]);
    assert.deepEqual(
      [pick?.isWanted, pick?.lines.map(({ qty, batchRef }) => [qty, batchRef])],
      [isWanted, isWanted ? [[1_000, "B1"]] : []],
    );
  }
});

test("the consumer allocates received orders by facility, with the event codes of the receipt", async () => {
  const { clientId, items, stock, order, read } = await world("CONSUMER");
  await items(["A"]);
  await stock([{ sku: "A", qty: 1 }]);
  await stock([{ sku: "A", qty: 1 }], "DC2");
  await order("1", [{ sku: "A", qty: 1 }], { isPublished: false });
  await order("2", [{ sku: "A", qty: 1 }], { distributionCentre: "DC2", isPublished: false });
  await order("3", [{ sku: "A", qty: 1 }], { distributionCentre: "DC2" });
  const row = (topic: string, objectId: string, facility: string) => ({
    outboxId: ids.next(0),
    topic,
    objectType: "order",
    objectId,
    facilityCode: facility,
    feedToken: null,
    data: {},
    occurredAt: at,
    outbound: null,
    attempts: 0,
  });
  const consumer = createAllocationConsumer({ ids });
  const rows = [row("order:received", "1", "DC1"), row("order:received", "2", "DC2"), row("order:updated", "3", "DC2")];
  const drafts = await database.transaction((tx) => consumer.consume(tx.of(clientId), at, rows));
  assert.deepEqual(topicsOf(drafts), [
    ...["1 10", "1 20", "2 10", "2 20"],
    ...["1 order:allocated", "1 40", "1 50"],
    ...["2 order:allocated", "2 40", "2 50"],
    ...["3 order:backordered", "3 45"],
  ]);
  assert.equal((await read("3")).status, "BACKORDERED");
  // An order that is cancelled before its receipt is published has the codes of the receipt first, and once.
  await order("4", [{ sku: "A", qty: 1 }], { isPublished: false });
  const cancelled = await database.transaction((tx) =>
    cancelOrder(tx.of(clientId, changeAt()), { orderId: "4", reason: "too late for me" }),
  );
  assert.ok(cancelled.ok);
  assert.deepEqual(topicsOf(cancelled.value.events), ["4 order:cancelled", "4 10", "4 20", "4 90"]);
  const late = [row("order:received", "4", "DC1")];
  assert.deepEqual(await database.transaction((tx) => consumer.consume(tx.of(clientId), at, late)), []);
});
