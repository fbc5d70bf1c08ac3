import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Onboarding } from "#/modules/clients/index.ts";

/** The demo client's credentials are printed at every start, so they are kept in the data directory, unlike real ones. */
export function readDemoCredentials(dataDir: string): Onboarding | undefined {
  const file = fileOf(dataDir);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Onboarding) : undefined;
}

export function keepDemoCredentials(dataDir: string, credentials: Onboarding): void {
  mkdirSync(dataDir, { recursive: true });
  const unfinished = `${fileOf(dataDir)}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(credentials, undefined, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(unfinished, fileOf(dataDir));
}

function fileOf(dataDir: string): string {
  return path.join(dataDir, "demo-credentials.json");
}
