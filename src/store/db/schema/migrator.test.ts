// Runs against a separate empty database, with folders of migrations as releases have them.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { compareSchema, finalizeSchema, migrate } from "#/store/db/schema/migrator.ts";
import { atEnd } from "../../../../tests/support/app/at-end.ts";
import { until } from "../../../../tests/support/app/until.ts";
import { databaseUrl, testServer } from "../../../../tests/support/postgres/database.ts";

const { url: serverUrl, stop } = await testServer();
atEnd(stop);
let made = 0;

async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  return client;
}

/** An empty database, dropped at the end. */
async function emptyDatabase(): Promise<string> {
  const name = `migrator_${process.pid}_${++made}`;
  const admin = await connected(serverUrl);
  await admin.query(`create database ${name}`);
  atEnd(async () => {
    // An autovacuum worker runs as the superuser, and this role may not terminate it. The test waits for it to end.
    await until(`${name} to be left`, () =>
      admin.query(`drop database if exists ${name} with (force)`).then(
        () => true,
        (error: { code?: string }) => {
          if (error.code !== "42501" && error.code !== "55006") throw error;
          return false;
        },
      ),
    );
    await admin.end();
  });
  return databaseUrl(serverUrl, name);
}

/** The migrations of a release, in order. */
function release(...texts: readonly string[]): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), "crossdock-migrations-"));
  atEnd(() => rmSync(folder, { recursive: true }));
  for (const [i, text] of texts.entries())
    writeFileSync(path.join(folder, `${String(i + 1).padStart(4, "0")}_of_${i + 1}.sql`), text);
  return folder;
}

const first = "create table thing (thing_id int primary key);";
const second = "-- beside: 0001\nalter table thing add column note text;";

test("a migration is sent statement by statement", async () => {
  const url = await emptyDatabase();
  await migrate(url, release("create table sent (text text); insert into sent select current_query();"));
  const client = await connected(url);
  assert.deepEqual((await client.query("select text from sent")).rows, [
    { text: "insert into sent select current_query()" },
  ]);
  await client.end();
});

test("a release starts on the schema of a newer compatible release, and reports the newer migrations", async () => {
  const url = await emptyDatabase();
  await migrate(url, release(first));
  assert.deepEqual(await migrate(url, release(first, second)), {
    applied: ["0002_of_2.sql"],
    ahead: [],
    version: "0002_of_2.sql",
    isFinalized: true,
  });
  assert.deepEqual(await migrate(url, release(first)), {
    applied: [],
    ahead: ["0002_of_2.sql"],
    version: "0002_of_2.sql",
    isFinalized: true,
  });
});

test("a schema that is finalized refuses the releases before; until then they run, and the old forms are written", async () => {
  const url = await emptyDatabase();
  const formed = "-- beside: 0001\n-- finalize\ncomment on table thing is 'has two forms';";
  const [older, newer] = [release(first), release(first, formed)];
  await migrate(url, older);
  assert.equal((await migrate(url, newer)).isFinalized, false);
  assert.equal((await migrate(url, newer)).isFinalized, false);
  assert.deepEqual((await migrate(url, older)).ahead, ["0002_of_2.sql"]);
  for (let i = 0; i < 2; i++) await finalizeSchema(url, newer);
  assert.equal((await migrate(url, newer)).isFinalized, true);
  await assert.rejects(migrate(url, older), /migration 0002_of_2.sql, which this release does not know/);
});

test("what only older releases use is dropped when the schema is finalized, not before", async () => {
  const url = await emptyDatabase();
  const client = await connected(url);
  const hasIndex = async () => (await client.query("select to_regclass('thing_b') as it")).rows[0]?.it !== null;
  const indexed = `${first}\ncreate index thing_b on thing (thing_id);`;
  const dropping =
    "-- beside: 0001\n-- finalize\n-- when finalized: the first release reads by it\ndrop index concurrently if exists thing_b;";
  const [older, newer] = [release(indexed), release(indexed, dropping)];
  await migrate(url, older);
  await migrate(url, newer);
  assert.equal(await hasIndex(), true);
  for (let i = 0; i < 2; i++) await finalizeSchema(url, newer);
  assert.equal(await hasIndex(), false);
  await client.query("create index thing_b on thing (thing_id)");
  await finalizeSchema(url, newer);
  assert.equal(await hasIndex(), true, "a file that is finalized does not run again");
  await client.end();
});

