import assert from "node:assert/strict";
import { test } from "node:test";
import { hourMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { publishOrdersAtRisk } from "#/modules/orders/allocation/at-risk.ts";
import { moved, type Order, withLines } from "#/modules/orders/order.ts";
import { lockOrders } from "#/modules/orders/order-repository.ts";
import { listOrderWork } from "#/modules/orders/order-work.ts";
import { settleOrders } from "#/modules/orders/settle.ts";
import { createOutboxWriter } from "#/store/outbox/append.ts";
import { at, changeAt, database, world } from "../../../../tests/support/builders/stocked-orders.ts";
import { patiently } from "../../../../tests/support/postgres/database.ts";
import { waitingEvents } from "../../../../tests/support/postgres/waiting-events.ts";

const ids = createIds();
const after = (ms: number) => new Date(Date.parse(at) + ms).toISOString();
/**
 * Two workers wait for each other here; in production a job that waits too long is postponed, which this test leaves
 * out.
 */
const waiting = patiently(database);
const tellAfter = (ms: number) =>
  publishOrdersAtRisk({
    database: waiting,
    ids,
    writer: createOutboxWriter(ids),
    clock: { now: () => Date.parse(at) + ms },
  });

async function eventsOf(clientId: string) {
  const events = await waitingEvents(database, clientId);
  return events.flatMap(({ topic, objectId, facilityCode, occurredAt, data }) =>
    topic === "order:atRisk"
      ? { objectId, facilityCode, occurredAt, data: data as Readonly<Record<string, unknown>> }
      : [],
  );
}

/** Applies the change to the order and settles it. */
const settle = (clientId: string, orderId: string, change: (order: Order) => Order) =>
  database.transaction(async (tx) => {
    const [before] = await lockOrders(tx.of(clientId), [orderId]);
    assert(before);
    await settleOrders(tx.of(clientId, changeAt()), [{ order: change(before), before }]);
  });

test("an order is reported at risk once, an hour before it is due, with the data of an order event", async () => {
  const { clientId, items, order, read } = await world("RISK");
  await items(["A"]);
  await order("1", [{ sku: "A", qty: 2 }], { despatchBy: after(2 * hourMs) });
  await order("2", [{ sku: "A", qty: 2 }]);
  assert.equal(await tellAfter(hourMs - 1), 0);
  const before = await read("1");
  assert.equal(await tellAfter(hourMs), 1);
  assert.equal(await tellAfter(hourMs), 0);
  assert.equal(await tellAfter(100 * hourMs), 0);
  const [event, ...more] = await eventsOf(clientId);
  assert.deepEqual(more, []);
  assert.deepEqual([event?.objectId, event?.facilityCode, event?.occurredAt], ["1", "DC1", after(hourMs)]);
  const { lines, ...data } = event?.data ?? {};
  assert.deepEqual(data, {
    orderId: "1",
    externalOrderReference: null,
    status: "RECEIVED",
    statusCode: 10,
    statusReason: null,
    distributionCentre: "DC1",
    holds: [],
  });
  assert.equal((lines as { qtyOpen: number }[])[0]?.qtyOpen, 2);
  assert.deepEqual(await read("1"), before, "the order is no other for it");
});

test("held and partly despatched orders are reported too; cancelled ones and those that have left are not", async () => {
  const { clientId, items, order } = await world("LEFT");
  await items(["A"]);
  const due = { despatchBy: after(hourMs) };
  const hold = { type: "OTHER", reason: "", since: at, by: "test" } as const;
  await order("HELD", [{ sku: "A", qty: 2 }], { ...due, holds: [hold] });
  for (const orderId of ["PART", "GONE", "CANCELLED", "REST"]) await order(orderId, [{ sku: "A", qty: 2 }], due);
  const move = (orderId: string, ...steps: readonly (readonly [to: "despatched" | "cancelled", qty: number])[]) =>
    settle(clientId, orderId, (stored) =>
      steps.reduce((order, [to, qty]) => withLines(order, (line) => moved(line, "open", to, qty)), stored),
    );
  await move("PART", ["despatched", 1_000]);
  await move("GONE", ["despatched", 2_000]);
  await move("CANCELLED", ["cancelled", 2_000]);
  await move("REST", ["despatched", 1_000], ["cancelled", 1_000]);
  assert.equal(await tellAfter(hourMs), 2);
  assert.deepEqual((await eventsOf(clientId)).map(({ objectId }) => objectId).sort(), ["HELD", "PART"]);
});

test("many orders that are due at once are all reported, a bounded number per transaction", async () => {
  const { clientId, items, orders } = await world("MANY");
  await items(["A"]);
  const all = Array.from({ length: 250 }, (_, i) => ({ orderId: `M-${i}`, lines: [{ sku: "A", qty: 1 }] }));
  await orders(all.map((order) => ({ ...order, despatchBy: after(hourMs) })));
  assert.equal(await tellAfter(hourMs), 250);
  const event = (await eventsOf(clientId)).map(({ objectId }) => objectId);
  assert.deepEqual([event.length, new Set(event).size], [250, 250]);
});

test("two concurrent workers report each order once", async () => {
  const { clientId, items, orders } = await world("TWICE");
  await items(["A"]);
  const all = Array.from({ length: 40 }, (_, i) => ({ orderId: `T-${i}`, lines: [{ sku: "A", qty: 1 }] }));
  await orders(all.map((order) => ({ ...order, despatchBy: after(hourMs) })));
  const [first, second] = await Promise.all([tellAfter(hourMs), tellAfter(hourMs)]);
  assert.equal(first + second, 40);
  assert.equal((await eventsOf(clientId)).length, 40);
});

test("the pick task is due at the despatchBy of the order", async () => {
  const { clientId, items, stock, order, allocate } = await world("DUE");
  await items(["A"]);
  await stock([{ sku: "A", qty: 9 }]);
  await order("1", [{ sku: "A", qty: 2 }], { despatchBy: after(hourMs) });
  await order("2", [{ sku: "A", qty: 2 }]);
  await allocate({ orderIds: ["1", "2"] });
  const works = await listOrderWork(database.of(clientId), ["1", "2"]);
  assert.deepEqual(
    works.filter(({ type }) => type === "PICK").map(({ objectId, dueAt }) => [objectId, dueAt]),
    [
      ["1", after(hourMs)],
      ["2", undefined],
    ],
  );
});
