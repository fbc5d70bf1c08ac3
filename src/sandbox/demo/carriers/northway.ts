// Northway, fictional: parcels and large goods by road, all over Europe.
import { breaksOf, daysOf, europe, europeanMainland, greatBritain } from "#/sandbox/demo/carriers/zones.ts";

const workingDays = ["MON", "TUE", "WED", "THU", "FRI"];
const carrier = {
  trackingUrl: "https://track.northway.example/{trackingNumber}",
  carrierCode: "NWP",
  pickUpDays: { DC1: workingDays, DC2: [...workingDays, "SAT"] },
  deliveryDays: workingDays,
};
const card = { currency: "EUR", validFrom: "2020-01-01", stepKg: 0.5 };
const fuel = { code: "FUEL", kind: "PERCENT", value: 11.25 };
const remote = { code: "REMOTE", kind: "FIXED", value: 9.5, when: "remote" };
const zones = [...greatBritain, ...europeanMainland];
const countries = ["GB", ...Object.values(europe).flat()];

const parcelKg = [1, 5, 15, 31.5];
const parcels = {
  DOMESTIC: [4.9, 6.2, 9.4, 13.1, 0.3],
  HIGHLANDS: [6.8, 9.1, 14.2, 21.5, 0.55],
  NORTHERN_IRELAND: [7.4, 9.9, 15.8, 23.9, 0.6],
  EUROPE_1: [8.2, 10.4, 15.9, 23.5, 0.6],
  EUROPE_2: [9.6, 12.7, 19.4, 29.8, 0.8],
  EUROPE_3: [12.4, 16.9, 26.3, 41.2, 1.1],
  ALPINE: [14.9, 18.8, 28.4, 43.6, 1.2],
  NORDIC: [15.6, 20.3, 31.7, 49.9, 1.35],
  ATLANTIC: [21.8, 32.5, 58.4, 96.1, 2.6],
};

export const northwayServices = [
  {
    code: "NWP-ROAD",
    name: "Northway Road",
    serviceLevel: "STANDARD",
    ...carrier,
    countries,
    maxWeightKg: 31.5,
    maxLongestSideCm: 120,
    dimensionalDivisor: 4000,
    hazmat: true,
    signature: true,
    transitDays: daysOf(
      "DOMESTIC 2, HIGHLANDS 4, NORTHERN_IRELAND 3, EUROPE_1 3, EUROPE_2 4, EUROPE_3 6, ALPINE 4, NORDIC 6, ATLANTIC 9",
    ),
    cutOff: { DC1: "16:30", DC2: "16:00" },
  },
  {
    code: "NWP-SAVER",
    name: "Northway Saver",
    serviceLevel: "ECONOMY",
    ...carrier,
    countries,
    maxWeightKg: 31.5,
    maxLongestSideCm: 100,
    dimensionalDivisor: 4000,
    maxDeclaredValue: { amount: 250, currency: "EUR" },
    transitDays: daysOf(
      "DOMESTIC 4, HIGHLANDS 6, NORTHERN_IRELAND 5, EUROPE_1 5, EUROPE_2 6, EUROPE_3 8, ALPINE 6, NORDIC 8, ATLANTIC 11",
    ),
    cutOff: { DC1: "15:00", DC2: "15:00" },
  },
  {
    code: "NWP-BULK",
    name: "Northway Two-Person",
    serviceLevel: "ECONOMY",
    ...carrier,
    countries: ["BE", "DE", "FR", "GB", "IE", "LU", "NL"],
    maxWeightKg: 120,
    maxLongestSideCm: 300,
    dimensionalDivisor: 3000,
    bulky: true,
    signature: true,
    transitDays: { DOMESTIC: 5, HIGHLANDS: 9, NORTHERN_IRELAND: 8, EUROPE_1: 7 },
    cutOff: { DC1: "12:00", DC2: "12:00" },
  },
];

export const northwayCards = [
  {
    serviceCode: "NWP-ROAD",
    ...card,
    zones,
    breaks: breaksOf(parcelKg, parcels),
    surcharges: [
      fuel,
      remote,
      { code: "OVERSIZE", kind: "FIXED", value: 12, when: "oversize", longestSideCm: 100 },
      { code: "RESIDENTIAL", kind: "FIXED", value: 1.2, when: "residential" },
      { code: "SIGNATURE", kind: "FIXED", value: 1.5, when: "signature" },
      { code: "HAZMAT", kind: "FIXED", value: 18, when: "hazmat" },
    ],
  },
  {
    serviceCode: "NWP-SAVER",
    ...card,
    zones,
    breaks: breaksOf(parcelKg, parcels, 0.82),
    surcharges: [fuel, remote, { code: "RESIDENTIAL", kind: "FIXED", value: 1.2, when: "residential" }],
  },
  {
    serviceCode: "NWP-BULK",
    ...card,
    stepKg: 5,
    zones: zones.filter(({ zone }) => ["DOMESTIC", "HIGHLANDS", "NORTHERN_IRELAND", "EUROPE_1"].includes(zone)),
    breaks: breaksOf([30, 60, 300], {
      DOMESTIC: [39, 52, 71, 0.8],
      HIGHLANDS: [64, 86, 118, 1.3],
      NORTHERN_IRELAND: [69, 92, 127, 1.4],
      EUROPE_1: [74, 98, 134, 1.5],
    }),
    surcharges: [fuel, remote, { code: "RESIDENTIAL", kind: "FIXED", value: 14, when: "residential" }],
  },
];
