import type { Database } from "#/db/database.ts";
import type { Config } from "#/kernel/config/config.ts";

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
