// Amounts of a decision: whole ten-thousandths of a currency's unit (`#/kernel/values/amount.ts`), rounded to its minor unit.

import type { Money } from "#/modules/carriers/data/rule-contract.ts";
import { dayOf } from "#/modules/carriers/decision/local-time.ts";
import { multiplyHalfUp, scaled } from "#/modules/carriers/decision/whole-numbers.ts";
import type { ExchangeRate } from "#/modules/carriers/rate-cards/rate-card-contract.ts";

/** Ten-thousandths of the unit. */
export interface Amount {
  readonly value: number;
  readonly currency: string;
}

export const amountScale = 10_000;
const rateScale = 1e8;

const minorUnits = new Map<string, number>();

/**
 * The ten-thousandths of one minor unit of the currency: 100 for pence, 10 000 for currencies without one (ISO 4217).
 */
export function minorUnitOf(currency: string): number {
  const known = minorUnits.get(currency);
  if (known !== undefined) return known;
  // The digits follow ISO 4217, whatever the language.
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions();
  const unit = 10 ** (4 - Math.min(4, maximumFractionDigits));
  minorUnits.set(currency, unit);
  return unit;
}

export function amountOf({ amount, currency }: Money): Amount {
  return { value: scaled(amount, amountScale), currency };
}

export function moneyOf(value: number, currency: string): Money {
  return { amount: value / amountScale, currency };
}

export function moneyText({ value, currency }: Amount): string {
  return `${value / amountScale} ${currency}`;
}

interface DatedRate {
  readonly from: number;
  /** In hundred-millionths. */
  readonly rate: number;
}

interface Pair {
  /** The latest first. */
  readonly dated: DatedRate[];
  /** The cached rate of the last requested day: a decision requests one day. */
  day: number;
  rate: number | undefined;
}

/** An exchange on a day: an amount times the factor, divided by the divisor. */
export interface Exchange {
  readonly factor: number;
  readonly divisor: number;
}

const unchanged: Exchange = { factor: 1, divisor: 1 };

/** Rounded half away from zero. */
export function exchanged(value: number, exchange: Exchange): number {
  return exchange === unchanged ? value : multiplyHalfUp(value, exchange.factor, exchange.divisor);
}

/** Exchange rates by pair and day. */
export class ExchangeRates {
  readonly #pairs = new Map<string, Map<string, Pair>>();

  constructor(rates: readonly ExchangeRate[]) {
    const latestFirst = rates.toSorted((left, right) => (left.date < right.date ? 1 : -1));
    for (const { from, to, date, rate } of latestFirst) {
      const targets = this.#pairs.get(from) ?? new Map<string, Pair>();
      this.#pairs.set(from, targets);
      const pair = targets.get(to) ?? { dated: [], day: Number.NaN, rate: undefined };
      targets.set(to, pair);
      pair.dated.push({ from: dayOf(date), rate: scaled(rate, rateScale) });
    }
  }

  /**
   * Converts to ten-thousandths of another currency.
   * @returns undefined without a rate.
   */
  convert({ value, currency }: Amount, to: string, day: number): number | undefined {
    const exchange = this.exchange(currency, to, day);
    return exchange && exchanged(value, exchange);
  }

  /**
   * The latest rate up to that day; if there is none, the inverse of the latest opposite rate.
   * @returns undefined without a rate.
   */
  exchange(from: string, to: string, day: number): Exchange | undefined {
    if (from === to) return unchanged;
    const direct = this.#latest(from, to, day);
    if (direct !== undefined) return { factor: direct, divisor: rateScale };
    const reverse = this.#latest(to, from, day);
    return reverse === undefined ? undefined : { factor: rateScale, divisor: reverse };
  }

  #latest(from: string, to: string, day: number): number | undefined {
    const pair = this.#pairs.get(from)?.get(to);
    if (pair === undefined) return undefined;
    if (pair.day !== day) {
      pair.day = day;
      pair.rate = pair.dated.find((dated) => dated.from <= day)?.rate;
    }
    return pair.rate;
  }
}
