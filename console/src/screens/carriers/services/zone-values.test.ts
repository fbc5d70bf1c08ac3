import assert from "node:assert/strict";
import { test } from "node:test";
import type { RateCard } from "../carrier-data.ts";
import { postcodesText, type RateZone, valuesOfZone, withoutZone, withZone, zoneOf } from "./zone-values.ts";

const north: RateZone = {
  zone: "NORTH",
  country: "SE",
  postcodePrefixes: ["62"],
  postcodeRanges: [{ from: "980", to: "984" }],
  remote: true,
};
const card: RateCard = {
  serviceCode: "S",
  currency: "SEK",
  zones: [north, { zone: "REST", country: "SE" }, { zone: "REST", country: "FI" }],
  breaks: [
    { zone: "NORTH", upToKg: 2, price: 90 },
    { zone: "REST", upToKg: 2, price: 60 },
  ],
};

test("an unchanged form gives the same zone; ranges have two dots or a dash", () => {
  assert.deepEqual(zoneOf(valuesOfZone(north), north), north);
  assert.equal(postcodesText(north), "62, 980–984");
  const typed = zoneOf({ zone: "N", country: "se", postcodes: "62; 980..984\n990 – 991", remote: "false" });
  assert.deepEqual(typed, {
    zone: "N",
    country: "SE",
    postcodePrefixes: ["62"],
    postcodeRanges: [
      { from: "980", to: "984" },
      { from: "990", to: "991" },
    ],
  });
});

test("prices follow the new name of a zone with one entry, and stay with a name that others have", () => {
  const zonesOf = ({ breaks }: RateCard) => breaks.map(({ zone }) => zone);
  assert.deepEqual(zonesOf(withZone(card, 0, { ...north, zone: "ARCTIC" })), ["ARCTIC", "REST"]);
  assert.deepEqual(zonesOf(withZone(card, 1, { zone: "HOME", country: "SE" })), ["NORTH", "REST"]);
  assert.deepEqual(zonesOf(withZone(card, 3, { zone: "NEW", country: "NO" })), ["NORTH", "REST"]);
});

test("the prices of a zone go with its last entry", () => {
  assert.equal(withoutZone(card, 1).breaks.length, 2);
  assert.deepEqual(
    withoutZone(card, 0).breaks.map(({ zone }) => zone),
    ["REST"],
  );
});
