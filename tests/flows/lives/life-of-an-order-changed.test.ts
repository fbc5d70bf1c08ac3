// lifecycle.md §1: quantity and lines, address and carrier, holds: column by column of the table.
import assert from "node:assert/strict";
import { test } from "node:test";
import { holdOrder, releaseOrder, updateOrderLine } from "#/modules/orders/index.ts";
import { testServer } from "../../support/app/server.ts";
import { leeds, order } from "../../support/builders/documents.ts";
import { type Life, lifeOf, parcel } from "../../support/builders/life.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const york = { ...leeds, zip: "YO1 7HH", city: "York" };

const hold = (life: Life, orderId: string, type: "CLIENT_REQUEST" | "OTHER" | "HAZMAT_REVIEW" = "CLIENT_REQUEST") =>
  life.serve((tx, change) => holdOrder(tx.of(life.clientId, change), { orderId, type, reason: "asked for" }));
const release = (life: Life, orderId: string, ...types: ("CLIENT_REQUEST" | "OTHER")[]) =>
  life.serve((tx, change) =>
    releaseOrder(tx.of(life.clientId, change), { orderId, ...(types.length > 0 ? { types } : {}) }),
  );
const updateOf = (life: Life, orderId: string, lines: Parameters<typeof order>[2], more: object = {}) =>
  order(life.clientId, orderId, lines, { actionType: "UPDATE", ...more });

test("before the warehouse has taken it lines and quantities change: more is looked for, less is given back", async () => {
  const life = await lifeOf(server, dc1, "QTY");
  await life.stock([
    { sku: "A", qty: 5 },
    { sku: "B", qty: 2 },
  ]);
  await life.place("1", [{ sku: "A", qty: 2 }]);
  await life.update("1", [
    { sku: "A", qty: 4 },
    { sku: "B", qty: 3 },
  ]);
  assert.equal(await life.stands("1"), "PARTIALLY_ALLOCATED Allocated 4");
  assert.equal(await life.stands("1", 2), "PARTIALLY_ALLOCATED Backordered 1 Allocated 2");
  // A partially allocated order waits, so its task is withdrawn from the warehouse's list.
  assert.equal(await life.work("PICK", "1"), "v2 withdrawn");
  await life.update("1", [
    { sku: "A", qty: 1 },
    { sku: "B", qty: 1 },
  ]);
  assert.equal(await life.stands("1"), "ALLOCATED Allocated 1");
  assert.equal(await life.work("PICK", "1"), "v3: A 1, B 1");
  assert.deepEqual([await life.stockOf("A"), await life.stockOf("B")], ["GOOD 5/1", "GOOD 2/1"]);
  const changed = await life.serve((tx, change) =>
    updateOrderLine(tx.of("QTY", change), { orderId: "1", lineNumber: 1, qty: 3_000 }),
  );
  assert.equal(changed, undefined);
  assert.equal(await life.stands("1"), "ALLOCATED Allocated 3");
  assert.equal(await life.work("PICK", "1"), "v4: A 3, B 1");
  await life.update("1", ["B"]);
  assert.equal(await life.stockOf("A"), "GOOD 5/0");
  await life.assertSound();
});

test("once it is taken no line changes; the address does until a parcel is packed, and the task says so", async () => {
  const life = await lifeOf(server, dc1, "TAKEN");
  await life.stock([{ sku: "A", qty: 5 }]);
  await life.place("1", [{ sku: "A", qty: 2 }]);
  await life.take("1");
  const lines = [{ sku: "A", qty: 2 }];
  const before = await life.shown("1");
  await life.client.refuse(
    "NO",
    updateOf(life, "1", [{ sku: "A", qty: 1 }, "B"], { shipToAddress: york }),
    /^\[STATE\] Order 1: UPDATE: line 1 \(qty\) cannot be changed in state ALLOCATED: .*taken/,
    /^\[STATE\] Order 1: UPDATE: line 2 \(new\) cannot be changed/,
  );
  assert.deepEqual(await life.shown("1"), before, "refused whole");
  const byService = await life.serve((tx, change) =>
    updateOrderLine(tx.of("TAKEN", change), { orderId: "1", lineNumber: 1, qty: 1_000 }),
  );
  assert.match(byService ?? "", /taken/);
  await life.update("1", lines, { shipToAddress: york, shippingMethod: "EXPRESS", carrierCode: "RM" });
  const { shipToAddress } = await life.shown("1");
  assert.equal(shipToAddress.zip, "YO1 7HH");
  assert.equal(await life.work("PICK", "1"), "v2: A 2");
  await life.pick("1", 2);
  await life.update("1", lines, { shipToAddress: leeds });
  const [olpnId = ""] = await life.pack("1", 2);
  await life.client.refuse(
    "NO",
    updateOf(life, "1", lines, { shipToAddress: york, carrierCode: "DHL" }),
    /^\[STATE\] Order 1: UPDATE: shipToAddress cannot be changed in state PACKED: its parcels are packed/,
    /^\[STATE\] Order 1: UPDATE: carrierCode cannot be changed in state PACKED/,
  );
  await life.despatch(olpnId);
  await life.client.refuse(
    "NO",
    updateOf(life, "1", lines, { shipToAddress: york }),
    /^\[STATE\] Order 1: UPDATE is not allowed in state DESPATCHED: .*line 1 .*RMA/,
  );
  assert.match((await hold(life, "1")) ?? "", /cannot be held: it has left the warehouse/);
  await life.assertSound();
});

