// lifecycle.md §1, Kits: a line of a kit in an order, from its acceptance to its end.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cancelOrderLine, updateOrderLine } from "#/modules/orders/index.ts";
import { testServer } from "../../support/app/server.ts";
import { attributes, catalogue, type Parts } from "../../support/builders/documents.ts";
import { type Life, lifeOf, parcel } from "../../support/builders/life.ts";
import { bucketsOf } from "../../support/warehouse/status-documents.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);

/** A kit of so many of each component. */
const kitOf = (sku: string, parts: Readonly<Record<string, number>>): Parts => ({
  sku,
  components: { component: Object.entries(parts).map(([sku, qty]) => ({ sku, qty })) },
});

const set = kitOf("SET", { CUP: 2, TRAY: 1 });
const items = ["CUP", "TRAY", set];
/** The rows of line 1, as the warehouse knows them. */
const rows = { built: 1_000_001, cup: 2_000_001, tray: 3_000_001 };

const partial = attributes({ ShipPartial: "true" });

/** The components of a line as REST shows them: "CUP 2: Allocated 4; TRAY 1: Allocated 2". */
async function components(life: Life, orderId: string, lineNumber = 1): Promise<string> {
  const { lines } = await life.shown(orderId);
  const line = lines.find((candidate) => candidate.lineNumber === lineNumber);
  const parts = line?.components as Readonly<Record<string, unknown>>[];
  return parts.map((part) => `${part.sku} ${part.qtyPerKit}: ${bucketsOf(part)}`).join("; ");
}

const pick = (life: Life, orderId: string, lines: readonly object[]) =>
  dc1.report("pick", { clientId: life.clientId, orderId, lines });

const pack = async (life: Life, orderId: string, contents: readonly object[]) => {
  const { olpns } = await dc1.report("pack", { clientId: life.clientId, orderId, olpns: [parcel(contents)] });
  return (olpns as { olpnId: string }[]).map(({ olpnId }) => olpnId);
};

test("a kit is allocated, picked, packed and despatched by its components, and reported as the kit", async () => {
  const life = await lifeOf(server, dc1, "KIT", { items, settings: { orderStatusVersion: "1.2" } });
  await life.stock([
    { sku: "CUP", qty: 5 },
    { sku: "TRAY", qty: 5 },
  ]);
  await life.place("1", [{ sku: "SET", qty: 2 }]);
  assert.equal(await life.stands("1"), "ALLOCATED Allocated 2");
  assert.equal(await components(life, "1"), "CUP 2: Allocated 4; TRAY 1: Allocated 2");
  assert.equal(await life.stockOf("CUP"), "GOOD 5/4");
  assert.equal(await life.work("PICK", "1"), "v1: CUP 4, TRAY 2");
  const task = await life.task("PICK", "1");
  assert.deepEqual(
    task?.lines.map(({ lineNumber, kit }) => [lineNumber, kit]),
    [
      [rows.cup, { lineNumber: 1, sku: "SET" }],
      [rows.tray, { lineNumber: 1, sku: "SET" }],
    ],
  );
  await pick(life, "1", [{ lineNumber: rows.cup, qtyPicked: 4 }]);
  assert.equal(await life.stands("1"), "PICKING Allocated 2");
  await pick(life, "1", [{ lineNumber: rows.tray, qtyPicked: 2 }]);
  assert.equal(await life.stands("1"), "PICKING Picked 2");
  const first = await pack(life, "1", [
    { lineNumber: rows.cup, qty: 3 },
    { lineNumber: rows.tray, qty: 1 },
  ]);
  assert.equal(await life.stands("1"), "PICKING Picked 1 Packed 1");
  const second = await pack(life, "1", [
    { lineNumber: rows.cup, qty: 1 },
    { lineNumber: rows.tray, qty: 1 },
  ]);
  await life.despatch(...first, ...second);
  assert.equal(await life.stands("1"), "DESPATCHED Despatched 2");
  assert.equal(await components(life, "1"), "CUP 2: Despatched 4; TRAY 1: Despatched 2");
  const last = (await life.documents("1")).at(-1);
  assert.deepEqual(
    last?.shipments?.flatMap(({ contents }) =>
      contents.map(({ lineNumber, sku, qty }) => `${lineNumber} ${sku} ${qty}`),
    ),
    ["1 CUP 3", "1 TRAY 1", "1 CUP 1", "1 TRAY 1"],
  );
  assert.equal(await life.stockOf("CUP"), "GOOD 1/0");
  await life.assertSound();
});

