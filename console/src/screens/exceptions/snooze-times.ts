import { hourMs } from "../../durations.ts";

/** The hour at which a snooze until a day ends. */
const morning = 8;

/** Morning of a day in the time zone of the user. */
const morningOf = (year: number, month: number, day: number) => new Date(year, month, day, morning);

function tomorrow(now: Date): Date {
  return morningOf(now.getFullYear(), now.getMonth(), now.getDate() + 1);
}

/**
 * When snoozed exceptions come back, ISO 8601. Fails with a sentence where the date is missing.
 * @param values of the dialog: hours, `tomorrow` or `day`, and the day, `YYYY-MM-DD`
 */
export function snoozeEnd({ time = "", day = "" }: Readonly<Record<string, string>>, now: Date): string {
  if (time === "tomorrow") return tomorrow(now).toISOString();
  if (time !== "day") return new Date(now.getTime() + Number(time) * hourMs).toISOString();
  const [year, month, dayOfMonth] = day.split("-").map(Number);
  if (year === undefined || month === undefined || dayOfMonth === undefined) throw new Error("Choose the day.");
  return morningOf(year, month - 1, dayOfMonth).toISOString();
}
