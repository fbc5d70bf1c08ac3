/**
 * A moment of the store, in microseconds since 1970, as text that the store can parse: ISO 8601 UTC, in full or with
 * milliseconds.
 */
export function instantOf(us: number, order: "timestamptz" | "text"): string {
  const milliseconds = new Date(Math.floor(us / 1000)).toISOString();
  if (order === "text") return milliseconds;
  return milliseconds.replace("Z", `${String(us % 1000).padStart(3, "0")}Z`);
}

/** @param moment ISO 8601 with at most milliseconds, as the clock returns it. */
export const microsecondsOf = (moment: string): number => Date.parse(moment) * 1000;
