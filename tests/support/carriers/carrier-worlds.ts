// biome-ignore-all lint/suspicious/noThenProperty: the contract calls it so.
/**
 * Generated carrier data and shipments, the same in every run. The ranges are small on purpose, so that all values are
 * combined.
 */

import { weekdays } from "#/kernel/values/working-calendar.ts";
import type { CarrierData } from "#/modules/carriers/data/data-contract.ts";
import { serviceLevels } from "#/modules/carriers/data/data-parts.ts";
import type { Comparison, Condition, Effect, Rule, Scalar } from "#/modules/carriers/data/rule-contract.ts";
import type { CarrierService } from "#/modules/carriers/data/service-contract.ts";
import { findField, opsOf } from "#/modules/carriers/decision/fields.ts";
import type { DeterminationRequest, ShippingFacility } from "#/modules/carriers/decision/shipment.ts";
import { type RateCard, surchargeConditions } from "#/modules/carriers/rate-cards/rate-card-contract.ts";
import type { Dice } from "../builders/dice.ts";

const zips: Readonly<Record<string, readonly string[]>> = {
  GB: ["BS1 5TY", "IV27 4AB", "IV2 3XX", "KW15 1AA", "BT1 1AA", "B33 8TH", "bt99 9zz", "iv20ab"],
  DE: ["10117", "18565", "27498", "80331"],
  SE: ["SE-123 45", "98100", "621 41"],
  LU: ["L-1234", "1234", "4321"],
  NL: ["1011 AB", "8899 XX"],
  JP: ["100-0001", "9071801"],
  HK: [],
};
const countries = Object.keys(zips);
const prefixes: Readonly<Record<string, readonly string[]>> = {
  GB: ["IV", "IV2", "KW", "bt", "B", "BS1", "IV20"],
  DE: ["1", "18", "185", "2749"],
  SE: ["62", "SE-98", "1"],
  LU: ["12", "L-43"],
  NL: ["10", "88", "8899X"],
  JP: ["100", "907-1"],
  HK: ["X"],
};
const ranges: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  GB: [
    ["BS1", "BS8"],
    ["IV20", "IV28"],
  ],
  DE: [
    ["10000", "10999"],
    ["1000", "1899"],
    ["274", "275"],
  ],
  SE: [
    ["620", "629"],
    ["SE-98 000", "98 999"],
  ],
  LU: [["1000", "2999"]],
  NL: [
    ["1000", "1099"],
    ["8899 AA", "8899 ZZ"],
  ],
  JP: [["900", "999"]],
  HK: [],
};
const currencies = ["GBP", "EUR", "JPY", "KWD"];
const zoneNames = ["A", "B", "C", "D"];
const carriers = ["AX", "BX", "CX"];
const facilityCodes = ["DC1", "DC2"];
const days = ["2026-11-18", "2026-11-20", "2026-11-23", "2026-12-01", "2026-12-25", "2027-01-04"];
const attributes = { Priority: ["1", "5", "x"], Gift: ["yes", "no"] } as const;

/** In half of the data, many candidates fit. In the other half, many are excluded. */
export function makeData(dice: Dice): CarrierData {
  const data = makeAnyData(dice);
  return dice.chance(50) ? data : calmed(data);
}

function calmed(data: CarrierData): CarrierData {
  const dated = { date: "2026-01-01", rate: 0.7301 };
  return {
    ...data,
    services: data.services.map(
      ({ code, carrierCode, name, dimensionalDivisor, transitDays, cutOff, deliveryDays }) => ({
        code,
        carrierCode,
        name,
        serviceLevel: "STANDARD",
        hazmat: true,
        bulky: true,
        signature: true,
        ...(dimensionalDivisor === undefined ? {} : { dimensionalDivisor }),
        ...(transitDays === undefined ? {} : { transitDays }),
        ...(cutOff === undefined ? {} : { cutOff }),
        ...(deliveryDays === undefined ? {} : { deliveryDays }),
      }),
    ),
    rateCards: data.rateCards.map((card) => {
      const zones = new Set(card.zones.map(({ zone }) => zone));
      const breaks = [...zones].flatMap((zone) => [
        ...card.breaks.filter((row) => row.zone === zone && row.upToKg < 1_000),
        { zone, upToKg: 1_000, price: 12.345, perExtraKg: 0.0505 },
      ]);
      return { ...card, breaks };
    }),
    // Keeps the rules that rank, and drops the rules that exclude.
    rules: (data.rules ?? []).filter(({ then: { exclude, requireService, requireCarrier, setServiceLevel } }) => {
      return !exclude && requireService === undefined && requireCarrier === undefined && setServiceLevel === undefined;
    }),
    rates: currencies.flatMap((from) => currencies.filter((to) => to > from).map((to) => ({ from, to, ...dated }))),
  };
}

