// A promise is what then happens: for random stock in pools and facilities, and random baskets of plain goods and kits,
// the order of the same goods gets the facilities, the quantities and the shortages that were promised before it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs } from "#/kernel/values/durations.ts";
import { testServer } from "../support/app/server.ts";
import { diceOf } from "../support/builders/dice.ts";
import type { Parts } from "../support/builders/documents.ts";
import { lifeOf } from "../support/builders/life.ts";
import { restCalls } from "../support/http/rest-calls.ts";
import { warehouseOf } from "../support/warehouse/warehouse-port.ts";

const seed = Number(process.env.CROSSDOCK_TEST_SEED ?? Math.floor(Date.now() / dayMs));
const dice = diceOf(seed);
const server = await testServer({ CROSSDOCK_RATE_LIMIT: "off" });
const ports = [await warehouseOf(server), await warehouseOf(server, "DC2")];

const kit = (sku: string, parts: Readonly<Record<string, number>>): Parts => ({
  sku,
  components: { component: Object.entries(parts).map(([sku, qty]) => ({ sku, qty })) },
});
const skus = ["A", "B", "C", "AB", "ABC"];
const items = ["A", "B", "C", kit("AB", { A: 2, B: 1 }), kit("ABC", { A: 1, B: 1, C: 3 })];
const pools = ["DEFAULT", "RETAIL"];
const baskets = 60;

interface Line {
  readonly qtyAvailable: number;
  readonly qtyShort: number;
}

test(`what is promised for stock at hand is what the order then gets, seed ${seed}`, async () => {
  const [port] = ports;
  assert.ok(port);
  const life = await lifeOf(server, port, "PROMISE", {
    items,
    settings: { stockPools: "RETAIL", splitOrders: "true" },
  });
  const rest = restCalls(server.url, "/v1/orderService", life.client.credentials);
  const seen = { whole: 0, short: 0, elsewhere: 0, split: 0 };
  for (let i = 0; i < baskets; i++) {
    for (const at of ports) {
      const stock = { sku: dice.one(skus), qty: 1 + dice.below(6), stockPool: dice.one(pools) };
      if (dice.chance(60)) await life.stock([stock], at);
    }
    const lines = Array.from({ length: 1 + dice.below(4) }, () => ({
      sku: dice.one(skus),
      qty: 1 + dice.below(4),
      stockPool: dice.one(pools),
    }));
    const more = dice.chance(25) ? { distributionCentre: dice.one(["DC1", "DC2"]) } : {};
    const shipToAddress = { country: "GB", zip: "LS1 4AP" };
    const { body: promised } = await rest("POST", "/order/promise", { shipToAddress, lines, ...more });
    const orderId = `O-${i}`;
    await life.place(orderId, lines, more);
    const order = await life.shown(orderId);
    const from = new Set(
      (promised.shipments as { distributionCentre: string }[]).map((part) => part.distributionCentre),
    );
    const context = JSON.stringify({ i, lines, promised });
    assert.equal(order.distributionCentre, promised.distributionCentre, context);
    assert.deepEqual([...from].sort(), [...order.distributionCentres].sort(), context);
    const got = order.lines.map((line) => [line.qtyAllocated, line.qtyBackordered]);
    const expected = (promised.lines as Line[]).map(({ qtyAvailable, qtyShort }) => [qtyAvailable, qtyShort]);
    assert.deepEqual(got, expected, context);
    if (order.distributionCentres.length > 1) seen.split++;
    const isWhole = order.status === "ALLOCATED";
    seen[isWhole ? "whole" : "short"]++;
    if (order.distributionCentre === "DC2") seen.elsewhere++;
    // An order that waits would get the stock of the next round before the basket.
    if (!isWhole) await life.cancel(orderId);
  }
  assert.ok(Math.min(...Object.values(seen)) > 0, JSON.stringify(seen));
  await life.assertSound();
});
