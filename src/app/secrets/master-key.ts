import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Config } from "#/kernel/config/config.ts";

/** The master key that is configured, or was created in the data directory. */
export function findMasterKey({ secret, dataDir }: Config): string | undefined {
  const file = path.join(dataDir, "secret");
  return secret ?? (existsSync(file) ? readFileSync(file, "utf8").trim() : undefined);
}

/** The master key: configured, or created once in the data directory, readable only by this user. */
export function masterKeyOf(config: Config): string {
  const { dataDir } = config;
  const known = findMasterKey(config);
  if (known !== undefined) return known;
  const file = path.join(dataDir, "secret");
  mkdirSync(dataDir, { recursive: true });
  const made = randomBytes(32).toString("base64url");
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, `${made}\n`, { mode: 0o600, flush: true });
  renameSync(unfinished, file);
  return made;
}