function makeAnyData(dice: Dice): CarrierData {
  const services = Array.from({ length: 1 + dice.below(7) }, (_, i) => makeService(dice, `S${(i * 7) % 10}${i}`));
  const rateCards = services.flatMap((service) => {
    const starts = [undefined, "2026-01-01", "2026-11-23", "2026-12-24"].filter((_, i) => i === 1 || dice.chance(20));
    return starts.map((validFrom) => makeCard(dice, service.code, validFrom));
  });
  const zones = new Set(rateCards.flatMap((card) => card.zones.map(({ zone }) => zone)));
  const ownService = (service: CarrierService) => {
    const known = new Set(
      rateCards
        .filter(({ serviceCode }) => serviceCode === service.code)
        .flatMap((card) => card.zones.map(({ zone }) => zone)),
    );
    const transitDays = Object.fromEntries(
      [...known].filter(() => dice.chance(85)).map((zone) => [zone, dice.below(6)]),
    );
    return { ...service, transitDays };
  };
  const names = { services, zones: [...zones] };
  return {
    services: services.map(ownService),
    rateCards,
    // Few rules meet all conditions in turn; many need more than one word of an index.
    rules: Array.from({ length: dice.chance(10) ? 30 + dice.below(60) : dice.below(9) }, (_, i) =>
      makeRule(dice, `R${i}`, names),
    ),
    rates: currencies
      .flatMap((from) =>
        currencies
          .filter((to) => from !== to && dice.chance(35))
          .flatMap((to) =>
            ["2026-01-01", "2026-11-20", "2026-12-01"]
              .filter(() => dice.chance(60))
              .map((date) => ({ from, to, date, rate: 0.0001 + dice.decimal(2, 4) })),
          ),
      )
      .map((rate) => ({ ...rate, rate: Number(rate.rate.toFixed(4)) })),
    mapping: { carrierCodes: { Alias: dice.one(services).carrierCode } },
    settings: {
      ...(dice.chance(50) ? { currency: dice.one(currencies) } : {}),
      ...(dice.chance(50) ? { balancedCostPerDay: dice.decimal(3, 4) } : {}),
    },
    holidays: Object.fromEntries(dice.some(countries).map((country) => [country, dice.some(days)])),
  };
}

function makeService(dice: Dice, code: string): CarrierService {
  const maybe = <Value>(percent: number, name: string, value: () => Value) =>
    dice.chance(percent) ? { [name]: value() } : {};
  return {
    code,
    carrierCode: dice.one(carriers),
    name: code,
    serviceLevel: dice.one(serviceLevels.slice(0, 3)),
    ...maybe(50, "countries", () => [...new Set([dice.one(countries), ...dice.some(countries), "GB"])]),
    ...maybe(40, "maxWeightKg", () => dice.one([2, 10, 20.5])),
    ...maybe(40, "maxLongestSideCm", () => dice.one([60.96, 100, 61])),
    ...maybe(70, "dimensionalDivisor", () => dice.one([5000, 4000, 1666.667, 6000])),
    ...maybe(60, "hazmat", () => true),
    ...maybe(60, "bulky", () => true),
    ...maybe(60, "signature", () => true),
    ...maybe(40, "maxDeclaredValue", () => ({ amount: dice.decimal(300, 2), currency: dice.one(currencies) })),
    ...maybe(50, "cutOff", () =>
      Object.fromEntries(dice.some(facilityCodes).map((code) => [code, dice.one(["12:00", "16:30", "09:59"])])),
    ),
    ...maybe(50, "pickUpDays", () =>
      Object.fromEntries(dice.some(facilityCodes).map((code) => [code, dice.some(weekdays)])),
    ),
    ...maybe(30, "deliveryDays", () => dice.one([["MON", "TUE", "WED", "THU", "FRI"], ["SAT"], [...weekdays]])),
    ...maybe(15, "activeFrom", () => dice.one(days)),
    ...maybe(15, "activeTo", () => dice.one(["2027-12-31", "2027-01-04"])),
  } as CarrierService;
}

