// Harbour Post, fictional: the post of Great Britain. It collects at DC1 only.
import { breaksOf, crownDependencies, greatBritain } from "#/sandbox/demo/carriers/zones.ts";

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

const days = (domestic: number) => ({
  transitDays: {
    DOMESTIC: domestic,
    HIGHLANDS: domestic + 1,
    NORTHERN_IRELAND: domestic + 1,
    CROWN_DEPENDENCIES: domestic + 2,
  },
});

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
    ...days(2),
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
    ...days(1),
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
    breaks: [
      ...breaksOf(
        "DOMESTIC",
        [
          [1, 2.75],
          [2, 3.1],
          [5, 4.2],
          [10, 5.4],
          [20, 7.1],
        ],
        0.25,
      ),
      ...breaksOf(
        "HIGHLANDS",
        [
          [1, 3.35],
          [2, 3.9],
          [5, 5.6],
          [10, 7.4],
          [20, 9.8],
        ],
        0.4,
      ),
      ...breaksOf(
        "NORTHERN_IRELAND",
        [
          [1, 3.6],
          [2, 4.2],
          [5, 6.1],
          [10, 8.2],
          [20, 11.5],
        ],
        0.45,
      ),
      ...breaksOf(
        "CROWN_DEPENDENCIES",
        [
          [1, 4.9],
          [2, 5.8],
          [5, 8.4],
          [10, 12.1],
          [20, 17.9],
        ],
        0.6,
      ),
    ],
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
    breaks: [
      ...breaksOf(
        "DOMESTIC",
        [
          [1, 3.85],
          [2, 4.6],
          [5, 6.2],
          [10, 8.1],
          [20, 11.4],
        ],
        0.4,
      ),
      ...breaksOf(
        "HIGHLANDS",
        [
          [1, 5.2],
          [2, 6.3],
          [5, 8.9],
          [10, 12.2],
          [20, 17],
        ],
        0.65,
      ),
      ...breaksOf(
        "NORTHERN_IRELAND",
        [
          [1, 5.6],
          [2, 6.8],
          [5, 9.4],
          [10, 13.1],
          [20, 18.4],
        ],
        0.7,
      ),
      ...breaksOf(
        "CROWN_DEPENDENCIES",
        [
          [1, 7.9],
          [2, 9.4],
          [5, 13.2],
          [10, 18.8],
          [20, 27],
        ],
        0.95,
      ),
    ],
    surcharges: [
      fuel,
      remote,
      { code: "SIGNATURE", kind: "FIXED", value: 1.1, when: "signature" },
      { code: "SATURDAY", kind: "FIXED", value: 3.5, when: "saturday" },
      { code: "OVERSIZE", kind: "FIXED", value: 4.5, when: "oversize", longestSideCm: 45 },
    ],
  },
];
