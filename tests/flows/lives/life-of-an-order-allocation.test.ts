// lifecycle.md §1, Allocation: which order gets which lot, where; and which order gives it up when stock is missing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createFacility } from "#/modules/facilities/index.ts";
import { clearOfMidnight, dateIn } from "../../support/app/midnight.ts";
import { testServer } from "../../support/app/server.ts";
import { untilTaken } from "../../support/app/until.ts";
import { attributes, catalogue, order, type Parts } from "../../support/builders/documents.ts";
import { lifeOf, withLots } from "../../support/builders/life.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const dc2 = await warehouseOf(server, "DC2");
const priority = (value: number): Parts => ({
  distributionCentre: "DC1",
  extendedAttributes: attributes({ Priority: value }),
});
/** Dates in the facilities' time zone. */
const timeZone = "Europe/London";
const inDays = (days: number) => dateIn(timeZone, days);

test("of 20 orders posted at once to two nodes for the last 8 units exactly 8 are allocated", async () => {
  const life = await lifeOf(server, dc1, "RUSH");
  const node = await server.startNode();
  const doors = [life.client, life.client.at(node.url)] as const;
  await life.stock([{ sku: "A", qty: 8 }]);
  const orderIds = Array.from({ length: 20 }, (_, i) => `R-${i}`);
  await Promise.all(
    orderIds.map(async (orderId, i) => {
      const xml = order("RUSH", orderId, ["A"], { distributionCentre: "DC1" });
      const door = doors[i % 2 === 0 ? 0 : 1];
      const { isAccepted, body } = await untilTaken(() => door.send("NO", xml, { "idempotency-key": orderId }));
      assert.ok(isAccepted, body);
    }),
  );
  await life.quiet();
  const all = await Promise.all(orderIds.map((orderId) => life.shown(orderId)));
  const count = (status: string) => all.filter((order) => order.status === status).length;
  assert.deepEqual([count("ALLOCATED"), count("BACKORDERED")], [8, 12]);
  assert.equal(await life.stockOf("A"), "GOOD 8/8");
  await life.stock([{ sku: "A", qty: 20 }]);
  const later = await Promise.all(orderIds.map((orderId) => life.shown(orderId)));
  assert.ok(later.every(({ status }) => status === "ALLOCATED"));
  for (const orderId of orderIds) {
    const signals = await life.signals(orderId);
    assert.equal(signals.filter((signal) => signal === 50).length, 1);
    assert.equal((await life.statuses(orderId)).filter((status) => status.startsWith("ALLOCATED")).length, 1);
  }
  await node.stop();
  await life.assertSound();
});

test("arriving stock is allocated by priority, then to the oldest order", async () => {
  const life = await lifeOf(server, dc1, "TURNS");
  for (const [orderId, value] of [
    ["LOW", 9],
    ["OLD", 5],
    ["NEW", 5],
    ["HIGH", 1],
  ] as const) {
    await life.place(orderId, [{ sku: "A", qty: 2 }], priority(value));
  }
  await life.stock([{ sku: "A", qty: 3 }]);
  assert.equal(await life.stands("HIGH"), "ALLOCATED Allocated 2");
  assert.equal(await life.stands("OLD"), "PARTIALLY_ALLOCATED Backordered 1 Allocated 1");
  assert.equal(await life.stands("NEW"), "BACKORDERED Backordered 2");
  await life.stock([{ sku: "A", qty: 3 }]);
  assert.equal(await life.stands("OLD"), "ALLOCATED Allocated 2");
  assert.equal(await life.stands("NEW"), "ALLOCATED Allocated 2");
  assert.equal(await life.stands("LOW"), "BACKORDERED Backordered 2");
  await life.assertSound();
});

