// Checks the live catalogue against the rules of docs/decisions/0009-one-schema-for-postgresql-and-citus.md.
import assert from "node:assert/strict";
import { test } from "node:test";
import { partitionedTables } from "#/store/db/schema/partitions.ts";
import { sql } from "#/store/db/sql.ts";
import { clearOfMidnight } from "../support/app/midnight.ts";
import { testDatabase } from "../support/postgres/database.ts";
import { readMigrationTexts, readTables, withoutComments } from "./migrations.ts";
import { newerSqlIn } from "./newer-sql.ts";

// At the end of a month, this test and the database may see different months.
await clearOfMidnight("UTC");
const { database } = await testDatabase({ engine: "postgresql" });
const tables = readTables();
const namesOf = (tableClass: string) => tables.filter((table) => table.class === tableClass).map(({ name }) => name);
const distributed = namesOf("distributed");

/** Created by the migrator itself, before the first migration. */
const migratorsOwn = "schema_migration";

function assertNone(faults: readonly string[]): void {
  assert.equal(faults.join("\n"), "");
}

test("every table that a migration makes declares its class", () => {
  assert.ok(tables.length > 10);
  assertNone(tables.filter((table) => !table.class).map(({ name, migration }) => `${migration}: ${name} has no class`));
});

test("the tables of the migrated database are those that declare a class", async () => {
  const rows = await database.query<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition limit 1000`);
  const found = rows.map(({ name }) => name).filter((name) => name !== migratorsOwn);
  assert.deepEqual(found.sort(), tables.map(({ name }) => name).sort());
});

test("every table has a comment", async () => {
  const rows = await database.query<{ name: string }>(sql`
    select c.relname as name from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> ${migratorsOwn} and obj_description(c.oid, 'pg_class') is null order by 1 limit 1000`);
  assertNone(rows.map(({ name }) => name));
});

/** Their rows are found by another index, and never by their ids (docs/decisions/0083-tables-without-a-key.md). */
const withoutKey: readonly string[] = ["order_milestone", "stock_movement"];

test("a distributed table has a primary key, or its whole row as its replica identity; client_id is text", async () => {
  const rows = await database.query<{ name: string; has_key: boolean; is_whole: boolean }>(sql`
    select c.relname as name, exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary) as has_key,
      c.relreplident = 'f' as is_whole
    from pg_class c left join pg_inherits h on h.inhrelid = c.oid
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'client_id'
    where a.atttypid = 'text'::regtype and a.attnotnull
      and coalesce(h.inhparent, c.oid)::regclass::text = any(${distributed}::text[]) and c.relkind in ('r', 'p') limit 10000`);
  const names = new Set(rows.map(({ name }) => name));
  assertNone(distributed.filter((name) => !names.has(name)));
  assertNone(rows.filter(({ has_key, is_whole }) => has_key === is_whole).map(({ name }) => name));
  const keyless = rows.filter(({ name, has_key }) => !has_key && distributed.includes(name));
  assert.deepEqual(keyless.map(({ name }) => name).sort(), withoutKey);
});

test("every primary key, unique constraint and unique index of a distributed table starts with client_id", async () => {
  const rows = await database.query<{ name: string; first: string | null }>(sql`
    select i.indexrelid::regclass::text as name, a.attname as first
    from pg_index i join pg_class c on c.oid = i.indrelid
      left join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    where (i.indisunique or i.indisexclusion) and c.relname = any(${distributed}::text[]) limit 1000`);
  assert.ok(rows.length >= distributed.length - withoutKey.length);
  assertNone(rows.filter(({ first }) => first !== "client_id").map(({ name, first }) => `${name}: ${first}`));
});

test("a foreign key of or to a distributed table stays within one client", async () => {
  const rows = await database.query<{ name: string; owner: string; target: string; is_within: boolean }>(sql`
    select k.conname as name, o.relname as owner, t.relname as target, exists (
        select from unnest(k.conkey, k.confkey) as pair(own, other)
          join pg_attribute a on a.attrelid = k.conrelid and a.attnum = pair.own and a.attname = 'client_id'
          join pg_attribute b on b.attrelid = k.confrelid and b.attnum = pair.other and b.attname = 'client_id'
      ) as is_within
    from pg_constraint k join pg_class o on o.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' limit 1000`);
  const isDistributed = (table: string) => distributed.includes(table);
  assertNone(
    rows
      .filter(({ owner, target }) => isDistributed(owner) || isDistributed(target))
      .filter(({ owner, target, is_within }) => !(isDistributed(owner) && isDistributed(target) && is_within))
      .map(({ name, owner, target }) => `${name}: ${owner} -> ${target}`),
  );
});

test("a copy on every node refers to no table that is on one node only", async () => {
  const local = [...namesOf("local"), migratorsOwn];
  const rows = await database.query<{ name: string }>(sql`
    select k.conname as name from pg_constraint k join pg_class o on o.oid = k.conrelid join pg_class t on t.oid = k.confrelid
    where k.contype = 'f' and o.relname = any(${namesOf("reference")}::text[]) and t.relname = any(${local}::text[]) limit 100`);
  assert.deepEqual(rows, []);
});

test("statements have no hidden effects: no triggers, rules, functions, sequences or policies", async () => {
  const rows = await database.query(sql`
    select 'trigger ' || tgname as name from pg_trigger where not tgisinternal
    union all select 'rule ' || rulename from pg_rules where schemaname = 'public'
    union all select 'function ' || proname from pg_proc where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend d where d.objid = pg_proc.oid and d.deptype = 'e')
    union all select 'sequence ' || relname from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace
    union all select 'policy ' || policyname from pg_policies
    limit 100`);
  assert.deepEqual(rows, []);
});

