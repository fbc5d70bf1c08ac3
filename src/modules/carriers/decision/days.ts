// Days as whole numbers since 1970-01-01, so that calendars are arithmetic.
import { dayMs } from "#/kernel/values/durations.ts";

const texts = new Map<number, string>();
const textsMax = 10_000;

/** @param text `YYYY-MM-DD` */
export function dayOf(text: string): number {
  return Date.parse(`${text}T00:00:00Z`) / dayMs;
}

/** `YYYY-MM-DD`. The few days of decisions are cached: formatting one costs more than checking a candidate. */
export function dayText(day: number): string {
  const known = texts.get(day);
  if (known !== undefined) return known;
  if (texts.size >= textsMax) texts.clear();
  const text = new Date(day * dayMs).toISOString().slice(0, 10);
  texts.set(day, text);
  return text;
}

let lastMs = Number.NaN;
let lastMoment = "";

/** ISO 8601 UTC. Decisions that are made together have one moment. */
export function momentText(atMs: number): string {
  if (atMs !== lastMs) {
    lastMs = atMs;
    lastMoment = new Date(atMs).toISOString();
  }
  return lastMoment;
}

/** 0 is Monday, as in `weekdays` of the kernel. */
export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** True if the day exists: a text of the right form may still be the 30th of February. */
export function isDay(text: string): boolean {
  const day = dayOf(text);
  return !Number.isNaN(day) && dayText(day) === text;
}
