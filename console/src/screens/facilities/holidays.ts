import { dayMs } from "../../durations.ts";

/** A day without work, as the setting `holidays` has it: `2026-12-25:Christmas Day,2026-12-26`. */
export interface Holiday {
  /** `2026-12-25` */
  readonly day: string;
  readonly name: string;
}

export function holidaysOf(text: string): readonly Holiday[] {
  if (text.trim() === "") return [];
  return text.split(",").map((entry) => {
    const [day = "", ...name] = entry.trim().split(":");
    return { day, name: name.join(":") };
  });
}

export const holidaysText = (holidays: readonly Holiday[]): string =>
  holidays.map(({ day, name }) => (name === "" ? day : `${day}:${name}`)).join(",");

const daysMax = 366;

/**
 * The holidays with a range of days. A day that is there already gets the new name. The setting separates days by
 * commas, so a name has none.
 *
 * @param last the same day, where the range is a single one
 */
export function withHolidays(
  holidays: readonly Holiday[],
  { first, last, name }: { readonly first: string; readonly last: string; readonly name: string },
): readonly Holiday[] {
  const [from, to] = [Date.parse(`${first}T00:00:00Z`), Date.parse(`${last}T00:00:00Z`)];
  if (!(from <= to)) throw new Error("The last day is before the first.");
  if (to - from >= daysMax * dayMs) throw new Error("Choose at most a year.");
  const days = Array.from({ length: (to - from) / dayMs + 1 }, (_, i) =>
    new Date(from + i * dayMs).toISOString().slice(0, 10),
  );
  const others = holidays.filter(({ day }) => !days.includes(day));
  return [...others, ...days.map((day) => ({ day, name: name.replaceAll(",", " ").trim() }))].sort((left, right) =>
    left.day < right.day ? -1 : 1,
  );
}

/** The weeks of a month from Monday to Sunday, of days such as `2026-12-25`; null beside the month. @param month `2026-12` */
export function weeksOf(month: string): readonly (readonly (string | null)[])[] {
  const first = new Date(`${month}-01T00:00:00Z`);
  const lead = (first.getUTCDay() + 6) % 7;
  const length = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0)).getUTCDate();
  const cells = Array.from({ length: Math.ceil((lead + length) / 7) * 7 }, (_, i) => {
    const day = i - lead + 1;
    return day < 1 || day > length ? null : `${month}-${String(day).padStart(2, "0")}`;
  });
  return Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));
}
