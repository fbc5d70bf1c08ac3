import assert from "node:assert/strict";
import { test } from "node:test";
import { analyzeGrown, createAnalysis, stateClientShare } from "#/store/db/schema/statistics.ts";
import { until } from "../../../../tests/support/app/until.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";
import { stopAutovacuum } from "../../../../tests/support/postgres/skewed-base.ts";

const { database } = await testDatabase({ engine: "postgresql" });
await stopAutovacuum(database);
const connection = {
  query: async <Row>(text: string) => ({
    rows: await database.query<Row>({ text, name: "", values: [], isTenant: false }),
  }),
};
await connection.query(`
  create table counted (client_id text not null, id integer not null, primary key (client_id, id))
    with (autovacuum_enabled = false)`);
await connection.query(`
  create table by_range (client_id text not null, id integer not null, primary key (client_id, id))
    partition by range (id)`);
await connection.query("create table by_range_1 partition of by_range for values from (0) to (500)");
await connection.query("create table by_range_2 partition of by_range for values from (500) to (5000)");

async function insert(table: string, from: number, to: number): Promise<void> {
  await connection.query(`insert into ${table} select 'DEMO', n from generate_series(${from}, ${to}) n`);
  // A session publishes its counts up to a second after the transaction.
  await until(`${to} rows of ${table}`, async () => {
    const { rows } = await connection.query<{ live: number }>(
      `select sum(n_live_tup)::integer as live from pg_stat_user_tables where relname ~ '^${table}'`,
    );
    return rows[0]?.live === to;
  });
}

test("a table is analysed at two hundred rows, and again whenever it has four times as many", async () => {
  await insert("counted", 1, 199);
  assert.deepEqual(await analyzeGrown(database), []);
  await insert("counted", 200, 200);
  assert.deepEqual(await analyzeGrown(database), ["counted"]);
  assert.deepEqual(await analyzeGrown(database), []);
  await insert("counted", 201, 799);
  assert.deepEqual(await analyzeGrown(database), []);
  await insert("counted", 800, 800);
  assert.deepEqual(await analyzeGrown(database), ["counted"]);
});

test("a partitioned table is analysed as a whole, which PostgreSQL never does by itself, and each part by its own rows", async () => {
  await insert("by_range", 1, 300);
  assert.deepEqual((await analyzeGrown(database)).sort(), ["by_range", "by_range_1"]);
  await insert("by_range", 301, 700);
  assert.deepEqual(await analyzeGrown(database), ["by_range_2"]);
  await insert("by_range", 701, 1_200);
  assert.deepEqual((await analyzeGrown(database)).sort(), ["by_range"]);
  assert.deepEqual(await analyzeGrown(database), []);
});

test("the tables are looked at when a hundred rows were inserted since the last look", async () => {
  await connection.query(
    "create table rested (client_id text not null, id integer not null) with (autovacuum_enabled = false)",
  );
  const analyze = createAnalysis(database);
  await insert("rested", 1, 150);
  assert.deepEqual(await analyze(), []);
  await insert("rested", 151, 210);
  assert.deepEqual(await analyze(), [], "only 60 rows were inserted");
  await insert("rested", 211, 260);
  assert.deepEqual(await analyze(), ["rested"]);
});

test("the share of a client is set on tables and months that lack it, and on no other table", async () => {
  await connection.query("create table one_key (client_id text primary key)");
  await connection.query("create table no_key (client_id text not null, id integer)");
  await connection.query("create index on no_key (client_id, id)");
  await connection.query("create table whole_row (like no_key including indexes)");
  await connection.query("alter table whole_row replica identity full");
  await connection.query("create table by_range_3 partition of by_range for values from (5000) to (6000)");
  await stateClientShare(connection);
  const { rows } = await connection.query<{ name: string; options: string[] | null }>(`
    select attrelid::regclass::text as name, attoptions as options from pg_attribute
    where attname = 'client_id' and attrelid::regclass::text in (
      'counted', 'by_range', 'by_range_3', 'no_key', 'one_key', 'whole_row') order by 1`);
  assert.deepEqual(rows, [
    { name: "by_range", options: ["n_distinct=1", "n_distinct_inherited=1"] },
    { name: "by_range_3", options: ["n_distinct=1"] },
    { name: "counted", options: ["n_distinct=1"] },
    { name: "no_key", options: null },
    { name: "one_key", options: null },
    { name: "whole_row", options: ["n_distinct=1"] },
  ]);
});
