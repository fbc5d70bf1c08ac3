import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** Any number that nothing else in the database locks on; the same on all nodes. */
const migrationLock = 7_233_042_026;
const lockPollMs = 100;
const lockWaitMsMax = 10 * 60_000;

export interface MigrationReport {
  readonly applied: readonly string[];
  readonly version: string;
}

export interface Migration {
  readonly name: string;
  readonly text: string;
  readonly sha256: string;
}

/** The migrations of a folder, in order of their four-digit numbers. Throws when a number is missing or doubled. */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name, i) => {
      if (Number(name.slice(0, 4)) !== i + 1) throw new Error(`migrations must be numbered without holes: ${name}`);
      const text = await readFile(path.join(folder, name), "utf8");
      return { name, text, sha256: createHash("sha256").update(text).digest("hex") };
    }),
  );
}

/**
 * Brings the schema up to date, once, however many nodes start at the same time: one transaction a file, numbered and
 * forward only. The lock is polled with pg_try_advisory_lock, because waiting inside pg_advisory_lock holds a snapshot
 * that `create index concurrently` waits for in turn. A file that opens with `-- no-transaction` runs outside one.
 *
 * @throws when an applied file has changed since, or when the database was migrated by a newer release.
 */
export async function migrate(
  url: string,
  folder: string,
  options: { readonly afterwards?: (client: pg.Client) => Promise<void> } = {},
): Promise<MigrationReport> {
  const migrations = await readMigrations(folder);
  return withSchemaLock(url, async (client) => {
    await client.query(`create table if not exists schema_migration (
      name text primary key, sha256 text not null, applied_at timestamptz not null default now())`);
    const known = new Map(
      (
        await client.query<{ name: string; sha256: string }>("select name, sha256 from schema_migration limit 10000")
      ).rows.map((row) => [row.name, row.sha256]),
    );
    const applied: string[] = [];
    for (const migration of migrations) {
      const before = known.get(migration.name);
      known.delete(migration.name);
      if (before === undefined) {
        await apply(client, migration);
        applied.push(migration.name);
      } else if (before !== migration.sha256) {
        throw new Error(`migration ${migration.name} was changed after it had been applied; add a new one instead`);
      }
    }
    const [newer] = known.keys();
    if (newer)
      throw new Error(`the database has migration ${newer}, which this release does not know; start a newer release`);
    await options.afterwards?.(client);
    return { applied, version: migrations.at(-1)?.name ?? "" };
  });
}

/**
 * Runs what changes the schema on a connection of its own, alone in the whole deployment: two nodes that change one
 * table's entry in the catalogue at the same moment fail with "tuple concurrently updated".
 */
export async function withSchemaLock<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "crossdock schema",
    connectionTimeoutMillis: 5_000,
    options: "-c TimeZone=UTC -c client_min_messages=warning -c lock_timeout=5s",
  });
  client.on("error", () => {});
  await client.connect();
  try {
    await takeLock(client);
    return await work(client);
  } finally {
    await client.end();
  }
}

async function takeLock(client: pg.Client): Promise<void> {
  const until = Date.now() + lockWaitMsMax;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
      migrationLock,
    ]);
    if (rows[0]?.taken) return;
    if (Date.now() > until) throw new Error("another node has held the migration lock for ten minutes");
    await sleep(lockPollMs);
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  const note = "insert into schema_migration (name, sha256) values ($1, $2)";
  const isOutside = migration.text.startsWith("-- no-transaction");
  try {
    if (!isOutside) await client.query("begin");
    await client.query(migration.text);
    await client.query(note, [migration.name, migration.sha256]);
    if (!isOutside) await client.query("commit");
  } catch (error) {
    if (!isOutside) await client.query("rollback").catch(() => {});
    throw new Error(`migration ${migration.name} failed: ${(error as Error).message}`, { cause: error });
  }
}