test("components are allocated in whole kits, and what a kit cannot use goes to the next order", async () => {
  const life = await lifeOf(server, dc1, "WHOLE", { items });
  await life.stock([
    { sku: "CUP", qty: 7 },
    { sku: "TRAY", qty: 1 },
  ]);
  await life.place("1", [{ sku: "SET", qty: 3 }]);
  assert.equal(await life.stands("1"), "PARTIALLY_ALLOCATED Backordered 2 Allocated 1");
  assert.equal(await components(life, "1"), "CUP 2: Backordered 4 Allocated 2; TRAY 1: Backordered 2 Allocated 1");
  await life.place("2", [{ sku: "CUP", qty: 5 }]);
  assert.equal(await life.stands("2"), "ALLOCATED Allocated 5");
  await life.stock([{ sku: "TRAY", qty: 2 }]);
  assert.equal(await life.stands("1"), "PARTIALLY_ALLOCATED Backordered 2 Allocated 1");
  await life.stock([{ sku: "CUP", qty: 4 }]);
  assert.equal(await life.stands("1"), "ALLOCATED Allocated 3");
  await life.assertSound();
});

test("a kit takes stock of the kit first, also of a work order that ends later", async () => {
  const life = await lifeOf(server, dc1, "BUILT", { items });
  await life.stock([
    { sku: "SET", qty: 1 },
    { sku: "CUP", qty: 2 },
    { sku: "TRAY", qty: 1 },
  ]);
  await life.place("1", [{ sku: "SET", qty: 3 }]);
  assert.equal(await life.stands("1"), "PARTIALLY_ALLOCATED Backordered 1 Allocated 2");
  assert.equal(await components(life, "1"), "CUP 2: Backordered 2 Allocated 2; TRAY 1: Backordered 1 Allocated 1");
  await life.stock([{ sku: "SET", qty: 4 }]);
  assert.equal(await life.stands("1"), "ALLOCATED Allocated 3");
  assert.equal(await life.work("PICK", "1"), "v1: SET 2, CUP 2, TRAY 1");
  assert.equal(await life.stockOf("SET"), "GOOD 5/2");
  await pick(life, "1", [
    { lineNumber: rows.built, qtyPicked: 1, qtyShort: 1 },
    { lineNumber: rows.cup, qtyPicked: 2 },
    { lineNumber: rows.tray, qtyPicked: 1 },
  ]);
  await life.quiet();
  assert.equal(await life.stands("1"), "PICKING Allocated 1 Picked 2");
  assert.equal(await life.stockOf("SET"), "GOOD 4/2, ON_HOLD 1/0");
  await pick(life, "1", [{ lineNumber: rows.built, qtyPicked: 1 }]);
  const parcels = await pack(life, "1", [
    { lineNumber: rows.built, qty: 2 },
    { lineNumber: rows.cup, qty: 2 },
    { lineNumber: rows.tray, qty: 1 },
  ]);
  await life.despatch(...parcels);
  assert.equal(await life.stands("1"), "DESPATCHED Despatched 3");
  assert.equal(await life.stockOf("SET"), "GOOD 2/0, ON_HOLD 1/0");
  await life.assertSound();
});

test("a change of an order changes kits, with the components that the order was accepted with", async () => {
  const life = await lifeOf(server, dc1, "CHANGE", { items });
  await life.stock([
    { sku: "CUP", qty: 9 },
    { sku: "TRAY", qty: 4 },
  ]);
  await life.place("1", [{ sku: "SET", qty: 3 }, "CUP"]);
  await life.update("1", [{ sku: "SET", qty: 2 }, "CUP"]);
  assert.equal(await life.stands("1"), "ALLOCATED Allocated 2");
  assert.equal(await components(life, "1"), "CUP 2: Allocated 4; TRAY 1: Allocated 2");
  await life.client.accept("CAT", catalogue("CHANGE", [kitOf("SET", { TRAY: 5 })]));
  await life.update("1", [{ sku: "SET", qty: 4 }, "CUP"]);
  assert.equal(await life.stands("1"), "ALLOCATED Allocated 4");
  assert.equal(await components(life, "1"), "CUP 2: Allocated 8; TRAY 1: Allocated 4");
  const change = (qty: number) =>
    life.serve((tx, change) =>
      updateOrderLine(tx.of("CHANGE", change), { orderId: "1", lineNumber: 1, qty: qty * 1_000 }),
    );
  assert.equal(await change(3), undefined);
  assert.equal(await components(life, "1"), "CUP 2: Allocated 6; TRAY 1: Allocated 3");
  assert.equal(await change(0.5), "Order 1, line 1: qty 0.5 is not whole, and the stock unit is EA.");
  await life.update("1", ["CUP"]);
  assert.equal(await life.stockOf("TRAY"), "GOOD 4/0");
  await life.place("2", ["SET"]);
  assert.equal(await components(life, "2"), "TRAY 5: Backordered 5");
  await life.assertSound();
});

