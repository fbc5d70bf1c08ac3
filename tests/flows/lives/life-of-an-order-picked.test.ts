// lifecycle.md §1, short picks and picks of another lot; their effects on the order, on others and on the stock.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { lifeOf, parcel, withLots } from "../../support/builders/life.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);

test("short units are on hold until a count, and the line gets other stock", async () => {
  const life = await lifeOf(server, dc1, "SHORT", { items: [withLots("LOT")] });
  await life.stock([{ sku: "LOT", qty: 3, batchRef: "L1" }]);
  await life.stock([{ sku: "LOT", qty: 1, batchRef: "L2" }]);
  await life.place("1", [{ sku: "LOT", qty: 3 }]);
  assert.equal(await life.lotsOf("1"), "L1 3 FIFO");
  await life.pick("1", 1, { qtyShort: 2, batchRef: "L1" });
  await life.quiet();
  assert.equal(
    await life.stands("1"),
    "PICKING (stock that cannot be sold: SKU LOT (ON_HOLD)) Backordered 1 Allocated 1 Picked 1",
  );
  assert.equal(await life.stockOf("LOT"), "GOOD 2/2, ON_HOLD 2/0");
  assert.equal(await life.work("PICK", "1"), "v2: LOT 1");
  assert.deepEqual((await life.signals("1")).slice(6), ["order:updated", "order:picking", 52, 58, "order:updated"]);
  // The count finds one of the two: it is good again and allocated.
  await dc1.report("count", {
    clientId: "SHORT",
    countId: "C-SHORT",
    lines: [{ sku: "LOT", countedQty: 1, condition: "ON_HOLD", batchRef: "L1" }],
  });
  await dc1.report("hold", {
    clientId: "SHORT",
    reasonCode: "FOUND",
    lines: [{ sku: "LOT", qty: 1, fromCondition: "ON_HOLD", toCondition: "GOOD", batchRef: "L1" }],
  });
  await life.quiet();
  assert.equal(await life.stands("1"), "PICKING Allocated 2 Picked 1");
  assert.equal(await life.work("PICK", "1"), "v3: LOT 1, LOT 1");
  for (const batchRef of ["L1", "L2"]) await life.pick("1", 1, { batchRef });
  assert.equal((await life.signals("1")).filter((signal) => signal === 55).length, 1);
  const { olpns } = await dc1.report("pack", {
    clientId: "SHORT",
    orderId: "1",
    olpns: [
      parcel([
        { lineNumber: 1, qty: 2, batchRef: "L1" },
        { lineNumber: 1, qty: 1, batchRef: "L2" },
      ]),
    ],
  });
  await life.despatch(...(olpns as { olpnId: string }[]).map(({ olpnId }) => olpnId));
  const last = (await life.documents("1")).at(-1);
  assert.deepEqual(last?.shipments?.[0]?.contents.map(({ batchRef, qty }) => `${batchRef} ${qty}`).sort(), [
    "L1 2",
    "L2 1",
  ]);
  assert.equal(await life.stockOf("LOT"), "");
  await life.assertSound();
});

test("when nothing is found the order waits again, and is cancelled at once when that is wanted", async () => {
  const life = await lifeOf(server, dc1, "NOTHING");
  await life.stock([{ sku: "A", qty: 2 }]);
  await life.place("1", [{ sku: "A", qty: 2 }]);
  await life.pick("1", 0, { qtyShort: 2 });
  await life.quiet();
  assert.equal(await life.stands("1"), "BACKORDERED (stock that cannot be sold: SKU A (ON_HOLD)) Backordered 2");
  assert.equal(await life.work("PICK", "1"), "v2 withdrawn");
  assert.deepEqual((await life.statuses("1")).slice(1), [
    "BACKORDERED 45 (stock that cannot be sold: SKU A (ON_HOLD)): Backordered 2",
  ]);
  assert.deepEqual((await life.signals("1")).slice(6), ["order:updated", 58, "order:backordered", 45]);
  await life.cancel("1");
  assert.equal((await life.shown("1")).status, "CANCELLED");
  await life.assertSound();
});

