// The carriers of the demo are ordinary data, and have a price for every shipment of the demo.
import assert from "node:assert/strict";
import { test } from "node:test";
import { toAlpha2 } from "#/kernel/values/country.ts";
import { weekdays } from "#/kernel/values/working-calendar.ts";
import { checkCarrierData } from "#/modules/carriers/checks/check-carrier-data.ts";
import { compileCarrierData, resolveShippingMethod } from "#/modules/carriers/decision/compile.ts";
import { decide } from "#/modules/carriers/decision/decide.ts";
import { readShipment } from "#/modules/carriers/decision/read-shipment.ts";
import type { DeterminationRequest } from "#/modules/carriers/decision/shipment.ts";
import { demoCarrierData } from "#/sandbox/demo/carriers/carriers.ts";

const checked = checkCarrierData(demoCarrierData);
assert.deepEqual(checked.ok ? [] : checked.fault, []);
assert.ok(checked.ok);
const data = compileCarrierData(checked.value, 1);

const facilities = {
  DC1: { country: "GB", timezone: "Europe/London", operatingDays: weekdays.slice(0, 5), cutOffTime: "17:00" },
  DC2: { country: "NL", timezone: "Europe/Amsterdam", operatingDays: weekdays.slice(0, 6), cutOffTime: "16:00" },
};

function decided(more: Partial<DeterminationRequest>, facilityCode: keyof typeof facilities = "DC1") {
  const request = {
    distributionCentre: facilityCode,
    shipTo: { country: "GB", zip: "BS1 5TY" },
    parcels: [{ weight: 2.3 }],
    ...more,
  };
  const shipment = readShipment(request, { facilityCode, holidays: [], ...facilities[facilityCode] });
  assert.ok(shipment.ok, JSON.stringify(shipment));
  // A Tuesday morning.
  return decide(data, shipment.value, Date.parse("2026-11-24T09:00:00Z"));
}

test("the orders of the samples and of the greeting use the carrier that they request", () => {
  const { serviceLevel, warning } = resolveShippingMethod(data, "STANDARD");
  assert.equal(warning, undefined);
  const sample = { serviceLevel, requestedCarrierCode: "RM", orderValue: { amount: 109.15, currency: "EUR" } };
  const { chosen } = decided({ ...sample, incoterm: "DAP" });
  assert.deepEqual(
    [chosen?.serviceCode, chosen?.zone, chosen?.estimatedDelivery],
    ["HBP-48", "DOMESTIC", "2026-11-26"],
  );
  assert.deepEqual(chosen?.price, {
    base: { amount: 4.2, currency: "GBP" },
    total: { amount: 4.47, currency: "GBP" },
    surcharges: [{ code: "FUEL", amount: { amount: 0.27, currency: "GBP" } }],
  });
  const plain = decided({ serviceLevel: resolveShippingMethod(data, undefined).serviceLevel });
  assert.equal(plain.chosen?.serviceCode, "HBP-48");
});

test("a parcel at the standard level has a price to every country of the EU, the United Kingdom, Switzerland and Norway", () => {
  const union = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK";
  for (const country of [...union.split(" "), "GB", "CH", "NO"]) {
    assert.equal(toAlpha2(country), country);
    for (const facilityCode of ["DC1", "DC2"] as const) {
      const { chosen, alternatives } = decided({ shipTo: { country }, serviceLevel: "STANDARD" }, facilityCode);
      assert.ok(chosen?.price && chosen.estimatedDelivery, `${country} from ${facilityCode}`);
      assert.ok(alternatives.length > 0, `${country} from ${facilityCode} has one offer only`);
    }
  }
});

test("islands and highlands cost more than their mainland", () => {
  const places: readonly (readonly [country: string, remote: string, mainland: string])[] = [
    ["GB", "IV27 4AB", "BS1 5TY"],
    ["GB", "PH20 1AA", "PH2 0AA"],
    ["GB", "BT1 1AA", "B33 8TH"],
    ["FR", "20000", "75001"],
    ["ES", "35001", "28001"],
    ["ES", "07001", "28001"],
    ["PT", "9000-001", "1000-001"],
    ["IT", "90121", "20121"],
    ["DE", "27498", "10117"],
    ["DK", "3700", "1050"],
    ["SE", "981 31", "111 22"],
    ["NO", "9008", "0150"],
    ["NL", "8899 AA", "1011 AB"],
    ["GR", "847 00", "105 57"],
    ["CH", "7562", "8001"],
  ];
  const cost = (country: string, zip: string) => {
    const { chosen } = decided({ shipTo: { country, zip }, serviceLevel: "STANDARD", requestedCarrierCode: "NWP" });
    return chosen?.price?.total.amount ?? 0;
  };
  for (const [country, remote, mainland] of places) {
    assert.ok(cost(country, remote) > cost(country, mainland) + 5, `${country} ${remote}`);
  }
});

test("the rules of the demo have effect: hazmat not by air, bulky goods by two persons, letters without value", () => {
  const hazmat = decided({ isHazmat: true });
  assert.equal(hazmat.chosen?.serviceCode, "NWP-ROAD");
  assert.ok(hazmat.rulesApplied.includes("hazmat-not-by-air"));
  const bulky = decided({
    isBulky: true,
    parcels: [{ weight: 60, length: 200, width: 80, height: 40 }],
    serviceLevel: "STANDARD",
  });
  assert.equal(bulky.chosen?.serviceCode, "NWP-BULK");
  const light = { parcels: [{ weight: 0.2, length: 30, width: 20, height: 2 }] };
  assert.equal(decided({ ...light, orderValue: { amount: 12, currency: "GBP" } }).chosen?.serviceCode, "HBP-LETTER");
  assert.notEqual(
    decided({ ...light, orderValue: { amount: 120, currency: "EUR" } }).chosen?.serviceCode,
    "HBP-LETTER",
  );
});

test("every country has an express and a deferred service", () => {
  for (const country of ["US", "JP", "AU", "BR", "ZA", "UA"]) {
    assert.equal(decided({ shipTo: { country }, serviceLevel: "EXPRESS" }).chosen?.serviceCode, "KEX-AIR", country);
    assert.equal(decided({ shipTo: { country } }).chosen?.serviceCode, "KEX-DEFERRED", country);
  }
});
