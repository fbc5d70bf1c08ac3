import type { Config } from "#/kernel/config/config.ts";
import type { Database } from "#/store/db/database.ts";

/** One line of `doctor`. */
export interface Check {
  readonly name: string;
  readonly status: "ok" | "warn" | "fail";
  readonly text: string;
  /** The remedy, where the status is not ok. */
  readonly advice?: string;
}

export function good(name: string, text: string): Check {
  return { name, status: "ok", text };
}

export function doubtful(name: string, text: string, advice: string): Check {
  return { name, status: "warn", text, advice };
}

export function bad(name: string, text: string, advice: string): Check {
  return { name, status: "fail", text, advice };
}

/** A finding of which the remedy is known: `fail` and `warn` say whether it is needed. */
export function rated(
  name: string,
  text: string,
  advice: string,
  { fail = false, warn = false }: { readonly fail?: boolean; readonly warn?: boolean },
): Check {
  if (fail) return bad(name, text, advice);
  return warn ? doubtful(name, text, advice) : good(name, text);
}

/** The context of the database checks, which run in the order of the output; those after the schema check need a schema. */
export interface Asked {
  readonly database: Database;
  readonly config: Config;
  readonly nowMs: number;
}

export interface CheckGroup {
  /** Names the group where its check fails. */
  readonly name: string;
  run(): Promise<readonly Check[]>;
}

// Formats amounts and times for people.

export function sizeOf(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  let amount = bytes;
  let unit = 0;
  while (Math.abs(amount) >= 1024 && unit < units.length - 1) {
    amount /= 1024;
    unit++;
  }
  return `${unit === 0 ? amount : amount.toFixed(1)} ${units[unit]}`;
}

/** The largest whole unit: `90 s`, `12 min`, `3 h`, `4 days`. */
export function timeOf(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} days`;
}