test("a hold before the warehouse has it withdraws the task and keeps what is allocated", async () => {
  const life = await lifeOf(server, dc1, "HELD");
  await life.stock([{ sku: "A", qty: 2 }]);
  await life.place("1", [{ sku: "A", qty: 2 }]);
  const task = await life.task("PICK", "1");
  assert.equal(await hold(life, "1"), undefined);
  assert.equal(await life.stands("1"), "ON_HOLD (CLIENT_REQUEST: asked for) Allocated 2");
  assert.equal(await life.work("PICK", "1"), "v2 withdrawn");
  assert.equal(await life.work("HOLD", "1"), undefined);
  const { body } = await dc1.post("/task/accept", { taskIds: [task?.taskId] });
  assert.deepEqual(body.results, [{ taskId: task?.taskId, status: "WITHDRAWN" }]);
  const pick = { clientId: "HELD", orderId: "1", lines: [{ lineNumber: 1, qtyPicked: 1 }] };
  assert.match(await dc1.refuse("pick", pick, 409), /on hold: CLIENT_REQUEST \(asked for\)/);
  // With several holds, the order continues when the last one is lifted.
  assert.equal(await hold(life, "1", "OTHER"), undefined);
  assert.equal(await hold(life, "1", "OTHER"), undefined);
  assert.equal(await release(life, "1", "CLIENT_REQUEST"), undefined);
  assert.equal(await life.stands("1"), "ON_HOLD (OTHER: asked for) Allocated 2");
  assert.match((await release(life, "1", "CLIENT_REQUEST")) ?? "", /no hold of type CLIENT_REQUEST/);
  assert.equal(await release(life, "1"), undefined);
  assert.equal(await life.stands("1"), "ALLOCATED Allocated 2");
  assert.equal(await life.work("PICK", "1"), "v3: A 2");
  assert.deepEqual((await life.signals("1")).slice(6), [
    ...["order:held", 30, "order:updated", "order:updated", "order:released", "order:allocated", 35],
  ]);
  assert.deepEqual(await life.statuses("1"), [
    "ALLOCATED 50: Allocated 2",
    "ON_HOLD 30 (CLIENT_REQUEST: asked for): Allocated 2",
    "ON_HOLD 30 (OTHER: asked for): Allocated 2",
    "ALLOCATED 50: Allocated 2",
  ]);
  await life.assertSound();
});

test("a held order gets nothing until its hold is lifted, then what is there", async () => {
  const life = await lifeOf(server, dc1, "WAITS");
  await life.place("1", [{ sku: "A", qty: 1 }], { distributionCentre: "DC1", doNotShip: "1" });
  await life.place("2", [{ sku: "A", qty: 1 }]);
  await life.stock([{ sku: "A", qty: 2 }]);
  const held = "ON_HOLD (DO_NOT_SHIP: doNotShip of the order) Open 1";
  assert.deepEqual([await life.stands("1"), await life.stands("2")], [held, "ALLOCATED Allocated 1"]);
  await life.update("1", [{ sku: "A", qty: 1 }], { doNotShip: "0" });
  assert.equal(await life.stands("1"), "ALLOCATED Allocated 1");
  assert.deepEqual(await life.signals("1"), [
    ...["order:received", 10, 20, "order:held", 30, "order:updated", "order:released", 35],
    ...["order:allocated", 40, 50],
  ]);
  assert.deepEqual(await life.statuses("1"), [
    "ON_HOLD 30 (DO_NOT_SHIP: doNotShip of the order): Open 1",
    "ALLOCATED 50: Allocated 1",
  ]);
  await life.assertSound();
});

