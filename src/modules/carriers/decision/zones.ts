// Finds the zone of an address: by prefixes of the country's postcodes, the longest first.
import { comparablePostcode, formOf } from "#/modules/carriers/decision/postcode.ts";
import type { RateZone } from "#/modules/carriers/rate-cards/rate-card-contract.ts";

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
