// The passwords of PostgreSQL's two roles, created once and stored next to the database.
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import type { Place } from "./place.ts";

/** 256 random bits each, in characters that need no quoting in SQL or in a URL. */
export interface Credentials {
  /** Password of `postgres`, PostgreSQL's superuser: for an operator with a problem, never used by the program. */
  readonly superuser: string;
  /** Password of `crossdock`, which owns the database and nothing else. */
  readonly application: string;
}

/** @throws when a database exists, but its passwords are gone */
export function loadOrMakeCredentials({ credentials, files }: Place): Credentials {
  if (existsSync(credentials)) return JSON.parse(readFileSync(credentials, "utf8")) as Credentials;
  if (existsSync(files)) {
    throw new Error(
      `${credentials} is missing, without which the database in ${files} cannot be opened: restore it from a backup, or move both away to start with an empty database`,
    );
  }
  const made = { superuser: randomBytes(32).toString("base64url"), application: randomBytes(32).toString("base64url") };
  const unfinished = `${credentials}.new`;
  rmSync(unfinished, { force: true });
  writeFileSync(unfinished, `${JSON.stringify(made, undefined, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(unfinished, credentials);
  return made;
}