function makeCard(dice: Dice, serviceCode: string, validFrom: string | undefined): RateCard {
  const zones: RateCard["zones"] = [];
  for (const country of countries) {
    if (dice.chance(75))
      zones.push({ zone: dice.one(zoneNames), country, ...(dice.chance(20) ? { remote: true } : {}) });
    const useRanges = dice.some(ranges[country] ?? []);
    // A prefix must not be as long as a range that includes it.
    const lengths = new Set(useRanges.map(([from]) => from.replace(/^SE-|[ -]/g, "").length));
    const usePrefixes = dice
      .some(prefixes[country] ?? [])
      .filter((text) => !lengths.has(text.replace(/^SE-|^L-|[ -]/g, "").length));
    for (const prefix of usePrefixes) {
      if (dice.chance(50))
        zones.push({ zone: dice.one(zoneNames), country, postcodePrefixes: [prefix], remote: dice.chance(50) });
    }
    for (const [from, to] of useRanges) {
      if (dice.chance(50))
        zones.push({ zone: dice.one(zoneNames), country, postcodeRanges: [{ from, to }], remote: dice.chance(50) });
    }
  }
  if (zones.length === 0) zones.push({ zone: "A", country: "GB" });
  const used = [...new Set(zones.map(({ zone }) => zone))];
  const breaks = used.flatMap((zone) => {
    const tops = [0.25, 1, 2, 5, 10, 31.5, 1_000].filter(() => dice.chance(65));
    return tops.map((upToKg) => ({
      zone,
      upToKg,
      price: dice.decimal(30, dice.below(5)),
      ...(dice.chance(50) ? { perExtraKg: dice.decimal(2, dice.below(5)) } : {}),
    }));
  });
  const kinds = dice.some(surchargeConditions).concat(dice.chance(50) ? ["always"] : []);
  return {
    serviceCode,
    currency: dice.one(currencies.slice(0, dice.one([1, 2, 4]))),
    zones,
    breaks,
    ...(validFrom === undefined ? {} : { validFrom }),
    ...(dice.chance(10) ? { validTo: dice.one(["2026-12-31", "2027-06-30"]) } : {}),
    ...(dice.chance(80) ? { stepKg: dice.one([0.5, 1, 0.1, 0.333]) } : {}),
    surcharges: kinds.map((when, i) => ({
      code: `C${i}`,
      kind: dice.one(["PERCENT", "FIXED"] as const),
      value: dice.decimal(25, dice.below(5)),
      ...(when === "always" && dice.chance(50) ? {} : { when }),
      ...(when === "oversize" ? { longestSideCm: dice.one([60, 60.96, 100]) } : {}),
    })),
  };
}

interface Names {
  readonly services: readonly CarrierService[];
  readonly zones: readonly string[];
}

function makeRule(dice: Dice, ruleId: string, names: Names): Rule {
  const isOfShipment = dice.chance(40);
  const effect: Effect = {
    ...(dice.chance(25) ? { exclude: true, reason: "for a reason" } : {}),
    ...(dice.chance(15) ? { requireService: dice.one(names.services).code } : {}),
    ...(dice.chance(15)
      ? {
          requireCarrier: [
            ...new Set([dice.one(names.services), dice.one(names.services)].map((service) => service.carrierCode)),
          ],
        }
      : {}),
    ...(dice.chance(40)
      ? { prefer: { amount: dice.decimal(10, 2) - 5, ...(dice.chance(50) ? { currency: dice.one(currencies) } : {}) } }
      : {}),
    ...(isOfShipment && dice.chance(30) ? { setServiceLevel: dice.one(serviceLevels.slice(0, 3)) } : {}),
    ...(dice.chance(20) ? { stop: true } : {}),
  };
  const { prefer } = effect;
  const whole = prefer ? { ...effect, prefer: { ...prefer, amount: Math.round(prefer.amount * 100) / 100 } } : effect;
  return {
    ruleId,
    priority: dice.below(4),
    ...(dice.chance(90) ? { when: makeCondition(dice, names, isOfShipment, 0) } : {}),
    then: Object.keys(whole).length === 0 ? { prefer: { amount: 1 } } : whole,
    ...(dice.chance(10) ? { validFrom: dice.one(days) } : {}),
    ...(dice.chance(10) ? { validTo: "2027-06-01" } : {}),
  };
}