test("a schema is not finalized until each statement that waited for it has run", async () => {
  const url = await emptyDatabase();
  const client = await connected(url);
  const dropping = "-- beside: 0001\n-- finalize\n-- when finalized: nothing reads it\ndrop table if exists thing;";
  const newer = release(first, dropping);
  await migrate(url, release(first));
  await migrate(url, newer);
  await client.query("create view things as select * from thing");
  await assert.rejects(finalizeSchema(url, newer), /other objects depend on it/);
  assert.equal((await migrate(url, newer)).isFinalized, false);
  await client.query("drop view things");
  await finalizeSchema(url, newer);
  assert.equal((await migrate(url, newer)).isFinalized, true);
  await client.end();
});

test("a new database is finalized: no earlier release has run on it", async () => {
  const url = await emptyDatabase();
  const newer = release(first, "-- beside: 0001\n-- finalize\ncomment on table thing is 'has two forms';");
  assert.equal((await migrate(url, newer)).isFinalized, true);
  assert.equal((await migrate(url, newer)).isFinalized, true);
  await assert.rejects(migrate(url, release(first)), /which this release does not know/);
});

test("a release refuses a newer migration that does not declare it compatible", async () => {
  for (const third of ["drop table thing;", "-- beside: 0002\ndrop table thing;"]) {
    const url = await emptyDatabase();
    await migrate(url, release(first, second, third));
    await assert.rejects(migrate(url, release(first)), /migration 0003_of_3.sql, which this release does not know/);
    if (third.startsWith("--")) assert.deepEqual((await migrate(url, release(first, second))).ahead, ["0003_of_3.sql"]);
  }
});

test("a migration with a known number and another name blocks the start", () => {
  const migrations = [{ name: "0001_a.sql" }, { name: "0002_b.sql" }];
  const foreign = { name: "0002_other.sql", beside: 1 };
  const { ahead, fault } = compareSchema(migrations, [{ name: "0001_a.sql", beside: null }, foreign]);
  assert.deepEqual(ahead, ["0002_other.sql"]);
  assert.match(fault?.text ?? "", /^the database has migration 0002_other\.sql of a release before 0\.2\.0/);
});

test("a database of a release before 0.2.0 is refused and left as it is, with what the operator can do", async () => {
  const url = await emptyDatabase();
  await migrate(url, release(first));
  const client = await connected(url);
  await client.query("update schema_migration set name = '0001_tenants_and_access.sql'");
  await assert.rejects(
    migrate(url, release(first, second)),
    /0001_tenants_and_access.sql of a release before 0\.2\.0, from which there is no upgrade; start with an empty database/,
  );
  const { rows } = await client.query("select name from schema_migration");
  assert.deepEqual(rows, [{ name: "0001_tenants_and_access.sql" }]);
  await client.end();
});

test("a database that a release without such marks has migrated is brought up to date", async () => {
  const url = await emptyDatabase();
  await migrate(url, release(first));
  const client = await connected(url);
  await client.query("alter table schema_migration drop column beside");
  await client.end();
  assert.deepEqual((await migrate(url, release(first, second))).applied, ["0002_of_2.sql"]);
  assert.deepEqual((await migrate(url, release(first))).ahead, ["0002_of_2.sql"]);
});

test("an applied file that has changed is refused", async () => {
  const url = await emptyDatabase();
  await migrate(url, release(first));
  await assert.rejects(migrate(url, release(`${first} -- better`)), /0001_of_1.sql was changed after/);
});

test("nodes that start at the same time apply each migration once", async () => {
  const url = await emptyDatabase();
  const folder = release(first, second);
  const reports = await Promise.all(Array.from({ length: 4 }, () => migrate(url, folder)));
  assert.deepEqual(reports.flatMap(({ applied }) => applied).sort(), ["0001_of_1.sql", "0002_of_2.sql"]);
});

