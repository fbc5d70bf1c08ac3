// The days that reports ask for, and what each report says of them.
import Type from "typebox";
import { invalidRequest } from "#/http/problems/problem.ts";
import { readDateTime } from "#/http/requests/date-time.ts";
import { dayMs } from "#/kernel/values/durations.ts";

/** Days, `YYYY-MM-DD`, both included. */
export interface Days {
  readonly from: string;
  readonly to: string;
}

export const day = (description: string, example = "2026-11-20") =>
  Type.String({ format: "date", description, examples: [example] });

/** Limited to the years that times may have. */
export const isDay = (value: string) => readDateTime(`${value}T00:00:00Z`) !== undefined;

/** A day that a request names. */
export const namedDay = (description: string, example?: string) =>
  Type.Refine(day(description, example), isDay, () => "must be a date such as 2026-11-20");

export const uncomputed = Type.Integer({
  minimum: 0,
  description:
    "Clients whose figures of these days, up to the day before yesterday, are still being computed: theirs are too low.",
  examples: [0],
});

/** 1 for one day; less than 1 if they are in the wrong order. */
export const lengthOf = ({ from, to }: Days) => (Date.parse(to) - Date.parse(from)) / dayMs + 1;

/** The problem of days that a report does not have. */
export function problemOfDays(days: Days, daysMax: number) {
  const length = lengthOf(days);
  if (length >= 1 && length <= daysMax) return undefined;
  const message = `must be from the first day on, and the report has at most ${daysMax} days`;
  return invalidRequest([{ pointer: "/query/to", message }]);
}
