import assert from "node:assert/strict";
import { test } from "node:test";
import { conditionOf, rowsOf, sayCondition, sayEffect } from "./rule-parts.ts";

test("a flat condition goes into rows and comes back as it was", () => {
  const conditions = [
    undefined,
    { field: "shipment.isHazmat", op: "eq", value: true },
    { field: "shipment.incoterm", op: "exists" },
    {
      all: [
        { field: "shipment.country", op: "in", value: ["GB", "IE"] },
        { field: "shipment.weightKg", op: "between", value: [2, 20.5] },
      ],
    },
    {
      any: [
        { field: "shipment.zip", op: "prefix", value: "01" },
        { field: "candidate.price", op: "gt", value: 12 },
      ],
    },
  ] as const;
  for (const condition of conditions) {
    const rows = rowsOf(condition as never);
    assert.ok(rows, JSON.stringify(condition));
    assert.deepEqual(conditionOf(rows), condition);
  }
});

test("a condition that the form cannot show stays JSON", () => {
  const nested = { all: [{ any: [{ field: "shipment.zip", op: "prefix", value: "IV" }] }] };
  const money = { field: "shipment.orderValue", op: "gt", value: { amount: 10, currency: "GBP" } };
  assert.equal(rowsOf(nested as never), undefined);
  assert.equal(rowsOf(money as never), undefined);
  assert.equal(rowsOf({ not: nested } as never), undefined);
});

test("a rule is described in words", () => {
  const when = {
    all: [
      { field: "shipment.isHazmat", op: "eq", value: true },
      {
        any: [
          { field: "candidate.serviceLevel", op: "in", value: ["EXPRESS", "NEXT_DAY"] },
          { not: { field: "shipment.zip", op: "exists" } },
        ],
      },
    ],
  };
  assert.equal(
    sayCondition(when),
    "hazardous and (candidate's service level is one of EXPRESS, NEXT_DAY or not (postcode is known))",
  );
  assert.equal(sayCondition(undefined), "always");
  assert.equal(sayEffect({ exclude: true, reason: "not by air" }), "exclude: not by air");
  assert.equal(sayEffect({ prefer: { amount: -2, currency: "GBP" }, stop: true }), "rank 2 GBP cheaper, stop here");
});
