import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Onboarding } from "#/modules/clients/index.ts";

/** What a newcomer starts with: the demo client's credentials, and the first user of the console. */
export interface DemoCredentials extends Onboarding {
  /** Missing where the name was taken, or the demo is older than the console. */
  readonly console?: { readonly username: string; readonly password: string };
}

/** The demo client's credentials are shown whenever they are asked for, so they are kept in the data directory, unlike real ones. */
export function readDemoCredentials(dataDir: string): DemoCredentials | undefined {
  const file = demoCredentialsFile(dataDir);
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as DemoCredentials) : undefined;
}

export function keepDemoCredentials(dataDir: string, credentials: DemoCredentials): void {
  mkdirSync(dataDir, { recursive: true });
  const unfinished = `${demoCredentialsFile(dataDir)}.${process.pid}`;
  writeFileSync(unfinished, `${JSON.stringify(credentials, undefined, 2)}\n`, { mode: 0o600, flush: true });
  renameSync(unfinished, demoCredentialsFile(dataDir));
}

/** Readable by its owner alone. */
export function demoCredentialsFile(dataDir: string): string {
  return path.join(dataDir, "demo-credentials.json");
}