test("a pick of another lot that no one has takes its place", async () => {
  const life = await lifeOf(server, dc1, "OTHER", { items: [withLots("LOT")] });
  await life.stock([{ sku: "LOT", qty: 2, batchRef: "L1" }]);
  await life.stock([{ sku: "LOT", qty: 2, batchRef: "L2" }]);
  await life.place("1", [{ sku: "LOT", qty: 2 }]);
  await life.pick("1", 2, { batchRef: "L2" });
  assert.equal(await life.lotsOf("1"), "L2 2 PICK");
  assert.equal(await life.stockOf("LOT"), "GOOD 4/2");
  await life.place("2", [{ sku: "LOT", qty: 2 }]);
  assert.equal(await life.lotsOf("2"), "L1 2 FIFO");
  await life.assertSound();
});

test("a pick of the lot of another order swaps their allocations, and the other's task says so", async () => {
  const life = await lifeOf(server, dc1, "SWAP", { items: [withLots("LOT")] });
  await life.stock([{ sku: "LOT", qty: 1, batchRef: "L1" }]);
  await life.stock([{ sku: "LOT", qty: 1, batchRef: "L2" }]);
  await life.place("1", ["LOT"]);
  await life.place("2", ["LOT"]);
  assert.deepEqual([await life.lotsOf("1"), await life.lotsOf("2")], ["L1 1 FIFO", "L2 1 FIFO"]);
  await life.pick("1", 1, { batchRef: "L2" });
  assert.deepEqual([await life.lotsOf("1"), await life.lotsOf("2")], ["L2 1 PICK", "L1 1 PICK"]);
  const task = await life.task("PICK", "2");
  const [line] = (task?.lines ?? []) as unknown as { batchRef: string }[];
  assert.deepEqual([task?.version, line?.batchRef], [2, "L1"]);
  assert.equal(await life.stands("2"), "ALLOCATED Allocated 1");
  assert.equal((await life.statuses("2")).length, 1, "its state did not change");
  // Stock that the other order has already picked stays with it.
  await life.pick("2", 1, { batchRef: "L1" });
  await life.stock([{ sku: "LOT", qty: 1, batchRef: "L3" }]);
  await life.place("3", ["LOT"]);
  const stolen = { clientId: "SWAP", orderId: "3", lines: [{ lineNumber: 1, qtyPicked: 1, batchRef: "L1" }] };
  assert.match(await dc1.refuse("pick", stolen, 409), /L1.* 0 can be taken/);
  await life.assertSound();
});

test("a lot of another pool, on hold or unknown is not a lot to pick", async () => {
  const life = await lifeOf(server, dc1, "WRONG", { items: [withLots("LOT")], settings: { stockPools: "B2B" } });
  await life.stock([
    { sku: "LOT", qty: 1, batchRef: "L1" },
    { sku: "LOT", qty: 1, batchRef: "L2", stockPool: "B2B" },
    { sku: "LOT", qty: 1, batchRef: "L3" },
  ]);
  const held = { sku: "LOT", qty: 1, batchRef: "L3", fromCondition: "GOOD", toCondition: "QUARANTINE" };
  await dc1.report("hold", { clientId: "WRONG", reasonCode: "CONDITION", lines: [held] });
  await life.place("1", ["LOT"]);
  assert.equal(await life.lotsOf("1"), "L1 1 FIFO");
  const seen = [await life.shown("1"), await life.signals("1"), await life.lotsOf("1"), await life.stockOf("LOT")];
  for (const batchRef of ["L2", "L3", "L9"]) {
    const body = { clientId: "WRONG", orderId: "1", lines: [{ lineNumber: 1, qtyPicked: 1, batchRef }] };
    assert.match(await dc1.refuse("pick", body, 409), new RegExp(`${batchRef}.* 0 can be taken`));
  }
  const none = { clientId: "WRONG", orderId: "1", lines: [{ lineNumber: 1, qtyPicked: 1 }] };
  assert.match(await dc1.refuse("pick", none, 422), /batchRef/i);
  assert.deepEqual(
    [await life.shown("1"), await life.signals("1"), await life.lotsOf("1"), await life.stockOf("LOT")],
    seen,
  );
  await life.assertSound();
});
