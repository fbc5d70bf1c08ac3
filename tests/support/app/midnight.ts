// For tests that are about a day, or about what its end brings: the last two minutes of a day are none to begin in.
import { setTimeout as sleep } from "node:timers/promises";

const marginMs = 120_000;

/** Where a day of one of these time zones ends within two minutes, waits until the next one has begun. */
export async function clearOfMidnight(...timeZones: readonly string[]): Promise<void> {
  for (const timeZone of timeZones) {
    const calendar = new Intl.DateTimeFormat("en-CA", { timeZone });
    while (calendar.format(Date.now()) !== calendar.format(Date.now() + marginMs)) await sleep(1_000);
  }
}

/** The date in a time zone so many days from today, by its calendar: days of 23 and 25 hours count as others do. */
export function dateIn(timeZone: string, days: number): string {
  const today = new Intl.DateTimeFormat("en-CA", { timeZone }).format(Date.now());
  return new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
}
