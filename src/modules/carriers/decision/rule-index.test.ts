// The index of rules by their conditions; random.test.ts compares whole decisions with a scan of all rules.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Condition } from "#/modules/carriers/data/rule-contract.ts";
import type { Facts } from "#/modules/carriers/decision/fields.ts";
import { conditionIn, nextPlace, RuleIndex } from "#/modules/carriers/decision/rule-index.ts";

const attribute = (value: string): Condition => ({ field: "shipment.extendedAttributes.Tier", op: "eq", value });
const above = (value: number): Condition => ({ field: "shipment.orderValue", op: "gt", value });

const facts = {
  weekday: "FRI",
  hour: 9,
  shipment: {
    country: "GB",
    isHazmat: false,
    orderValue: { value: 500_000, currency: "GBP" },
    extendedAttributes: new Map([["Tier", "T40"]]),
  },
} as unknown as Facts;

function findAll(conditions: readonly (Condition | undefined)[]): readonly number[] {
  const found = new RuleIndex(conditions).find(facts);
  const places: number[] = [];
  for (let place = nextPlace(found, 0); place >= 0; place = nextPlace(found, place + 1)) places.push(place);
  return places;
}

test("the index finds the rules with the shipment's value or a bound that it satisfies, in order, and no others", () => {
  assert.deepEqual(findAll(Array.from({ length: 100 }, (_, i) => attribute(`T${i}`))), [40]);
  const bounds = findAll(Array.from({ length: 100 }, (_, i) => above(99 - i)));
  assert.deepEqual(
    bounds,
    Array.from({ length: 51 }, (_, i) => 49 + i),
    "the bound itself is found, and then evaluated",
  );
  const least: Condition = { field: "shipment.hour", op: "le", value: 8 };
  const days: Condition = { field: "shipment.weekday", op: "in", value: ["FRI", "SAT"] };
  assert.deepEqual(findAll([least, days, { all: [above(1), { not: days }] }]), [1, 2]);
  assert.deepEqual(findAll([{ any: [least, attribute("T40")] }, { any: [least, attribute("T1")] }]), [0]);
});

test("the index finds a rule that it has no key for: without a condition, or with one that only evaluation decides", () => {
  const any: Condition = { any: [attribute("T1"), { field: "candidate.zone", op: "eq", value: "A" }] };
  assert.deepEqual(findAll([undefined, any, { not: attribute("T40") }, attribute("T1")]), [0, 1, 2]);
  assert.deepEqual(findAll([]), []);
});

test("a country decides its part of a condition", () => {
  const abroad: Condition = { field: "shipment.country", op: "ne", value: "GB" };
  assert.equal(conditionIn("GB", { all: [abroad, attribute("T1")] }), false);
  assert.deepEqual(conditionIn("DE", { all: [abroad, attribute("T1")] }), { all: [attribute("T1")] });
  assert.deepEqual(conditionIn("GB", { any: [abroad, attribute("T1")] }), { any: [attribute("T1")] });
  assert.equal(conditionIn("DE", { any: [abroad, attribute("T1")] }), true);
  assert.equal(conditionIn("GB", { not: abroad }), true);
  assert.deepEqual(conditionIn("GB", attribute("T1")), attribute("T1"));
});
