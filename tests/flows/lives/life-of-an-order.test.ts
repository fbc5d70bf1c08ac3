// lifecycle.md §1 and §9: an order from its receipt to its delivery, as client and warehouse see it. Each state with its
// reason, each code and topic once, each change one OS.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../../support/app/server.ts";
import { lifeOf, parcel } from "../../support/builders/life.ts";
import { carrierOf, warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const carrier = await carrierOf(server, "RM");
const now = () => new Date().toISOString();

test("an order with all stock has one code, one topic and one OS per step", async () => {
  const life = await lifeOf(server, dc1, "WAY");
  await life.stock([{ sku: "A", qty: 5 }]);
  await life.place("1", [{ sku: "A", qty: 3 }]);
  assert.equal(await life.stands("1"), "ALLOCATED Allocated 3");
  assert.equal(await life.work("PICK", "1"), "v1: A 3");
  await life.pick("1", 2);
  assert.equal(await life.stands("1"), "PICKING Allocated 1 Picked 2");
  await life.pick("1", 1);
  assert.equal(await life.stands("1"), "PICKING Picked 3");
  const [olpnId = ""] = await life.pack("1", 3);
  assert.equal(await life.stands("1"), "PACKED Packed 3");
  assert.equal(await life.work("PICK", "1"), "v2 withdrawn");
  await dc1.report("load", { loadId: "L-WAY", olpnIds: [olpnId] });
  assert.equal(await life.stands("1"), "PACKED Packed 3");
  assert.equal(await life.stockOf("A"), "GOOD 5/3");
  await dc1.report("despatch", { loadId: "L-WAY" });
  assert.equal(await life.stands("1"), "DESPATCHED Despatched 3");
  assert.equal(await life.stockOf("A"), "GOOD 2/0");
  for (const eventCode of [110, 160, 200])
    await carrier.report("carrierEvent", { olpnId, eventCode, occurredAt: now() });
  assert.equal(await life.stands("1"), "DELIVERED Despatched 3 Delivered 3");
  assert.deepEqual(await life.signals("1"), [
    ...["order:received", 10, 20, "order:allocated", 40, 50, "order:picking", 52, 55],
    ...["parcel:packed", "order:packed", 60, 70, 75, "parcel:load", 80, "order:despatched", 100],
    ...[110, 160, "order:delivered", 200],
  ]);
  assert.deepEqual(await life.statuses("1"), [
    "ALLOCATED 50: Allocated 3",
    "PICKING 52: Allocated 1 Picked 2",
    "PICKING 52: Picked 3",
    "PACKED 60: Packed 3",
    "DESPATCHED 100: Despatched 3",
    "DELIVERED 200: Despatched 3 Delivered 3",
  ]);
  const [packed, gone] = (await life.documents("1")).slice(3);
  assert.deepEqual(
    packed?.shipments?.map((shipment) => [shipment.olpnId, shipment.despatchedAt]),
    [[olpnId, undefined]],
  );
  assert.equal(typeof gone?.shipments?.[0]?.despatchedAt, "string");
  assert.deepEqual(gone?.shipments?.[0]?.contents, [{ lineNumber: "1", sku: "A", qty: "3" }]);
  const { milestones } = await life.shown("1");
  assert.deepEqual(
    milestones.map(({ code }) => code).sort((left, right) => left - right),
    [10, 20, 40, 50, 52, 55, 60, 70, 75, 80, 100, 110, 160, 200],
  );
  await life.assertSound();
});

test("a missing quantity is backordered, then partly allocated, then allocated, and released only then", async () => {
  const life = await lifeOf(server, dc1, "WAIT");
  await life.place("1", [
    { sku: "A", qty: 2 },
    { sku: "B", qty: 1 },
  ]);
  assert.equal(await life.stands("1"), "BACKORDERED Backordered 2");
  await life.stock([{ sku: "A", qty: 1 }]);
  assert.equal(await life.stands("1"), "PARTIALLY_ALLOCATED Backordered 1 Allocated 1");
  assert.equal(await life.work("PICK", "1"), undefined);
  await life.stock([
    { sku: "A", qty: 1 },
    { sku: "B", qty: 1 },
  ]);
  assert.equal(await life.stands("1"), "ALLOCATED Allocated 2");
  assert.equal(await life.work("PICK", "1"), "v1: A 2, B 1");
  assert.deepEqual(await life.signals("1"), [
    ...["order:received", 10, 20, "order:backordered", 45, "order:partiallyAllocated", 48, "order:allocated", 40, 50],
  ]);
  assert.deepEqual(await life.statuses("1"), [
    "BACKORDERED 45: Backordered 2",
    "PARTIALLY_ALLOCATED 48: Backordered 1 Allocated 1",
    "ALLOCATED 50: Allocated 2",
  ]);
  await life.assertSound();
});

test("lines have separate states, by the same table", async () => {
  const life = await lifeOf(server, dc1, "LINES");
  await life.stock([
    { sku: "A", qty: 5 },
    { sku: "B", qty: 5 },
  ]);
  await life.place("1", [
    { sku: "A", qty: 2 },
    { sku: "B", qty: 2 },
    { sku: "A", qty: 1 },
  ]);
  await life.pick("1", 2);
  await life.pack("1", 2);
  const { lines, status } = await life.shown("1");
  assert.deepEqual([status, ...lines.map((line) => line.status)], ["PICKING", "PACKED", "ALLOCATED", "ALLOCATED"]);
  await life.assertSound();
});

test("parcels that leave one by one: partly despatched with an OS each, cumulative, until the last", async () => {
  const life = await lifeOf(server, dc1, "PARTS");
  await life.stock([{ sku: "A", qty: 6 }]);
  await life.place("1", [{ sku: "A", qty: 6 }]);
  await life.pick("1", 6);
  const [first = "", second = "", third = ""] = await life.pack("1", 1, 2, 3);
  await life.despatch(first);
  assert.equal(await life.stands("1"), "PARTIALLY_DESPATCHED Packed 5 Despatched 1");
  await life.despatch(second);
  await life.despatch(third);
  assert.equal(await life.stands("1"), "DESPATCHED Despatched 6");
  assert.deepEqual((await life.statuses("1")).slice(1), [
    "PICKING 52: Picked 6",
    "PACKED 60: Packed 6",
    "PARTIALLY_DESPATCHED 95: Packed 5 Despatched 1",
    "PARTIALLY_DESPATCHED 95: Packed 3 Despatched 3",
    "DESPATCHED 100: Despatched 6",
  ]);
  const codes = (await life.signals("1")).filter((signal) => typeof signal === "number");
  assert.deepEqual(codes, [10, 20, 40, 50, 52, 55, 60, 70, 70, 70, 75, 95, 100]);
  const gone = (await life.documents("1")).map(
    ({ shipments = [] }) => shipments.filter(({ despatchedAt }) => despatchedAt !== undefined).length,
  );
  assert.deepEqual(gone, [0, 0, 0, 1, 2, 3]);
  await life.assertSound();
});

test("the contents of a voided parcel are picked again and are packed into another", async () => {
  const life = await lifeOf(server, dc1, "VOID");
  await life.stock([{ sku: "A", qty: 3 }]);
  await life.place("1", [{ sku: "A", qty: 3 }]);
  await life.pick("1", 3);
  const [first = "", second = ""] = await life.pack("1", 1, 2);
  await dc1.report("load", { loadId: "L-VOID", olpnIds: [second] });
  await dc1.report("parcel/void", { clientId: "VOID", olpnId: second });
  assert.equal(await life.stands("1"), "PICKING Picked 2 Packed 1");
  assert.match(await dc1.refuse("parcel/void", { clientId: "VOID", olpnId: second }, 409), /VOIDED/);
  assert.match(await dc1.refuse("despatch", { olpnIds: [second] }, 409), /VOIDED/);
  const [third = ""] = await life.pack("1", 2);
  assert.equal(await life.stands("1"), "PACKED Packed 3");
  await life.despatch(first, third);
  assert.deepEqual((await life.statuses("1")).slice(1), [
    "PICKING 52: Picked 3",
    "PACKED 60: Packed 3",
    "PICKING 52: Picked 2 Packed 1",
    "PACKED 60: Packed 3",
    "DESPATCHED 100: Despatched 3",
  ]);
  assert.deepEqual((await life.signals("1")).slice(9), [
    ...["parcel:packed", "parcel:packed", "order:packed", 60, 70, 70, 75, "parcel:load", 80],
    ...["parcel:voided", "order:picking"],
    ...["parcel:packed", "order:packed", 70, "order:despatched", 100],
  ]);
  const last = (await life.documents("1")).at(-1);
  assert.deepEqual(last?.shipments?.map(({ olpnId }) => olpnId).sort(), [first, third].sort());
  await life.assertSound();
});

test("a parcel taken off its load can be loaded again, and the load leaves without it", async () => {
  const life = await lifeOf(server, dc1, "UNLOAD");
  await life.stock([{ sku: "A", qty: 2 }]);
  await life.place("1", [{ sku: "A", qty: 2 }]);
  await life.pick("1", 2);
  const [first = "", second = ""] = await life.pack("1", 1, 1);
  await dc1.report("load", { loadId: "L-1", olpnIds: [first, second] });
  assert.match(await dc1.refuse("load", { loadId: "L-2", olpnIds: [first] }, 409), /LOADED on load L-1/);
  assert.match(await dc1.refuse("load/remove", { loadId: "L-2", olpnIds: [first] }, 409), /not LOADED on load L-2/);
  const before = (await life.signals("1")).length;
  await dc1.report("load/remove", { loadId: "L-1", olpnIds: [second] });
  // Every transition is published, here as `order:updated`, by the previous state of the order.
  assert.deepEqual((await life.signals("1")).slice(before), ["order:updated"]);
  await dc1.report("despatch", { loadId: "L-1" });
  assert.equal(await life.stands("1"), "PARTIALLY_DESPATCHED Packed 1 Despatched 1");
  assert.match(await dc1.refuse("despatch", { loadId: "L-1" }, 409), /left already/);
  await dc1.report("load", { loadId: "L-2", olpnIds: [second] });
  await dc1.report("despatch", { loadId: "L-2" });
  assert.equal(await life.stands("1"), "DESPATCHED Despatched 2");
  await life.assertSound();
});

test("an action that the state forbids is a 409 and changes nothing", async () => {
  const life = await lifeOf(server, dc1, "FORBID");
  const clientId = "FORBID";
  await life.stock([{ sku: "A", qty: 4 }]);
  await life.place("1", [{ sku: "A", qty: 2 }]);
  await life.place("2", [{ sku: "A", qty: 5 }]);
  const before = [await life.shown("1"), await life.shown("2"), await life.signals("1"), await life.documents("1")];
  const pickOf = (orderId: string, lines: object) => ({ clientId, orderId, lines: [{ lineNumber: 1, ...lines }] });
  assert.match(await dc1.refuse("pick", pickOf("1", { qtyPicked: 3 }), 409), /2 are allocated/);
  assert.match(await dc1.refuse("pick", pickOf("1", { qtyPicked: 1, qtyShort: 2 }), 409), /2 are allocated/);
  assert.match(await dc1.refuse("pick", pickOf("2", { qtyPicked: 1 }), 409), /not released/);
  const olpns = [parcel([{ lineNumber: 1, qty: 1 }])];
  assert.match(await dc1.refuse("pack", { clientId, orderId: "1", olpns }, 409), /0 are picked/);
  const cancelOf = { clientId, orderId: "1", lines: [{ lineNumber: 1, outcome: "CANCELLED" }] };
  assert.match(await dc1.refuse("cancel", cancelOf, 409), /no open cancel request/);
  assert.deepEqual(
    [await life.shown("1"), await life.shown("2"), await life.signals("1"), await life.documents("1")],
    before,
  );
  await life.assertSound();
});

test("a repeated report changes nothing", async () => {
  const life = await lifeOf(server, dc1, "REPEAT");
  const clientId = "REPEAT";
  await life.stock([{ sku: "A", qty: 4 }]);
  await life.place("1", [{ sku: "A", qty: 2 }]);
  const twice = async (kind: string, body: object) => {
    const first = await dc1.report(kind, { ...body, reportId: `R-${kind}` });
    await life.quiet();
    const seen = [await life.shown("1"), await life.signals("1"), await life.documents("1")];
    assert.deepEqual(await dc1.report(kind, { ...body, reportId: `R-${kind}` }), first);
    assert.deepEqual([await life.shown("1"), await life.signals("1"), await life.documents("1")], seen);
    return first;
  };
  await twice("pick", { clientId, orderId: "1", lines: [{ lineNumber: 1, qtyPicked: 1, qtyShort: 1 }] });
  await life.pick("1", 1);
  const { olpns } = await twice("pack", { clientId, orderId: "1", olpns: [parcel([{ lineNumber: 1, qty: 2 }])] });
  const olpnIds = (olpns as { olpnId: string }[]).map(({ olpnId }) => olpnId);
  await twice("load", { clientId, loadId: "L-REPEAT", olpnIds });
  await twice("despatch", { clientId, loadId: "L-REPEAT" });
  await twice("carrierEvent", { olpnId: olpnIds[0], eventCode: 200, occurredAt: now() });
  assert.equal(await life.stands("1"), "DELIVERED Despatched 2 Delivered 2");
  await life.assertSound();
});
