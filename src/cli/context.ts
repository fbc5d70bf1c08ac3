/** The context of a command: the configuration, and the server's database, whether or not a server is running. */
import { readFileSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { resolve } from "node:path";
import { bringUpToDate, openStore, type Store } from "#/app/roles/store.ts";
import { type Outcome, type Refusal, refuse } from "#/cli/command.ts";
import { interruptible } from "#/cli/interruption.ts";
import { type Clock, systemClock } from "#/kernel/clock.ts";
import { type Config, describeConfigFaults, loadConfig } from "#/kernel/config/config.ts";
import { ok, type Result } from "#/kernel/result.ts";
import { createIds, type Ids } from "#/kernel/values/ids.ts";
import { notifyChange } from "#/modules/clients/notice.ts";
import type { Change } from "#/store/db/audit.ts";
import { type Database, openDatabase, type Transaction, type TransactionOptions } from "#/store/db/database.ts";
import type { MigrationReport } from "#/store/db/schema/migrator.ts";

const connectionsMax = 8;

export interface Platform {
  readonly config: Config;
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  /** For schema changes: they take locks, which a connection pooler loses. */
  readonly directUrl: string;
  /** The result of the migration to the current schema. */
  readonly migration: MigrationReport;
  /** Runs `work` in one transaction, in the name of the user at the terminal, and notifies running servers at once. */
  change<Value>(
    work: (tx: Transaction, change: Change) => Promise<Result<Value, string | { readonly detail: string }>>,
    options?: TransactionOptions,
  ): Promise<Result<Value, Refusal>>;
}

export function readConfig(): Result<Config, Refusal> {
  const loaded = loadConfig(process.env, {
    cwd: process.cwd(),
    readFile: (path) => readFileSync(path, "utf8"),
    isTerminal: process.stdout.isTTY === true,
  });
  return loaded.ok ? loaded : refuse(`the configuration is wrong:\n${describeConfigFaults(loaded.fault)}`);
}

/** Opens all resources, migrates the schema, runs `work`, and closes all resources, also after errors and signals. */
export async function withPlatform(work: (platform: Platform) => Promise<Outcome>): Promise<Outcome> {
  const config = readConfig();
  if (!config.ok) return config;
  let store: Store | undefined;
  let database: Database | undefined;
  return interruptible(
    async () => {
      store = await openStore(config.value);
      const migration = await bringUpToDate(store, systemClock);
      database = openDatabase({
        url: store.url,
        connectionsMax,
        applicationName: "crossdock command",
        writesPacked: migration.isFinalized,
      });
      return work(platformOf(config.value, store, database, migration));
    },
    async () => {
      await database?.close();
      await store?.close();
    },
  );
}

function platformOf(config: Config, { directUrl }: Store, database: Database, migration: MigrationReport): Platform {
  const clock = systemClock;
  const ids = createIds(clock);
  return {
    config,
    database,
    clock,
    ids,
    directUrl,
    migration,
    async change(work, options) {
      const change: Change = {
        actor: actorOfTerminal(),
        origin: hostname(),
        at: new Date(clock.now()).toISOString(),
        ids,
      };
      const result = await database.transaction((tx) => work(tx, change), options);
      if (!result.ok) return refuse(typeof result.fault === "string" ? result.fault : result.fault.detail);
      await notifyChange(database);
      return ok(result.value);
    },
  };
}

/** The user at the terminal in the audit log; a number where the system has no name for it. */
export function actorOfTerminal(): string {
  try {
    return `cli:${userInfo().username}`;
  } catch {
    return `cli:${process.getuid?.() ?? "unknown"}`;
  }
}

/**
 * Resolves a path relative to the caller's folder: scripts/run.mjs runs the program in the project's folder and passes
 * the caller's.
 */
export function callersPath(path: string): string {
  return resolve(process.env.INIT_CWD ?? process.cwd(), path);
}

/** Reads a file that the command line names. */
export function readCallersFile(path: string): Result<Buffer, Refusal> {
  try {
    return ok(readFileSync(path === "-" ? process.stdin.fd : callersPath(path)));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why = code === "ENOENT" ? "does not exist" : code === "EISDIR" ? "is a folder" : `cannot be read (${code})`;
    return refuse(`${callersPath(path)} ${why}`);
  }
}
