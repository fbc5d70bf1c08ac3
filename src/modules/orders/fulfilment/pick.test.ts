import assert from "node:assert/strict";
import { test } from "node:test";
import { dayAfter, listSerials } from "#/modules/inventory/index.ts";
import { at, database, feedsOf } from "../../../../tests/support/builders/stocked-orders.ts";
import { accepted, assertRefused, eventsBy, floor } from "../../../../tests/support/warehouse/floor.ts";

test("the first pick takes the order, the last one ends picking, and each sends an OS", async () => {
  const { items, stock, released, pick, buckets, holdings, read, clean } = await floor("PICK");
  await items(["A"]);
  await stock([{ sku: "A", qty: 5 }]);
  await released("1", "A", 3);
  const first = await pick({ orderId: "1", lines: [{ lineNumber: 1, qtyPicked: 1 }] });
  assert.deepEqual(eventsBy(first), ["1 order:picking", "1 52"]);
  const shown = feedsOf(accepted(first).events).map(({ content }) => content as { status: string; lines: object[] });
  assert.deepEqual(
    shown.map(({ status, lines }) => [status, Object.entries(lines[0] as object).filter(([, value]) => value > 0)]),
    [["PICKING", Object.entries({ lineNumber: 1, qtyOrdered: 3, qtyAllocated: 2, qtyPicked: 1 })]],
  );
  assert.notEqual((await read("1")).takenAt, undefined);
  assert.deepEqual(accepted(first).answer, {
    orderId: "1",
    status: "PICKING",
    lines: [
      {
        lineNumber: 1,
        status: "PICKING",
        qtyOrdered: 3,
        qtyOpen: 0,
        qtyBackordered: 0,
        qtyAllocated: 2,
        qtyPicked: 1,
        qtyPacked: 0,
        qtyDespatched: 0,
        qtyCancelled: 0,
      },
    ],
  });
  assert.deepEqual(eventsBy(await pick({ orderId: "1", lines: [{ lineNumber: 1, qtyPicked: 2 }] })), ["1 55"]);
  assert.deepEqual(await buckets("1"), { ordered: 3, picked: 3 });
  assert.deepEqual(await holdings("1"), ["1 -: a0 p3 k0 FIFO"]);
  await clean();
});

test("a pick without an allocation is refused, and names line, quantity and lot", async () => {
  const { items, stock, order, released, pick, hold, captureBatch, clean } = await floor("PICKNO");
  await items(["A", "B"]);
  await captureBatch("B");
  await stock([
    { sku: "A", qty: 5 },
    { sku: "B", qty: 2, batchRef: "B1" },
  ]);
  const pickOne = (orderId: string, fields: object) =>
    pick({ orderId, lines: [{ lineNumber: 1, qtyPicked: 1, ...fields }] });
  await released("1", "A", 2);
  assertRefused(await pickOne("9", {}), "notFound", /no order 9 at facility DC1/);
  assertRefused(
    await pick({ orderId: "1", lines: [{ lineNumber: 1, qtyPicked: 1 }] }, "DC2"),
    "notFound",
    /at facility DC2/,
  );
  assertRefused(await pickOne("1", { qtyPicked: 3 }), "conflict", /line 1, 3 of SKU A are reported; 2 are allocated/);
  assertRefused(await pickOne("1", { qtyShort: 2 }), "conflict", /3 of SKU A are reported; 2 are allocated/);
  assertRefused(await pickOne("1", { lineNumber: 7 }), "unprocessable", /no line 7/);
  assertRefused(await pickOne("1", { qtyPicked: 0 }), "unprocessable", /neither a picked nor a short quantity/);
  assertRefused(await pickOne("1", { qtyPicked: 0.5 }), "unprocessable", /0\.5 of SKU A is not a whole number/);
  assertRefused(await pickOne("1", { batchRef: "X" }), "conflict", /1 of SKU A, batch X are picked; 0 can be taken/);
  await order("2", [{ sku: "A", qty: 1 }]);
  assertRefused(await pickOne("2", {}), "conflict", /RECEIVED: it is not released/);
  await released("3", "B", 1);
  assertRefused(await pickOne("3", {}), "unprocessable", /SKU B is kept by batch/);
  await hold("1");
  assertRefused(await pickOne("1", {}), "conflict", /on hold: OTHER \(wait\)/);
  await clean();
});

test("an order that waits for its rest is not released, unless it may leave in parts", async () => {
  const { items, stock, released, order, allocate, pick } = await floor("PICKPART");
  await items(["A", "B"]);
  await stock([
    { sku: "A", qty: 1 },
    { sku: "B", qty: 1 },
  ]);
  await released("1", "A", 2);
  const lines = [{ lineNumber: 1, qtyPicked: 1 }];
  assertRefused(await pick({ orderId: "1", lines }), "conflict", /not released/);
  await order("2", [{ sku: "B", qty: 2 }], { shipPartial: true });
  await allocate({ orderIds: ["2"] });
  assert.ok((await pick({ orderId: "2", lines })).ok);
});