test("a hold of what the warehouse has is a task for it; pick, pack, load and despatch wait", async () => {
  const life = await lifeOf(server, dc1, "INHAND");
  const clientId = "INHAND";
  await life.stock([{ sku: "A", qty: 3 }]);
  await life.place("1", [{ sku: "A", qty: 3 }]);
  await life.pick("1", 2);
  await life.pack("1", 1);
  const [olpnId = ""] = ((await life.shown("1")) as unknown as { olpns: string[] }).olpns;
  await hold(life, "1", "HAZMAT_REVIEW");
  assert.equal(await life.stands("1"), "PICKING (HAZMAT_REVIEW: asked for) Allocated 1 Picked 1 Packed 1");
  assert.equal(await life.work("HOLD", "1"), "v1: A 3");
  const seen = [await life.shown("1"), await life.signals("1"), await life.documents("1")];
  const held = /on hold: HAZMAT_REVIEW/;
  const olpns = [parcel([{ lineNumber: 1, qty: 1 }])];
  const picked = { clientId, orderId: "1", lines: [{ lineNumber: 1, qtyPicked: 1 }] };
  assert.match(await dc1.refuse("pick", picked, 409), held);
  assert.match(await dc1.refuse("pack", { clientId, orderId: "1", olpns }, 409), held);
  assert.match(await dc1.refuse("load", { loadId: "L", olpnIds: [olpnId] }, 409), held);
  assert.match(await dc1.refuse("despatch", { olpnIds: [olpnId] }, 409), held);
  assert.deepEqual([await life.shown("1"), await life.signals("1"), await life.documents("1")], seen);
  await release(life, "1");
  assert.equal(await life.work("HOLD", "1"), "v2 withdrawn");
  assert.equal(await life.work("PICK", "1"), "v3: A 1");
  await life.pick("1", 1);
  await life.pack("1", 2);
  assert.equal(await life.stands("1"), "PACKED Packed 3");
  assert.deepEqual(
    (await life.signals("1")).filter(
      (signal) => signal === 30 || signal === 35 || signal === "order:held" || signal === "order:released",
    ),
    ["order:held", 30, "order:released", 35],
  );
  await life.assertSound();
});

test("doNotShip holds what the warehouse has as well", async () => {
  const life = await lifeOf(server, dc1, "DNS");
  await life.stock([{ sku: "A", qty: 1 }]);
  await life.place("1", ["A"]);
  await life.take("1");
  await life.update("1", ["A"], { doNotShip: "true" });
  assert.equal(await life.stands("1"), "ON_HOLD (DO_NOT_SHIP: doNotShip of the order) Allocated 1");
  assert.equal(await life.work("HOLD", "1"), "v1: A 1");
  assert.equal(await life.work("PICK", "1"), "v2 withdrawn");
  await life.update("1", ["A"], { doNotShip: "false" });
  assert.equal(await life.work("HOLD", "1"), "v2 withdrawn");
  assert.equal(await life.work("PICK", "1"), "v3: A 1");
  await life.pick("1", 1);
  await life.assertSound();
});

test("an order that moves to another facility gives its stock back, and its task goes with it", async () => {
  const life = await lifeOf(server, dc1, "MOVES");
  const dc2 = await warehouseOf(server, "DC2");
  await life.stock([{ sku: "A", qty: 1 }]);
  await life.stock([{ sku: "A", qty: 1 }], dc2);
  await life.place("1", ["A"]);
  await life.update("1", ["A"], { distributionCentre: "DC2" });
  assert.equal(await life.stands("1"), "ALLOCATED Allocated 1");
  assert.deepEqual([await life.stockOf("A"), await life.stockOf("A", "DC2")], ["GOOD 1/0", "GOOD 1/1"]);
  assert.equal(await life.work("PICK", "1"), "v2 withdrawn");
  assert.equal(await life.work("PICK", "1", dc2), "v1: A 1");
  await life.assertSound();
});
