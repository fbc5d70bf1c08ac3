// Kestrel Express, fictional: worldwide, by air.
import {
  breaksOf,
  crownDependencies,
  daysOf,
  europeanMainland,
  greatBritain,
  restOfWorld,
} from "#/sandbox/demo/carriers/zones.ts";

const carrier = {
  trackingUrl: "https://track.kestrel.example/{trackingNumber}",
  carrierCode: "KEX",
  pickUpDays: { DC1: ["MON", "TUE", "WED", "THU", "FRI"], DC2: ["MON", "TUE", "WED", "THU", "FRI", "SAT"] },
  deliveryDays: ["MON", "TUE", "WED", "THU", "FRI", "SAT"],
};
const limits = { maxWeightKg: 30, maxLongestSideCm: 100, dimensionalDivisor: 5000, signature: true };
const card = { currency: "EUR", validFrom: "2020-01-01", stepKg: 0.5 };
const zones = [...greatBritain, ...crownDependencies, ...europeanMainland, ...restOfWorld];

const parcelKg = [0.5, 2, 10, 30, 70];
const parcels = {
  DOMESTIC: [12.5, 15.8, 27.4, 46, 46, 1.1],
  HIGHLANDS: [16.9, 21.7, 38.6, 66, 66, 1.7],
  NORTHERN_IRELAND: [17.5, 22.4, 39.8, 68, 68, 1.75],
  CROWN_DEPENDENCIES: [19.4, 25.1, 44.9, 79, 79, 2],
  EUROPE_1: [18.9, 24.6, 45.2, 82, 82, 2.1],
  EUROPE_2: [21.3, 28.9, 54.8, 99, 99, 2.6],
  EUROPE_3: [25.7, 35.4, 69.3, 128, 128, 3.4],
  ALPINE: [24.2, 32.8, 62.5, 115, 115, 3],
  NORDIC: [27.6, 38.1, 74.4, 139, 139, 3.7],
  ATLANTIC: [34.8, 51.2, 108.6, 212, 212, 6.2],
  WORLD_1: [32.4, 51.7, 128.9, 298, 298, 9.4],
  WORLD_2: [37.9, 62.3, 159.2, 372, 372, 11.8],
  WORLD_3: [46.5, 79.8, 214.6, 521, 521, 16.9],
};

const surcharges = [
  { code: "FUEL", kind: "PERCENT", value: 17.75 },
  { code: "REMOTE", kind: "FIXED", value: 22, when: "remote" },
  { code: "RESIDENTIAL", kind: "FIXED", value: 3.4, when: "residential" },
  { code: "SIGNATURE", kind: "FIXED", value: 4.25, when: "signature" },
  { code: "OVERSIZE", kind: "FIXED", value: 19, when: "oversize", longestSideCm: 80 },
];

export const kestrelServices = [
  {
    code: "KEX-AIR",
    name: "Kestrel Express Worldwide",
    serviceLevel: "EXPRESS",
    ...carrier,
    ...limits,
    maxDeclaredValue: { amount: 5000, currency: "EUR" },
    transitDays: daysOf(
      "DOMESTIC 1, HIGHLANDS 2, NORTHERN_IRELAND 2, CROWN_DEPENDENCIES 2, EUROPE_1 1, EUROPE_2 1, EUROPE_3 2, ALPINE 1, NORDIC 2, ATLANTIC 3, WORLD_1 3, WORLD_2 4, WORLD_3 6",
    ),
    cutOff: { DC1: "16:00", DC2: "15:30" },
  },
  {
    code: "KEX-DEFERRED",
    name: "Kestrel Deferred",
    serviceLevel: "STANDARD",
    ...carrier,
    ...limits,
    maxDeclaredValue: { amount: 2500, currency: "EUR" },
    transitDays: daysOf(
      "DOMESTIC 3, HIGHLANDS 4, NORTHERN_IRELAND 4, CROWN_DEPENDENCIES 4, EUROPE_1 4, EUROPE_2 4, EUROPE_3 5, ALPINE 4, NORDIC 5, ATLANTIC 6, WORLD_1 6, WORLD_2 7, WORLD_3 9",
    ),
    cutOff: { DC1: "14:00", DC2: "14:00" },
  },
];

export const kestrelCards = [
  {
    serviceCode: "KEX-AIR",
    ...card,
    zones,
    breaks: breaksOf(parcelKg, parcels),
    surcharges: [...surcharges, { code: "SATURDAY", kind: "FIXED", value: 15, when: "saturday" }],
  },
  { serviceCode: "KEX-DEFERRED", ...card, zones, breaks: breaksOf(parcelKg, parcels, 0.78), surcharges },
];
