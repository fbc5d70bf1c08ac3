import assert from "node:assert/strict";
import { test } from "node:test";
import { openBook } from "#/modules/inventory/index.ts";
import { allocateOrders, notInStock } from "#/modules/orders/allocation/allocation.ts";
import { at, changeAt, database, feedsOf, topicsOf, world } from "../../../../tests/support/builders/stocked-orders.ts";
import { patient } from "../../../../tests/support/postgres/database.ts";

const hold = { type: "CLIENT_REQUEST", reason: "", since: at, by: "test" } as const;

test("an order that stock fills is allocated, with the codes, the event and one OS", async () => {
  const { items, stock, order, allocate, buckets, held, read } = await world("FULL");
  await items(["A", "B"]);
  await stock([
    { sku: "A", qty: 5 },
    { sku: "B", qty: 1 },
  ]);
  await order("1", [
    { sku: "A", qty: 2 },
    { sku: "B", qty: 1 },
  ]);
  const { drafts, lines, isDone } = await allocate({ orderIds: ["1"] });
  assert.deepEqual([lines, isDone], [2, true]);
  assert.deepEqual(topicsOf(drafts), ["1 order:allocated", "1 40", "1 50"]);
  const [status] = feedsOf(drafts);
  assert.equal(feedsOf(drafts).length, 1);
  assert.deepEqual([status?.type, (status?.content as { status: string } | undefined)?.status], ["OS", "ALLOCATED"]);
  assert.deepEqual(
    [await buckets("1"), await buckets("1", 2)],
    [
      { ordered: 2, allocated: 2 },
      { ordered: 1, allocated: 1 },
    ],
  );
  assert.deepEqual(await held("1"), ["-: 2 FIFO", "-: 1 FIFO"]);
  const { status: state, version } = await read("1");
  assert.deepEqual([state, version], ["ALLOCATED", 2]);
  assert.deepEqual((await allocate({ orderIds: ["1"] })).drafts, []);
});

test("the lot that expires first is allocated first, then the lot received first", async () => {
  const { items, stock, order, allocate, held } = await world("LOTS");
  await items(["A"]);
  await stock([
    { sku: "A", qty: 1, batchRef: "LATE", expiryDate: "2027-12-31", at: "2026-09-01T00:00:00.000Z" },
    { sku: "A", qty: 1, batchRef: "EARLY", expiryDate: "2027-01-31", at: "2026-09-02T00:00:00.000Z" },
    { sku: "A", qty: 1, batchRef: "NEWER", at: "2026-09-04T00:00:00.000Z" },
    { sku: "A", qty: 1, batchRef: "YOUNG", at: "2026-09-05T00:00:00.000Z" },
  ]);
  for (const orderId of ["1", "2", "3"]) {
    await order(orderId, [{ sku: "A", qty: 1 }]);
    await allocate({ orderIds: [orderId] });
  }
  assert.deepEqual(await held("1"), ["EARLY: 1 FEFO"]);
  assert.deepEqual(await held("2"), ["LATE: 1 FEFO"]);
  assert.deepEqual(await held("3"), ["NEWER: 1 FIFO"]);
});

test("goods below MinShelfLifeDays and inactive or unknown items are not allocated", async () => {
  const { items, stock, order, allocate, read, buckets } = await world("SHELF");
  await items(["A"], { attributes: { MinShelfLifeDays: "30" } });
  await items(["B"], { isActive: false });
  await items(["C"]);
  await stock([
    { sku: "A", qty: 1, expiryDate: "2026-12-01" },
    { sku: "A", qty: 1, expiryDate: "2026-12-02" },
    { sku: "B", qty: 9 },
    { sku: "C", qty: 9, expiryDate: "2026-11-01" },
    { sku: "D", qty: 9 },
  ]);
  await order("1", [{ sku: "A", qty: 2 }, ...["B", "C", "D"].map((sku) => ({ sku, qty: 1 }))]);
  await allocate({ orderIds: ["1"] });
  assert.deepEqual(await buckets("1", 1), { ordered: 2, backordered: 1, allocated: 1 });
  for (const line of [2, 3, 4]) assert.deepEqual(await buckets("1", line), { ordered: 1, backordered: 1 });
  assert.equal((await read("1")).statusReason, "inactive in the catalogue: SKU B");
});

