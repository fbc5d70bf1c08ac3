// carriers.md, Answer: the same decision always, all reasons, the order of those that fit. At large: random.test.ts.
// biome-ignore-all lint/suspicious/noThenProperty: the contract calls it so.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { DeterminationRequest } from "#/modules/carriers/decision/shipment.ts";
import {
  card,
  codesOf,
  decided,
  oneService,
  service,
  twoServices,
  whyNot,
} from "../../../../tests/support/carriers/carrier-cases.ts";

test("the same request, data and moment give the same decision, always; ties break by service code", () => {
  assert.deepEqual(codesOf(decided({ data: twoServices })), ["A", "B"]);
  assert.deepEqual(decided({ data: twoServices }), decided({ data: twoServices }));
  const turned = { services: twoServices.services.toReversed(), rateCards: twoServices.rateCards.toReversed() };
  assert.deepEqual(decided({ data: turned }), decided({ data: twoServices }));
});

test("without a suitable service chosen is null, and every candidate has all its reasons with value and bound", () => {
  const limits = {
    countries: ["IE"],
    maxWeightKg: 2,
    maxLongestSideCm: 50,
    hazmat: false,
    bulky: false,
    signature: false,
  };
  const limited = oneService({ ...limits, maxDeclaredValue: { amount: 10, currency: "GBP" }, activeTo: "2026-11-17" });
  const parcel = { weight: 3.5, length: 60, width: 10, height: 10, declaredValue: { amount: 11.5, currency: "GBP" } };
  const request = {
    parcels: [{ weight: 1 }, parcel],
    isHazmat: true,
    isBulky: true,
    signatureRequired: true,
    serviceLevel: "EXPRESS" as const,
    requestedCarrierCode: "CB",
    deliverBy: "2026-11-19",
    shipTo: { country: "GB" },
  };
  const data = {
    services: [...limited.services, service("B", { carrierCode: "CB", serviceLevel: "ECONOMY" })],
    rateCards: [card("A", 4, { currency: "EUR", breaks: [{ zone: "HOME", upToKg: 3, price: 1 }] })],
    settings: { currency: "GBP" },
    rules: [{ ruleId: "R", priority: 1, then: { exclude: true, reason: "because" } }],
  };
  const decision = decided({ data, request });
  assert.equal(decision.chosen, null);
  assert.deepEqual(decision.alternatives, []);
  assert.deepEqual(whyNot(decision), [
    "INACTIVE despatch is on 2026-11-18, and it is offered until 2026-11-17",
    "COUNTRY it does not deliver to GB",
    "OVER_WEIGHT the heaviest parcel weighs 3.5 kg, the maximum is 2 kg",
    "OVER_SIZE the longest side of a parcel is 60 cm, the maximum is 50 cm",
    "OVER_VALUE a parcel is worth 11.5 GBP, the maximum is 10 GBP",
    "HAZMAT the goods are hazardous, and it does not accept them",
    "BULKY the goods are bulky, and it does not accept them",
    "SIGNATURE a signature is required, and it obtains none",
    "SERVICE_LEVEL its service level is STANDARD, requested is EXPRESS",
    "CARRIER its carrier is CA, requested is CB",
    "NO_RATE a parcel's chargeable weight is 3.5 kg, the prices of zone HOME go up to 3 kg",
    "CURRENCY there is no rate from EUR to GBP on 2026-11-18",
    "TOO_SLOW delivery is on 2026-11-20, requested is by 2026-11-19",
    "RULE because",
  ]);
  assert.deepEqual(whyNot(decision, "B"), [
    "SERVICE_LEVEL its service level is ECONOMY, requested is EXPRESS",
    "NO_RATE no rate card is in force on 2026-11-18, the day of despatch",
    "RULE because",
  ]);
  assert.deepEqual(decision.rejected[0]?.reasons.at(-1), { code: "RULE", text: "because", ruleId: "R" });
});

test("CHEAPEST, FASTEST, BALANCED", () => {
  const services = [
    service("SLOW", { transitDays: { HOME: 5 } }),
    service("FAST", { transitDays: { HOME: 1 } }),
    service("MID"),
  ];
  const rateCards = [card("SLOW", 4), card("FAST", 9), card("MID", 5.5)];
  const order = (strategy: DeterminationRequest["strategy"], perDay?: number) =>
    codesOf(
      decided({
        data: { services, rateCards, ...(perDay === undefined ? {} : { settings: { balancedCostPerDay: perDay } }) },
        request: { strategy },
      }),
    );
  assert.deepEqual(order(undefined), ["SLOW", "MID", "FAST"]);
  assert.deepEqual(order("FASTEST"), ["FAST", "MID", "SLOW"]);
  assert.deepEqual(order("BALANCED"), ["MID", "FAST", "SLOW"], "4 + 6 days, 9 + 1, 5.5 + 2: a tie breaks by code");
  assert.deepEqual(order("BALANCED", 0.1), ["SLOW", "MID", "FAST"]);
  assert.deepEqual(order("BALANCED", 10), ["FAST", "MID", "SLOW"]);
});

test("candidates in another currency are ranked by dated rates, and rejected without one", () => {
  const rateCards = [card("A", 4), card("B", 4.5, { currency: "EUR" })];
  const rates = [
    { from: "EUR", to: "GBP", date: "2026-11-01", rate: 0.86 },
    { from: "EUR", to: "GBP", date: "2026-11-19", rate: 0.95 },
  ];
  const data = { ...twoServices, rateCards };
  assert.deepEqual(codesOf(decided({ data: { ...data, rates } })), ["B", "A"]);
  assert.deepEqual(codesOf(decided({ data: { ...data, rates }, at: "2026-11-19T12:00:00Z" })), ["A", "B"]);
  assert.deepEqual(whyNot(decided({ data }), "B"), ["CURRENCY there is no rate from EUR to GBP on 2026-11-18"]);
  const reverse = [{ from: "GBP", to: "EUR", date: "2026-11-01", rate: 1.16 }];
  assert.deepEqual(codesOf(decided({ data: { ...data, rates: reverse } })), ["B", "A"]);
  const limit = oneService({ maxDeclaredValue: { amount: 100, currency: "EUR" } });
  const worth = (amount: number, currency: string) => ({
    parcels: [{ weight: 1, declaredValue: { amount, currency } }],
  });
  assert.deepEqual(whyNot(decided({ data: { ...limit, rates }, request: worth(86.01, "GBP") })), [
    "OVER_VALUE a parcel is worth 86.01 GBP, the maximum is 100 EUR",
  ]);
  assert.deepEqual(codesOf(decided({ data: { ...limit, rates }, request: worth(86, "GBP") })), ["A"]);
  assert.deepEqual(whyNot(decided({ data: limit, request: worth(1, "USD") })), [
    "CURRENCY there is no rate from USD to EUR on 2026-11-18",
  ]);
});
