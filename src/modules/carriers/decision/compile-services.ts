// Services and their price matrices in compiled form: whole numbers, sets and indexes.
import { minuteMs } from "#/kernel/values/durations.ts";
import { weekdays } from "#/kernel/values/working-calendar.ts";
import type { ServiceLevel } from "#/modules/carriers/data/data-parts.ts";
import type { CarrierService } from "#/modules/carriers/data/service-contract.ts";
import { dayOf } from "#/modules/carriers/decision/local-time.ts";
import { type Amount, amountOf, amountScale, minorUnitOf } from "#/modules/carriers/decision/money.ts";
import { scaled } from "#/modules/carriers/decision/whole-numbers.ts";
import type {
  RateCard,
  RateZone,
  Surcharge,
  SurchargeCondition,
} from "#/modules/carriers/rate-cards/rate-card-contract.ts";

export interface CompiledService {
  /** Its index among the services by code. */
  readonly index: number;
  readonly code: string;
  readonly carrierCode: string;
  readonly serviceLevel: ServiceLevel;
  readonly name: string;
  /** With the placeholder `{trackingNumber}`. */
  readonly trackingUrl: string | undefined;
  readonly labelSources: readonly string[];
  /** The greatest age of a live rate; 0: the price matrix only. */
  readonly liveRateMs: number;
  /** Undefined: all. */
  readonly countries: ReadonlySet<string> | undefined;
  /** Grams. */
  readonly weightMax: number;
  /** Thousandths of a centimetre. */
  readonly longestSideMax: number;
  /** How a parcel is weighed without a card. */
  readonly weighing: Weighing;
  readonly takesHazmat: boolean;
  readonly takesBulky: boolean;
  readonly obtainsSignature: boolean;
  readonly valueMax: Amount | undefined;
  /** Highest value of a parcel with a CN22; undefined for a service that is not postal. */
  readonly cn22ValueMax: Amount | undefined;
  /** Index of its currency. */
  readonly valueCurrency: number;
  /** Minute of the day by facility. */
  readonly cutOffs: ReadonlyMap<string, number>;
  /** A bit for each day of the week, by facility. */
  readonly pickUpDays: ReadonlyMap<string, number>;
  readonly deliveryDays: number;
  /** Days since 1970-01-01. */
  readonly activeFrom: number;
  readonly activeTo: number;
  /** The latest start of validity first. */
  readonly cards: readonly CompiledCard[];
}

export interface CompiledCard {
  readonly currency: string;
  /** Index of it. */
  readonly currencyPlace: number;
  /** The ten-thousandths of one minor unit of the currency. */
  readonly minorUnit: number;
  readonly validFrom: number;
  readonly validTo: number;
  /** Index of how the card weighs a parcel. */
  readonly weighing: number;
  readonly entriesByCountry: ReadonlyMap<string, readonly RateZone[]>;
  readonly breaksByZone: ReadonlyMap<string, CompiledBreaks>;
  readonly transitDays: Readonly<Record<string, number>>;
  readonly surcharges: readonly CompiledSurcharge[];
}

/** How the weight of a parcel is determined. Many cards share it, so a parcel is weighed once for all of them. */
export interface Weighing {
  /** Of the volume, in thousandths; 0: volume does not count. */
  readonly divisor: number;
  /** The weight is rounded up to this, in grams. */
  readonly step: number;
}

/** Parts that services and cards share, each once: a decision calculates with it once for all of them. */
export interface SharedParts {
  readonly weighings: readonly Weighing[];
  readonly currencies: readonly string[];
}

export interface CompiledZone {
  readonly name: string;
  readonly isRemote: boolean;
  readonly transitDays: number | undefined;
  /** The highest weight with a price, in grams; undefined: no price. */
  readonly weightMax: number | undefined;
  readonly breaks: CompiledBreaks;
}

/**
 * Breaks in ascending order of weight, in one list, because memory access costs more than the calculation. Each break
 * has the weight limit in grams, the price, and the price of an extra kilogram in ten-thousandths.
 */
export type CompiledBreaks = readonly number[];

/** Numbers per break in {@link CompiledBreaks}. */
export const breakWidth = 3;

export interface CompiledSurcharge {
  readonly code: string;
  readonly isPercent: boolean;
  /** Ten-thousandths of the unit, or of a per cent. */
  readonly value: number;
  /** One of {@link surchargeBits}. */
  readonly when: number;
  /** Thousandths of a centimetre, for `oversize`. */
  readonly longestSide: number;
}

/** When a surcharge applies; `oversize` depends on each parcel. */
export const surchargeBits: Readonly<Record<SurchargeCondition, number>> = {
  always: 1,
  hazmat: 2,
  oversize: 4,
  remote: 8,
  residential: 16,
  signature: 32,
  saturday: 64,
};

/** The limit of the Universal Postal Union: 300 special drawing rights. */
const cn22ValueMaxOfUpu = amountOf({ amount: 300, currency: "XDR" });

const none = Number.POSITIVE_INFINITY;

export function compileServices(
  services: readonly CarrierService[],
  rateCards: readonly RateCard[],
): SharedParts & { readonly services: readonly CompiledService[] } {
  const cardsByService = Map.groupBy(rateCards, ({ serviceCode }) => serviceCode);
  const shared = new Sharing();
  const compiled = services
    .toSorted((left, right) => (left.code < right.code ? -1 : 1))
    .map((service, index) => compileService(service, index, cardsByService.get(service.code) ?? [], shared));
  return { services: compiled, weighings: shared.weighings, currencies: shared.currencies };
}