test("a pick of a free lot replaces the allocated lot", async () => {
  const { items, stock, released, pick, holdings, balances, clean } = await floor("SWAPFREE");
  await items(["A"]);
  await stock([
    { sku: "A", qty: 3, batchRef: "B1", at: "2026-09-01T00:00:00.000Z" },
    { sku: "A", qty: 3, batchRef: "B2", at: "2026-09-02T00:00:00.000Z" },
  ]);
  await released("1", "A", 3);
  assert.deepEqual(await holdings("1"), ["1 B1: a3 p0 k0 FIFO"]);
  accepted(await pick({ orderId: "1", lines: [{ lineNumber: 1, qtyPicked: 2, batchRef: "B2" }] }));
  assert.deepEqual(await holdings("1"), ["1 B1: a1 p0 k0 FIFO", "1 B2: a0 p2 k0 PICK"]);
  assert.deepEqual(await balances("A"), ["GOOD B1: 3/1", "GOOD B2: 3/2"]);
  await clean();
});

test("a pick of another order's lot swaps the allocations, unless that order has picked it", async () => {
  const { items, stock, released, pick, holdings, clean, buckets, read } = await floor("SWAP");
  await items(["A"]);
  await stock([
    { sku: "A", qty: 2, batchRef: "B1", at: "2026-09-01T00:00:00.000Z" },
    { sku: "A", qty: 3, batchRef: "B2", at: "2026-09-02T00:00:00.000Z" },
  ]);
  await released("2", "A", 2);
  await released("1", "A", 3);
  const version = (await read("1")).version;
  const swap = await pick({ orderId: "2", lines: [{ lineNumber: 1, qtyPicked: 2, batchRef: "B2" }] });
  assert.deepEqual(eventsBy(swap).sort(), ["1 order:updated", "2 52", "2 55", "2 order:picking"]);
  assert.deepEqual(await holdings("2"), ["1 B2: a0 p2 k0 PICK"]);
  assert.deepEqual(await holdings("1"), ["1 B1: a2 p0 k0 PICK", "1 B2: a1 p0 k0 FIFO"]);
  assert.deepEqual(await buckets("1"), { ordered: 3, allocated: 3 });
  assert.equal((await read("1")).version, version + 1);
  // Picked units are not given up.
  accepted(await pick({ orderId: "1", lines: [{ lineNumber: 1, qtyPicked: 1, batchRef: "B2" }] }));
  const refused = await pick({ orderId: "1", lines: [{ lineNumber: 1, qtyPicked: 1, batchRef: "B2" }] });
  assertRefused(refused, "conflict", /1 of SKU A, batch B2 are picked; 0 can be taken/);
  await clean();
});

test("a lot that has expired, or of another pool, is not swapped in", async () => {
  const { items, stock, released, pick, clean } = await floor("SWAPNO");
  await items(["A"]);
  await stock([
    { sku: "A", qty: 1, batchRef: "OLD", expiryDate: "2026-11-01" },
    { sku: "A", qty: 1, batchRef: "POOL", stockPool: "B2B" },
    { sku: "A", qty: 1, batchRef: "OWN" },
  ]);
  await released("1", "A", 1);
  for (const batchRef of ["OLD", "POOL"]) {
    const refused = await pick({ orderId: "1", lines: [{ lineNumber: 1, qtyPicked: 1, batchRef }] });
    assertRefused(refused, "conflict", new RegExp(`batch ${batchRef} are picked; 0 can be taken`));
  }
  await clean();
});

test("a lot below the shelf life of its item is not swapped in, unless an operator forces the pick", async () => {
  const { items, stock, released, pick, balances, clean } = await floor("SWAPMIN");
  const attributes = { CaptureExpiry: "true", MinShelfLifeDays: "30" };
  await items(["A"], { attributes });
  const today = at.slice(0, 10);
  const [soon, late] = [dayAfter(today, 29), dayAfter(today, 30)];
  await stock([
    { sku: "A", qty: 1, batchRef: "SOON", expiryDate: soon },
    { sku: "A", qty: 1, batchRef: "OWN", expiryDate: dayAfter(today, 40) },
    { sku: "A", qty: 1, batchRef: "OTHER", expiryDate: dayAfter(today, 50) },
  ]);
  await released("1", "A", 1);
  await released("2", "A", 1);
  const take = (orderId: string, batchRef: string, expiryDate: string, isForced = false) =>
    pick({ orderId, lines: [{ lineNumber: 1, qtyPicked: 1, batchRef, expiryDate }], isForced });
  const refused = await take("1", "SOON", soon);
  const rule = `batch SOON, expiry ${soon} is picked, but the item's MinShelfLifeDays asks for ${late} or later`;
  assertRefused(refused, "conflict", new RegExp(`${rule}.*let an operator force the report`));
  accepted(await take("1", "OTHER", dayAfter(today, 50)));
  accepted(await take("2", "SOON", soon, true));
  assert.deepEqual(await balances("A"), ["GOOD OTHER: 1/1", "GOOD OWN: 1/0", "GOOD SOON: 1/1"]);
  await clean();
});

