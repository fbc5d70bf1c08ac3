// Runs the output of `npm run citus:plan` on fake functions with Citus's names, arguments and rejections.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { createIds } from "#/kernel/values/ids.ts";
import { recordAudit } from "#/store/db/audit.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { makeDataDir } from "../../support/app/process.ts";
import { runProgram } from "../../support/app/program.ts";
import { insertClient } from "../../support/builders/client.ts";
import { testDatabase } from "../../support/postgres/database.ts";
import { readTables } from "../migrations.ts";
import { standInForCitus } from "./citus-stand-in.ts";

const { url, database } = await testDatabase({ engine: "postgresql" });
const { clientId } = await insertClient(database);
await database.transaction(async (tx) => {
  const change = { actor: "test", origin: "test", at: new Date().toISOString(), ids: createIds() };
  recordAudit(tx.of(clientId, change), { action: "test", objectType: "client", objectId: clientId });
});
const dataDir = makeDataDir();
const root = fileURLToPath(new URL("../../..", import.meta.url));

const citusPlan = (...args: readonly string[]) =>
  runProgram([process.execPath, "scripts/citus-plan.ts", ...args], {
    cwd: root,
    env: { ...process.env, DATABASE_URL: url, CROSSDOCK_DATA_DIR: dataDir },
    timeout: 60_000,
  });

/** Sessions opened before the fake functions exist do not find them. */
async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  await client.connect();
  atEnd(() => client.end());
  return client;
}

const statementsOf = (plan: string) =>
  plan
    .split("\n")
    .filter((line) => !line.startsWith("--"))
    .join("\n")
    .split(/;\n?/)
    .filter((text) => text.trim() !== "");
const tablesOf = (plan: string, call: string) =>
  [...plan.matchAll(new RegExp(`select ${call}\\('(\\w+)'`, "g"))].map(([, name = ""]) => name);
const namesOf = (...classes: readonly string[]) =>
  readTables()
    .filter((table) => classes.includes(table.class ?? ""))
    .map(({ name }) => name)
    .sort();

/** Number of steps that only filled tables have. The fake functions report no rows. */
const freed = (text: string) =>
  [...text.matchAll(/^(?:select truncate_local|grant truncate|revoke truncate)/gm)].length;

let plan = "";

test("without Citus the plan is printed whole, and says what is missing; --apply is refused", async () => {
  const printed = await citusPlan();
  assert.equal(printed.code, 0, printed.stderr);
  assert.match(printed.stdout, /^-- This database has no Citus yet/m);
  plan = printed.stdout;
  const applied = await citusPlan("--apply");
  assert.equal(applied.code, 1);
  assert.match(applied.stderr, /create extension citus/);
  assert.deepEqual(
    (
      await database.query({ text: "select to_regclass('citus_tables') as it", name: "", values: [], isTenant: false })
    )[0],
    { it: null },
  );
});

test("every table is placed by its class: copies first, then the root, then its group, then keyed tables", () => {
  assert.deepEqual(tablesOf(plan, "create_reference_table").sort(), namesOf("reference"));
  const distributed = tablesOf(plan, "create_distributed_table");
  assert.deepEqual(distributed.toSorted(), namesOf("distributed", "keyed"));
  assert.equal(distributed[0], "tenant");
  assert.deepEqual(distributed.slice(-namesOf("keyed").length).sort(), namesOf("keyed"));
  assert.ok(plan.indexOf("create_reference_table('facility')") < plan.indexOf("create_reference_table('credential')"));
  assert.ok(plan.lastIndexOf("create_reference_table") < plan.indexOf("create_distributed_table"));
  assert.match(plan, /create_distributed_table\('tenant', 'client_id', colocate_with => 'none'\)/);
  assert.match(plan, /create_distributed_table\('sales_order', 'client_id', colocate_with => 'tenant'\)/);
  assert.match(plan, /create_distributed_table\('parcel_key', 'key', colocate_with => 'none'\)/);
  const text = plan.replace(/\n-- /g, " ");
  for (const name of namesOf("local")) assert.match(text, new RegExp(`Stay on the coordinator:[^.]*\\b${name}\\b`));
});

test("wrong arguments are answered with the usage", async () => {
  for (const args of [["--aply"], ["tenant"]]) {
    const ended = await citusPlan(...args);
    assert.equal(ended.code, 2);
    assert.match(ended.stderr, /usage: npm run citus:plan/);
  }
});

test("while nodes run nothing is moved", async () => {
  await standInForCitus(url);
  const ended = await citusPlan("--apply");
  assert.equal(ended.code, 1);
  assert.match(ended.stderr, /stop all nodes first: .*"crossdock test"/);
});

test("the plan runs, statement by statement, and every filled table's rows leave the coordinator", async () => {
  const client = await connect();
  for (const statement of statementsOf(plan)) await client.query(statement);
  const { rows } = await client.query<{ name: string; kind: string; column: string; colocation: number }>(`
    select table_name::text as name, citus_table_type as kind, distribution_column as column, colocation_id as colocation
    from citus_tables order by 1`);
  const ofClients = rows.filter(
    ({ colocation }) => colocation === rows.find(({ name }) => name === "tenant")?.colocation,
  );
  assert.deepEqual(ofClients.map(({ name }) => name).sort(), namesOf("distributed"));
  assert.ok(ofClients.every(({ kind, column }) => kind === "distributed" && column === "client_id"));
  assert.deepEqual(
    rows.filter(({ kind }) => kind === "reference").map(({ name }) => name),
    namesOf("reference"),
  );
  for (const table of ["client", "tenant", "facility", "carrier_code_map", "audit_log"]) {
    const { rowCount } = await client.query(`select from ${table} limit 1`);
    assert.equal(rowCount, 0, `${table} still has its rows on the coordinator`);
  }
  const { rows: commands } = await client.query<{ command: string }>("select command from citus.worker_command");
  assert.equal(commands.length, 5);
  assert.ok(
    commands.some(({ command }) => /^alter role \S+ in database \S+ set random_page_cost = 1\.1$/.test(command)),
  );
});

