import assert from "node:assert/strict";
import { test } from "node:test";
import { conflict, notFound } from "#/kernel/refusal.ts";
import { openBook } from "#/modules/inventory/index.ts";
import { cancelOrder, cancelOrderLine } from "#/modules/orders/commands/cancel-order.ts";
import type { Order } from "#/modules/orders/order.ts";
import { lockOrders } from "#/modules/orders/order-repository.ts";
import { listOrderWork, takeOrders } from "#/modules/orders/order-work.ts";
import { settleOrders } from "#/modules/orders/settle.ts";
import { at, changeAt, database, feedsOf, topicsOf, world } from "../../../../tests/support/builders/stocked-orders.ts";

async function stocked(clientId: string) {
  const client = await world(clientId);
  await client.items(["A", "B"]);
  await client.stock([
    { sku: "A", qty: 10 },
    { sku: "B", qty: 1 },
  ]);
  await client.order("1", [
    { sku: "A", qty: 4 },
    { sku: "B", qty: 2 },
  ]);
  await client.allocate({ orderIds: ["1"] });
  const cancel = (more: { lines?: { lineNumber: number; qty?: number }[] } = {}) =>
    database.transaction((tx) =>
      cancelOrder(tx.of(clientId, changeAt()), { orderId: "1", reason: "changed my mind", ...more }),
    );
  const take = () => database.transaction((tx) => takeOrders(tx.of(clientId, changeAt()), ["1"]));
  /** Sets the buckets as reports of the floor do. */
  const set = (change: (order: Order) => Order) =>
    database.transaction(async (tx) => {
      const view = tx.of(clientId);
      await openBook(view, "DC1", at);
      const [order] = await lockOrders(view, ["1"]);
      if (order) await settleOrders(tx.of(clientId, changeAt()), [{ order: change(order), before: order }]);
    });
  const work = () => listOrderWork(database.of(clientId), ["1"]);
  return { ...client, cancel, take, set, work };
}

test("an order that the warehouse has not taken is cancelled at once, and its stock is free for the next", async () => {
  const { cancel, read, held, order, allocate } = await stocked("ATONCE");
  const result = await cancel();
  assert.ok(result.ok);
  assert.equal(result.value.answer, "CANCELLED");
  assert.deepEqual(topicsOf(result.value.events), ["1 order:cancelled", "1 90"]);
  assert.equal(feedsOf(result.value.events).length, 1);
  const { status, statusReason, lines } = await read("1");
  assert.deepEqual([status, statusReason], ["CANCELLED", "changed my mind"]);
  assert.ok(lines.every(({ buckets }) => buckets.cancelled === buckets.ordered));
  assert.deepEqual(await held("1"), []);
  await order("2", [{ sku: "A", qty: 10 }]);
  await allocate({ orderIds: ["2"] });
  assert.equal((await read("2")).status, "ALLOCATED");
});

test("a cancelled or unknown order cannot be cancelled", async () => {
  const { cancel, clientId } = await stocked("AGAIN");
  await cancel();
  const again = await cancel();
  assert.deepEqual(again, {
    ok: false,
    fault: conflict("Order 1 cannot be cancelled in state CANCELLED: all of it is cancelled already."),
  });
  const unknown = await database.transaction((tx) =>
    cancelOrder(tx.of(clientId, changeAt()), { orderId: "2", reason: "" }),
  );
  assert.deepEqual(unknown, { ok: false, fault: notFound("The client has no order 2.") });
});