test("columns of distributed tables default to constants, and none is generated", async () => {
  const rows = await database.query<{ name: string; text: string; kind: string }>(sql`
    select c.relname || '.' || a.attname as name, coalesce(pg_get_expr(d.adbin, d.adrelid), '') as text,
      concat(a.attgenerated, a.attidentity) as kind
    from pg_attribute a join pg_class c on c.oid = a.attrelid
      left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where c.relname = any(${distributed}::text[]) and a.attnum > 0
      and (d.oid is not null or a.attgenerated <> '' or a.attidentity <> '') limit 1000`);
  const isConstant = (text: string) => /^(?:-?\d+(?:\.\d+)?|true|false|'[^']*'(?:::[a-z ]+(?:\[\])?)?)$/.test(text);
  assert.ok(rows.length > 0);
  assertNone(
    rows.filter((row) => row.kind !== "" || !isConstant(row.text)).map(({ name, text }) => `${name}: ${text}`),
  );
});

test("what only grows is partitioned by month over its time-ordered id, last month to three months ahead", async () => {
  const rows = await database.query<{ name: string; strategy: string; columns: string[]; bounds: string[] }>(sql`
    select c.relname as name, p.partstrat as strategy,
      array(select a.attname::text from unnest(p.partattrs) as k(num)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.num) as columns,
      array(select pg_get_expr(m.relpartbound, m.oid) from pg_inherits i join pg_class m on m.oid = i.inhrelid
        where i.inhparent = c.oid order by 1) as bounds
    from pg_partitioned_table p join pg_class c on c.oid = p.partrelid order by c.relname limit 100`);
  const appendOnly = ["audit_log", "event", "feed_document", "feed_payload", "outbound_document", "stock_movement"];
  assert.deepEqual(
    rows.map(({ name }) => name).filter((name) => appendOnly.includes(name)),
    appendOnly,
  );
  assert.deepEqual(
    rows.map(({ name }) => name),
    partitionedTables.map(({ table }) => table).sort(),
    "every partitioned table is kept by src/store/db/schema/partitions.ts",
  );
  // Tests also have the months of autumn 2026, however long ago they are (tests/support/app/months.ts).
  const now = new Date();
  const monthStart = (offset: number) => Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, 1);
  const expected = [-1, 0, 1, 2, 3].map((offset) => [monthStart(offset), monthStart(offset + 1)]);
  for (const { name, strategy, columns, bounds } of rows) {
    assert.equal(strategy, "r", name);
    assert.equal(columns.length, 1, name);
    const months = bounds.map((text) => {
      const ids = [...text.matchAll(/'([0-9a-f]{8})-([0-9a-f]{4})-[0-9a-f-]+'/g)];
      return ids.map(([, high = "", low = ""]) => Number.parseInt(high + low, 16));
    });
    assert.deepEqual(months.slice(-expected.length), expected, `${name}: ${bounds.join("; ")}`);
  }
});

test("of every table of clients and every month it is stated that one client may own all of it", async () => {
  const rows = await database.query<{ name: string; options: string[] | null; kind: string }>(sql`
    select c.oid::regclass::text as name, a.attoptions as options, c.relkind::text as kind
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'client_id'
      left join pg_inherits h on h.inhrelid = c.oid
    where coalesce(h.inhparent, c.oid)::regclass::text = any(${distributed}::text[]) and c.relkind in ('r', 'p')
      and not exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary and i.indnkeyatts = 1)
    limit 10000`);
  assert.ok(rows.length > distributed.length);
  const wanted = (kind: string) => (kind === "p" ? ["n_distinct=1", "n_distinct_inherited=1"] : ["n_distinct=1"]);
  assertNone(
    rows
      .filter(({ kind, options }) => wanted(kind).some((option) => !options?.includes(option)))
      .map(({ name, options }) => `${name}: ${options}`),
  );
});

test("the application's role may add to the audit log and read it, and nothing else", async () => {
  const rows = await database.query<{ name: string; privileges: string[] }>(sql`
    select c.relname as name, array(
        select a.privilege_type from aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) a
        where a.grantee in (c.relowner, 0) and a.privilege_type in ('SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE')
        order by 1) as privileges
    from pg_class c where c.relname = 'audit_log'
      or c.oid in (select inhrelid from pg_inherits where inhparent = 'audit_log'::regclass)
    order by 1 limit 100`);
  assert.ok(rows.length > 1);
  assertNone(
    rows
      .filter(({ privileges }) => privileges.join() !== "INSERT,SELECT")
      .map(({ name, privileges }) => `${name}: ${privileges.join()}`),
  );
});

test("migrations are written in the SQL of PostgreSQL 15", () => {
  assertNone(
    readMigrationTexts().flatMap(({ name, text }) =>
      newerSqlIn(withoutComments(text)).map((what) => `${name}: ${what}`),
    ),
  );
});

test("the SQL that is too new for PostgreSQL 15 is recognised", () => {
  assert.deepEqual(newerSqlIn("insert into a values (uuidv7()) returning old.x"), ["uuidv7()", "returning old/new"]);
  assert.deepEqual(newerSqlIn("merge into a using b on true when matched then delete returning a.x"), [
    "merge … returning",
  ]);
  assert.deepEqual(newerSqlIn("create unique index i on a (b) nulls not distinct; select 1 as any_value"), []);
});
