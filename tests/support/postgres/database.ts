import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { type Database, type DatabaseOptions, openDatabase } from "#/store/db/database.ts";
import { startEmbedded } from "#/store/db/embedded/index.ts";
import { migrate, readMigrations } from "#/store/db/schema/migrator.ts";
import { sql } from "#/store/db/sql.ts";
import { atEnd } from "../app/at-end.ts";
import { makeMonths } from "../app/months.ts";
import { createOnCitus, dropOnCitus } from "./citus-database.ts";

const migrationsFolder = fileURLToPath(new URL("../../../migrations", import.meta.url));

/**
 * Queries of the tests themselves, bulk inserts included, get more time on a busy machine than the program's queries.
 */
const patience = { statementTimeoutMs: 30_000, connectTimeoutMs: 30_000 };

/**
 * Limits of a transaction that waits for a lock, because the test has many at once or holds the lock itself. On a slow
 * machine it waits longer than the program's limit of one second.
 */
export const patient = { lockTimeoutMs: 20_000 };

/** The same database with patient transactions, for code that opens them itself. */
export const patiently = (database: Database): Database => ({
  ...database,
  transaction: (work, limits) => database.transaction(work, { ...limits, ...patient }),
});

/** For a transaction that is idle while the test waits for others, possibly longer than the store allows. */
export const restsLong = sql`set local idle_in_transaction_session_timeout = 0`;

/** Two databases may be created in the same millisecond. */
let made = 0;

export interface TestDatabase {
  /** URL of a database for this test file alone, migrated and empty. */
  readonly url: string;
  readonly database: Database;
}

export interface TestDatabaseOptions extends Partial<DatabaseOptions> {
  /** For tests of plans, partitions or the catalogue of one PostgreSQL. The others run on Citus if it is available. */
  readonly engine?: "postgresql";
}

/**
 * A database for this test file, cloned from a template that is migrated once per state of the migrations. All test
 * files share one PostgreSQL, which the last of them stops. Await it at the top of a file, not in a hook: its cleanup
 * belongs to the file.
 */
export async function testDatabase({ engine, ...options }: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const name = `t_${process.pid}_${Date.now().toString(36)}_${++made}`;
  const citusUrl = process.env.CROSSDOCK_TEST_CITUS_URL;
  if (citusUrl !== undefined && engine !== "postgresql") return onCitus(citusUrl, name, options);
  const { url: serverUrl, stop } = await testServer();
  const template = await makeTemplate(serverUrl);
  // Copying files takes 0.1 s; the default strategy logs each page, which takes 0.45 s.
  await withAdmin(serverUrl, (admin) => admin.query(`create database ${name} template ${template} strategy file_copy`));
  const url = databaseUrl(serverUrl, name);
  // The first session of a database fills its caches. Several concurrent sessions repeat that work, within the
  // program's time limits.
  await withAdmin(url, (first) => first.query("select"));
  const database = openDatabase({
    url,
    connectionsMax: 10,
    applicationName: "crossdock test",
    ...patience,
    ...options,
  });
  atEnd(async () => {
    await database.close();
    try {
      await drop(serverUrl, name);
    } finally {
      await stop();
    }
  });
  return { url, database };
}

/** A distributed database on the Citus of CROSSDOCK_TEST_CITUS_URL. */
async function onCitus(citusUrl: string, name: string, options: Partial<DatabaseOptions>): Promise<TestDatabase> {
  const url = await createOnCitus(citusUrl, name);
  const database = openDatabase({
    url,
    connectionsMax: 10,
    applicationName: "crossdock test",
    ...patience,
    ...options,
  });
  atEnd(async () => {
    await database.close();
    await dropOnCitus(citusUrl, name);
  });
  return { url, database };
}

/**
 * Terminates remaining sessions by force. An autovacuum worker belongs to the superuser and cannot be terminated so.
 * The plain form cancels it, and ends no other session.
 */
async function drop(serverUrl: string, name: string): Promise<void> {
  const isInTheWay = (error: unknown) => ["42501", "55006"].includes((error as { code?: string }).code ?? "");
  for (let attempt = 1; ; attempt++) {
    const form = attempt % 2 === 1 ? "with (force)" : "";
    try {
      await withAdmin(serverUrl, (admin) => admin.query(`drop database if exists ${name} ${form}`));
      return;
    } catch (error) {
      if (attempt === 50 || !isInTheWay(error)) throw error;
      await sleep(100);
    }
  }
}

/** The folder of the shared PostgreSQL; the runner sets it. */
export const dataDirVariable = "CROSSDOCK_TEST_DATA_DIR";

/** The PostgreSQL shared by the tests, or the one of CROSSDOCK_TEST_POSTGRES_URL. */
export async function testServer(): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const url = process.env.CROSSDOCK_TEST_POSTGRES_URL;
  if (url !== undefined) return { url, stop: async () => {} };
  const dataDir =
    process.env[dataDirVariable] ?? path.join(os.tmpdir(), `crossdock-test-${process.getuid?.() ?? "user"}`);
  // Traversable by the unprivileged user that PostgreSQL runs as when the tests run as root.
  mkdirSync(dataDir, { recursive: true, mode: 0o711 });
  // Tests need no durability; its cost is measured in bench/, and its effect is tested in tests/faults. Up to four files
  // run at a time, each with up to four nodes of 50 to 70 connections on slow machines.
  return startEmbedded({ dataDir, settings: { fsync: "off", max_connections: "1000" } });
}

export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function withAdmin<T>(url: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: url, connectionTimeoutMillis: 30_000 });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

async function makeTemplate(serverUrl: string): Promise<string> {
  const migrations = await readMigrations(migrationsFolder);
  const month = new Date().toISOString().slice(0, 7);
  const state = createHash("sha256")
    .update(`${migrations.map(({ sha256 }) => sha256).join()} ${month} ${makeMonths}`)
    .digest("hex")
    .slice(0, 12);
  const template = `template_${state}`;
  await withAdmin(serverUrl, async (admin) => {
    await admin.query("select pg_advisory_lock(815)");
    const { rowCount } = await admin.query("select from pg_database where datname = $1", [template]);
    if (rowCount) return;
    const making = `making_${state}`;
    await admin.query(`drop database if exists ${making} with (force)`);
    await admin.query(`create database ${making}`);
    await migrate(databaseUrl(serverUrl, making), migrationsFolder, {
      afterwards: makeMonths,
    });
    // Renamed only when complete, so that an interrupted run leaves no template that looks finished.
    await admin.query(`alter database ${making} rename to ${template}`);
  });
  return template;
}
