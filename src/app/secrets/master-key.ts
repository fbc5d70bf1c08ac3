import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Config } from "#/kernel/config/config.ts";

/** The master key: configured, or created once in the data directory, readable only by this user. */
export function masterKeyOf({ secret, dataDir }: Config): string {
  if (secret !== undefined) return secret;
  const file = path.join(dataDir, "secret");
  if (existsSync(file)) return readFileSync(file, "utf8").trim();
  mkdirSync(dataDir, { recursive: true });
  const made = randomBytes(32).toString("base64url");
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${made}\n`, { mode: 0o600, flush: true });
  renameSync(unfinished, file);
  return made;
}