test("lots are allocated by expiry, then by receipt; goods below MinShelfLifeDays stay", async () => {
  const items = [withLots("LOT", { MinShelfLifeDays: "30" })];
  const life = await lifeOf(server, dc1, "FEFO", { items });
  await life.stock([{ sku: "LOT", qty: 1, batchRef: "LATE", expiryDate: inDays(200) }]);
  await life.stock([{ sku: "LOT", qty: 1, batchRef: "NEVER-1" }]);
  await life.stock([{ sku: "LOT", qty: 1, batchRef: "ANEVER-2" }]);
  const soon = inDays(60);
  await life.stock([{ sku: "LOT", qty: 1, batchRef: "SOON", expiryDate: soon }]);
  await life.stock([{ sku: "LOT", qty: 9, batchRef: "SHORT", expiryDate: inDays(20) }]);
  const lots: string[] = [];
  for (const orderId of ["1", "2", "3", "4", "5"]) {
    await life.place(orderId, ["LOT"]);
    lots.push(await life.lotsOf(orderId));
  }
  assert.deepEqual(lots, ["SOON 1 FEFO", "LATE 1 FEFO", "NEVER-1 1 FIFO", "ANEVER-2 1 FIFO", ""]);
  assert.equal(await life.stands("5"), "BACKORDERED (stock that cannot be sold: SKU LOT (SHELF_LIFE)) Backordered 1");
  const task = await life.task("PICK", "1");
  assert.deepEqual(
    task?.lines.map(({ lineNumber, sku, qty, ...lot }) => [lineNumber, sku, qty, lot]),
    [
      [
        1,
        "LOT",
        1,
        { uom: "EA", stockPool: "DEFAULT", batchRef: "SOON", expiryDate: soon, isHazmat: false, isBulky: false },
      ],
    ],
  );
  await life.assertSound();
});

test("expired stock is not allocated; on its last day stock is", async () => {
  // Today's date must not change during the test.
  await clearOfMidnight(timeZone);
  const life = await lifeOf(server, dc1, "LASTDAY", { items: [withLots("LOT")] });
  await life.stock([{ sku: "LOT", qty: 9, batchRef: "GONE", expiryDate: inDays(-1) }]);
  await life.place("1", ["LOT"]);
  assert.equal(await life.stands("1"), "BACKORDERED (stock that cannot be sold: SKU LOT (EXPIRED)) Backordered 1");
  await life.stock([{ sku: "LOT", qty: 9, batchRef: "TODAY", expiryDate: inDays(0) }]);
  assert.equal(await life.lotsOf("1"), "TODAY 1 FEFO");
  await life.assertSound();
});

test("an inactive item is known and not given out; a new priority changes the turn", async () => {
  const life = await lifeOf(server, dc1, "INACTIVE");
  await life.client.accept(
    "CAT",
    catalogue("INACTIVE", [{ sku: "A", extendedAttributes: attributes({ Active: "false" }) }]),
  );
  await life.stock([{ sku: "A", qty: 1 }]);
  const { warnings } = await life.client.status(await life.place("1", ["B", "A"]));
  const waits = "the line waits until a CAT makes it active";
  assert.deepEqual(warnings, [
    `[INACTIVE_SKU] lines/line[2]/sku: SKU A is inactive (Active is false in its CAT); ${waits}`,
  ]);
  const reason = "(inactive in the catalogue: SKU A)";
  assert.equal(await life.stands("1", 2), `BACKORDERED ${reason} Backordered 1`);
  // Stock of the other line changes the state, but not the reason why this one waits. Once active, the line gets
  // available stock.
  await life.stock([{ sku: "B", qty: 1 }]);
  assert.match(await life.stands("1", 2), /\(inactive in the catalogue: SKU A\) Backordered 1$/);
  await life.client.accept("CAT", catalogue("INACTIVE", ["A"]));
  await life.stock([{ sku: "A", qty: 1 }]);
  assert.equal(await life.stands("1", 2), "ALLOCATED Allocated 1");
  await life.place("2", ["B"]);
  await life.place("3", ["B"]);
  await life.update("3", ["B"], priority(1));
  await life.stock([{ sku: "B", qty: 1 }]);
  assert.deepEqual(
    [await life.stands("2"), await life.stands("3")],
    ["BACKORDERED Backordered 1", "ALLOCATED Allocated 1"],
  );
  await life.assertSound();
});

