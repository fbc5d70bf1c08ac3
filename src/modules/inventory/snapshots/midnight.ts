/** Local days of facilities: their midnights in their time zones. */

import { hourMs } from "#/kernel/values/durations.ts";

const formats = new Map<string, Intl.DateTimeFormat>();

/** The calendar date in an IANA time zone, `YYYY-MM-DD`. @param atMs Unix milliseconds. */
export function localDate(timeZone: string, atMs: number): string {
  let format = formats.get(timeZone);
  if (!format) {
    const options = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
    format = new Intl.DateTimeFormat("en-US", { ...options, timeZone, calendar: "gregory", numberingSystem: "latn" });
    formats.set(timeZone, format);
  }
  // `formatToParts` takes twice as long.
  const [month, day, year] = format.format(atMs).split("/");
  return `${year?.padStart(4, "0")}-${month}-${day}`;
}

export interface Midnight {
  /** The moment, ISO 8601 UTC. */
  readonly at: string;
  /** The local date that ended at that moment. */
  readonly endedDate: string;
}

/** The longest local day is 25 hours, when clocks go back. */
const dayMsMax = 26 * hourMs;

/**
 * The last local midnight at or before a moment: the beginning of the current local date. If clocks skip 00:00
 * (Santiago, Beirut), the day begins at 01:00; if they repeat it (Havana), the day begins the first time.
 */
export function lastMidnight(timeZone: string, nowMs: number): Midnight {
  const today = localDate(timeZone, nowMs);
  let before = nowMs - dayMsMax;
  let since = nowMs;
  while (since - before > 1) {
    const middle = Math.floor((before + since) / 2);
    if (localDate(timeZone, middle) === today) since = middle;
    else before = middle;
  }
  return { at: new Date(since).toISOString(), endedDate: localDate(timeZone, before) };
}

/**
 * Bounds for the end of a date in every time zone, before and after it: local time is at most 14 hours ahead of UTC and
 * 12 behind.
 */
const endEarliestMs = 8 * hourMs;
const endLatestMs = 38 * hourMs;

/**
 * The midnight that ended a date in a time zone: the beginning of the next existing date there, ISO 8601 UTC. @param
 * date `YYYY-MM-DD`
 */
export function endOfDate(timeZone: string, date: string): string {
  let before = Date.parse(date) + endEarliestMs;
  let since = Date.parse(date) + endLatestMs;
  while (since - before > 1) {
    const middle = Math.floor((before + since) / 2);
    if (localDate(timeZone, middle) > date) since = middle;
    else before = middle;
  }
  return new Date(since).toISOString();
}
