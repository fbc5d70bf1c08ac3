import assert from "node:assert/strict";
import { test } from "node:test";
import type { CarrierData, CarrierService } from "../carrier-data.ts";
import { serviceOf, valuesOfService, withoutService, withService } from "./service-values.ts";

const full: CarrierService = {
  code: "RM48",
  carrierCode: "RM",
  name: "Tracked 48",
  serviceLevel: "STANDARD",
  countries: ["GB", "IE"],
  maxWeightKg: 20,
  maxLongestSideCm: 61.5,
  dimensionalDivisor: 5000,
  hazmat: false,
  signature: true,
  trackable: false,
  trackingUrl: "https://track.example/{trackingNumber}",
  maxDeclaredValue: { amount: 100, currency: "GBP" },
  postal: true,
  cn22MaxValue: { amount: 270.5, currency: "GBP" },
  transitDays: { "FAR AWAY": 14, HOME: 2 },
  cutOff: { DC1: "17:00" },
  pickUpDays: { DC1: ["MON", "TUE"] },
  deliveryDays: ["MON", "SAT"],
  activeFrom: "2026-11-01",
  activeTo: "2027-10-31",
};
const card = {
  serviceCode: "RM48",
  currency: "GBP",
  zones: [
    { zone: "HOME", country: "GB" },
    { zone: "FAR AWAY", country: "IE" },
  ],
  breaks: [{ zone: "HOME", upToKg: 2, price: 3 }],
};
const data: CarrierData = { services: [full], rateCards: [card] };

test("an unchanged form gives the same service, with every field that a service may have", () => {
  assert.equal(JSON.stringify(serviceOf(valuesOfService(full), full)), JSON.stringify(full));
  const bare: CarrierService = { code: "X", carrierCode: "Y", name: "Z", serviceLevel: "EXPRESS" };
  assert.deepEqual(serviceOf(valuesOfService(bare), bare), bare);
});

test("what cannot be read stays as it is, for the check of the API to name it", () => {
  const values = {
    ...valuesOfService(full),
    countries: "GB XX",
    transitDays: "HOME two",
    cutOff: "DC1 25:00",
    maxDeclaredValue: "much",
  };
  const service = serviceOf(values, full) as unknown as Record<string, unknown>;
  assert.deepEqual(service.countries, ["GB", "XX"]);
  assert.deepEqual(service.transitDays, { HOME: "two" });
  assert.deepEqual(service.cutOff, { DC1: "25:00" });
  assert.deepEqual(service.maxDeclaredValue, { amount: "much", currency: "" });
});

test("price matrices follow the code of their service, and go with it", () => {
  const renamed = withService(data, 0, { ...full, code: "RM49" });
  assert.deepEqual(
    renamed.rateCards.map(({ serviceCode }) => serviceCode),
    ["RM49"],
  );
  const twin = withService(renamed, 1, { ...full, code: "RM49" });
  assert.deepEqual(
    twin.rateCards.map(({ serviceCode }) => serviceCode),
    ["RM49"],
  );
  assert.deepEqual(withoutService(renamed, 0), { services: [], rateCards: [] });
});
