import assert from "node:assert/strict";
import { test } from "node:test";
import type { CarrierData } from "../carrier-data.ts";
import { changesOf } from "./draft-changes.ts";

const data = {
  services: [
    {
      code: "RM48",
      carrierCode: "RM",
      name: "Tracked 48",
      serviceLevel: "STANDARD",
      maxWeightKg: 20,
      countries: ["GB"],
    },
    { code: "RM24", carrierCode: "RM", name: "Tracked 24", serviceLevel: "EXPRESS" },
  ],
  rateCards: [
    {
      serviceCode: "RM48",
      currency: "GBP",
      zones: [{ zone: "HOME", country: "GB" }],
      breaks: [
        { zone: "HOME", upToKg: 2, price: 3 },
        { zone: "HOME", upToKg: 20, price: 5, perExtraKg: 0.25 },
      ],
    },
  ],
} as unknown as CarrierData;
const [rm48, rm24] = data.services as [CarrierData["services"][number], CarrierData["services"][number]];
const [card] = data.rateCards as [CarrierData["rateCards"][number]];
const linesOf = (after: CarrierData) =>
  changesOf(data, after).map(({ of, place, before, after, percent }) => [of, place, before, after, percent]);

test("an equal set has no changes", () => {
  assert.deepEqual(changesOf(data, structuredClone(data)), []);
});

test("each changed field of a service is named with its old and its new value", () => {
  const changed = { ...rm48, maxWeightKg: 30, countries: ["GB", "IE"], postal: true };
  assert.deepEqual(linesOf({ ...data, services: [changed, rm24] }), [
    ["Service RM48", "max weight kg", "20", "30", 50],
    ["Service RM48", "countries", "GB", "GB, IE", undefined],
    ["Service RM48", "postal", undefined, "yes", undefined],
  ]);
});

test("services are compared by their code: one is removed, one is added", () => {
  const services = [{ ...rm24, code: "RM12" }, rm48];
  assert.deepEqual(linesOf({ ...data, services }), [
    ["Service RM24", "", "complete", undefined, undefined],
    ["Service RM12", "", undefined, "complete", undefined],
  ]);
});

test("prices are compared by zone and weight, with the change in per cent", () => {
  const [first, second] = card.breaks as [(typeof card.breaks)[number], (typeof card.breaks)[number]];
  const breaks = [
    { ...first, price: 3.3 },
    { ...second, upToKg: 30 },
  ];
  const zones = [...card.zones, { zone: "HOME", country: "IM" }];
  const found = linesOf({ ...data, rateCards: [{ ...card, zones, breaks }] });
  assert.deepEqual(
    found.map(([of, place, before, after]) => [of, place, before, after]),
    [
      ["Price matrix of RM48", "zone HOME IM", undefined, "complete"],
      ["Price matrix of RM48", "HOME up to 2 kg", "3", "3.3"],
      ["Price matrix of RM48", "HOME up to 20 kg", "5", undefined],
      ["Price matrix of RM48", "HOME up to 30 kg", undefined, "5"],
    ],
  );
  assert.ok(Math.abs((found[1]?.[4] as number) - 10) < 1e-9);
});

test("a list of objects is shown in words, not as JSON", () => {
  const rule = { ruleId: "R1", when: [{ field: "country", in: ["GB", "IE"] }], isActive: true };
  const changed = {
    ...rule,
    when: [
      { field: "weightKg", min: 2 },
      { field: "country", in: [] },
    ],
    isActive: false,
  };
  const found = changesOf(
    { ...data, rules: [rule] } as unknown as CarrierData,
    { ...data, rules: [changed] } as unknown as CarrierData,
  );
  assert.deepEqual(
    found.map(({ of, place, before, after }) => [of, place, before, after]),
    [
      ["Rule R1", "when", "field country, in GB, IE", "field weightKg, min 2; field country, in none"],
      ["Rule R1", "is active", "yes", "no"],
    ],
  );
});
