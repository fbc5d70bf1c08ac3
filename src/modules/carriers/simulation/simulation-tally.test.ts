// A decision without a price, day, rate or facility is counted, but not compared.
import assert from "node:assert/strict";
import { test } from "node:test";
import { compileCarrierData } from "#/modules/carriers/decision/compile.ts";
import type { Choice, Decision } from "#/modules/carriers/decision/decide.ts";
import type { PastDecision } from "#/modules/carriers/determination/decision-repository.ts";
import { createTally } from "#/modules/carriers/simulation/simulation-tally.ts";

const data = compileCarrierData(
  {
    services: [],
    rateCards: [],
    settings: { currency: "EUR" },
    rates: [{ from: "GBP", to: "EUR", date: "2026-01-01", rate: 1.2 }],
  },
  0,
);
const facility = {
  facilityCode: "DC1",
  country: "GB",
  timezone: "Europe/London",
  cutOffTime: null,
  holidays: [],
  operatingDays: ["MON", "TUE", "WED", "THU", "FRI"] as const,
};

function choice(serviceCode: string | null, total: [number, string] | null, estimatedDelivery: string | null): Choice {
  const price = total && { amount: total[0], currency: total[1] };
  return {
    carrierCode: "ANY",
    serviceCode,
    zone: serviceCode === null ? null : "Z",
    despatchDate: "2026-11-20",
    price: price && { base: price, surcharges: [], total: price },
    chargeableWeight: { value: 1, uom: "KG" },
    estimatedDelivery,
  };
}

const past = (chosen: Choice | null): PastDecision => ({
  decisionId: "01",
  decidedAt: "2026-11-20T23:30:00.000Z",
  chosen,
  request: { distributionCentre: "DC1", shipTo: { country: "GB" }, parcels: [{ weight: 1 }] },
});

const redecided = (chosen: Choice | null): Decision => ({
  decidedAt: "2026-11-20T23:30:00.000Z",
  chosen,
  alternatives: [],
  rejected: [],
  rulesApplied: [],
  dataVersion: 0,
});

test("prices are compared in the ranking currency, days from the day at the facility", () => {
  const tally = createTally(data);
  const [before, after] = [choice("A", [10, "GBP"], "2026-11-23"), choice("B", [11, "EUR"], "2026-11-25")];
  tally.add(past(before), facility, redecided(after));
  const { total, currency, services, zones } = tally.result(true);
  assert.equal(currency, "EUR");
  assert.deepEqual(total.cost, { compared: 1, before: 12, after: 11, difference: -1 });
  assert.deepEqual(total.days, { compared: 1, before: 3, after: 5, difference: 2 });
  assert.deepEqual([total.changed, total.unchanged, total.nobodyFits], [1, 0, 0]);
  assert.deepEqual(services, [{ before: "A", after: "B", decisions: 1 }]);
  assert.deepEqual(zones, [{ zone: "Z", ...total }]);
});

test("decisions with an unknown carrier, a currency without a rate or no service are not compared", () => {
  const tally = createTally(data);
  const priced = choice("A", [10, "EUR"], "2026-11-23");
  const empty = choice(null, null, null);
  const foreign = choice("A", [10, "JPY"], null);
  for (const [before, after] of [
    [empty, empty],
    [foreign, priced],
    [null, priced],
    [priced, null],
    [null, null],
  ] as const) {
    tally.add(past(before), facility, redecided(after));
  }
  const { total, services, zones, decisions } = tally.result(true);
  assert.deepEqual([decisions, total.decisions, total.unchanged, total.changed, total.nobodyFits], [5, 5, 2, 1, 2]);
  assert.deepEqual([total.cost.compared, total.days.compared, total.cost.difference], [0, 0, 0]);
  assert.deepEqual(services, [
    { before: null, after: "A", decisions: 1 },
    { before: "A", after: null, decisions: 1 },
  ]);
  assert.deepEqual(
    zones.map(({ zone, decisions: count }) => [zone, count]),
    [
      [null, 2],
      ["Z", 3],
    ],
  );
});

test("a decision of a deleted facility is read and not repeated", () => {
  const tally = createTally(data);
  tally.add(past(null), undefined, undefined);
  const { decisions, notRun, total, continueFrom } = tally.result(false);
  assert.deepEqual([decisions, notRun, total.decisions], [1, 1, 0]);
  assert.equal(continueFrom, "2026-11-20T23:30:00.000Z");
});
