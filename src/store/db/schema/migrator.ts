import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { pollUntil } from "#/kernel/concurrency/polling.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import { retryOnTableLock, tableWaitMsMax } from "#/store/db/retry-on-conflict.ts";

/** An arbitrary number that nothing else in the database locks on; the same on all nodes. */
const migrationLock = 7_233_042_026;
const lockPollMs = 100;
const lockWaitMsMax = 10 * minuteMs;
const indexWaitMsMax = 10 * minuteMs;

export interface MigrationReport {
  readonly applied: readonly string[];
  /** Migrations of a newer release on whose schema this release can run. */
  readonly ahead: readonly string[];
  readonly version: string;
  /** The forms of the schema that older releases cannot read may be written (`finalizeSchema`). */
  readonly isFinalized: boolean;
}

interface Migration {
  readonly name: string;
  readonly text: string;
  readonly sha256: string;
  /**
   * Number of the oldest migration whose release runs on the schema that this migration makes; null where the file does
   * not declare it.
   */
  readonly beside: number | null;
  /** The file says `-- finalize`: once the schema is finalized, no release without this migration runs on it. */
  readonly isFinalizable: boolean;
}

export interface AppliedMigration {
  readonly name: string;
  readonly beside: number | null;
}

/** `-- beside: 0027`: releases that know the migrations up to this number run on the schema that the file makes. */
const besideMark = /^-- beside: (\d{4})$/m;
const finalizeMark = /^-- finalize$/m;
/** `-- when finalized: why` above a statement: it runs when no older release does, for example drops their indexes. */
const laterMark = /^when finalized: \S/;

export const isForLater = ({ comments }: FileStatement) => comments.some((comment) => laterMark.test(comment));

const numberOf = (name: string) => Number(name.slice(0, 4));

interface SchemaComparison {
  /** The migrations that the database has and the release does not know. */
  readonly ahead: readonly string[];
  /** Why the release cannot run on this schema, and what the operator can do. */
  readonly fault: { readonly text: string; readonly advice: string } | undefined;
}

/** Compares the migrations of a database with those of a release. */
export function compareSchema(
  known: readonly Pick<Migration, "name">[],
  applied: readonly AppliedMigration[],
): SchemaComparison {
  const names = new Set(known.map(({ name }) => name));
  const newest = known.length;
  const ahead = applied.filter(({ name }) => !names.has(name)).sort((a, b) => (a.name < b.name ? -1 : 1));
  // A migration with one of our numbers under another name does not belong to a release after this one.
  const isBeside = ({ name, beside }: AppliedMigration) =>
    numberOf(name) > newest && beside !== null && beside <= newest;
  const unsupported = ahead.find((appliedMigration) => !isBeside(appliedMigration))?.name;
  return {
    ahead: ahead.map(({ name }) => name),
    fault: unsupported === undefined ? undefined : faultOf(unsupported, newest),
  };
}

/** A number of this release under another name is of a release before 0.2.0. */
function faultOf(unsupported: string, newest: number) {
  const text = `the database has migration ${unsupported}`;
  return numberOf(unsupported) <= newest
    ? {
        text: `${text} of a release before 0.2.0, from which there is no upgrade`,
        advice: "start with an empty database, or with another CROSSDOCK_DATA_DIR where PostgreSQL is embedded",
      }
    : {
        text: `${text}, which this release does not know and cannot run with`,
        advice: "start the release that has it",
      };
}

/**
 * Reads the migrations of a folder, in order of their four-digit numbers. Throws when a number is missing or duplicate.
 */
export async function readMigrations(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name)).sort();
  return Promise.all(
    names.map(async (name, i) => {
      if (numberOf(name) !== i + 1) throw new Error(`migrations must be numbered without holes: ${name}`);
      const text = await readFile(path.join(folder, name), "utf8");
      const beside = besideMark.exec(text)?.[1];
      const sha256 = createHash("sha256").update(text).digest("hex");
      const isFinalizable = finalizeMark.test(text);
      return { name, text, sha256, beside: beside === undefined ? null : Number(beside), isFinalizable };
    }),
  );
}

/**
 * Brings the schema up to date, once, however many nodes start at the same time: one transaction per file, numbered and
 * forward only. The lock is polled with pg_try_advisory_lock, because waiting inside pg_advisory_lock holds a snapshot
 * that `create index concurrently` waits for in turn. A file that opens with `-- no-transaction` runs outside a
 * transaction, statement by statement. After an interruption it runs again from its beginning: each statement says `if
 * not exists`.
 *
 * A release accepts a database that a newer release has migrated where the newer migrations say so (`-- beside:`). A
 * node of the previous release that crashes in the middle of a roll-out can therefore restart. A new database is
 * finalized at once: no older release runs on it.
 *
 * @throws when an applied file has changed since, or when the database has a migration on whose schema this release
 * cannot run.
 */