test("a line takes stock from its own pool first, then of DEFAULT; no line takes from another pool, nor stock that is not GOOD", async () => {
  const life = await lifeOf(server, dc1, "POOLS", { settings: { stockPools: "B2B,SHOP" } });
  const shop = (qty: number) => [{ sku: "A", qty, stockPool: "SHOP" }];
  await life.stock([
    { sku: "A", qty: 1, stockPool: "SHOP" },
    { sku: "A", qty: 1 },
    { sku: "A", qty: 5, stockPool: "B2B" },
  ]);
  await dc1.report("hold", {
    clientId: "POOLS",
    reasonCode: "CONDITION",
    lines: [{ sku: "A", qty: 3, stockPool: "B2B", fromCondition: "GOOD", toCondition: "DAMAGED" }],
  });
  await life.place("SHOP", shop(3));
  assert.equal(await life.stands("SHOP"), "PARTIALLY_ALLOCATED Backordered 1 Allocated 2");
  assert.equal(await life.lotsOf("SHOP"), "DEFAULT 1 FIFO, SHOP 1 FIFO");
  await life.place("PLAIN", ["A"]);
  assert.equal(await life.stands("PLAIN"), "BACKORDERED Backordered 1");
  await life.place("B2B", [{ sku: "A", qty: 3, stockPool: "B2B" }]);
  assert.equal(
    await life.stands("B2B"),
    "PARTIALLY_ALLOCATED (stock that cannot be sold: SKU A (DAMAGED)) Backordered 1 Allocated 2",
  );
  await life.assertSound();
});

test("an order without distributionCentre goes to the first facility that fills it, else to the first", async () => {
  const life = await lifeOf(server, dc1, "ROUTE");
  const place = async (orderId: string, lines: readonly Parts[]) => {
    await life.place(orderId, lines, {});
    const { distributionCentre, status } = await life.shown(orderId);
    return `${distributionCentre} ${status}`;
  };
  await life.stock([{ sku: "A", qty: 2 }]);
  await life.stock(
    [
      { sku: "A", qty: 5 },
      { sku: "B", qty: 5 },
    ],
    dc2,
  );
  assert.equal(await place("1", [{ sku: "A", qty: 2 }]), "DC1 ALLOCATED");
  assert.equal(await place("2", [{ sku: "A", qty: 1 }]), "DC2 ALLOCATED");
  assert.equal(
    await place("3", [
      { sku: "A", qty: 2 },
      { sku: "B", qty: 5 },
    ]),
    "DC2 ALLOCATED",
  );
  assert.equal(await place("4", [{ sku: "B", qty: 1 }]), "DC1 BACKORDERED");
  const rows = await server.rows<{ routed_by: string }>(
    "select routed_by from sales_order where client_id = 'ROUTE' order by order_id",
  );
  assert.deepEqual(
    rows.map((row) => row.routed_by),
    ["FILLS", "FILLS", "FILLS", "FIRST"],
  );
  await life.assertSound();
});

test("each facility counts shelf life from its own date when an order is routed", async () => {
  // At any moment the date of one of them differs from that of UTC.
  const zones = { KIR: "Pacific/Kiritimati", PPG: "Pacific/Pago_Pago" } as const;
  await clearOfMidnight(...Object.values(zones));
  await server.operate(async (tx, change) => {
    for (const [facilityCode, timezone] of Object.entries(zones)) {
      await createFacility(tx, change, { facilityCode, name: facilityCode, country: "GB", timezone });
    }
  });
  const [kir, ppg] = [await warehouseOf(server, "KIR"), await warehouseOf(server, "PPG")];
  const life = await lifeOf(server, kir, "ZONES", { items: [withLots("LOT")], facilities: ["KIR", "PPG"] });
  await life.stock([{ sku: "LOT", qty: 1, batchRef: "GONE", expiryDate: dateIn(zones.KIR, -1) }], kir);
  await life.stock([{ sku: "LOT", qty: 1, batchRef: "LAST", expiryDate: dateIn(zones.PPG, 0) }], ppg);
  await life.place("1", ["LOT"], {});
  const { distributionCentre, status } = await life.shown("1");
  assert.equal(`${distributionCentre} ${status}`, "PPG ALLOCATED");
  await life.assertSound();
});

