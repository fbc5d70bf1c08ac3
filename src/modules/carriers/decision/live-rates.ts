import type { Money } from "#/modules/carriers/data/rule-contract.ts";
import type { CompiledCard, CompiledService } from "#/modules/carriers/decision/compile-services.ts";
import { amountOf } from "#/modules/carriers/decision/money.ts";
import type { Price } from "#/modules/carriers/decision/price.ts";
import { divideHalfUp } from "#/modules/carriers/decision/whole-numbers.ts";

/** The price that a label source gave for a parcel to a place (contract carriers.md, Live rates). */
export interface LiveRate {
  readonly serviceCode: string;
  readonly sourceCode: string;
  /** Of the parcel, in grams. */
  readonly weight: number;
  readonly price: Money;
  /** ISO 8601 UTC. */
  readonly ratedAt: string;
}

const stepGrams = 500;
/** Carriers price by steps: a rate is good for parcels that are lighter by less than this. */
const lighterGramsMax = 1_000;

/** The weight that is asked for in the place of an estimate: packaging is heavier than nothing. */
export const ratedWeightOf = (grams: number) => Math.ceil(grams / stepGrams) * stepGrams;

/** The live price of a service for a parcel; undefined: there is no such rate, or it is too old, too light or too heavy. */
export function livePriceOf(
  rates: readonly LiveRate[],
  { code, liveRateMs }: CompiledService,
  { currency, minorUnit }: CompiledCard,
  grams: number,
  atMs: number,
): Price | undefined {
  if (liveRateMs === 0) return undefined;
  const [rate] = rates
    .filter(
      ({ serviceCode, weight, price, ratedAt }) =>
        serviceCode === code &&
        price.currency === currency &&
        weight >= grams &&
        weight - grams < lighterGramsMax &&
        atMs - Date.parse(ratedAt) <= liveRateMs,
    )
    .toSorted((left, right) => left.weight - right.weight);
  if (rate === undefined) return undefined;
  const total = divideHalfUp(amountOf(rate.price).value, minorUnit) * minorUnit;
  const { sourceCode, ratedAt } = rate;
  const ageSeconds = Math.max(0, Math.floor((atMs - Date.parse(ratedAt)) / 1_000));
  return { base: total, surcharges: [], total, live: { sourceCode, ratedAt, ageSeconds } };
}
