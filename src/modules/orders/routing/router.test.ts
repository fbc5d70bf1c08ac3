import assert from "node:assert/strict";
import { test } from "node:test";
import { poolsOf } from "#/modules/inventory/index.ts";
import type { FreeStock } from "#/modules/orders/routing/free-stock.ts";
import type { RoutedOrder } from "#/modules/orders/routing/routed-order.ts";
import { type Route, routerOf } from "#/modules/orders/routing/router.ts";
import { type Dice, diceOf } from "../../../../tests/support/builders/dice.ts";

const steps = Number(process.env.CROSSDOCK_TEST_STEPS ?? 5_000);
const seed = Number(process.env.CROSSDOCK_TEST_SEED ?? 1);

const stockOf = (facilityCode: string, sku: string, free: number, stockPool = "DEFAULT"): FreeStock => ({
  facilityCode,
  sku,
  stockPool,
  free: free * 1_000,
});

interface Line {
  readonly sku: string;
  readonly qty: number;
  readonly stockPool?: string;
  readonly components?: readonly { readonly sku: string; readonly qty: number }[];
}

function orderOf(...lines: readonly Line[]): RoutedOrder {
  return {
    shipToAddress: undefined,
    extendedAttributes: {},
    lines: lines.map(({ sku, qty, stockPool = "DEFAULT", components }) => ({
      sku,
      stockPool,
      qty: qty * 1_000,
      components: components?.map((part) => ({ ...part, qty: part.qty * 1_000 })),
      extendedAttributes: {},
    })),
  };
}

const facilities = ["A", "B", "C", "D"];
/** Measures that are the same for all orders. */
const ranked = (ranks: Readonly<Record<string, number>>) => () => (facilityCode: string) => {
  const rank = ranks[facilityCode] ?? Number.POSITIVE_INFINITY;
  return { rank, text: Number.isFinite(rank) ? `rank ${rank}` : null };
};

test("a rule chooses the best of the facilities that fill all lines, and says what the others are or lack", () => {
  const stock = [stockOf("A", "X", 5), stockOf("B", "X", 5), stockOf("C", "X", 1), stockOf("D", "X", 5)];
  const route = routerOf({ facilities, stock, measures: ranked({ A: 3, B: 2, C: 1 }) });
  assert.deepEqual(route(orderOf({ sku: "X", qty: 2 })), {
    facilityCode: "B",
    by: "RULE",
    candidates: [
      { facilityCode: "A", lacks: null, measure: "rank 3" },
      { facilityCode: "B", lacks: null, measure: "rank 2" },
      { facilityCode: "C", lacks: "X", measure: null },
      { facilityCode: "D", lacks: null, measure: null },
    ],
  });
});

test("a rule decides nothing for a single facility that fills all lines, for none, and for an order that names one", () => {
  const stock = [stockOf("B", "X", 5)];
  const route = routerOf({ facilities, stock, measures: () => () => assert.fail("the rule compares") });
  assert.deepEqual(route(orderOf({ sku: "X", qty: 5 })), { facilityCode: "B", by: "FILLS" });
  assert.deepEqual(route(orderOf({ sku: "X", qty: 6 })), { facilityCode: "A", by: "FIRST" });
  const named = { ...orderOf({ sku: "X", qty: 1 }), distributionCentre: "D" };
  assert.deepEqual(route(named), { facilityCode: "D", by: "NAMED" });
});

test("orders that take their goods leave the rest to the next ones", () => {
  const stock = [stockOf("A", "X", 3), stockOf("B", "X", 2)];
  const route = routerOf({ facilities, stock, isTaking: true });
  const places = [2, 2, 1, 1].map((qty) => route(orderOf({ sku: "X", qty })));
  assert.deepEqual(
    places.map(({ facilityCode, by }) => `${facilityCode} ${by}`),
    ["A FILLS", "B FILLS", "A FILLS", "A FIRST"],
  );
});

const skus = ["X", "Y", "Z"];
const pools = ["DEFAULT", "VIP"];

function makeStock(dice: Dice): FreeStock[] {
  return facilities.flatMap((code) =>
    skus.flatMap((sku) => pools.flatMap((pool) => (dice.chance(30) ? [] : stockOf(code, sku, dice.below(6), pool)))),
  );
}

const makeOrder = (dice: Dice): RoutedOrder =>
  orderOf(
    ...Array.from({ length: 1 + dice.below(3) }, () => ({
      sku: dice.one(skus),
      qty: 1 + dice.below(4),
      stockPool: dice.one(pools),
      ...(dice.chance(20) ? { components: [{ sku: dice.one(skus), qty: 1 + dice.below(2) }] } : {}),
    })),
  );

/** Takes unit by unit from the stock of one facility; undefined: it does not fill the order. */
function taken(order: RoutedOrder, facilityCode: string, stock: readonly FreeStock[]): FreeStock[] | undefined {
  const left = stock.map((entry) => ({ ...entry }));
  const takeUnit = (sku: string, stockPool: string): boolean => {
    for (const pool of poolsOf(stockPool)) {
      const found = left.find(
        (entry) => entry.facilityCode === facilityCode && entry.sku === sku && entry.stockPool === pool,
      );
      if (!found || found.free < 1_000) continue;
      found.free -= 1_000;
      return true;
    }
    return false;
  };
  for (const { sku, stockPool, qty, components } of order.lines) {
    let waiting = qty;
    while (waiting > 0 && takeUnit(sku, stockPool)) waiting -= 1_000;
    if (waiting > 0 && components === undefined) return undefined;
    for (const part of components ?? []) {
      for (let unit = 0; unit < (waiting / 1_000) * part.qty; unit += 1_000) {
        if (!takeUnit(part.sku, stockPool)) return undefined;
      }
    }
  }
  return left;
}

test("a routed order always fits the rule: it fills all lines, no facility before it is as good, and none is better", () => {
  const seen = new Map<Route["by"], number>();
  for (let step = 0; step < steps; step++) {
    const dice = diceOf(seed * 1_000_003 + step);
    let stock = makeStock(dice);
    const ranks = Object.fromEntries(dice.some(facilities).map((code) => [code, dice.below(3)]));
    const isTaking = dice.chance(50);
    const measures = dice.chance(80) ? ranked(ranks) : undefined;
    const route = routerOf({ facilities, stock, measures, isTaking });
    for (let i = 0; i < 3; i++) {
      const order = makeOrder(dice);
      const { facilityCode, by, candidates } = route(order);
      seen.set(by, (seen.get(by) ?? 0) + 1);
      const full = facilities.filter((code) => taken(order, code, stock) !== undefined);
      const rankOf = (code: string) => (measures ? (ranks[code] ?? Number.POSITIVE_INFINITY) : 0);
      const [best = "A"] = full.toSorted((left, right) => {
        return rankOf(left) === rankOf(right) ? 0 : rankOf(left) - rankOf(right);
      });
      const isRuled = measures !== undefined && full.length > 1;
      assert.equal(facilityCode, best, `seed ${seed}, step ${step}`);
      assert.equal(by, full.length === 0 ? "FIRST" : isRuled ? "RULE" : "FILLS", `seed ${seed}, step ${step}`);
      assert.deepEqual(
        candidates?.filter(({ lacks }) => lacks === null).map((candidate) => candidate.facilityCode),
        isRuled ? full : undefined,
      );
      if (isTaking && full.length > 0) stock = taken(order, facilityCode, stock) ?? assert.fail();
    }
  }
  assert.deepEqual([...seen.keys()].sort(), ["FILLS", "FIRST", "RULE"]);
});
