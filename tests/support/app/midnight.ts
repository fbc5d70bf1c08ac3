// For tests that depend on the date: they must not begin in the last two minutes of a day.
import { setTimeout as sleep } from "node:timers/promises";
import { dayMs } from "#/kernel/values/durations.ts";

const marginMs = 120_000;

/** If a day ends within two minutes in one of these time zones, waits until the next day has begun. */
export async function clearOfMidnight(...timeZones: readonly string[]): Promise<void> {
  for (const timeZone of timeZones) {
    const calendar = new Intl.DateTimeFormat("en-CA", { timeZone });
    while (calendar.format(Date.now()) !== calendar.format(Date.now() + marginMs)) await sleep(1_000);
  }
}

/** The date in a time zone a number of days from today, by its calendar; days of 23 and 25 hours count as one. */
export function dateIn(timeZone: string, days: number): string {
  const today = new Intl.DateTimeFormat("en-CA", { timeZone }).format(Date.now());
  return new Date(Date.parse(today) + days * dayMs).toISOString().slice(0, 10);
}
