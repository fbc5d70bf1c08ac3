// biome-ignore-all lint/suspicious/noThenProperty: the contract calls it so.
import type { CarrierData } from "#/modules/carriers/data/data-contract.ts";
import { serviceLevels } from "#/modules/carriers/data/data-parts.ts";
import type { Condition, Effect, Rule } from "#/modules/carriers/data/rule-contract.ts";
import type { DeterminationRequest, ShippingFacility } from "#/modules/carriers/decision/shipment.ts";
import type { RateCard } from "#/modules/carriers/rate-cards/rate-card-contract.ts";

export interface Size {
  readonly services: number;
  /** Zones of each rate card. */
  readonly zones: number;
  readonly rules: number;
}

const countries = [
  ...[
    "GB",
    "DE",
    "FR",
    "ES",
    "IT",
    "NL",
    "BE",
    "AT",
    "CH",
    "PL",
    "SE",
    "DK",
    "NO",
    "FI",
    "IE",
    "PT",
    "CZ",
    "HU",
    "RO",
    "BG",
  ],
  ...[
    "GR",
    "HR",
    "SI",
    "SK",
    "EE",
    "LV",
    "LT",
    "LU",
    "MT",
    "CY",
    "US",
    "CA",
    "JP",
    "AU",
    "NZ",
    "SG",
    "HK",
    "AE",
    "IN",
    "BR",
  ],
];

/**
 * The data of a large forwarder with ten carriers: every service ships everywhere; four of five zones are remote
 * postcodes.
 */
export function makeWorld({ services, zones, rules }: Size): CarrierData {
  const codes = Array.from({ length: services }, (_, i) => `S${String(i).padStart(3, "0")}`);
  return {
    services: codes.map((code, i) => ({
      code,
      carrierCode: `C${i % 10}`,
      name: `Service ${code}`,
      serviceLevel: serviceLevels[i % 4] ?? "STANDARD",
      maxWeightKg: 5 + (i % 6) * 5,
      maxLongestSideCm: 60 + (i % 5) * 30,
      dimensionalDivisor: 4_000 + (i % 3) * 1_000,
      hazmat: i % 3 === 0,
      bulky: i % 4 === 0,
      signature: i % 2 === 0,
      maxDeclaredValue: { amount: 200 + i * 50, currency: i % 2 === 0 ? "GBP" : "EUR" },
      transitDays: Object.fromEntries(Array.from({ length: zones }, (_, zone) => [`Z${zone}`, 1 + ((zone + i) % 6)])),
      cutOff: { DC1: `1${4 + (i % 5)}:00` },
    })),
    rateCards: codes.map((serviceCode, i) => makeCard(serviceCode, i, zones)),
    rules: Array.from({ length: rules }, (_, i) => makeRule(i, codes)),
    rates: [{ from: "EUR", to: "GBP", date: "2026-11-01", rate: 0.86 }],
  };
}

function makeCard(serviceCode: string, i: number, zones: number): RateCard {
  const entries = Array.from({ length: zones }, (_, zone) => {
    const country = countries[zone % countries.length] as string;
    const part = Math.floor(zone / countries.length);
    const entry = { zone: `Z${zone}`, country };
    if (part === 0) return entry;
    return { ...entry, remote: true, postcodePrefixes: [1, 2, 3].map((n) => `${part}${n}${(zone + i) % 10}`) };
  });
  return {
    serviceCode,
    currency: i % 2 === 0 ? "GBP" : "EUR",
    validFrom: "2026-01-01",
    stepKg: 0.5,
    zones: entries,
    breaks: entries.flatMap(({ zone }, z) =>
      [0.5, 1, 2, 5, 10, 20, 31.5].map((upToKg, n) => ({
        zone,
        upToKg,
        price: 3 + n * 2 + ((z * 7 + i) % 40) / 10,
        ...(n > 3 ? { perExtraKg: 0.35 } : {}),
      })),
    ),
    surcharges: [
      { code: "FUEL", kind: "PERCENT", value: 8.5 },
      { code: "REMOTE", kind: "FIXED", value: 6.5, when: "remote" },
      { code: "RESIDENTIAL", kind: "FIXED", value: 1.1, when: "residential" },
      { code: "HAZMAT", kind: "FIXED", value: 15, when: "hazmat" },
    ],
  };
}

