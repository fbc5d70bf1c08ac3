import type { Database } from "#/db/database.ts";
import type { Config } from "#/kernel/config/config.ts";

/** One line of `doctor`. */
export interface Check {
  readonly name: string;
  readonly status: "ok" | "warn" | "fail";
  readonly text: string;
  /** What to do, where it is not ok. */
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

/** What is asked of the database, in the order in which it is told; those behind the schema need one that is there. */
export interface Asked {
  readonly database: Database;
  readonly config: Config;
  readonly nowMs: number;
}

export interface CheckGroup {
  /** Stands for the group where it cannot be asked. */
  readonly name: string;
  run(): Promise<readonly Check[]>;
}
