// carriers.md, Price matrix: zones, chargeable weight, surcharges, rounding.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { DeterminationRequest } from "#/modules/carriers/decision/shipment.ts";
import { decided, oneService, wednesday, whyNot } from "../../../../tests/support/carriers/carrier-cases.ts";

test("zones: the longest match of the postcode wins, prefix or range, and the country takes the rest", () => {
  const zones = [
    { zone: "HOME", country: "GB" },
    { zone: "NORTH", country: "GB", postcodePrefixes: ["IV"], remote: true },
    { zone: "FAR", country: "GB", postcodeRanges: [{ from: "IV20", to: "IV28" }] },
    { zone: "FARTHEST", country: "GB", postcodePrefixes: ["iv27 4"] },
    { zone: "MAIN", country: "DE" },
    { zone: "SEA", country: "SE", postcodePrefixes: ["62"] },
  ];
  const breaks = ["HOME", "NORTH", "FAR", "FARTHEST", "MAIN", "SEA"].map((zone) => ({ zone, upToKg: 30, price: 4 }));
  const data = oneService({ transitDays: {} }, { zones, breaks });
  const zoneOf = (country: string, zip?: string) => {
    const { chosen } = decided({ data, request: { shipTo: zip === undefined ? { country } : { country, zip } } });
    return chosen?.zone;
  };
  const expected = {
    "BS1 5TY": "HOME",
    "iv1 1aa": "NORTH",
    IV201AB: "FAR",
    "IV2 0AB": "NORTH",
    "IV27 4AB": "FARTHEST",
    "IV27 5AB": "FAR",
  };
  for (const [zip, zone] of Object.entries(expected)) assert.equal(zoneOf("GB", zip), zone, zip);
  assert.deepEqual(
    [zoneOf("GB"), zoneOf("DEU"), zoneOf("SE", "SE-621 41"), zoneOf("SE", "111 22")],
    ["HOME", "MAIN", "SEA", undefined],
  );
  const nowhere = decided({ data, request: { shipTo: { country: "SE", zip: "111 22" } } });
  assert.deepEqual(whyNot(nowhere), ["NO_RATE the rate card has no zone for SE 11122"]);
  assert.deepEqual(whyNot(decided({ data, request: { shipTo: { country: "SE" } } })), [
    "NO_RATE the rate card has no zone for SE without a postcode",
  ]);
});

test("the chargeable weight is the greater of actual and volume ÷ divisor, rounded up to the step, parcel by parcel", () => {
  const data = oneService({ dimensionalDivisor: 5000 }, { stepKg: 0.5 });
  const weightOf = (...parcels: DeterminationRequest["parcels"]) =>
    decided({ data, request: { parcels } }).chosen?.chargeableWeight;
  assert.deepEqual(weightOf({ weight: 1.001 }), { value: 1.5, uom: "KG" });
  assert.deepEqual(weightOf({ weight: 1.5 }), { value: 1.5, uom: "KG" });
  assert.deepEqual(weightOf({ weight: 1, length: 50, width: 10, height: 10 }), { value: 1, uom: "KG" });
  assert.deepEqual(weightOf({ weight: 1, length: 50, width: 10, height: 10.001 }), { value: 1.5, uom: "KG" });
  assert.deepEqual(weightOf({ weight: 0.6 }, { weight: 0.6 }), { value: 2, uom: "KG" });
  assert.deepEqual(weightOf({ weight: 1, length: 90, width: 90 }), { value: 1, uom: "KG" }, "two sides are no volume");
  assert.deepEqual(weightOf({ weight: 2.2, weightUomCode: "LBR" }), { value: 1, uom: "KG" });
  assert.deepEqual(weightOf({ weight: 500, weightUomCode: "g" }), { value: 0.5, uom: "KG" });
  assert.deepEqual(weightOf({ weight: 1, length: 10, width: 10, height: 10, dimensionsUomCode: "IN" }), {
    value: 3.5,
    uom: "KG",
  });
});

test("surcharges apply in the order listed, percentages on the price so far, each rounded half up", () => {
  const at = (surcharges: object[], request: Partial<DeterminationRequest> = {}, more: object = {}) =>
    decided({ data: oneService({}, { surcharges, ...more }), request }).chosen?.price;
  const percent = { code: "P", kind: "PERCENT", value: 10 };
  const fixed = { code: "F", kind: "FIXED", value: 1.005 };
  const money = (amount: number) => ({ amount, currency: "GBP" });
  assert.deepEqual(at([percent, fixed]), {
    base: money(4),
    total: money(5.41),
    surcharges: [
      { code: "P", amount: money(0.4) },
      { code: "F", amount: money(1.01) },
    ],
  });
  assert.deepEqual(at([fixed, percent])?.surcharges, [
    { code: "F", amount: money(1.01) },
    { code: "P", amount: money(0.5) },
  ]);
  // Each of two parcels is rounded separately.
  assert.deepEqual(at([{ ...fixed, value: 0.004 }], { parcels: [{ weight: 1 }, { weight: 1 }] })?.total, money(8));
  assert.deepEqual(at([], {}, { breaks: [{ zone: "HOME", upToKg: 30, price: 3.125 }] })?.base, money(3.13));
});

test("surcharges apply under their condition: hazmat, oversize, remote, residential, signature, saturday", () => {
  const conditions = ["hazmat", "remote", "residential", "signature", "saturday"].map((when) => ({
    code: when,
    kind: "FIXED",
    value: 1,
    when,
  }));
  const surcharges = [
    ...conditions,
    { code: "oversize", kind: "FIXED", value: 2, when: "oversize", longestSideCm: 50 },
  ];
  const zones = [
    { zone: "HOME", country: "GB" },
    { zone: "HOME", country: "GB", postcodePrefixes: ["IV"], remote: true },
  ];
  const applied = (request: Partial<DeterminationRequest>, at = wednesday) =>
    decided({ data: oneService({}, { surcharges, zones }), request, at }).chosen?.price?.surcharges.map(
      ({ code, amount }) => `${code} ${amount.amount}`,
    );
  assert.deepEqual(applied({}), []);
  assert.deepEqual(applied({ isHazmat: true }), ["hazmat 1"]);
  assert.deepEqual(applied({ shipTo: { country: "GB", zip: "IV1 1AA" } }), ["remote 1"]);
  assert.deepEqual(applied({ shipTo: { country: "GB", isResidential: true } }), ["residential 1"]);
  assert.deepEqual(applied({ signatureRequired: true }), ["signature 1"]);
  assert.deepEqual(applied({}, "2026-11-19T12:00:00Z"), ["saturday 1"], "two days after Thursday");
  const long = (length: number) => ({ weight: 1, length, width: 1, height: 1 });
  assert.deepEqual(
    applied({ parcels: [long(50), long(50.1), long(60)] }),
    ["oversize 4"],
    "of the parcels that are longer",
  );
});

test("currencies without pence and with mils are rounded to their own minor unit", () => {
  const priced = (currency: string) =>
    decided({ data: oneService({}, { currency, breaks: [{ zone: "HOME", upToKg: 30, price: 100.5455 }] }) }).chosen
      ?.price?.total;
  assert.deepEqual(
    [priced("JPY"), priced("GBP"), priced("KWD")].map((price) => price?.amount),
    [101, 100.55, 100.546],
  );
});
