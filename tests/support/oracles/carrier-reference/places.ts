// Days, clocks and postcodes as strings.
import { dayMs } from "#/kernel/values/durations.ts";
import type { RateZone } from "#/modules/carriers/rate-cards/rate-card-contract.ts";

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T12:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
export const weekdayNames = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"] as const;
export const weekday = (day: string) =>
  weekdayNames[new Date(`${day}T12:00:00Z`).getUTCDay()] as (typeof weekdayNames)[number];
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T12:00:00Z`) - Date.parse(`${from}T12:00:00Z`)) / dayMs);

export const clocks = new Map<string, Intl.DateTimeFormat>();
export function clockOf(timeZone: string, atMs: number): { readonly day: string; readonly time: string } {
  const clock =
    clocks.get(timeZone) ??
    new Intl.DateTimeFormat("en-CA", {
      ...({ timeZone, hourCycle: "h23", year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit" } as const),
      ...({ minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 } as const),
    });
  clocks.set(timeZone, clock);
  const part = Object.fromEntries(clock.formatToParts(atMs).map(({ type, value }) => [type, value]));
  return {
    day: `${part.year}-${part.month}-${part.day}`,
    time: `${part.hour}:${part.minute}:${part.second}.${part.fractionalSecond}`,
  };
}

export const withoutCountry: Readonly<Record<string, RegExp>> = {
  SE: /^SE(?=\d)/,
  LU: /^L(U)?(?=\d)/,
  DK: /^DK(?=\d)/,
};
export const plainZip = (zip: string, country: string): string => {
  const plain = [...zip.toUpperCase()].filter((char) => /[A-Z0-9]/.test(char)).join("");
  // A full British postcode ends in a digit and two letters, after a blank.
  if (country === "GB" && plain.length > 4 && /\d[A-Z]{2}$/.test(plain))
    return `${plain.slice(0, -3)} ${plain.slice(-3)}`;
  return plain.replace(withoutCountry[country] ?? /^$/, "");
};

export function isInRange(zip: string, from: string, to: string): boolean {
  if (zip.length < from.length) return false;
  return (
    [...from].every((char, i) => /\d/.test(char) === /\d/.test(zip[i] as string)) &&
    zip.slice(0, from.length) >= from &&
    zip.slice(0, from.length) <= to
  );
}

/** Number of matching postcode characters of an entry; undefined if it does not cover the address. */
export function matchLength(entry: RateZone, country: string, zip: string): number | undefined {
  if (entry.country !== country) return undefined;
  if (!entry.postcodePrefixes && !entry.postcodeRanges) return 0;
  const lengths: number[] = [];
  for (const text of entry.postcodePrefixes ?? []) {
    const prefix = plainZip(text, country);
    if (zip.startsWith(prefix)) lengths.push(prefix.length);
  }
  for (const range of entry.postcodeRanges ?? []) {
    const from = plainZip(range.from, country);
    if (isInRange(zip, from, plainZip(range.to, country))) lengths.push(from.length);
  }
  return lengths.length === 0 ? undefined : Math.max(...lengths);
}
