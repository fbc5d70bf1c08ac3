// lifecycle.md §1: an order with stock for a part of it: WAIT, SHIP_AND_WAIT, SHIP_AND_CANCEL, ShipPartial, and the
// time limit of backorders.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cancelExpiredBackorders, giveUpPartialAllocations } from "#/modules/orders/index.ts";
import { testServer } from "../../support/app/server.ts";
import { attributes, type Parts } from "../../support/builders/documents.ts";
import { lifeOf } from "../../support/builders/life.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const partly: Parts = { distributionCentre: "DC1", extendedAttributes: attributes({ ShipPartial: "true" }) };
const codesOf = (signals: readonly (string | number)[]) => signals.filter((signal) => typeof signal === "number");

test("WAIT: a partly allocated order is not released, and cannot be picked", async () => {
  const life = await lifeOf(server, dc1, "WAIT");
  await life.stock([{ sku: "A", qty: 2 }]);
  await life.place("1", [{ sku: "A", qty: 3 }]);
  assert.equal(await life.stands("1"), "PARTIALLY_ALLOCATED Backordered 1 Allocated 2");
  assert.equal(await life.work("PICK", "1"), undefined);
  const pick = { clientId: "WAIT", orderId: "1", lines: [{ lineNumber: 1, qtyPicked: 2 }] };
  assert.match(await dc1.refuse("pick", pick, 409), /not released/);
  assert.equal(codesOf(await life.signals("1")).includes(40), false);
  await life.assertSound();
});

for (const [name, settings, more] of [
  ["SHIP_AND_WAIT", { backorder: "SHIP_AND_WAIT" }, undefined],
  ["ShipPartial", undefined, partly],
  ["ShipPartial of a client with SHIP_AND_CANCEL", { backorder: "SHIP_AND_CANCEL" }, partly],
] as const) {
  test(`${name}: what is there leaves, the rest waits and follows`, async () => {
    const clientId = { SHIP_AND_WAIT: "SAW", ShipPartial: "SP" }[name as string] ?? "SPC";
    const life = await lifeOf(server, dc1, clientId, settings ? { settings } : {});
    await life.stock([{ sku: "A", qty: 2 }]);
    await life.place("1", [{ sku: "A", qty: 3 }], more);
    assert.equal(await life.stands("1"), "PARTIALLY_ALLOCATED Backordered 1 Allocated 2");
    assert.equal(await life.work("PICK", "1"), "v1: A 2");
    await life.pick("1", 2);
    const [first = ""] = await life.pack("1", 2);
    await life.despatch(first);
    assert.equal(await life.stands("1"), "PARTIALLY_DESPATCHED Backordered 1 Despatched 2");
    await life.stock([{ sku: "A", qty: 5 }]);
    assert.equal(await life.stands("1"), "PARTIALLY_DESPATCHED Allocated 1 Despatched 2");
    assert.equal(await life.work("PICK", "1"), "v3: A 1");
    await life.pick("1", 1);
    const [second = ""] = await life.pack("1", 1);
    await life.despatch(second);
    assert.equal(await life.stands("1"), "DESPATCHED Despatched 3");
    assert.deepEqual(await life.statuses("1"), [
      "PARTIALLY_ALLOCATED 48: Backordered 1 Allocated 2",
      "PICKING 52: Backordered 1 Picked 2",
      "PACKED 60: Backordered 1 Packed 2",
      "PARTIALLY_DESPATCHED 95: Backordered 1 Despatched 2",
      ...["Allocated", "Picked", "Packed"].map((bucket) => `PARTIALLY_DESPATCHED 95: ${bucket} 1 Despatched 2`),
      "DESPATCHED 100: Despatched 3",
    ]);
    const codes = codesOf(await life.signals("1"));
    for (const code of [10, 20, 40, 48, 52, 60, 75, 95, 100]) {
      assert.equal(codes.filter((entry) => entry === code).length, 1, `code ${code} of ${codes}`);
    }
    await life.assertSound();
  });
}

