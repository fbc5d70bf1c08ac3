// The local time of a facility. A time zone is queried once for each interval between two clock changes.
import { dayMs, hourMs, minuteMs } from "#/kernel/values/durations.ts";

// Days as whole numbers since 1970-01-01, so that calendars are arithmetic.

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

interface Stretch {
  readonly fromMs: number;
  readonly untilMs: number;
  readonly offsetMs: number;
}

export interface LocalMoment {
  /** Days since 1970-01-01, by the local calendar. */
  readonly day: number;
  /** 0 to 23. */
  readonly hour: number;
}

const stretches = new Map<string, Stretch>();

function stretchOf(timezone: string, atMs: number): Stretch {
  const known = stretches.get(timezone);
  if (known && known.fromMs <= atMs && atMs < known.untilMs) return known;
  const zoned = (ms: number) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone);
  const at = zoned(atMs);
  const stretch = {
    fromMs: zoned(atMs + 1).getTimeZoneTransition("previous")?.epochMilliseconds ?? Number.NEGATIVE_INFINITY,
    untilMs: at.getTimeZoneTransition("next")?.epochMilliseconds ?? Number.POSITIVE_INFINITY,
    offsetMs: at.offsetNanoseconds / 1e6,
  };
  stretches.set(timezone, stretch);
  return stretch;
}

/** @param timezone IANA name. */
export function localMomentOf(timezone: string, atMs: number): LocalMoment {
  const localMs = atMs + stretchOf(timezone, atMs).offsetMs;
  const day = Math.floor(localMs / dayMs);
  return { day, hour: Math.floor((localMs - day * dayMs) / hourMs) };
}

/**
 * The instant at which the clock shows this minute of the day. If clocks skip it, the instant is later by the skipped
 * time; if they repeat it, the first time counts, as in `nextCutOff` of the kernel.
 *
 * @param nearMs a moment on or near that day.
 */
export function instantOf(timezone: string, day: number, minuteOfDay: number, nearMs: number): number {
  const stretch = stretchOf(timezone, nearMs);
  const ms = day * dayMs + minuteOfDay * minuteMs - stretch.offsetMs;
  // Away from clock changes the result is unique and needs no calendar.
  if (stretch.fromMs + dayMs < ms && ms < stretch.untilMs - dayMs) return ms;
  return new Temporal.PlainDate(1970, 1, 1).add({ days: day }).toZonedDateTime({
    timeZone: timezone,
    plainTime: new Temporal.PlainTime(Math.floor(minuteOfDay / 60), minuteOfDay % 60),
  }).epochMilliseconds;
}
