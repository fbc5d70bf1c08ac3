import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Onboarding } from "#/modules/clients/index.ts";

/** Credentials for a new user: those of the demo client, and the first user of the console. */
export interface DemoCredentials extends Onboarding {
  /** Missing if the user name was taken, or if the demo is older than the console. */
  readonly console?: { readonly username: string; readonly password: string };
}

/**
 * Reads the demo client's credentials. They are shown on request, so they are stored in the data directory, unlike real
 * ones.
 */
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

/** The file is readable by its owner only. */
export function demoCredentialsFile(dataDir: string): string {
  return path.join(dataDir, "demo-credentials.json");
}
