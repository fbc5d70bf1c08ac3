// Checks that several sections of carrier data share. Each returns a message that says what to do, or undefined.

import { isCurrency } from "#/kernel/values/amount.ts";
import { toAlpha2 } from "#/kernel/values/country.ts";
import { isDay } from "#/modules/carriers/decision/local-time.ts";
import { isExact } from "#/modules/carriers/decision/whole-numbers.ts";

export function faultOfCountry(country: string): string | undefined {
  return toAlpha2(country) === country ? undefined : "must be a country code of ISO 3166-1, two capitals";
}

export function faultOfCurrency(currency: string): string | undefined {
  return isCurrency(currency) ? undefined : "must be a currency code of ISO 4217";
}

export function faultOfDay(text: string): string | undefined {
  return isDay(text) ? undefined : "must be a day of the calendar";
}

const decimalsText: Readonly<Record<number, string>> = { 1000: "three", 10000: "four", 100000000: "eight" };

/** @param factor 1 000, 10 000 or 100 000 000: three, four or eight decimals at most. */
export function faultOfDecimals(value: number | undefined, factor: number): string | undefined {
  if (value === undefined || isExact(value, factor)) return undefined;
  return `is ${value}: must have at most ${decimalsText[factor] ?? "no"} decimals`;
}

/** A set with more faults has a common cause; the sender fixes it and sends the set again. */
export const faultsMax = 100;

/** The first faults by place; an undefined message adds no fault. */
export class FaultList {
  readonly found: { readonly pointer: string; readonly message: string }[] = [];

  /** A check may end: further faults are not kept. */
  get isFull(): boolean {
    return this.found.length === faultsMax;
  }

  add(pointer: string, message: string | undefined): void {
    if (message !== undefined && !this.isFull) this.found.push({ pointer, message });
  }

  /** Checks a span of days; either end may be missing. */
  addSpan(
    at: string,
    names: readonly [from: string, to: string],
    from: string | undefined,
    to: string | undefined,
  ): void {
    if (from !== undefined) this.add(`${at}/${names[0]}`, faultOfDay(from));
    if (to !== undefined) this.add(`${at}/${names[1]}`, faultOfDay(to));
    if (from !== undefined && to !== undefined && to < from) {
      this.add(`${at}/${names[1]}`, `must not be before ${names[0]}`);
    }
  }

  /** Checks that no code occurs twice. @param section for example `services`. */
  addTwins(section: string, field: string, codes: readonly string[]): void {
    const first = new Map<string, number>();
    codes.forEach((code, i) => {
      const known = first.get(code);
      if (known === undefined) first.set(code, i);
      else this.add(`#/${section}/${i}/${field}`, `is also that of ${section}/${known}`);
    });
  }
}

const shownMax = 100;

/** A value in a message; a long one is cut. */
export function shownValue(value: unknown): string {
  if (typeof value === "string")
    return JSON.stringify(value.length > shownMax ? `${value.slice(0, shownMax)}…` : value);
  const text = JSON.stringify(value) ?? "missing";
  return text.length > shownMax ? `${text.slice(0, shownMax)}…` : text;
}

/** A name as a part of a JSON pointer (RFC 6901). */
export function pointerPart(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