export async function migrate(
  url: string,
  folder: string,
  options: { readonly afterwards?: (client: pg.Client) => Promise<void> } = {},
): Promise<MigrationReport> {
  const migrations = await readMigrations(folder);
  return withSchemaLock(url, async (client) => {
    const known = await readApplied(client);
    const { ahead, fault } = compareSchema(migrations, [...known.values()]);
    if (fault !== undefined) throw new Error(`${fault.text}; ${fault.advice}`);
    const applied: string[] = [];
    for (const migration of migrations) {
      const before = known.get(migration.name)?.sha256;
      if (before === undefined) {
        await apply(client, migration);
        applied.push(migration.name);
      } else if (before !== migration.sha256) {
        throw new Error(`migration ${migration.name} was changed after it was applied; add a new one instead`);
      }
    }
    if (known.size === 0) await finalize(client, migrations);
    await options.afterwards?.(client);
    return {
      applied,
      ahead,
      version: ahead.at(-1) ?? migrations.at(-1)?.name ?? "",
      isFinalized: known.size === 0 || isFinalized(migrations, [...known.values()]),
    };
  });
}

/** Whether each migration of the release that can be finalized is. */
export function isFinalized(
  migrations: readonly Pick<Migration, "name" | "isFinalizable">[],
  applied: readonly AppliedMigration[],
): boolean {
  const besides = new Map(applied.map(({ name, beside }) => [name, beside]));
  return migrations.every(({ name, isFinalizable }) => !isFinalizable || besides.get(name) === numberOf(name));
}

/**
 * Ends a roll-out: no release without the migrations that say `-- finalize` starts on the schema from now on, and
 * processes that start from now on write forms that such a release cannot read. The caller knows that none of its
 * processes runs any more. Statements that say `-- when finalized:` run before the mark of their file, so that an interrupted command runs them again.
 */
export async function finalizeSchema(url: string, folder: string): Promise<void> {
  const migrations = await readMigrations(folder);
  await withSchemaLock(url, (client) => finalize(client, migrations));
}

async function finalize(client: pg.Client, migrations: readonly Migration[]): Promise<void> {
  const applied = [...(await readApplied(client)).values()];
  for (const migration of migrations) {
    if (isFinalized([migration], applied)) continue;
    const { name, text } = migration;
    for (const later of splitStatements(text).filter(isForLater))
      await retryOnTableLock(() => client.query(later.text));
    await client.query("update schema_migration set beside = $2 where name = $1", [name, numberOf(name)]);
  }
}

type KnownMigration = AppliedMigration & { readonly sha256: string };

/** Read as JSON, because the table lacks the column `beside` when an older release has created it. */
const readKnown = `select name, sha256, (to_jsonb(m) ->> 'beside')::int as beside, to_jsonb(m) ? 'beside' as has_beside
  from schema_migration m order by name limit 10000`;

async function readApplied(client: pg.Client): Promise<Map<string, KnownMigration>> {
  await client.query(`create table if not exists schema_migration (
    name text primary key, sha256 text not null, applied_at timestamptz not null default now(), beside smallint)`);
  const { rows } = await client.query<KnownMigration & { has_beside: boolean }>(readKnown);
  if (rows.some(({ has_beside }) => !has_beside)) {
    await client.query("alter table schema_migration add column if not exists beside smallint");
  }
  return new Map(rows.map((row) => [row.name, row]));
}

/**
 * Runs a schema change on a separate connection, alone in the whole deployment. Two nodes that change one table's entry
 * in the catalogue at the same moment fail with "tuple concurrently updated".
 */
export async function withSchemaLock<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "crossdock schema",
    connectionTimeoutMillis: 5_000,
    options: `-c TimeZone=UTC -c client_min_messages=warning -c lock_timeout=${tableWaitMsMax}`,
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
  const probe = async () => {
    const { rows } = await client.query<{ taken: boolean }>("select pg_try_advisory_lock($1) as taken", [
      migrationLock,
    ]);
    return rows[0]?.taken || undefined;
  };
  if (!(await pollUntil(probe, { everyMs: lockPollMs, msMax: lockWaitMsMax }))) {
    throw new Error("another node has held the migration lock for ten minutes");
  }
}

async function apply(client: pg.Client, migration: Migration): Promise<void> {
  try {
    if (migration.text.startsWith("-- no-transaction")) await applyOneByOne(client, migration);
    else await applyInOne(client, migration);
  } catch (error) {
    throw new Error(`migration ${migration.name} failed: ${(error as Error).message}`, { cause: error });
  }
}

const statementsOf = ({ text }: Migration) => splitStatements(text).filter((statement) => !isForLater(statement));