function makeCondition(dice: Dice, names: Names, isOfShipment: boolean, depth: number): Condition {
  const part = () => makeCondition(dice, names, isOfShipment, depth + 1);
  if (depth < 3 && dice.chance(45)) {
    const kind = dice.one(["all", "any", "not"] as const);
    if (kind === "not") return { not: part() };
    const parts = Array.from({ length: 1 + dice.below(3) }, part);
    return kind === "all" ? { all: parts } : { any: parts };
  }
  return makeComparison(dice, names, isOfShipment);
}

const fieldNames = [
  ...[
    "country",
    "zip",
    "weightKg",
    "longestSideCm",
    "declaredValue",
    "orderValue",
    "isHazmat",
    "isBulky",
    "isResidential",
  ],
  ...["serviceLevel", "parcels", "incoterm", "distributionCentre", "weekday", "hour", "extendedAttributes.Priority"],
  ...["extendedAttributes.Gift"],
].map((name) => `shipment.${name}`);
const candidateNames = [
  ...["serviceCode", "carrierCode", "serviceLevel", "price", "transitDays", "zone"].map((name) => `candidate.${name}`),
  "shipment.chargeableKg",
];

function makeComparison(dice: Dice, names: Names, isOfShipment: boolean): Comparison {
  const name = dice.one(isOfShipment || dice.chance(50) ? fieldNames : candidateNames);
  const field = findField(name);
  if (!field) throw new Error(`there is no field ${name}`);
  const op = dice.one(opsOf(field));
  if (op === "exists") return dice.chance(50) ? { field: name, op } : { field: name, op, value: dice.chance(50) };
  const isOrdered = ["lt", "le", "gt", "ge", "between"].includes(op);
  const isNumeric = isOrdered || dice.chance(50);
  const isPlainMoney = dice.chance(50);
  const currency = dice.one(currencies);
  const value = (): Scalar => {
    switch (field.type) {
      case "country":
        return dice.one(countries);
      case "zip":
        return op === "prefix"
          ? dice.one(dice.one(Object.values(prefixes)))
          : dice.one(zips[dice.one(["GB", "DE", "SE"])] ?? []);
      case "serviceLevel":
        return dice.one(serviceLevels.slice(0, 3));
      case "weekday":
        return dice.one(weekdays);
      case "facility":
        return dice.one(facilityCodes);
      case "serviceCode":
        return dice.one(names.services).code;
      case "carrierCode":
        return dice.one(names.services).carrierCode;
      case "zone":
        return dice.one(names.zones);
      case "number":
        return name.endsWith("hour")
          ? dice.below(24)
          : name.endsWith("parcels")
            ? 1 + dice.below(3)
            : dice.decimal(20, dice.below(4));
      case "money":
        return isPlainMoney ? dice.decimal(200, 2) : { amount: dice.decimal(200, 2), currency };
      case "boolean":
        return dice.chance(50);
      case "attribute":
        return isNumeric && op !== "prefix" ? dice.below(6) : dice.one(["1", "yes", "x"]);
      case "text":
        return op === "prefix" ? "D" : dice.one(["DAP", "DDP", "dap"]);
    }
  };
  if (op === "in" || op === "notIn")
    return { field: name, op, value: Array.from({ length: 1 + dice.below(3) }, value) };
  if (op !== "between") return { field: name, op, value: value() };
  if (field.type === "zip") return { field: name, op, value: [...dice.one(ranges[dice.one(["GB", "DE"])] ?? [])] };
  const amount = (scalar: Scalar) => (typeof scalar === "object" ? scalar.amount : Number(scalar));
  return { field: name, op, value: [value(), value()].sort((left, right) => amount(left) - amount(right)) };
}

