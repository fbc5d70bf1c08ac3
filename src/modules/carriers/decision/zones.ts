// The zone of an address: a country's postcodes by their beginnings, the longest first.
import { comparablePostcode, formOf } from "#/modules/carriers/decision/postcode.ts";
import type { RateZone } from "#/modules/carriers/rate-cards/rate-card-contract.ts";

interface Range {
  readonly from: string;
  readonly to: string;
  readonly form: string;
  readonly place: number;
}

/** All that is told apart by so many characters of the postcode. */
interface Level {
  readonly length: number;
  /** Place of the entry by beginning. */
  readonly prefixes: Map<string, number>;
  readonly ranges: Range[];
}

/** How a card divides a country: many cards do it alike, and then an address is looked for once for all of them. */
export interface Layout {
  /** Place of the entry for postcodes that nothing longer matches, and for addresses without one; -1: none. */
  readonly whole: number;
  /** The longest first. */
  readonly levels: readonly Level[];
}

/**
 * A prefix tells as much as it has characters, a range as much as its bounds have, a country nothing.
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

/** Entries with the same text make the same layout, whatever their zones are called. */
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
 * Place of the entry that is the longest match; -1: there is none.
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
