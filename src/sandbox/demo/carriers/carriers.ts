// biome-ignore-all lint/suspicious/noThenProperty: the contract calls it so.
/**
 * Services of the fictional carriers of the demo. They are the operator's default, so that a fresh installation decides
 * carriers for every client.
 */
import { harbourPostCards, harbourPostServices } from "#/sandbox/demo/carriers/harbour-post.ts";
import { kestrelCards, kestrelServices } from "#/sandbox/demo/carriers/kestrel.ts";
import { northwayCards, northwayServices } from "#/sandbox/demo/carriers/northway.ts";

const rules = [
  {
    ruleId: "hazmat-not-by-air",
    priority: 10,
    when: {
      all: [
        { field: "shipment.isHazmat", op: "eq", value: true },
        { field: "candidate.carrierCode", op: "eq", value: "KEX" },
      ],
    },
    then: { exclude: true, reason: "hazardous goods are not sent by air" },
  },
  {
    ruleId: "bulky-by-two-persons",
    priority: 20,
    when: { field: "shipment.isBulky", op: "eq", value: true },
    then: { requireService: "NWP-BULK", setServiceLevel: "ECONOMY", reason: "bulky goods need two persons" },
  },
  {
    ruleId: "letters-without-value",
    priority: 30,
    when: {
      all: [
        { field: "candidate.serviceCode", op: "eq", value: "HBP-LETTER" },
        { field: "shipment.orderValue", op: "gt", value: { amount: 30, currency: "GBP" } },
      ],
    },
    then: { exclude: true, reason: "what is worth more than 30 GBP is sent tracked" },
  },
  {
    ruleId: "northway-for-many-parcels",
    priority: 40,
    when: {
      all: [
        { field: "shipment.parcels", op: "ge", value: 3 },
        { field: "candidate.carrierCode", op: "eq", value: "NWP" },
      ],
    },
    then: { prefer: { amount: -1.5, currency: "GBP" } },
  },
  {
    ruleId: "duties-paid-by-express",
    priority: 50,
    when: {
      all: [
        { field: "shipment.incoterm", op: "eq", value: "DDP" },
        { field: "shipment.country", op: "in", value: ["CH", "NO"] },
        { field: "candidate.carrierCode", op: "ne", value: "KEX" },
      ],
    },
    then: { exclude: true, reason: "duties are paid by Kestrel only" },
  },
];

/** Units of the currency for one pound and one euro. The second of two dates shows that rates change. */
const perPound = { EUR: 1.163, USD: 1.27, CHF: 1.12, SEK: 13.3, NOK: 13.6, DKK: 8.68, PLN: 5.02, CZK: 29.3, JPY: 191 };
const perEuro = { USD: 1.09, CHF: 0.96, SEK: 11.4, NOK: 11.7, DKK: 7.46, PLN: 4.31, CZK: 25.2, JPY: 164 };

const rates = [
  ...Object.entries(perPound).map(([to, rate]) => ({ from: "GBP", to, date: "2020-01-01", rate })),
  ...Object.entries(perEuro).map(([to, rate]) => ({ from: "EUR", to, date: "2020-01-01", rate })),
  // Special drawing rights: the limit of a CN22.
  { from: "XDR", to: "GBP", date: "2020-01-01", rate: 1.05 },
  { from: "XDR", to: "EUR", date: "2020-01-01", rate: 1.21 },
  { from: "EUR", to: "GBP", date: "2020-01-01", rate: 0.86 },
  { from: "EUR", to: "GBP", date: "2026-11-01", rate: 0.865 },
];

const christmas = ["2026-12-25", "2027-01-01", "2027-12-25", "2028-01-01"];

export const demoCarrierData = {
  services: [...harbourPostServices, ...northwayServices, ...kestrelServices],
  rateCards: [...harbourPostCards, ...northwayCards, ...kestrelCards],
  rules,
  mapping: {
    shippingMethods: {
      STD: "STANDARD",
      ECO: "ECONOMY",
      SAVER: "ECONOMY",
      EXP: "EXPRESS",
      AIR: "EXPRESS",
      OVERNIGHT: "NEXT_DAY",
      "NEXT DAY": "NEXT_DAY",
      LETTER: "HBP-LETTER",
      "TWO-PERSON": "NWP-BULK",
    },
    // The sample feeds request RM.
    carrierCodes: { RM: "HBP", "HARBOUR POST": "HBP", NORTHWAY: "NWP", KESTREL: "KEX" },
  },
  rates,
  settings: { currency: "GBP", defaultServiceLevel: "STANDARD", balancedCostPerDay: 1.5 },
  holidays: {
    ...Object.fromEntries(["BE", "DE", "ES", "FR", "IE", "NL", "SE"].map((country) => [country, christmas])),
    GB: [...christmas, "2026-12-28", "2027-03-26", "2027-03-29", "2027-12-27", "2027-12-28"],
  },
};
