// lifecycle.md §1, pre-orders: orders of an item before its AvailableFrom.
import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs } from "#/kernel/values/durations.ts";
import { changeFacility, readFacilitySettings } from "#/modules/facilities/index.ts";
import { releaseDatedOrders } from "#/modules/orders/index.ts";
import { testServer } from "../../support/app/server.ts";
import { attributes, catalogue, type Parts, purchaseOrder } from "../../support/builders/documents.ts";
import { lifeOf } from "../../support/builders/life.ts";
import { restCalls } from "../../support/http/rest-calls.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const dayIn = (days: number) => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
const from = (sku: string, day: string): Parts => ({ sku, extendedAttributes: attributes({ AvailableFrom: day }) });
const newItem = (day: string): Parts => ({ sku: "NEW", availableFrom: day });

test("pre-orders wait for the day of their item with a promised day, and then get its stock in the order of acceptance", async () => {
  const day = dayIn(10);
  const life = await lifeOf(server, dc1, "PRE", {
    items: [newItem(day), "A", from("PAST", dayIn(-1)), from("ODD", "soon")],
  });
  await life.client.accept(
    "PO",
    purchaseOrder("PRE", "PO-1", [{ sku: "NEW", qty: 3 }], {
      extendedAttributes: attributes({ ExpectedDate: dayIn(8) }),
    }),
  );
  const rest = restCalls(server.url, "/v1/orderService", life.client.credentials);
  const basket = { shipToAddress: { country: "GB", zip: "LS1 4AP" }, lines: [{ sku: "NEW", qty: 2 }] };
  const { body: promised } = await rest("POST", "/order/promise", basket);
  assert.deepEqual(
    (promised.shipments as { availableOn: string }[]).map(({ availableOn }) => availableOn),
    [day],
  );
  const items = restCalls(server.url, "/v1/itemMasterService", life.client.credentials);
  const template = (await items("GET", "/item/template?sku=NEW")).body.items as Readonly<Record<string, unknown>>[];
  assert.equal(template[0]?.availableFrom, day);
  const again = await items("POST", "/item/upsert", { items: [...template, { sku: "ODD", name: "Odd" }] });
  assert.deepEqual(
    (again.body.items as Readonly<Record<string, unknown>>[]).map(({ availableFrom }) => availableFrom),
    [day, null],
  );
  // Neither the identifiers nor the moment of the release decide who gets the goods.
  await life.place("Z", [{ sku: "NEW", qty: 2 }]);
  await life.place("B", [{ sku: "NEW", qty: 2 }]);
  await life.place("PLAIN", ["PAST", "ODD"]);
  const held = `ON_HOLD (PRE_ORDER: NEW is available from ${day})`;
  assert.equal(await life.stands("Z"), `${held} Open 2`);
  assert.match(await life.stands("PLAIN"), /^BACKORDERED/);
  assert.deepEqual(
    (await life.shown("Z")).lines.map(({ promisedOn }) => promisedOn),
    [dayIn(8)],
  );
  assert.deepEqual(
    (await life.shown("B")).lines.map(({ promisedOn }) => promisedOn),
    [null],
  );
  assert.equal(
    (await rest("GET", "/order/explain/Z")).body.next,
    "It is released when that day begins at its facility.",
  );
  await life.stock([{ sku: "NEW", qty: 3 }]);
  assert.equal(await life.stands("Z"), `${held} Open 2`);
  assert.equal(await life.stockOf("NEW"), "GOOD 3/0");
  assert.equal(await life.after(8 * 24, releaseDatedOrders), 0);
  assert.equal(await life.after(11 * 24, releaseDatedOrders), 2);
  assert.equal(await life.stands("Z"), "ALLOCATED Allocated 2");
  assert.equal(await life.stands("B"), "PARTIALLY_ALLOCATED Backordered 1 Allocated 1");
  await life.assertSound();
});

test("an UPDATE makes an order a pre-order, and another one ends that", async () => {
  const life = await lifeOf(server, dc1, "PREUPD", { items: [newItem(dayIn(10)), "A"] });
  const holdsOf = async () => (await life.shown("1")).holds.map(({ type }) => type);
  await life.place("1", ["A"]);
  await life.update("1", ["A", "NEW"], { distributionCentre: "DC1" });
  assert.deepEqual(await holdsOf(), ["PRE_ORDER"]);
  await life.update("1", ["A"], { distributionCentre: "DC1" });
  assert.deepEqual(await holdsOf(), []);
  assert.equal(await life.after(11 * 24, releaseDatedOrders), 0);
});

test("a moved day of an item moves its accepted pre-orders: later they wait on, earlier they are released", async () => {
  const settings = readFacilitySettings(["cutOffTime=12:00", "operatingDays=MON-SUN"]);
  assert.ok(settings.ok);
  await server.operate((tx, change) => changeFacility(tx, change, "DC1", { settings: settings.value }));
  const [first, later, earlier] = [dayIn(10), dayIn(30), dayIn(-1)];
  const kit = {
    sku: "KIT",
    components: [
      {
        component: [
          { sku: "NEW", qty: 1 },
          { sku: "A", qty: 1 },
        ],
      },
    ],
  };
  const life = await lifeOf(server, dc1, "PREMOVE", { items: [newItem(first), "A", from("OTHER", dayIn(20)), kit] });
  const cat = (items: readonly (string | Parts)[]) => life.client.accept("CAT", catalogue("PREMOVE", items));
  const held = (sku: string, day: string) => `ON_HOLD (PRE_ORDER: ${sku} is available from ${day}) Open 1`;
  await life.place("1", ["NEW"]);
  await life.place("2", ["NEW", "OTHER"]);
  await life.place("3", ["KIT"]);
  await life.place("4", ["OTHER"]);
  const dueAt = async (orderId: string) => String((await life.client.order(orderId))?.despatchBy).slice(0, 10);
  assert.equal(await dueAt("1"), first);

  await cat([newItem(later)]);
  await life.after(0, releaseDatedOrders);
  assert.equal(await life.stands("1"), held("NEW", later));
  assert.equal(await life.stands("2"), held("NEW", later));
  assert.equal(await life.stands("3"), held("NEW", later));
  assert.equal(await life.stands("4"), held("OTHER", dayIn(20)));
  assert.equal(await dueAt("1"), later);
  assert.equal(await life.after(11 * 24, releaseDatedOrders), 0);

  // A name that changes moves no order.
  await cat([{ ...newItem(later), name: "Renamed" }]);
  assert.equal(await life.after(0, releaseDatedOrders), 0);

  await cat([newItem(earlier)]);
  await life.after(0, releaseDatedOrders);
  assert.match(await life.stands("1"), /^BACKORDERED/);
  assert.equal(await life.stands("2"), held("OTHER", dayIn(20)));
  assert.match(await life.stands("3"), /^BACKORDERED/);
  assert.ok((await dueAt("1")) <= dayIn(1));
  assert.equal((await life.signals("2")).filter((topic) => topic === "order:updated").length, 2);
  assert.equal(await life.after(21 * 24, releaseDatedOrders), 2);
  await life.assertSound();
});
