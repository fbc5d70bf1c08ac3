// lifecycle.md §1, Routing: the rule by which a client chooses among the facilities that can fill an order.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type RoutingRule, routingRules } from "#/intake/feeds/intake/definition.ts";
import { createCarrierSets } from "#/modules/carriers/index.ts";
import { showClient } from "#/modules/clients/index.ts";
import { changeFacility, readFacilitySettings } from "#/modules/facilities/index.ts";
import type { OrderExplanation } from "#/modules/orders/explain/contract.ts";
import type { RoutedOrder } from "#/modules/orders/routing/routed-order.ts";
import { createRouter } from "#/modules/orders/routing/router.ts";
import type { Tx } from "#/store/db/database.ts";
import { testServer } from "../../support/app/server.ts";
import { catalogue } from "../../support/builders/documents.ts";
import { type Life, lifeOf } from "../../support/builders/life.ts";
import { carrierDataOf, saveCarriers, serviceOf } from "../../support/carriers/carriers.ts";
import { restCalls } from "../../support/http/rest-calls.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const dc1 = await warehouseOf(server);
const dc2 = await warehouseOf(server, "DC2");

async function set(code: string, ...assignments: string[]): Promise<void> {
  const settings = readFacilitySettings(assignments);
  assert.ok(settings.ok, settings.ok ? "" : settings.fault.join());
  const changed = await server.operate((tx, change) => changeFacility(tx, change, code, { settings: settings.value }));
  assert.ok(changed.ok, changed.ok ? "" : changed.fault);
}

await set("DC1", "zip=SS17 9DY", "cutOffTime=10:00", "operatingDays=MON-SUN");
await set("DC2", "zip=LS10 1AB", "cutOffTime=", "operatingDays=MON-SUN");

/** The orders are for Leeds. Both facilities have five of A, and DC2 alone has B. */
async function lifeWith(clientId: string, rule: string, carriers?: object): Promise<Life> {
  const life = await lifeOf(server, dc1, clientId);
  const weighed = ["A", "B", "C"].map((sku) => ({ sku, weight: 1.5, weightUomCode: "KG" }));
  await life.client.accept("CAT", catalogue(clientId, weighed));
  if (carriers !== undefined) await saveCarriers(server.database, carriers, clientId);
  await life.client.set({ routingRule: rule });
  await life.stock([{ sku: "A", qty: 5 }]);
  await life.stock(
    [
      { sku: "A", qty: 5 },
      { sku: "B", qty: 5 },
    ],
    dc2,
  );
  return life;
}

async function routingOf(life: Life, orderId: string): Promise<OrderExplanation["routing"]> {
  const call = restCalls(server.url, "/v1/orderService", life.client.credentials);
  const { status, body } = await call("GET", `/order/explain/${orderId}`);
  assert.equal(status, 200, JSON.stringify(body));
  return (body as unknown as OrderExplanation).routing;
}

async function routed(life: Life, orderId: string, sku = "A") {
  await life.place(orderId, [{ sku, qty: 1 }], {});
  return routingOf(life, orderId);
}

const decisionsOf = async ({ clientId }: Life) =>
  (
    await server.rows<{ order_id: string }>(
      "select order_id from routing_decision where client_id = $1 order by order_id",
      clientId,
    )
  ).map((row) => row.order_id);

const priced = (...services: ReturnType<typeof serviceOf>[]) => carrierDataOf(...services);
const only = (facility: string, other: string) => ({
  pickUpDays: { [facility]: ["MON", "TUE", "WED", "THU", "FRI"], [other]: [] },
});

test("CHEAPEST takes the facility from which carrier determination finds the lower price", async () => {
  const data = priced(serviceOf("DEAR", "ANY", 5), serviceOf("NORTH", "ANY", 2.5, only("DC2", "DC1")));
  const life = await lifeWith("CHEAP", "CHEAPEST", data);
  assert.deepEqual(await routed(life, "1"), {
    distributionCentre: "DC2",
    by: "RULE",
    text: "DC2 was chosen by the rule CHEAPEST: DC1 5 GBP, DC2 2.5 GBP.",
    rule: "CHEAPEST",
    candidates: [
      { distributionCentre: "DC1", lacks: null, measure: "5 GBP" },
      { distributionCentre: "DC2", lacks: null, measure: "2.5 GBP" },
    ],
  });
  assert.equal((await life.shown("1")).distributionCentre, "DC2");
  await life.assertSound();
});