test("a partial cancellation takes waiting quantity first; the rest keeps its stock", async () => {
  const { clientId, read, buckets, held } = await stocked("PART");
  const result = await database.transaction((tx) =>
    cancelOrderLine(tx.of(clientId, changeAt()), { orderId: "1", reason: "too much", lineNumber: 2, qty: 1_000 }),
  );
  assert.ok(result.ok);
  assert.deepEqual(topicsOf(result.value.events), ["1 order:allocated", "1 40", "1 50"]);
  assert.equal(feedsOf(result.value.events).length, 1);
  assert.deepEqual(await buckets("1", 2), { ordered: 2, allocated: 1, cancelled: 1 });
  assert.deepEqual([(await read("1")).status, await held("1")], ["ALLOCATED", ["-: 4 FIFO", "-: 1 FIFO"]]);
  const more = await database.transaction((tx) =>
    cancelOrderLine(tx.of(clientId, changeAt()), { orderId: "1", reason: "too much", lineNumber: 2, qty: 2_000 }),
  );
  assert.deepEqual(more, {
    ok: false,
    fault: conflict("Order 1, line 2: 2 cannot be cancelled, 1 are left."),
  });
});

test("a taken order gets a cancel request; its backordered quantity is cancelled at once", async () => {
  const { cancel, set, read, work, held } = await stocked("TAKEN");
  await set((order) => ({ ...order, takenAt: at }));
  const result = await cancel();
  assert.ok(result.ok);
  assert.equal(result.value.answer, "REQUESTED");
  assert.deepEqual(topicsOf(result.value.events), [
    "1 order:cancelRequested",
    "1 order:allocated",
    "1 40",
    "1 50",
    "1 88",
  ]);
  const { lines, cancelRequestedAt, cancelReason } = await read("1");
  assert.deepEqual(
    lines.map(({ cancelRequested, buckets }) => [cancelRequested, buckets.cancelled]),
    [
      [4_000, 0],
      [1_000, 1_000],
    ],
  );
  assert.deepEqual([cancelRequestedAt, cancelReason], [at, "changed my mind"]);
  assert.equal((await held("1")).length, 2);
  const [pick, request] = await work();
  assert.deepEqual([pick?.type, pick?.isWanted], ["PICK", false]);
  assert.deepEqual(
    [request?.type, request?.isWanted, request?.lines.map(({ lineNumber, qty }) => [lineNumber, qty])],
    [
      "CANCEL_REQUEST",
      true,
      [
        [1, 4_000],
        [2, 1_000],
      ],
    ],
  );
  const again = await cancel();
  assert.ok(again.ok);
  assert.deepEqual([again.value.answer, again.value.events], ["REQUESTED", []]);
});

test("a despatched order is refused with a hint to an RMA; of a partly despatched order the rest is cancelled", async () => {
  const { cancel, set, read } = await stocked("GONE");
  await cancel({ lines: [{ lineNumber: 2 }] });
  const despatch = (qty: number) =>
    set((order) => ({
      ...order,
      lines: order.lines.map((line) => {
        if (line.lineNumber !== 1) return line;
        const { buckets } = line;
        return {
          ...line,
          buckets: { ...buckets, allocated: buckets.allocated - qty, despatched: buckets.despatched + qty },
        };
      }),
    }));
  await despatch(1_000);
  const tooMuch = await cancel({ lines: [{ lineNumber: 1, qty: 4_000 }] });
  assert.ok(!tooMuch.ok);
  assert.match(tooMuch.fault.detail, /line 1: 4 cannot be cancelled, 3 are left; 1 have left: send an RMA/);
  const part = await cancel({ lines: [{ lineNumber: 1, qty: 1_000 }] });
  assert.ok(part.ok);
  await despatch(2_000);
  assert.equal((await read("1")).status, "DESPATCHED");
  const late = await cancel();
  assert.ok(!late.ok);
  assert.match(late.fault.detail, /in state DESPATCHED: it has left the warehouse; send an RMA for what comes back/);
});

test("an order that the warehouse accepts stays taken when a hold or cancel came first", async () => {
  const { cancel, take, read } = await stocked("LATE");
  await cancel({ lines: [{ lineNumber: 2, qty: 1_000 }] });
  assert.deepEqual((await take()).taken, ["1"]);
  assert.equal((await read("1")).takenAt, at);
  const other = await stocked("LATER");
  await other.cancel();
  const { taken, refused } = await other.take();
  assert.deepEqual([taken, refused[0]?.reason], [[], "the order is CANCELLED and has nothing to pick"]);
});
