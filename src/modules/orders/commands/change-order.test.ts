import assert from "node:assert/strict";
import { test } from "node:test";
import { conflict } from "#/kernel/refusal.ts";
import { lotOf, openBook, postMovements } from "#/modules/inventory/index.ts";
import { freeOrderAllocations } from "#/modules/orders/allocation/deallocation.ts";
import { updateOrderLine } from "#/modules/orders/commands/change-order.ts";
import { takeOrders } from "#/modules/orders/order-work.ts";
import { at, changeAt, database, topicsOf, world } from "../../../../tests/support/builders/stocked-orders.ts";

async function allocated(clientId: string) {
  const client = await world(clientId);
  await client.items(["A"]);
  await client.stock([
    { sku: "A", qty: 2, batchRef: "EARLY", expiryDate: "2027-01-01" },
    { sku: "A", qty: 2, batchRef: "LATE", expiryDate: "2027-06-01" },
  ]);
  await client.order("1", [{ sku: "A", qty: 3 }]);
  await client.allocate({ orderIds: ["1"] });
  const update = (qty: number) =>
    database.transaction((tx) =>
      updateOrderLine(tx.of(clientId, changeAt()), { orderId: "1", lineNumber: 1, qty: qty * 1000 }),
    );
  return { ...client, update };
}

test("a lower quantity frees the lot that expires last; a higher quantity is allocated", async () => {
  const { update, held, buckets, read } = await allocated("LESS");
  assert.deepEqual(await held("1"), ["EARLY: 2 FEFO", "LATE: 1 FEFO"]);
  const less = await update(1);
  assert.ok(less.ok);
  assert.deepEqual([await held("1"), await buckets("1")], [["EARLY: 1 FEFO"], { ordered: 1, allocated: 1 }]);
  assert.deepEqual(topicsOf(less.value.events), ["1 order:updated"]);
  await update(5);
  assert.deepEqual(
    [await buckets("1"), (await read("1")).status],
    [{ ordered: 5, open: 4, allocated: 1 }, "PARTIALLY_ALLOCATED"],
  );
  for (const [qty, code] of [
    [0, "conflict"],
    [0.5, "unprocessable"],
  ] as const) {
    const refusal = await update(qty);
    assert.equal(refusal.ok ? undefined : refusal.fault.kind, code);
  }
  const same = await update(5);
  assert.ok(same.ok);
  assert.deepEqual(same.value.events, []);
});

test("a taken order keeps its quantities", async () => {
  const { clientId, update } = await allocated("TAKEN");
  await database.transaction((tx) => takeOrders(tx.of(clientId, changeAt()), ["1"]));
  assert.deepEqual(await update(1), {
    ok: false,
    fault: conflict(
      "Order 1, line 1: qty cannot be changed in state ALLOCATED: the warehouse has taken it; cancel the rest, or send another order.",
    ),
  });
});

test("missing stock is taken from the lowest priority, then from the newest order, which are allocated again", async () => {
  const { clientId, items, stock, orders, allocate, buckets } = await world("FREED");
  await items(["A"]);
  await stock([{ sku: "A", qty: 3 }]);
  const lines = [{ sku: "A", qty: 1 }];
  await orders([
    { orderId: "urgent", lines, priority: 1 },
    { orderId: "old", lines, receivedAt: "2026-11-01T00:00:00Z" },
    { orderId: "new", lines, receivedAt: "2026-11-02T00:00:00Z" },
  ]);
  await allocate({ orderIds: ["urgent", "old", "new"] });
  const lot = { sku: "A", ...lotOf({}) };
  const { freed, drafts } = await database.transaction(async (tx) => {
    const book = await openBook(tx.of(clientId), "DC1", at);
    const answer = await freeOrderAllocations(tx.of(book.clientId, changeAt()), book, lot, 1_000);
    const reason = { reason: "LOST", referenceType: "adjustment", referenceId: "1" };
    const { ids } = changeAt();
    postMovements(tx.of(book.clientId), book, ids, [
      { ...lot, ...reason, type: "ADJUSTMENT", condition: "GOOD", qty: -1_000 },
    ]);
    return answer;
  });
  assert.equal(freed, 1_000);
  assert.deepEqual(topicsOf(drafts), ["new order:updated"]);
  assert.deepEqual(
    [await buckets("new"), await buckets("old")],
    [
      { ordered: 1, open: 1 },
      { ordered: 1, allocated: 1 },
    ],
  );
  await allocate({ orderIds: ["new"] });
  assert.deepEqual(await buckets("new"), { ordered: 1, backordered: 1 });
});