test("NEAREST takes the facility in the zone of the address, else in its country", async () => {
  const zoned = serviceOf("ZONED", "ANY", 5);
  const zones = [
    { zone: "SOUTH", country: "GB" },
    { zone: "YORKSHIRE", country: "GB", postcodePrefixes: ["LS", "BD"] },
  ];
  const breaks = zones.map(({ zone }) => ({ zone, upToKg: 100, price: 4 }));
  const data = { services: [zoned.service], rateCards: [{ ...zoned.rateCard, zones, breaks }] };
  const life = await lifeWith("NEAR", "NEAREST", data);
  assert.deepEqual(await routed(life, "1"), {
    distributionCentre: "DC2",
    by: "RULE",
    text: "DC2 was chosen by the rule NEAREST: DC1 the country of the address, DC2 the zone of the address in 1 of 1 price matrices.",
    rule: "NEAREST",
    candidates: [
      { distributionCentre: "DC1", lacks: null, measure: "the country of the address" },
      { distributionCentre: "DC2", lacks: null, measure: "the zone of the address in 1 of 1 price matrices" },
    ],
  });
});

test("FEWEST_PARCELS takes the facility whose services carry the goods in fewer parcels", async () => {
  const data = priced(
    serviceOf("SMALL", "ANY", 5, { maxWeightKg: 2 }),
    serviceOf("PALLET", "ANY", 50, only("DC2", "DC1")),
  );
  const life = await lifeWith("FEW", "FEWEST_PARCELS", data);
  await life.place("1", [{ sku: "A", qty: 3 }], {});
  const { distributionCentre, candidates } = await routingOf(life, "1");
  assert.deepEqual([distributionCentre, ...candidates.map(({ measure }) => measure)], ["DC2", "3 parcels", "1 parcel"]);
});

test("SOONEST takes the facility with the next cut-off, and leaves those without one to the last", async () => {
  const life = await lifeWith("SOON", "SOONEST");
  const first = await routed(life, "1");
  assert.equal(first.distributionCentre, "DC1");
  assert.match(first.candidates[0]?.measure ?? "", /^20\d\d-/);
  assert.equal(first.candidates[1]?.measure, null);
  assert.match(first.text, /^DC1 was chosen by the rule SOONEST: DC1 20\S+, DC2 is unknown to it\.$/);
});

test("a decision is kept only where a rule compared facilities: not for ORDER, one facility, one that fills, or a name", async () => {
  const life = await lifeWith("KEPT", "SOONEST");
  assert.deepEqual([(await routed(life, "ONE", "B")).by, (await routed(life, "NONE", "C")).by], ["FILLS", "FIRST"]);
  await life.place("NAMED", [{ sku: "A", qty: 1 }]);
  await life.client.set({ routingRule: "" });
  assert.equal((await routed(life, "ORDER")).by, "FILLS");
  assert.deepEqual(await decisionsOf(life), []);
  await life.client.set({ routingRule: "SOONEST" });
  await routed(life, "COMPARED");
  assert.deepEqual(await decisionsOf(life), ["COMPARED"]);
  const call = restCalls(server.url, "/v1/orderService", life.client.credentials);
  assert.equal((await call("PATCH", "/order/update/COMPARED", { distributionCentre: "DC2" })).status, 200);
  const { by, rule, candidates } = await routingOf(life, "COMPARED");
  assert.deepEqual({ by, rule, candidates }, { by: "NAMED", rule: null, candidates: [] });
});

/** The queries of a router for a number of orders. */
async function queriesFor(life: Life, routingRule: RoutingRule, count: number): Promise<number> {
  const view = server.database.of(life.clientId);
  let queries = 0;
  const counted = <Queried extends Pick<Tx, "query">>(queried: Queried): Queried =>
    new Proxy(queried, {
      get(target, name) {
        if (name === "plain") return counted(view.plain);
        if (name !== "query") return Reflect.get(target, name, target);
        return (statement: Parameters<Tx["query"]>[0]) => {
          queries++;
          return target.query(statement);
        };
      },
    });
  const shown = await showClient(view);
  assert.ok(shown.ok);
  const client = { ...shown.value, settings: { ...shown.value.settings, routingRule } };
  const orders = Array.from({ length: count }, (_, i): RoutedOrder => {
    const line = { sku: i % 2 === 0 ? "A" : "B", qty: 1_000, stockPool: "DEFAULT", extendedAttributes: {} };
    return { shipToAddress: { country: "GB", zip: "LS1 4AP" }, extendedAttributes: {}, lines: [line] };
  });
  const route = await createRouter(
    counted(view),
    { client, sets: createCarrierSets(), at: new Date().toISOString() },
    orders,
  );
  assert.equal(new Set(orders.map((content) => route(content).by)).has("FILLS"), true);
  return queries;
}

test("500 orders take as many queries as two, and no rule takes none beyond those for the stock", async () => {
  const life = await lifeWith("BATCH", "ORDER", priced(serviceOf("ONE", "ANY", 5)));
  const counts: Record<string, readonly number[]> = {};
  for (const rule of routingRules) {
    counts[rule] = [await queriesFor(life, rule, 2), await queriesFor(life, rule, 500)];
  }
  // The dates of the facilities and the free stock; the version of the carrier data and the data; the items.
  assert.deepEqual(counts, {
    ORDER: [2, 2],
    SOONEST: [2, 2],
    NEAREST: [4, 4],
    FEWEST_PARCELS: [5, 5],
    CHEAPEST: [5, 5],
  });
});