/** Rules of the usual kinds: for a country, for a carrier in a country, for goods, for a time, for a price. */
function makeRule(i: number, codes: readonly string[]): Rule {
  const country: Condition = { field: "shipment.country", op: "eq", value: countries[i % countries.length] as string };
  const service: Condition = { field: "candidate.serviceCode", op: "eq", value: codes[i % codes.length] as string };
  const kinds: readonly (readonly [Condition, Effect])[] = [
    [
      { all: [country, service, { field: "shipment.weightKg", op: "gt", value: i % 20 }] },
      { exclude: true, reason: "too heavy" },
    ],
    [
      { all: [country, { field: "candidate.carrierCode", op: "in", value: [`C${i % 10}`] }] },
      { prefer: { amount: -0.5, currency: "GBP" } },
    ],
    [{ all: [service, { field: "shipment.orderValue", op: "gt", value: 150 + (i % 500) }] }, { exclude: true }],
    [
      { all: [{ field: "shipment.isHazmat", op: "eq", value: true }, service] },
      { exclude: true, reason: "not by air" },
    ],
    [{ all: [{ field: "shipment.zip", op: "prefix", value: `${i % 100}` }, country, service] }, { exclude: true }],
    [
      {
        all: [
          { field: "shipment.weekday", op: "eq", value: "SAT" },
          { field: "candidate.transitDays", op: "gt", value: 3 },
        ],
      },
      { exclude: true },
    ],
    [
      { all: [country, { field: "candidate.price", op: "gt", value: 30 }, service] },
      { prefer: { amount: 1, currency: "GBP" } },
    ],
    [
      {
        any: [
          { field: "shipment.extendedAttributes.Tier", op: "eq", value: `T${i}` },
          { all: [country, { field: "shipment.hour", op: "ge", value: 22 }] },
        ],
      },
      { stop: true },
    ],
  ];
  const [when, effect] = kinds[i % kinds.length] as readonly [Condition, Effect];
  return { ruleId: `rule-${i}`, priority: i % 100, when, then: effect };
}

export const benchFacility: ShippingFacility = {
  facilityCode: "DC1",
  country: "GB",
  timezone: "Europe/London",
  cutOffTime: "17:00",
  holidays: [{ date: "2026-12-25" }],
  operatingDays: ["MON", "TUE", "WED", "THU", "FRI"],
};

const digits = (i: number) => String((i * 7_919) % 100_000).padStart(5, "0");
const zips: Readonly<Record<string, (i: number) => string>> = {
  DE: digits,
  FR: digits,
  ES: digits,
  IT: digits,
  US: digits,
  AT: (i) => digits(i).slice(0, 4),
  DK: (i) => digits(i).slice(0, 4),
};

/**
 * Typical shipments of a shop: one parcel of a few kilograms, most without special features, spread over all countries.
 */
export function makeRequests(count: number): readonly DeterminationRequest[] {
  return Array.from({ length: count }, (_, i) => {
    const country = countries[(i * 13) % countries.length] as string;
    const zip = zips[country]?.(i);
    return {
      distributionCentre: "DC1",
      shipTo: { country, ...(zip ? { zip } : {}), isResidential: i % 3 === 0 },
      parcels: Array.from({ length: i % 10 === 0 ? 3 : 1 }, (_, n) => ({
        weight: (3 + ((i * 37 + n * 11) % 120)) / 10,
        length: 20 + (i % 50),
        width: 20,
        height: 10,
        declaredValue: { amount: 20 + (i % 300), currency: "EUR" },
      })),
      ...(i % 4 === 0 ? { serviceLevel: "STANDARD" as const } : {}),
      ...(i % 25 === 0 ? { isHazmat: true } : {}),
      ...(i % 5 === 0 ? { signatureRequired: true } : {}),
      orderValue: { amount: 20 + (i % 400), currency: "EUR" },
      strategy: (["CHEAPEST", "CHEAPEST", "FASTEST", "BALANCED"] as const)[i % 4] ?? "CHEAPEST",
    };
  });
}