test("short units are put on hold, and other stock is allocated", async () => {
  const { items, stock, released, pick, buckets, balances, allocate, clean } = await floor("SHORT");
  await items(["A"]);
  await stock([
    { sku: "A", qty: 3, batchRef: "B1", at: "2026-09-01T00:00:00.000Z" },
    { sku: "A", qty: 1, batchRef: "B2", at: "2026-09-02T00:00:00.000Z" },
  ]);
  await released("1", "A", 3);
  const short = await pick({ orderId: "1", lines: [{ lineNumber: 1, qtyPicked: 1, qtyShort: 2 }] });
  assert.deepEqual(eventsBy(short).slice(0, 4), ["1 order:updated", "1 order:picking", "1 52", "1 58"]);
  assert.deepEqual(
    feedsOf(accepted(short).events).map(({ type }) => type),
    ["ADJ"],
  );
  assert.deepEqual(await buckets("1"), { ordered: 3, open: 2, picked: 1 });
  assert.deepEqual(await balances("A"), ["GOOD B1: 1/1", "GOOD B2: 1/0", "ON_HOLD B1: 2/0"]);
  await clean();
  await allocate({ skus: ["A"] });
  assert.deepEqual(await buckets("1"), { ordered: 3, backordered: 1, allocated: 1, picked: 1 });
  accepted(await pick({ orderId: "1", lines: [{ lineNumber: 1, qtyPicked: 1, batchRef: "B2" }] }));
  await clean();
});

test("an order whose pick found nothing is no longer PICKING", async () => {
  const { items, stock, released, pick, read, clean } = await floor("SHORTALL");
  await items(["A"]);
  await stock([{ sku: "A", qty: 2 }]);
  await released("1", "A", 2);
  const short = await pick({ orderId: "1", lines: [{ lineNumber: 1, qtyPicked: 0, qtyShort: 2 }] });
  assert.deepEqual(eventsBy(short).slice(0, 2), ["1 order:updated", "1 58"]);
  assert.equal((await read("1")).status, "RECEIVED");
  await clean();
});

test("serials are picked one for each unit, and are the order's from then on", async () => {
  const { clientId, items, stock, serials, released, pick, holdings, clean } = await floor("SERIALS");
  await items(["S"], { attributes: { CaptureSerial: "true" } });
  await stock([
    { sku: "S", qty: 2, batchRef: "B1", at: "2026-09-01T00:00:00.000Z" },
    { sku: "S", qty: 1, batchRef: "B2", at: "2026-09-02T00:00:00.000Z" },
  ]);
  await serials([
    { sku: "S", serial: "1", batchRef: "B1" },
    { sku: "S", serial: "2", batchRef: "B1" },
    { sku: "S", serial: "3", batchRef: "B2" },
  ]);
  await released("1", "S", 2);
  const two = (named: string[], qtyPicked = 2) =>
    pick({ orderId: "1", lines: [{ lineNumber: 1, qtyPicked, serials: named }] });
  assertRefused(
    await pick({ orderId: "1", lines: [{ lineNumber: 1, qtyPicked: 2 }] }),
    "unprocessable",
    /kept by serial number/,
  );
  assertRefused(await two(["1"]), "unprocessable", /as many serials as the quantity 2, there are 1/);
  assertRefused(await two(["1", "1"]), "unprocessable", /serial 1 of SKU S is present twice/);
  assertRefused(await two(["1", "9"]), "conflict", /serial 9 of SKU S is not in stock there/);
  // One unit of the allocated lot, one of another: the serials determine the lots.
  accepted(await two(["1", "3"]));
  assert.deepEqual(await holdings("1"), ["1 B1: a0 p1 k0 FIFO", "1 B2: a0 p1 k0 PICK"]);
  const places = await listSerials(database.of(clientId), "S", ["1", "2", "3"]);
  assert.deepEqual(places.map(({ serial, ownerId }) => [serial, ownerId]).sort(), [
    ["1", "1"],
    ["2", undefined],
    ["3", "1"],
  ]);
  await released("2", "S", 1);
  const taken = await pick({ orderId: "2", lines: [{ lineNumber: 1, qtyPicked: 1, serials: ["3"] }] });
  assertRefused(taken, "conflict", /serial 3 of SKU S is used by 1/);
  await clean();
});
