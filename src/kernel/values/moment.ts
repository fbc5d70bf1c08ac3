import { dayMs } from "#/kernel/values/durations.ts";

// The forms in which ISO 8601 writes a moment: date (calendar, week, ordinal) and time of day, both extended or both
// basic, with an offset. A moment without an offset is none: the zone of its clock is not known.

const datePattern = /^(\d{4})(?:(-?)(\d{2})\2(\d{2})|(-?)W(\d{2})\5([1-7])|(-?)(\d{3}))$/;
const timePattern = /^(\d{2})(?:(:?)(\d{2})(?:\2(\d{2}))?)?(?:[.,](\d{1,18}))?$/;
const offsetPattern = /^(?:Z|([+\-\u2212])(\d{2})(?::?(\d{2}))?)$/;
const momentPattern = /^([0-9W-]{7,10})[T ]([\d:.,]{2,27})(Z|[+\-\u2212][\d:]{2,5})$/;

/**
 * The moment in the one form that the XSDs publish, `2026-11-03T09:30:00+01:00`, with at most nine fraction digits;
 * undefined for any text that is not a moment of ISO 8601.
 */
export function canonicalMoment(text: string): string | undefined {
  const [, date = "", time = "", offset = ""] = momentPattern.exec(text.toUpperCase()) ?? [];
  const [day, clock, zone] = [canonicalDate(date), canonicalTime(time), canonicalOffset(offset)];
  return day === undefined || clock === undefined || zone === undefined ? undefined : `${day}T${clock}${zone}`;
}

function canonicalDate(text: string): string | undefined {
  const match = datePattern.exec(text);
  if (!match) return undefined;
  const [, year = "", , month, day, , week, weekday, , dayOfYear] = match;
  if (month !== undefined) return `${year}-${month}-${day}`;
  const first = Date.UTC(Number(year), 0, 1);
  if (dayOfYear !== undefined) return dayAt(first, Number(dayOfYear) - 1, year);
  // Week 1 has the fourth of January in it.
  const weekdayOfFourth = new Date(Date.UTC(Number(year), 0, 4)).getUTCDay() || 7;
  const offset = 3 - (weekdayOfFourth - 1) + (Number(week) - 1) * 7 + Number(weekday) - 1;
  const weeks = hasWeek53(Number(year)) ? 53 : 52;
  return Number(week) < 1 || Number(week) > weeks ? undefined : dayAt(first, offset);
}

/** @param year the year in which the day must be, where the form requires one */
function dayAt(first: number, days: number, year?: string): string | undefined {
  const date = new Date(first + days * dayMs).toISOString().slice(0, 10);
  return days < -3 || (year !== undefined && !date.startsWith(year)) ? undefined : date;
}

/** A year has 53 weeks if it begins on a Thursday, or on a Wednesday as a leap year. */
function hasWeek53(year: number): boolean {
  const [first, last] = [new Date(Date.UTC(year, 0, 1)).getUTCDay(), new Date(Date.UTC(year, 11, 31)).getUTCDay()];
  return first === 4 || last === 4;
}

/** A fraction belongs to the smallest part that is given: `09:30,5` is half past nine and thirty seconds. */
function canonicalTime(text: string): string | undefined {
  const match = timePattern.exec(text);
  if (!match) return undefined;
  const [, hours = "", , minutes, seconds, fraction] = match;
  if (seconds !== undefined || fraction === undefined) {
    const digits = fraction === undefined ? "" : `.${fraction.slice(0, 9)}`;
    return `${hours}:${minutes ?? "00"}:${seconds ?? "00"}${digits}`;
  }
  const unit = minutes === undefined ? 3600n : 60n;
  const nanoseconds = (BigInt(fraction) * unit * 1_000_000_000n) / 10n ** BigInt(fraction.length);
  const ofHour = nanoseconds / 60_000_000_000n + BigInt(minutes ?? 0);
  const rest = String(nanoseconds % 60_000_000_000n).padStart(11, "0");
  const digits = rest.slice(-9).replace(/0+$/, "");
  return `${hours}:${two(ofHour)}:${rest.slice(0, -9)}${digits === "" ? "" : `.${digits}`}`;
}

const two = (value: bigint) => String(value).padStart(2, "0");

function canonicalOffset(text: string): string | undefined {
  const match = offsetPattern.exec(text);
  if (!match) return undefined;
  const [, sign, hours, minutes = "00"] = match;
  return sign === undefined ? "Z" : `${sign === "+" ? "+" : "-"}${hours}:${minutes}`;
}