test("the reason of a backorder names stock that cannot be sold, until stock arrives", async () => {
  const { items, stock, order, allocate, read } = await world("UNSOLD");
  await items(["A"], { attributes: { MinShelfLifeDays: "30" } });
  await items(["B", "C", "E", "F"]);
  await stock([
    { sku: "A", qty: 1, expiryDate: "2026-11-20" },
    { sku: "B", qty: 9, condition: "ON_HOLD" },
    { sku: "C", qty: 9, expiryDate: "2026-11-01" },
    { sku: "D", qty: 9 },
    { sku: "F", qty: 9, stockPool: "OTHER" },
  ]);
  const reasons: Record<string, string | undefined> = {};
  for (const sku of ["A", "B", "C", "D", "E", "F"]) {
    await order(sku, [{ sku, qty: 2 }]);
    await allocate({ orderIds: [sku] });
    reasons[sku] = (await read(sku)).statusReason;
  }
  const start = "stock that cannot be sold: SKU";
  assert.deepEqual(reasons, {
    A: `${start} A (SHELF_LIFE)`,
    B: `${start} B (ON_HOLD)`,
    C: `${start} C (EXPIRED)`,
    D: `${start} D (UNKNOWN_ITEM)`,
    E: undefined,
    F: undefined,
  });
  await order(
    "all",
    ["A", "B", "C", "D"].map((sku) => ({ sku, qty: 1 })),
  );
  await allocate({ orderIds: ["all"] });
  assert.equal((await read("all")).statusReason, `${start} A (SHELF_LIFE), B (ON_HOLD), C (EXPIRED) and 1 more`);
  await stock([{ sku: "B", qty: 2 }]);
  await allocate({ skus: ["B"] });
  const { status, statusReason } = await read("B");
  assert.deepEqual([status, statusReason], ["ALLOCATED", undefined]);
});

test("a line takes stock from its own pool first, then from DEFAULT, and never from another", async () => {
  const { items, stock, order, allocate, held, buckets } = await world("POOLS");
  await items(["A"]);
  await stock([
    { sku: "A", qty: 2, stockPool: "B2B" },
    { sku: "A", qty: 2 },
    { sku: "A", qty: 5, stockPool: "OTHER" },
  ]);
  await order("1", [{ sku: "A", qty: 3, stockPool: "B2B" }]);
  await order("2", [{ sku: "A", qty: 2 }]);
  await allocate({ skus: ["A"] });
  assert.deepEqual(await held("1"), ["B2B: 2 FIFO", "-: 1 FIFO"]);
  assert.deepEqual(await held("2"), ["-: 1 FIFO"]);
  assert.deepEqual(await buckets("2"), { ordered: 2, backordered: 1, allocated: 1 });
});

test("DEFAULT is allocated by priority, with any pool of the lines", async () => {
  const { items, stock, order, allocate, buckets } = await world("POOLPRIO");
  await items(["A"]);
  await stock([{ sku: "A", qty: 1 }]);
  await order("1", [{ sku: "A", qty: 1 }], { priority: 9 });
  await order("2", [{ sku: "A", qty: 1, stockPool: "B2B" }], { priority: 1 });
  await allocate({ orderIds: ["1", "2"] });
  assert.deepEqual(
    [await buckets("1"), await buckets("2")],
    [
      { ordered: 1, backordered: 1 },
      { ordered: 1, allocated: 1 },
    ],
  );
});

test("stock is allocated by priority, then by first acceptance, then by orderId", async () => {
  const { items, stock, orders, allocate, read } = await world("TURN");
  await items(["A"]);
  const lines = [{ sku: "A", qty: 2 }];
  await orders([
    { orderId: "late", lines, receivedAt: "2026-11-02T09:00:00Z" },
    { orderId: "early", lines, receivedAt: "2026-11-01T09:00:00Z" },
    { orderId: "urgent", lines, priority: 1, receivedAt: "2026-11-02T09:30:00Z" },
    { orderId: "twin", lines, receivedAt: "2026-11-02T09:00:00Z" },
  ]);
  const allocated: string[] = [];
  for (let i = 0; i < 4; i++) {
    await stock([{ sku: "A", qty: 2 }]);
    const { drafts } = await allocate({ skus: ["A"] });
    allocated.push(...topicsOf(drafts).filter((topic) => topic.endsWith("order:allocated")));
  }
  assert.deepEqual(
    allocated,
    ["urgent", "early", "late", "twin"].map((orderId) => `${orderId} order:allocated`),
  );
  assert.equal((await read("twin")).status, "ALLOCATED");
});

test("a held order gets nothing and is not backordered", async () => {
  const { items, stock, order, allocate, read, buckets } = await world("HELD");
  await items(["A"]);
  await stock([{ sku: "A", qty: 1 }]);
  await order("1", [{ sku: "A", qty: 1 }], { holds: [hold], priority: 1 });
  await order("2", [{ sku: "A", qty: 2 }]);
  await allocate({ orderIds: ["1", "2"] });
  assert.deepEqual([(await read("1")).status, (await buckets("1")).open], ["ON_HOLD", 1]);
  assert.deepEqual(await buckets("2"), { ordered: 2, backordered: 1, allocated: 1 });
  assert.equal((await read("2")).status, "PARTIALLY_ALLOCATED");
});

