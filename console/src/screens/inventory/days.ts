import { dayMs } from "../../durations.ts";

/** The day so many days after a day, `YYYY-MM-DD`. */
export const dayAfter = (day: string, days = 1): string =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