export const worldFacilities: readonly ShippingFacility[] = [
  {
    facilityCode: "DC1",
    country: "GB",
    timezone: "Europe/London",
    cutOffTime: null,
    operatingDays: weekdays.slice(0, 5),
    holidays: [{ date: "2026-12-25" }, { date: "2026-11-23" }],
  },
  {
    facilityCode: "DC2",
    country: "NL",
    timezone: "America/Los_Angeles",
    cutOffTime: "16:00",
    operatingDays: weekdays.slice(0, 6),
    holidays: [],
  },
];

export function makeRequest(dice: Dice, facility: ShippingFacility): DeterminationRequest {
  const country = dice.chance(50) ? "GB" : dice.one(countries);
  const zip = dice.chance(85) && zips[country]?.length ? dice.one(zips[country] ?? []) : undefined;
  const maybe = <Value>(percent: number, name: string, value: () => Value) =>
    dice.chance(percent) ? { [name]: value() } : {};
  const parcel = () => ({
    ...(dice.chance(75)
      ? { weight: 0.001 + dice.decimal(dice.one([1, 5, 40]), 3), weightUomCode: dice.one(["KG", "LB"]) }
      : { weight: 1 + dice.decimal(3_000, 2), weightUomCode: dice.one(["G", "OZ"]) }),
    ...(dice.chance(60)
      ? {
          length: 0.01 + dice.decimal(dice.one([10, 60, 110]), 1),
          width: 0.5 + dice.decimal(40, 1),
          ...maybe(90, "height", () => 0.5 + dice.decimal(40, 1)),
          ...maybe(60, "dimensionsUomCode", () => dice.one(["CM", "IN", "MM"])),
        }
      : {}),
    ...maybe(40, "declaredValue", () => ({ amount: dice.decimal(200, 2), currency: dice.one(currencies) })),
  });
  return {
    distributionCentre: facility.facilityCode,
    shipTo: { country, ...(zip === undefined ? {} : { zip }), ...maybe(30, "isResidential", () => true) },
    parcels: Array.from({ length: 1 + dice.below(dice.one([1, 1, 4])) }, parcel).map((parcel) => ({
      ...parcel,
      weight: round(parcel.weight),
      ...("length" in parcel ? { length: round(parcel.length ?? 0) } : {}),
    })),
    ...maybe(20, "serviceLevel", () => dice.one(serviceLevels.slice(0, 3))),
    ...maybe(5, "requestedServiceCode", () => dice.one(["S00", "S71"])),
    ...maybe(15, "requestedCarrierCode", () => dice.one([...carriers, "ALIAS", "alias", "DHL"])),
    ...maybe(20, "shipDate", () => dice.one(days)),
    ...maybe(20, "deliverBy", () => dice.one(days)),
    ...maybe(15, "isHazmat", () => true),
    ...maybe(15, "isBulky", () => true),
    ...maybe(15, "signatureRequired", () => true),
    ...maybe(50, "incoterm", () => dice.one(["DAP", "ddp"])),
    ...maybe(50, "orderValue", () => ({ amount: dice.decimal(300, 2), currency: dice.one(currencies) })),
    ...maybe(50, "extendedAttributes", () => ({
      Priority: dice.one(attributes.Priority),
      Gift: dice.one(attributes.Gift),
    })),
    ...maybe(60, "strategy", () => dice.one(["CHEAPEST", "FASTEST", "BALANCED"] as const)),
  };
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

/** A time near a weekend, holiday, cut-off or clock change. */
export function makeMoment(dice: Dice): number {
  const day = dice.one([
    "2026-11-18",
    "2026-11-20",
    "2026-11-21",
    "2026-12-24",
    "2026-10-24",
    "2027-03-27",
    "2026-11-30",
  ]);
  return Date.parse(`${day}T00:00:00Z`) + (dice.chance(30) ? dice.below(48) * 1_800_000 : dice.below(172_800_000));
}