test("orders without stock are backordered, and receive arriving stock, oldest first", async () => {
  const { items, stock, orders, allocate, read, buckets } = await world("WAIT");
  await items(["A"]);
  await orders(
    [1, 2].map((n) => ({ orderId: `${n}`, lines: [{ sku: "A", qty: 2 }], receivedAt: `2026-11-0${n}T00:00:00Z` })),
  );
  const { drafts } = await allocate({ orderIds: ["1", "2"] });
  assert.deepEqual(topicsOf(drafts), ["1 order:backordered", "1 45", "2 order:backordered", "2 45"]);
  assert.equal((await read("1")).backorderedSince, at);
  await stock([{ sku: "A", qty: 3 }]);
  await allocate({ skus: ["A"] });
  assert.deepEqual(
    [await buckets("1"), await buckets("2")],
    [
      { ordered: 2, allocated: 2 },
      { ordered: 2, backordered: 1, allocated: 1 },
    ],
  );
  assert.equal((await read("1")).backorderedSince, undefined);
});

test("with SHIP_AND_CANCEL the missing part is cancelled with its reason; ShipPartial waits", async () => {
  const { items, stock, orders, allocate, read, buckets } = await world("CANCELS", { backorder: "SHIP_AND_CANCEL" });
  await items(["A"]);
  await stock([{ sku: "A", qty: 3 }]);
  const lines = [{ sku: "A", qty: 2 }];
  await orders([
    { orderId: "1", lines },
    { orderId: "2", lines },
    { orderId: "3", lines },
    { orderId: "4", lines, shipPartial: true },
  ]);
  const { drafts } = await allocate({ orderIds: ["1", "2", "3", "4"] });
  assert.deepEqual(await buckets("2"), { ordered: 2, allocated: 1, cancelled: 1 });
  const [two, three] = [await read("2"), await read("3")];
  assert.deepEqual([two.status, two.statusReason], ["ALLOCATED", notInStock]);
  assert.deepEqual([three.status, three.statusReason], ["CANCELLED", notInStock]);
  assert.equal((await read("4")).status, "BACKORDERED");
  assert.equal(feedsOf(drafts).length, 4);
});

test("20 orders at once for the last 8 units get exactly 8", async () => {
  const { clientId, items, stock, orders, read } = await world("LAST");
  await items(["A"]);
  await stock([{ sku: "A", qty: 8 }]);
  const orderIds = Array.from({ length: 20 }, (_, i) => `O${i}`);
  await orders(orderIds.map((orderId) => ({ orderId, lines: [{ sku: "A", qty: 1 }] })));
  await Promise.all(
    orderIds.map((orderId) =>
      database.transaction(
        async (tx) =>
          allocateOrders(tx.of(clientId, changeAt()), await openBook(tx.of(clientId), "DC1", at), {
            orderIds: [orderId],
          }),
        patient,
      ),
    ),
  );
  const states = await Promise.all(orderIds.map(async (orderId) => (await read(orderId)).status));
  assert.deepEqual(
    Object.entries(Object.groupBy(states, (state) => state))
      .map(([state, all]) => [state, all?.length])
      .sort(),
    [
      ["ALLOCATED", 8],
      ["BACKORDERED", 12],
    ],
  );
});

test("orders beyond the bound of a call wait for the next one, and are not reported as out of stock", async () => {
  const { items, stock, orders, allocate, read } = await world("MANY");
  await items(["A", "B"]);
  await stock([
    { sku: "A", qty: 100 },
    { sku: "B", qty: 100 },
  ]);
  const orderIds = Array.from({ length: 30 }, (_, i) => `O${String(i).padStart(2, "0")}`);
  await orders(orderIds.map((orderId) => ({ orderId, lines: ["A", "B"].map((sku) => ({ sku, qty: 1 })) })));
  const sizes: [number, boolean][] = [];
  for (;;) {
    const { lines, isDone } = await allocate({ orderIds, linesMax: 25 });
    sizes.push([lines, isDone]);
    if (isDone) break;
  }
  assert.deepEqual(sizes, [
    [25, false],
    [25, false],
    [10, true],
  ]);
  for (const orderId of orderIds) assert.equal((await read(orderId)).status, "ALLOCATED");
});

test("an allocation of named orders does not touch other orders", async () => {
  const { items, stock, orders, allocate, read } = await world("ALONE");
  await items(["A"]);
  await orders([1, 2].map((n) => ({ orderId: `${n}`, lines: [{ sku: "A", qty: 1 }] })));
  await allocate({ orderIds: ["1", "2"] });
  await stock([{ sku: "A", qty: 1 }]);
  await allocate({ orderIds: ["2"], isForThemAlone: true });
  assert.deepEqual([(await read("1")).status, (await read("2")).status], ["BACKORDERED", "ALLOCATED"]);
});
