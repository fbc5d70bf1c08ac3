// Harbour Post, fictional: the post of Great Britain. It collects at DC1 only.
import { breaksOf, crownDependencies, daysOf, greatBritain } from "#/sandbox/demo/carriers/zones.ts";

const everyDay = ["MON", "TUE", "WED", "THU", "FRI", "SAT"];
const carrier = {
  trackingUrl: "https://track.harbourpost.example/{trackingNumber}",
  carrierCode: "HBP",
  postal: true,
  pickUpDays: { DC1: ["MON", "TUE", "WED", "THU", "FRI"], DC2: [] },
  deliveryDays: everyDay,
};
const card = { currency: "GBP", validFrom: "2020-01-01" };
const fuel = { code: "FUEL", kind: "PERCENT", value: 6.5 };
const remote = { code: "REMOTE", kind: "FIXED", value: 2.4, when: "remote" };
const zones = [...greatBritain, ...crownDependencies];

export const harbourPostServices = [
  {
    code: "HBP-LETTER",
    name: "Harbour Post Large Letter",
    serviceLevel: "ECONOMY",
    ...carrier,
    countries: ["GB"],
    maxWeightKg: 0.75,
    maxLongestSideCm: 35,
    trackable: false,
    transitDays: { DOMESTIC: 3 },
    cutOff: { DC1: "18:00" },
  },
  {
    code: "HBP-48",
    name: "Harbour Post Tracked 48",
    serviceLevel: "STANDARD",
    ...carrier,
    countries: ["GB", "GG", "IM", "JE"],
    maxWeightKg: 20,
    maxLongestSideCm: 61,
    dimensionalDivisor: 5000,
    maxDeclaredValue: { amount: 100, currency: "GBP" },
    transitDays: daysOf("DOMESTIC 2, HIGHLANDS 3, NORTHERN_IRELAND 3, CROWN_DEPENDENCIES 4"),
    cutOff: { DC1: "18:00" },
  },
  {
    code: "HBP-24",
    name: "Harbour Post Tracked 24",
    serviceLevel: "NEXT_DAY",
    ...carrier,
    countries: ["GB", "GG", "IM", "JE"],
    maxWeightKg: 20,
    maxLongestSideCm: 61,
    dimensionalDivisor: 5000,
    signature: true,
    maxDeclaredValue: { amount: 500, currency: "GBP" },
    transitDays: daysOf("DOMESTIC 1, HIGHLANDS 2, NORTHERN_IRELAND 2, CROWN_DEPENDENCIES 3"),
    cutOff: { DC1: "17:00" },
  },
];

export const harbourPostCards = [
  {
    serviceCode: "HBP-LETTER",
    ...card,
    stepKg: 0.05,
    zones: [{ zone: "DOMESTIC", country: "GB" }],
    breaks: [
      { zone: "DOMESTIC", upToKg: 0.1, price: 1.15 },
      { zone: "DOMESTIC", upToKg: 0.25, price: 1.45 },
      { zone: "DOMESTIC", upToKg: 0.75, price: 1.95 },
    ],
    surcharges: [],
  },
  {
    serviceCode: "HBP-48",
    ...card,
    stepKg: 0.5,
    zones,
    breaks: breaksOf([1, 2, 5, 10, 20], {
      DOMESTIC: [2.75, 3.1, 4.2, 5.4, 7.1, 0.25],
      HIGHLANDS: [3.35, 3.9, 5.6, 7.4, 9.8, 0.4],
      NORTHERN_IRELAND: [3.6, 4.2, 6.1, 8.2, 11.5, 0.45],
      CROWN_DEPENDENCIES: [4.9, 5.8, 8.4, 12.1, 17.9, 0.6],
    }),
    surcharges: [
      fuel,
      remote,
      { code: "RESIDENTIAL", kind: "FIXED", value: 0.2, when: "residential" },
      { code: "OVERSIZE", kind: "FIXED", value: 4.5, when: "oversize", longestSideCm: 45 },
    ],
  },
  {
    serviceCode: "HBP-24",
    ...card,
    stepKg: 0.5,
    zones,
    breaks: breaksOf([1, 2, 5, 10, 20], {
      DOMESTIC: [3.85, 4.6, 6.2, 8.1, 11.4, 0.4],
      HIGHLANDS: [5.2, 6.3, 8.9, 12.2, 17, 0.65],
      NORTHERN_IRELAND: [5.6, 6.8, 9.4, 13.1, 18.4, 0.7],
      CROWN_DEPENDENCIES: [7.9, 9.4, 13.2, 18.8, 27, 0.95],
    }),
    surcharges: [
      fuel,
      remote,
      { code: "SIGNATURE", kind: "FIXED", value: 1.1, when: "signature" },
      { code: "SATURDAY", kind: "FIXED", value: 3.5, when: "saturday" },
      { code: "OVERSIZE", kind: "FIXED", value: 4.5, when: "oversize", longestSideCm: 45 },
    ],
  },
];
