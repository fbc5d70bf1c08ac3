// Carrier data for tests: two carriers, four services, and prices that are easy to verify by hand.
import type { CarrierData } from "#/modules/carriers/data/data-contract.ts";

const zones = [
  { zone: "DOMESTIC", country: "GB" },
  { zone: "REMOTE", country: "GB", postcodePrefixes: ["IV", "KW"], remote: true },
  { zone: "EUROPE", country: "DE" },
];

const everyZone = <Value>(value: Value) => ({ DOMESTIC: value, REMOTE: value, EUROPE: value });
const everyDay = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"] as const;

const service = (code: string, carrierCode: string, serviceLevel: "STANDARD" | "EXPRESS", days: number) => ({
  code,
  carrierCode,
  name: `Service ${code}`,
  serviceLevel,
  dimensionalDivisor: 5_000,
  maxWeightKg: 30,
  transitDays: everyZone(days),
  deliveryDays: [...everyDay],
});

const card = (serviceCode: string, price: number) => ({
  serviceCode,
  currency: "GBP",
  stepKg: 0.5,
  zones,
  breaks: ["DOMESTIC", "REMOTE", "EUROPE"].flatMap((zone, i) => [
    { zone, upToKg: 2, price: price + i },
    { zone, upToKg: 30, price: price + i + 2, perExtraKg: 0.5 },
  ]),
  surcharges: [{ code: "FUEL", kind: "PERCENT" as const, value: 10 }],
});

/** Slow and cheap: ALPHA-48, BETA-72; fast and dear: ALPHA-24, BETA-NEXT. */
export const carrierSet = {
  services: [
    service("ALPHA-48", "ALPHA", "STANDARD", 2),
    { ...service("ALPHA-24", "ALPHA", "EXPRESS", 1), hazmat: true },
    service("BETA-72", "BETA", "STANDARD", 3),
    service("BETA-NEXT", "BETA", "EXPRESS", 1),
  ],
  rateCards: [card("ALPHA-48", 5), card("ALPHA-24", 9), card("BETA-72", 4), card("BETA-NEXT", 8)],
  rules: [
    {
      ruleId: "no-beta-abroad",
      priority: 10,
      when: {
        all: [
          { field: "shipment.country", op: "ne" as const, value: "GB" },
          { field: "candidate.carrierCode", op: "eq" as const, value: "BETA" },
        ],
      },
      // biome-ignore lint/suspicious/noThenProperty: the contract calls it so.
      then: { exclude: true, reason: "BETA stays at home" },
    },
  ],
  settings: { balancedCostPerDay: 2 },
  mapping: { shippingMethods: { STD: "STANDARD", FAST: "ALPHA-24" }, carrierCodes: { ALFA: "ALPHA" } },
} satisfies CarrierData;
