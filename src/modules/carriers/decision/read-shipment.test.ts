// carriers.md, Request: unknown country, postcode or unit and negative or absurd values are reported with their place.
import assert from "node:assert/strict";
import { test } from "node:test";
import { dayMs } from "#/kernel/values/durations.ts";
import { readShipment } from "#/modules/carriers/decision/read-shipment.ts";
import type { DeterminationRequest, ShippingFacility } from "#/modules/carriers/decision/shipment.ts";

const facility: ShippingFacility = {
  facilityCode: "DC1",
  country: "GB",
  timezone: "America/New_York",
  cutOffTime: null,
  holidays: [],
  operatingDays: ["MON"],
};
const base: DeterminationRequest = { distributionCentre: "DC1", shipTo: { country: "GB" }, parcels: [{ weight: 1 }] };

function faultsOf(more: Partial<DeterminationRequest>): string[] {
  const read = readShipment({ ...base, ...more }, facility);
  return read.ok ? [] : read.fault.map(({ pointer, message }) => `${pointer} ${message}`);
}

function read(more: Partial<DeterminationRequest>) {
  const shipment = readShipment({ ...base, ...more }, facility);
  assert.ok(shipment.ok, JSON.stringify(shipment));
  return shipment.value;
}

test("units become grams and thousandths of a centimetre, rounded up, so that nothing too large becomes small enough", () => {
  const parcels = (["KG", "G", "LB", "OZ", "kgm", "onz"] as const).map((weightUomCode) => ({
    weight: 1.5,
    weightUomCode,
  }));
  assert.deepEqual(
    read({ parcels }).parcels.map(({ weight }) => weight),
    [1_500, 2, 681, 43, 1_500, 43],
  );
  const sides = (["CM", "MM", "M", "IN", "FT", "INH"] as const).map((dimensionsUomCode) => ({
    weight: 1,
    length: 1.001,
    dimensionsUomCode,
  }));
  assert.deepEqual(
    read({ parcels: sides }).parcels.map(({ longestSide }) => longestSide),
    [1_001, 101, 100_100, 2_543, 30_511, 2_543],
  );
  const boxes = [
    { weight: 1, length: 2, width: 3, height: 4 },
    { weight: 1, length: 2_000, width: 2_000, height: 2_000 },
    { weight: 1 },
  ];
  assert.deepEqual(
    read({ parcels: boxes }).parcels.map(({ volume }) => volume),
    [24_000_000, 8e15, 0],
  );
  const { weight, heaviest, longestSide } = read({ parcels: [...boxes.slice(0, 1), { weight: 2.5 }] });
  assert.deepEqual([weight, heaviest, longestSide], [3_500, 2_500, 4_000]);
});

test("a postcode is compared without its country, blanks and dashes; a country may be of three letters", () => {
  const zip = (country: string, zip: string) => read({ shipTo: { country, zip } }).zip;
  assert.deepEqual(
    [zip("SWE", "SE-123 45"), zip("LU", "L-1234"), zip("gbr", "bs15ty"), zip("NL", "1011ab"), zip("PL", "00-001")],
    ["12345", "1234", "BS1 5TY", "1011AB", "00001"],
  );
  assert.equal(read({ shipTo: { country: "GBR" } }).country, "GB");
});

test("days are days, or moments at the facility", () => {
  const day = (text: string) => new Date((read({ shipDate: text }).shipDate ?? 0) * dayMs).toISOString().slice(0, 10);
  assert.deepEqual(["2026-11-20", "2026-11-20T04:59:00Z", "2026-11-20T05:00:00Z"].map(day), [
    "2026-11-20",
    "2026-11-19",
    "2026-11-20",
  ]);
});

test("all invalid values are reported at once, each with its place", () => {
  assert.deepEqual(
    faultsOf({
      shipTo: { country: "XX", zip: "1" },
      parcels: [
        {
          weight: 0,
          weightUomCode: "STONE",
          length: -1,
          dimensionsUomCode: "YD",
          declaredValue: { amount: -1, currency: "POUND" },
        },
        { weight: 10_001, length: 2_001, width: 1.2345, height: 0 },
        { weight: -2, declaredValue: { amount: 1.23456, currency: "GBP" } },
      ],
      orderValue: { amount: 2e9, currency: "EUR" },
      shipDate: "2026-02-30",
      deliverBy: "soon",
    }),
    [
      "#/shipTo/country 'XX' is not a country code of ISO 3166-1",
      '#/parcels/0/weightUomCode "STONE" is not a known unit: must be one of KG, G, LB, OZ',
      '#/parcels/0/dimensionsUomCode "YD" is not a known unit: must be one of CM, MM, M, IN, FT',
      '#/parcels/0/declaredValue/currency "POUND" is not a currency code of ISO 4217',
      "#/parcels/0/declaredValue/amount is -1: must be 0 to 1000000000",
      "#/parcels/1/length is 2001: must be above 0 and at most 2000 cm",
      "#/parcels/1/width must have at most three decimals",
      "#/parcels/1/height is 0: must be above 0 and at most 2000 cm",
      "#/parcels/1/weight is 10001: must be above 0 and at most 10000 kg",
      "#/parcels/2/declaredValue/amount must have at most four decimals",
      "#/parcels/2/weight is -2: must be above 0 and at most 10000 kg",
      "#/orderValue/amount is 2000000000: must be 0 to 1000000000",
      '#/shipDate "2026-02-30" is not a day of the calendar',
      '#/deliverBy "soon" is not a day of the calendar',
    ],
  );
  assert.deepEqual(faultsOf({ shipTo: { country: "DE", zip: "BS1 5TY" } }), [
    '#/shipTo/zip "BS1 5TY" is not a postcode of DE, which has the form 99999',
  ]);
  assert.deepEqual(faultsOf({ parcels: [] }), ["#/parcels must be 1 to 500 parcels"]);
  assert.deepEqual(faultsOf({ parcels: Array.from({ length: 501 }, () => ({ weight: 1 })) }), [
    "#/parcels must be 1 to 500 parcels",
  ]);
});