test("the log of the audit is append-only again when its rows were moved", async () => {
  const client = await connect();
  await assert.rejects(client.query("truncate audit_log"), { code: "42501" });
});

test("the plan makes the shards of the audit log and of each month append-only, behind their creation", async () => {
  const { rows } = await (await connect()).query<{ name: string }>(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'audit_log'::regclass",
  );
  assert.ok(rows.length > 3);
  for (const name of ["audit_log", ...rows.map((month) => month.name)]) {
    const revoke = `\nrevoke update, delete, truncate on ${name} from current_user;`;
    assert.ok(plan.indexOf(revoke) > plan.indexOf("create_distributed_table('audit_log'"), name);
  }
});

test("a worker that does not take a setting is an error with its message", async () => {
  const client = await connect();
  const [setting = ""] = statementsOf(plan).filter((text) => text.includes("alter role"));
  assert.match(setting, /parallel => false/);
  await client.query(`begin; create or replace function citus.run_command_on_workers(command text, parallel boolean default true)
    returns table (nodename text, nodeport integer, success boolean, result text)
    language sql as $$ select 'worker-1', 5432, false, 'ERROR: deadlock detected' $$`);
  await assert.rejects(client.query(setting), /deadlock detected/);
  await client.query("rollback");
});

test("a database that is distributed has nothing left to do", async () => {
  for (const args of [[], ["--apply"]]) {
    const ended = await citusPlan(...args);
    assert.equal(ended.code, 0, ended.stderr);
    assert.match(ended.stdout, /^-- Nothing to do: all \d+ tables are placed as their classes say\.\n$/);
  }
});

test("a table that a migration adds to a distributed database is placed when the schema is brought up to date", async () => {
  const client = await connect();
  await client.query("delete from citus.pg_dist_stand_in where table_name = 'exception_annotation'::regclass");
  assert.equal((await citusPlan()).code, 0);
  const { rows } = await client.query(
    "select distribution_column from citus_tables where table_name::text = 'exception_annotation'",
  );
  assert.deepEqual(rows, [{ distribution_column: "client_id" }]);
});

test("a table that is placed otherwise is named, with what to do", async () => {
  const client = await connect();
  const set = (values: string) =>
    client.query(`update citus.pg_dist_stand_in set ${values} where table_name = 'item'::regclass`);
  await set("distribution_column = 'sku'");
  const ended = await citusPlan();
  assert.equal(ended.code, 1);
  assert.match(
    ended.stderr,
    /item is distributed by sku in group 1, and must be distributed by client_id; run select undistribute_table/,
  );
  await set("distribution_column = 'client_id', colocation_id = 99");
  assert.match((await citusPlan()).stderr, /item is distributed by client_id in group 99/);
  await set("colocation_id = 1");
  await client.query("create table left_behind (id integer primary key)");
  assert.match((await citusPlan()).stderr, /left_behind is not in any migration/);
  await client.query("drop table left_behind");
  assert.equal((await citusPlan()).code, 0);
});

test("--back prints the way to one PostgreSQL again, and running it leaves nothing distributed", async () => {
  const printed = await citusPlan("--back");
  assert.equal(printed.code, 0, printed.stderr);
  const tables = tablesOf(printed.stdout, "undistribute_table");
  assert.ok(tables.indexOf("tenant") > tables.indexOf("sales_order"));
  assert.match(
    printed.stdout,
    /undistribute_table\('(?:facility|credential|client_facility)', cascade_via_foreign_keys => true\)/,
  );
  const client = await connect();
  for (const statement of statementsOf(printed.stdout)) await client.query(statement);
  assert.equal((await client.query("select from citus_tables limit 1")).rowCount, 0);
  assert.match((await citusPlan("--back", "--apply")).stdout, /^-- Nothing to do: no table is distributed\.\n$/);
  assert.deepEqual(statementsOf((await citusPlan()).stdout).length, statementsOf(plan).length - freed(plan));
});

test("the stand-in for Citus refuses the same statements as Citus", async () => {
  const client = await connect();
  const refusals: readonly (readonly [ddl: string, call: string, message: RegExp])[] = [
    [
      "create table t1 (client_id text, id int primary key)",
      "create_distributed_table('t1', 'client_id')",
      /constraint/,
    ],
    [
      "create table t2 (client_id text, id int, exclude using btree (id with =))",
      "create_distributed_table('t2', 'client_id')",
      /constraint/,
    ],
    [
      "create table t3 (client_id text primary key, owner text references console_user)",
      "create_distributed_table('t3', 'client_id')",
      /foreign key/,
    ],
    ["create table t4 (id text references console_user)", "create_reference_table('t4')", /foreign key/],
    [
      "create table t5 (client_id int primary key)",
      "create_distributed_table('tenant', 'client_id'), create_distributed_table('t5', 'client_id', colocate_with => 'tenant')",
      /colocate/,
    ],
    ["create table t6 (client_id text)", "undistribute_table('t6')", /not distributed/],
  ];
  for (const [ddl, call, message] of refusals) {
    await client.query(ddl);
    await assert.rejects(client.query(`select ${call}`), message, call);
  }
});