/**
 * Applies the migration in one transaction, and retries until its tables are not locked. Citus refuses a message of
 * several statements that alters a distributed table.
 */
function applyInOne(client: pg.Client, migration: Migration): Promise<void> {
  return retryOnTableLock(async () => {
    try {
      await client.query("begin");
      for (const { text } of statementsOf(migration)) await client.query(text);
      await note(client, migration);
      await client.query("commit");
    } catch (error) {
      await client.query("rollback").catch(() => {});
      throw error;
    }
  });
}

async function applyOneByOne(client: pg.Client, migration: Migration): Promise<void> {
  for (const { text } of statementsOf(migration)) {
    const index = indexStatement.exec(text)?.groups as IndexStatement | undefined;
    if (index === undefined) await retryOnTableLock(() => client.query(text));
    else if (await isPartitioned(client, index.table)) await buildByPartition(client, index);
    else await buildIndex(client, index.name, text);
  }
  await note(client, migration);
}

const indexStatement =
  /^create (?<unique>unique )?index concurrently if not exists (?<name>\w+)\s+on (?<table>\w+)\s+(?<rest>[\s\S]+)$/;

interface IndexStatement {
  readonly unique: string | undefined;
  readonly name: string;
  readonly table: string;
  /** From the columns on. */
  readonly rest: string;
}

/** Builds an index concurrently: that blocks no other statement, but waits for every older transaction. */
async function buildIndex(client: pg.Client, name: string, text: string): Promise<void> {
  await dropUnfinished(client, name);
  await client.query(`set lock_timeout = ${indexWaitMsMax}`);
  try {
    await client.query(text);
  } finally {
    await client.query("reset lock_timeout");
  }
}

/**
 * PostgreSQL cannot build the index of a partitioned table concurrently. It is built partition by partition, and each is
 * attached to an index of the parent alone, which is complete with the last one. A partition that is made meanwhile has
 * the index from its beginning.
 */
async function buildByPartition(client: pg.Client, { unique = "", name, table, rest }: IndexStatement): Promise<void> {
  await retryOnTableLock(() => client.query(`create ${unique}index if not exists ${name} on only ${table} ${rest}`));
  const { rows } = await client.query<{ partition: string }>(
    `select c.relname as partition from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = $1::regclass and not exists (
       select from pg_inherits x join pg_index p on p.indexrelid = x.inhrelid
       where x.inhparent = $2::regclass and p.indrelid = c.oid)
     order by 1 limit 10000`,
    [table, name],
  );
  for (const { partition } of rows) {
    const part = `${name}_${partition.slice(table.length + 1)}`;
    await buildIndex(client, part, `create ${unique}index concurrently if not exists ${part} on ${partition} ${rest}`);
    await retryOnTableLock(() => client.query(`alter index ${name} attach partition ${part}`));
  }
}

async function isPartitioned(client: pg.Client, table: string): Promise<boolean> {
  const { rows } = await client.query("select from pg_class where oid = to_regclass($1) and relkind = 'p'", [table]);
  return rows.length > 0;
}

/** An interrupted build leaves an invalid index, which PostgreSQL maintains but does not use. */
async function dropUnfinished(client: pg.Client, name: string): Promise<void> {
  const { rows } = await client.query(
    "select from pg_index i where i.indexrelid = to_regclass($1) and not i.indisvalid",
    [name],
  );
  if (rows.length > 0) await client.query(`drop index concurrently ${name}`);
}

async function note(client: pg.Client, { name, sha256, beside }: Migration): Promise<void> {
  await client.query("insert into schema_migration (name, sha256, beside) values ($1, $2, $3)", [name, sha256, beside]);
}

/** One statement of an SQL file, with the comments above it. */
export interface FileStatement {
  /** Without comments; spaces unchanged. */
  readonly text: string;
  /** The comment lines above and in it, without their dashes. */
  readonly comments: readonly string[];
}

/**
 * Tokens in which a semicolon does not end a statement: comments, string literals, quoted identifiers, and
 * dollar-quoted bodies.
 */
const token = /--([^\n]*)|\/\*[\s\S]*?\*\/|'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$)[\s\S]*?\2|;/g;

/** The statements of a file, in order. */
export function splitStatements(file: string): FileStatement[] {
  const statements: FileStatement[] = [];
  let text = "";
  let comments: string[] = [];
  const end = () => {
    if (text.trim() !== "") {
      statements.push({ text: text.trim(), comments });
      comments = [];
    }
    text = "";
  };
  let from = 0;
  for (const match of file.matchAll(token)) {
    const [found, comment] = match;
    text += file.slice(from, match.index);
    from = match.index + found.length;
    if (found === ";") end();
    else if (comment !== undefined) comments.push(comment.trim());
    else if (!found.startsWith("/*")) text += found;
  }
  text += file.slice(from);
  end();
  return statements;
}