test("SHIP_AND_CANCEL: what is not there is cancelled at once, with an OS that says why", async () => {
  const life = await lifeOf(server, dc1, "CANCEL", { settings: { backorder: "SHIP_AND_CANCEL" } });
  await life.stock([{ sku: "A", qty: 2 }]);
  await life.place("1", [
    { sku: "A", qty: 3 },
    { sku: "B", qty: 1 },
  ]);
  const reason = "(not in stock; the client's setting cancels what cannot be shipped)";
  assert.equal(await life.stands("1"), `ALLOCATED ${reason} Allocated 2 Cancelled 1`);
  assert.equal(await life.stands("1", 2), `ALLOCATED ${reason} Cancelled 1`);
  assert.equal(await life.work("PICK", "1"), "v1: A 2");
  await life.place("2", ["B"]);
  assert.equal(await life.stands("2"), `CANCELLED ${reason} Cancelled 1`);
  assert.deepEqual(await life.statuses("1"), [`ALLOCATED 50 ${reason}: Allocated 2 Cancelled 1`]);
  assert.deepEqual(await life.statuses("2"), [`CANCELLED 90 ${reason}: Cancelled 1`]);
  assert.deepEqual(await life.signals("2"), ["order:received", 10, 20, "order:cancelled", 90]);
  await life.pick("1", 1, { qtyShort: 1 });
  await life.quiet();
  assert.equal(await life.stands("1"), `PICKING ${reason} Picked 1 Cancelled 2`);
  assert.deepEqual(codesOf(await life.signals("1")), [10, 20, 40, 50, 52, 58, 55]);
  assert.match((await life.statuses("1")).at(-1) ?? "", /^PICKING 52 .*: Picked 1 Cancelled 2$/);
  await life.assertSound();
});

test("after backorderDays the rest is cancelled, with its reason", async () => {
  const life = await lifeOf(server, dc1, "DAYS", { settings: { backorderDays: "3" } });
  const usual = await lifeOf(server, dc1, "USUAL");
  await life.stock([{ sku: "A", qty: 2 }]);
  await life.place("1", [{ sku: "A", qty: 3 }]);
  await life.place("2", ["B"]);
  await usual.place("1", ["A"]);
  await life.after(24 * 3 - 1, cancelExpiredBackorders);
  assert.equal(await life.stands("1"), "PARTIALLY_ALLOCATED Backordered 1 Allocated 2");
  await life.after(24 * 3 + 1, cancelExpiredBackorders);
  const reason = "(not in stock for 3 days)";
  assert.equal(await life.stands("1"), `ALLOCATED ${reason} Allocated 2 Cancelled 1`);
  assert.equal(await life.work("PICK", "1"), "v1: A 2");
  assert.equal(await life.stands("2"), `CANCELLED ${reason} Cancelled 1`);
  assert.deepEqual((await life.signals("2")).slice(-2), ["order:cancelled", 90]);
  assert.deepEqual((await life.statuses("1")).slice(1), [`ALLOCATED 50 ${reason}: Allocated 2 Cancelled 1`]);
  await usual.after(24 * 30 - 1, cancelExpiredBackorders);
  assert.equal(await usual.stands("1"), "BACKORDERED Backordered 1");
  await usual.after(24 * 30 + 1, cancelExpiredBackorders);
  assert.equal(await usual.stands("1"), "CANCELLED (not in stock for 30 days) Cancelled 1");
  for (const world of [life, usual]) await world.assertSound();
});

test("a part that has waited for 72 h is given up to an order that it completes, and to none that it does not", async () => {
  const life = await lifeOf(server, dc1, "GIVEUP");
  await life.stock([{ sku: "A", qty: 2 }]);
  await life.place("BIG", [{ sku: "A", qty: 5 }]);
  await life.place("BIGGER", [{ sku: "A", qty: 9 }]);
  await life.after(73, giveUpPartialAllocations);
  assert.equal(await life.stands("BIG"), "PARTIALLY_ALLOCATED Backordered 3 Allocated 2");
  await life.place("SMALL", [{ sku: "A", qty: 2 }]);
  await life.after(71, giveUpPartialAllocations);
  assert.equal(await life.stands("SMALL"), "BACKORDERED Backordered 2");
  await life.after(73, giveUpPartialAllocations);
  assert.equal(await life.stands("SMALL"), "ALLOCATED Allocated 2");
  assert.equal(await life.stands("BIG"), "BACKORDERED Backordered 5");
  assert.equal(await life.work("PICK", "SMALL"), "v1: A 2");
  assert.deepEqual((await life.signals("BIG")).slice(3), ["order:partiallyAllocated", 48, "order:backordered", 45]);
  await life.assertSound();
});