test("a reduction takes what is free, then of the lowest priority and the newest; where all is picked it is a 409", async () => {
  const life = await lifeOf(server, dc1, "SHRINK");
  await life.stock([{ sku: "A", qty: 7 }]);
  await life.place("LOW", [{ sku: "A", qty: 1 }], priority(8));
  await life.place("OLD", [{ sku: "A", qty: 2 }], priority(5));
  await life.place("NEW", [{ sku: "A", qty: 2 }], priority(5));
  await life.place("HIGH", [{ sku: "A", qty: 1 }], priority(1));
  const reduce = (qty: number) => dc1.report("adjustment", life.adjust([{ sku: "A", qty: -qty }]).body);
  await reduce(1);
  assert.equal(await life.stockOf("A"), "GOOD 6/6");
  await reduce(2);
  await life.quiet();
  assert.equal(await life.stands("LOW"), "BACKORDERED Backordered 1");
  assert.equal(await life.stands("NEW"), "PARTIALLY_ALLOCATED Backordered 1 Allocated 1");
  assert.equal(await life.stands("OLD"), "ALLOCATED Allocated 2");
  assert.equal(await life.work("PICK", "LOW"), "v2 withdrawn");
  assert.deepEqual((await life.statuses("LOW")).slice(1), ["BACKORDERED 45: Backordered 1"]);
  // Picked stock stays picked: of the rest there are two.
  await life.pick("OLD", 2);
  await dc1.report("hold", {
    clientId: "SHRINK",
    reasonCode: "DAMAGE",
    lines: [{ sku: "A", qty: 1, fromCondition: "GOOD", toCondition: "DAMAGED" }],
  });
  await life.quiet();
  assert.equal(await life.stands("NEW"), "BACKORDERED (stock that cannot be sold: SKU A (DAMAGED)) Backordered 2");
  const seen = [await life.shown("OLD"), await life.shown("HIGH"), await life.stockOf("A")];
  const tooMuch = life.adjust([{ sku: "A", qty: -2 }]).body;
  assert.match(await dc1.refuse("adjustment", tooMuch, 409), /picked/);
  assert.deepEqual([await life.shown("OLD"), await life.shown("HIGH"), await life.stockOf("A")], seen);
  await dc1.report("count", { clientId: "SHRINK", countId: "C-SHRINK", lines: [{ sku: "A", countedQty: 0 }] });
  await life.quiet();
  assert.equal(await life.stands("HIGH"), "BACKORDERED (stock that cannot be sold: SKU A (DAMAGED)) Backordered 1");
  assert.equal(await life.stands("OLD"), "PICKING Picked 2");
  await life.assertSound();
});

test("freed stock is allocated to waiting orders at once", async () => {
  const life = await lifeOf(server, dc1, "FREED");
  await life.stock([{ sku: "A", qty: 2 }]);
  await life.place("1", [{ sku: "A", qty: 2 }]);
  await life.place("2", [{ sku: "A", qty: 2 }]);
  await life.update("1", [{ sku: "A", qty: 1 }]);
  assert.equal(await life.stands("2"), "PARTIALLY_ALLOCATED Backordered 1 Allocated 1");
  await life.cancel("1");
  assert.equal(await life.stands("2"), "ALLOCATED Allocated 2");
  assert.equal(await life.work("PICK", "2"), "v1: A 2");
  await life.assertSound();
});