test("kits are cancelled whole, before and after the warehouse takes them", async () => {
  const life = await lifeOf(server, dc1, "STOP", { items });
  await life.stock([
    { sku: "SET", qty: 1 },
    { sku: "CUP", qty: 8 },
    { sku: "TRAY", qty: 2 },
  ]);
  await life.place("1", [{ sku: "SET", qty: 4 }, "CUP"], { distributionCentre: "DC1", extendedAttributes: partial });
  assert.equal(await life.stands("1"), "PARTIALLY_ALLOCATED Backordered 1 Allocated 3");
  const cancel = (qty: number, lineNumber = 1) =>
    life.serve((tx, change) =>
      cancelOrderLine(tx.of("STOP", change), { orderId: "1", lineNumber, reason: "too many", qty: qty * 1_000 }),
    );
  assert.equal(await cancel(2), undefined);
  assert.equal(await life.stands("1"), "ALLOCATED Allocated 2 Cancelled 2");
  assert.equal(await components(life, "1"), "CUP 2: Allocated 2 Cancelled 4; TRAY 1: Allocated 1 Cancelled 2");
  assert.equal(await cancel(3), "Order 1, line 1: 3 cannot be cancelled, 2 are left.");
  assert.equal(await cancel(1, rows.cup), "Order 1 has no line 2000001.");
  await life.take("1");
  assert.equal(await cancel(2), undefined);
  assert.equal(await life.work("CANCEL_REQUEST", "1"), "v1: SET 1, CUP 2, TRAY 1");
  await dc1.report("cancel", {
    clientId: "STOP",
    orderId: "1",
    lines: [rows.built, rows.cup, rows.tray].map((lineNumber) => ({ lineNumber, outcome: "CANCELLED" })),
  });
  assert.equal(await life.stands("1"), "ALLOCATED Cancelled 4");
  assert.equal(await life.stockOf("CUP"), "GOOD 8/1");
  await life.assertSound();
});

test("a component that the pick does not find leaves the others of its kit in stock, or cancels the kit", async () => {
  for (const [backorder, outcome, cups] of [
    ["SHIP_AND_WAIT", /^PICKING .*Backordered 1 Picked 1$/, "GOOD 4/2"],
    ["SHIP_AND_CANCEL", /^PICKING .*Picked 1 Cancelled 1$/, "GOOD 4/2"],
  ] as const) {
    const life = await lifeOf(server, dc1, backorder.slice(9), { items, settings: { backorder } });
    await life.stock([
      { sku: "CUP", qty: 4 },
      { sku: "TRAY", qty: 2 },
    ]);
    await life.place("1", [{ sku: "SET", qty: 2 }]);
    await pick(life, "1", [{ lineNumber: rows.tray, qtyPicked: 1, qtyShort: 1 }]);
    await life.quiet();
    await pick(life, "1", [{ lineNumber: rows.cup, qtyPicked: 2 }]);
    assert.match(await life.stands("1"), outcome);
    assert.equal(await life.stockOf("CUP"), cups);
    const olpnIds = await pack(life, "1", [
      { lineNumber: rows.cup, qty: 2 },
      { lineNumber: rows.tray, qty: 1 },
    ]);
    await life.despatch(...olpnIds);
    assert.match(await life.stands("1"), backorder === "SHIP_AND_WAIT" ? /Backordered 1 Despatched 1$/ : /^DESPATCHED/);
    await life.assertSound();
  }
});

test("lost stock of a component gives back the other components of the kit", async () => {
  const life = await lifeOf(server, dc1, "LOST", { items });
  await life.stock([
    { sku: "CUP", qty: 4 },
    { sku: "TRAY", qty: 2 },
  ]);
  await life.place("1", [{ sku: "SET", qty: 2 }]);
  await life.stock([{ sku: "TRAY", qty: -1 }]);
  assert.match(await life.stands("1"), /^PARTIALLY_ALLOCATED .*Backordered 1 Allocated 1$/);
  assert.equal(await life.stockOf("CUP"), "GOOD 4/2");
  await life.stock([{ sku: "SET", qty: 1 }]);
  assert.match(await life.stands("1"), /^ALLOCATED Allocated 2$/);
  await life.stock([{ sku: "SET", qty: -1 }]);
  assert.match(await life.stands("1"), /^PARTIALLY_ALLOCATED .*Backordered 1 Allocated 1$/);
  await life.assertSound();
});

test("an order is routed to the facility that can fill its kits", async () => {
  const life = await lifeOf(server, dc1, "ROUTE", { items });
  const dc2 = await warehouseOf(server, "DC2");
  await life.stock([
    { sku: "CUP", qty: 4 },
    { sku: "TRAY", qty: 1 },
  ]);
  await life.stock(
    [
      { sku: "TRAY", qty: 9 },
      { sku: "CUP", qty: 4 },
    ],
    dc2,
  );
  await life.place("1", [{ sku: "SET", qty: 2 }], {});
  assert.equal((await life.shown("1")).distributionCentre, "DC2");
  assert.equal(await life.stands("1"), "ALLOCATED Allocated 2");
  await life.assertSound();
});
