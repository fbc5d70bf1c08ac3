/**
 * The working calendar of a facility: its operating days, and the cut-off time of such a day for goods that leave that
 * day.
 */

/** In the order of ISO 8601: Monday is the first. */
export const weekdays = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"] as const;
export type Weekday = (typeof weekdays)[number];

export interface WorkingCalendar {
  /** IANA time zone. */
  readonly timezone: string;
  /** `HH:MM` by the clock of the time zone; null: there is no fixed time. */
  readonly cutOffTime: string | null;
  readonly operatingDays: readonly Weekday[];
  /** Days that are not operating days, whatever day of the week they are. */
  readonly holidays: readonly { /** `YYYY-MM-DD` */ readonly date: string }[];
}

/** No calendar is planned further ahead than this. */
const daysMax = 366;

/**
 * Cache: a cut-off is valid for every moment from the one of its look-up until itself. Orders come by the thousand a
 * day.
 */
const lastFound = new WeakMap<WorkingCalendar, { readonly fromMs: number; readonly untilMs: number }>();

/**
 * The cut-off of the first operating day that lies at or after a moment: an order that arrives exactly at the cut-off
 * is in time. Where clocks skip the cut-off, it is later that day by the skipped time; where they repeat it, the first
 * occurrence counts.
 *
 * @param at ISO 8601.
 * @returns ISO 8601 UTC; null without a cut-off time, and where no day of the next year is an operating one.
 */
export function nextCutOff(calendar: WorkingCalendar, at: string): string | null {
  const { timezone, cutOffTime, operatingDays, holidays } = calendar;
  if (cutOffTime === null) return null;
  const atMs = Date.parse(at);
  const known = lastFound.get(calendar);
  if (known && known.fromMs <= atMs && atMs <= known.untilMs) return new Date(known.untilMs).toISOString();
  const closed = new Set(holidays.map(({ date }) => date));
  const today = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timezone).toPlainDate();
  for (let days = 0; days <= daysMax; days++) {
    const date = today.add({ days });
    const weekday = weekdays[date.dayOfWeek - 1];
    if (weekday === undefined || !operatingDays.includes(weekday) || closed.has(date.toString())) continue;
    const untilMs = date.toZonedDateTime({ timeZone: timezone, plainTime: cutOffTime }).epochMilliseconds;
    if (untilMs < atMs) continue;
    lastFound.set(calendar, { fromMs: atMs, untilMs });
    return new Date(untilMs).toISOString();
  }
  return null;
}