test("a migration that waits for a table in use does not block other transactions", async () => {
  const url = await emptyDatabase();
  await migrate(url, release(first));
  const reader = await connected(url);
  await reader.query("begin; select * from thing");
  const migrating = migrate(url, release(first, second));
  // The program gives up after a second in the queue after the migration. Here the store itself reports the lock
  // time-out, and sooner, because the time of a whole insert also depends on the machine.
  const other = await connected(url);
  await other.query("set lock_timeout = 900");
  // The machine may cause one lock time-out, because it stops a process for as long now and then. A migration that
  // stays in the queue keeps all inserts away.
  let keptAway = 0;
  for (const endMs = performance.now() + 4_000; performance.now() < endMs; await sleep(20)) {
    await other.query("insert into thing select coalesce(max(thing_id), 0) + 1 from thing").catch((error) => {
      assert.equal(error.code, "55P03");
      keptAway++;
    });
  }
  assert.ok(keptAway <= 1, `${keptAway} inserts gave up`);
  await reader.query("commit");
  assert.deepEqual((await migrating).applied, ["0002_of_2.sql"]);
  await Promise.all([reader.end(), other.end()]);
});

test("an index of a partitioned table is built partition by partition, blocks no writer, and goes on after an interruption", async () => {
  const url = await emptyDatabase();
  const table = "create table part (part_id int, note text) partition by range (part_id);";
  const partition = (i: number) =>
    `create table part_${i} partition of part for values from (${i * 10}) to (${i * 10 + 10});`;
  const begun = `${table}${partition(0)}${partition(1)} insert into part values (1), (11);`;
  await migrate(url, release(begun));
  const client = await connected(url);
  // The remains of an earlier run: one partition is done, and the build of another was interrupted.
  await client.query("create unique index part_note on only part (part_id, note)");
  await client.query("create unique index part_note_0 on part_0 (part_id, note)");
  await client.query("alter index part_note attach partition part_note_0");
  await client.query("insert into part values (12, 'a'), (12, 'a')");
  await assert.rejects(client.query("create unique index concurrently part_note_1 on part_1 (part_id, note)"));
  await client.query("delete from part where part_id = 12");
  const second = `-- no-transaction
-- beside: 0001
create unique index concurrently if not exists part_note
  on part (part_id, note);`;
  await client.query("begin; insert into part values (13)");
  const migrating = migrate(url, release(begun, second));
  const other = await connected(url);
  await until("the migration to wait for the writer", async () => {
    const { rowCount } = await other.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rowCount === 1;
  });
  await other.query("set lock_timeout = 2000");
  await other.query("insert into part values (14)");
  await client.query("commit");
  assert.deepEqual((await migrating).applied, ["0002_of_2.sql"]);
  const { rows } = await client.query("select indisvalid from pg_index where indexrelid = 'part_note'::regclass");
  assert.deepEqual(rows, [{ indisvalid: true }]);
  await client.query(partition(2));
  const made = await client.query("select from pg_index where indrelid = 'part_2'::regclass and indisvalid");
  assert.equal(made.rowCount, 1);
  await Promise.all([client.end(), other.end()]);
});

test("an index is built concurrently, and again after an interruption", async () => {
  const url = await emptyDatabase();
  await migrate(url, release(first, "insert into thing values (1), (2);"));
  const client = await connected(url);
  // The remains of a failed index build. The rows that made it fail are fixed before the migration runs.
  await client.query("insert into thing values (3)");
  await assert.rejects(
    client.query("create unique index concurrently thing_half on thing ((thing_id / 2))"),
    /thing_half/,
  );
  await client.query("delete from thing where thing_id = 3");
  const third = `-- no-transaction
-- beside: 0002
alter table thing add column if not exists note text default 'a;b';
create unique index concurrently if not exists thing_half on thing ((thing_id / 2));`;
  await client.query("begin; insert into thing values (4)");
  const migrating = migrate(url, release(first, "insert into thing values (1), (2);", third));
  // A transaction sees pg_stat_activity as it was at the first look.
  const observer = await connected(url);
  await until("the migration to wait for the writer", async () => {
    const { rowCount } = await observer.query(
      "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rowCount === 1;
  });
  await client.query("commit");
  assert.deepEqual((await migrating).applied, ["0003_of_3.sql"]);
  const { rows } = await client.query("select indisvalid from pg_index where indexrelid = 'thing_half'::regclass");
  assert.deepEqual(rows, [{ indisvalid: true }]);
  await Promise.all([client.end(), observer.end()]);
});
