// Finds the zone of an address: by prefixes of the country's postcodes, the longest first.

import { postcodeFormats } from "#/kernel/values/postcodes/check.ts";
import type { RateZone } from "#/modules/carriers/rate-cards/rate-card-contract.ts";

const onlyDigits = new Map<string, boolean>();

/** True if postcodes of the country can consist of digits alone, so that leading letters name the country. */
function isOfDigits(country: string): boolean {
  const known = onlyDigits.get(country);
  if (known !== undefined) return known;
  const answer = (postcodeFormats(country) ?? []).some((mask) => /^[9 -]+$/.test(mask));
  onlyDigits.set(country, answer);
  return answer;
}

/**
 * Countries whose first part has two to four characters, so that only the blank separates `PH2 0AA` from `PH20 1AA`.
 */
const ofTwoParts: ReadonlySet<string> = new Set(["GB", "GG", "IM", "JE"]);

/**
 * A postcode, or a prefix of one, in the form that zones compare: capitals and digits, without blanks and dashes, and
 * without a leading country (`SE-123 45`, `L-1234`). A British postcode keeps its blank; a whole one without a blank
 * gets it.
 *
 * @param country ISO 3166-1 alpha-2.
 */
export function comparablePostcode(text: string, country: string): string {
  const plain = text.toUpperCase().replace(/[^A-Z0-9]/g, "");
  if (ofTwoParts.has(country)) {
    const [, first, second] = /^([A-Z]{1,2}\d[A-Z\d]?)(\d[A-Z]{2})$/.exec(plain) ?? [];
    if (first !== undefined) return `${first} ${second}`;
    return text
      .trim()
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, " ");
  }
  if (!isOfDigits(country)) return plain;
  const [letters = ""] = /^[A-Z]+(?=\d)/.exec(plain) ?? [];
  return letters === country || (country === "LU" && letters === "L") ? plain.slice(letters.length) : plain;
}

/** The positions of letters and digits: `IV27` is `AA99`. A range covers only postcodes of the same form. */
export function formOf(comparable: string): string {
  return comparable.replace(/[A-Z]/g, "A").replace(/\d/g, "9");
}

interface Range {
  readonly from: string;
  readonly to: string;
  readonly form: string;
  readonly place: number;
}

/** All entries with the same number of characters of the postcode. */
interface Level {
  readonly length: number;
  /** Index of the entry by prefix. */
  readonly prefixes: Map<string, number>;
  readonly ranges: Range[];
}

/** How a card divides a country. Many cards share a layout, so an address is matched once for all of them. */
export interface Layout {
  /** Index of the entry for postcodes without a longer match, and for addresses without a postcode; -1: none. */
  readonly whole: number;
  /** The longest first. */
  readonly levels: readonly Level[];
}

/**
 * A prefix has the length of its characters, a range that of its bounds, a country 0.
 * @param entries of one country.
 */
export function makeLayout(entries: readonly RateZone[]): Layout {
  const levels: Level[] = [];
  let whole = -1;
  entries.forEach(({ country, postcodePrefixes, postcodeRanges }, place) => {
    if (!postcodePrefixes && !postcodeRanges && whole < 0) whole = place;
    for (const text of postcodePrefixes ?? []) {
      const prefix = comparablePostcode(text, country);
      const { prefixes } = levelOf(levels, prefix.length);
      if (!prefixes.has(prefix)) prefixes.set(prefix, place);
    }
    for (const { from: first, to: last } of postcodeRanges ?? []) {
      const [from, to] = [comparablePostcode(first, country), comparablePostcode(last, country)];
      levelOf(levels, from.length).ranges.push({ from, to, form: formOf(from), place });
    }
  });
  return { whole, levels: levels.sort((left, right) => right.length - left.length) };
}

/** Entries with the same text form the same layout, whatever the names of their zones. */
export function layoutText(entries: readonly RateZone[]): string {
  return JSON.stringify(entries.map(({ postcodePrefixes, postcodeRanges }) => [postcodePrefixes, postcodeRanges]));
}

function levelOf(levels: Level[], length: number): Level {
  const known = levels.find((level) => level.length === length);
  if (known) return known;
  const level: Level = { length, prefixes: new Map(), ranges: [] };
  levels.push(level);
  return level;
}

/**
 * Index of the entry with the longest match; -1: there is none.
 * @param zip a comparable postcode, or an empty text.
 */
export function findEntry({ whole, levels }: Layout, zip: string): number {
  for (const { length, prefixes, ranges } of levels) {
    if (length > zip.length) continue;
    const start = zip.slice(0, length);
    const found = prefixes.get(start) ?? findRange(ranges, start);
    if (found !== undefined) return found;
  }
  return whole;
}

function findRange(ranges: readonly Range[], start: string): number | undefined {
  if (ranges.length === 0) return undefined;
  const form = formOf(start);
  return ranges.find((range) => range.from <= start && start <= range.to && range.form === form)?.place;
}
