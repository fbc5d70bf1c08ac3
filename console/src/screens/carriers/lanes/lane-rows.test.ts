import assert from "node:assert/strict";
import { test } from "node:test";
import { type CarrierLane, changeOf, currenciesOf, laneName, laneRowsOf, serviceName, totalsOf } from "./lane-rows.ts";

const cost = (currency: string, parcels: number, amount: number) => ({
  currency,
  parcels,
  amount,
  perParcel: amount / parcels,
  perKg: null,
});
const figures = (parcels: number, ...costs: ReturnType<typeof cost>[]): CarrierLane["current"] => ({
  parcels,
  costs,
  delivered: 0,
  medianHours: null,
  p90Hours: null,
  due: parcels,
  onTime: parcels / 2,
});
const lane = (country: string | null, current: CarrierLane["current"], before = figures(0)): CarrierLane => ({
  distributionCentre: "DC1",
  country,
  zone: null,
  carrierCode: "RM",
  serviceCode: "RM48",
  current,
  before,
});

test("a lane has a row for each currency, and one without prices has a row too", () => {
  const both = lane("GB", figures(4, cost("GBP", 2, 8)), figures(2, cost("EUR", 2, 10)));
  const rows = laneRowsOf([both, lane(null, figures(1))]);
  assert.deepEqual(
    rows.map((row) => [laneName(row.lane), row.currency, row.cost?.amount, row.costBefore?.amount]),
    [
      ["DC1 → United Kingdom", "GBP", 8, undefined],
      ["DC1 → United Kingdom", "EUR", undefined, 10],
      ["DC1 → unknown", undefined, undefined, undefined],
    ],
  );
});

test("totals are those of one currency, the currency of the most parcels first", () => {
  const lanes = [
    lane("GB", figures(4, cost("GBP", 4, 10))),
    lane("DE", figures(2, cost("EUR", 1, 7), cost("GBP", 1, 5))),
  ];
  assert.deepEqual(currenciesOf(lanes), ["GBP", "EUR"]);
  assert.deepEqual(totalsOf(lanes, "current", "GBP"), { parcels: 6, priced: 5, amount: 15, perParcel: 3, onTime: 50 });
  assert.deepEqual(totalsOf(lanes, "before", "GBP"), {
    parcels: 0,
    priced: 0,
    amount: 0,
    perParcel: undefined,
    onTime: undefined,
  });
});

test("a change is relative, and unknown where there was nothing before", () => {
  assert.equal(changeOf(6, 5), 20);
  assert.equal(changeOf(4, 5), -20);
  assert.equal(changeOf(4, 0), undefined);
  assert.equal(changeOf(4, null), undefined);
});

test("a service is named once, with its carrier", () => {
  assert.equal(serviceName({ carrierCode: "KEX", serviceCode: "KEX-AIR" }), "KEX-AIR");
  assert.equal(serviceName({ carrierCode: "NWP", serviceCode: "ROAD" }), "NWP ROAD");
  assert.equal(serviceName({ carrierCode: "NWP", serviceCode: null }), "NWP");
  assert.equal(serviceName({ carrierCode: null, serviceCode: null }), "no carrier");
});
