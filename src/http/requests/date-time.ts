import { minuteMs } from "#/kernel/values/durations.ts";

const pattern = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+ -])(\d\d):(\d\d))$/;

/**
 * Reads an ISO 8601 date-time with an offset (RFC 3339).
 *
 * A plus sign that was not escaped in a query arrives as a blank, and is read as a plus.
 *
 * @returns the moment in UTC with milliseconds, or undefined when it is not such a date-time or its year, there or in UTC,
 * is not 1000 to 9998.
 */
export function readDateTime(text: string): string | undefined {
  const match = pattern.exec(text);
  if (!match) return undefined;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const offsetHours = Number(match[9] ?? 0);
  const offsetMinutes = Number(match[10] ?? 0);
  if (!isYear(year) || hour > 23 || minute > 59 || second > 59) return undefined;
  if (offsetHours > 18 || offsetMinutes > 59) return undefined;
  const midnight = new Date(Date.UTC(year, month - 1, day));
  // Date rolls 31 February over into March; a date that does not exist must not become another one.
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return undefined;
  const sign = match[8] === "-" ? -1 : 1;
  const ms = Number((match[7] ?? "").padEnd(3, "0").slice(0, 3));
  const atMs =
    Date.UTC(year, month - 1, day, hour, minute, second, ms) - sign * (offsetHours * 60 + offsetMinutes) * minuteMs;
  const at = new Date(atMs);
  return isYear(at.getUTCFullYear()) ? at.toISOString() : undefined;
}

const isYear = (year: number) => year >= 1000 && year <= 9998;