class Sharing implements SharedParts {
  readonly weighings: Weighing[] = [];
  readonly currencies: string[] = [];

  weighing(weighing: Weighing): number {
    const { divisor, step } = weighing;
    const known = this.weighings.findIndex((other) => other.divisor === divisor && other.step === step);
    return known >= 0 ? known : this.weighings.push(weighing) - 1;
  }

  currency(code: string): number {
    const known = this.currencies.indexOf(code);
    return known >= 0 ? known : this.currencies.push(code) - 1;
  }
}

function weighingOf({ dimensionalDivisor = 0 }: CarrierService, step: number): Weighing {
  return { divisor: scaled(dimensionalDivisor, 1_000), step };
}

function compileService(
  service: CarrierService,
  index: number,
  cards: readonly RateCard[],
  shared: Sharing,
): CompiledService {
  const { countries, maxDeclaredValue, cn22MaxValue, cutOff = {}, pickUpDays = {} } = service;
  return {
    index,
    code: service.code,
    carrierCode: service.carrierCode,
    serviceLevel: service.serviceLevel,
    name: service.name,
    trackingUrl: service.trackingUrl,
    labelSources: service.labelSources ?? [],
    liveRateMs: (service.liveRateMinutes ?? 0) * minuteMs,
    countries: countries && new Set(countries),
    weightMax: service.maxWeightKg === undefined ? none : scaled(service.maxWeightKg, 1_000),
    longestSideMax: service.maxLongestSideCm === undefined ? none : scaled(service.maxLongestSideCm, 1_000),
    weighing: weighingOf(service, 1),
    takesHazmat: service.hazmat ?? false,
    takesBulky: service.bulky ?? false,
    obtainsSignature: service.signature ?? false,
    valueMax: maxDeclaredValue && amountOf(maxDeclaredValue),
    cn22ValueMax: service.postal ? (cn22MaxValue ? amountOf(cn22MaxValue) : cn22ValueMaxOfUpu) : undefined,
    valueCurrency: maxDeclaredValue === undefined ? -1 : shared.currency(maxDeclaredValue.currency),
    cutOffs: new Map(Object.entries(cutOff).map(([facility, time]) => [facility, minuteOfDay(time)])),
    pickUpDays: new Map(Object.entries(pickUpDays).map(([facility, days]) => [facility, weekdayBits(days)])),
    deliveryDays: weekdayBits(service.deliveryDays ?? weekdays.slice(0, 6)),
    activeFrom: service.activeFrom === undefined ? -none : dayOf(service.activeFrom),
    activeTo: service.activeTo === undefined ? none : dayOf(service.activeTo),
    cards: cards
      .map((card) => compileCard(card, service, shared))
      .sort((left, right) => (left.validFrom === right.validFrom ? 0 : left.validFrom > right.validFrom ? -1 : 1)),
  };
}

function compileCard(card: RateCard, service: CarrierService, shared: Sharing): CompiledCard {
  const breaks = Map.groupBy(card.breaks, ({ zone }) => zone);
  return {
    currency: card.currency,
    currencyPlace: shared.currency(card.currency),
    minorUnit: minorUnitOf(card.currency),
    validFrom: card.validFrom === undefined ? -none : dayOf(card.validFrom),
    validTo: card.validTo === undefined ? none : dayOf(card.validTo),
    weighing: shared.weighing(weighingOf(service, Math.max(1, scaled(card.stepKg ?? 0.001, 1_000)))),
    entriesByCountry: Map.groupBy(card.zones, ({ country }) => country),
    breaksByZone: new Map([...breaks].map(([zone, rows]) => [zone, compileBreaks(rows)])),
    transitDays: service.transitDays ?? {},
    surcharges: (card.surcharges ?? []).map(compileSurcharge),
  };
}

/** A zone of an entry. It copies the breaks: the data of a decision are adjacent in memory, country by country. */
export function compileZone({ zone, remote }: RateZone, { breaksByZone, transitDays }: CompiledCard): CompiledZone {
  const breaks = [...(breaksByZone.get(zone) ?? [])];
  return {
    name: zone,
    isRemote: remote ?? false,
    transitDays: Object.hasOwn(transitDays, zone) ? transitDays[zone] : undefined,
    weightMax: breaks.at(-breakWidth),
    breaks,
  };
}

function compileBreaks(rows: RateCard["breaks"]): CompiledBreaks {
  return rows.flatMap(({ upToKg, price, perExtraKg = 0 }) => [
    scaled(upToKg, 1_000),
    scaled(price, amountScale),
    scaled(perExtraKg, amountScale),
  ]);
}

function compileSurcharge({ code, kind, value, when = "always", longestSideCm = 0 }: Surcharge): CompiledSurcharge {
  return {
    code,
    isPercent: kind === "PERCENT",
    value: scaled(value, amountScale),
    when: surchargeBits[when],
    longestSide: scaled(longestSideCm, 1_000),
  };
}

/** @param time `HH:MM` */
export function minuteOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}

/** A bit for each day of the week, Monday the lowest bit. */
export function weekdayBits(days: readonly string[]): number {
  return days.reduce((bits, day) => bits | (1 << (weekdays as readonly string[]).indexOf(day)), 0);
}
