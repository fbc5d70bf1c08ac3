// Row-level security: the whole workload runs with it, and statements without the client find no rows.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { openDatabase } from "#/store/db/database.ts";
import { ensureRowSecurity } from "#/store/db/schema/row-security.ts";
import { analyzeGrown } from "#/store/db/schema/statistics.ts";
import { type Statement, sql, tenant } from "#/store/db/sql.ts";
import { atEnd } from "../support/app/at-end.ts";
import { until } from "../support/app/until.ts";
import { insertClient } from "../support/builders/client.ts";
import { testDatabase } from "../support/postgres/database.ts";
import { readTables } from "./migrations.ts";
import { runWorkload } from "./workload/workload.ts";

/** Tables of class `keyed` serve to find the client of a key. */
const tablesOfClients = readTables()
  .filter((table) => table.class === "distributed")
  .map(({ name }) => name);
const migrations = fileURLToPath(new URL("../../migrations", import.meta.url));

const { database: owner, url } = await testDatabase({ engine: "postgresql", statementTimeoutMs: 60_000 });
const admin = new pg.Client({ connectionString: url });
await admin.connect();
atEnd(() => admin.end());
await ensureRowSecurity(admin, migrations);
const client = await insertClient(owner);

const sent: Statement[] = [];
const database = openDatabase({
  url,
  connectionsMax: 10,
  applicationName: "crossdock walled",
  isRowSecure: true,
  statementTimeoutMs: 30_000,
  onStatement: (statement: Statement) => sent.push(statement),
});
atEnd(() => database.close());
await runWorkload(database, client);

const countOf = async (table: string) => {
  const { rows } = await admin.query(`select count(*)::integer as count from ${table} where client_id = $1`, [
    client.clientId,
  ]);
  return (rows[0] as { count: number }).count;
};
const bare = (text: string): Statement => ({ text, name: "", values: [], isTenant: false });

test("the workload of the whole catalogue works under it", async () => {
  assert.ok(sent.length > 500);
  for (const table of ["sales_order", "stock_movement", "event", "audit_log"])
    assert.ok((await countOf(table)) > 0, table);
});

test("a statement that forgot its client finds nothing in any table, changes nothing and deletes nothing", async () => {
  for (const table of tablesOfClients) {
    const before = await countOf(table);
    assert.deepEqual(await database.query(bare(`select client_id from ${table} limit 1`)), [], table);
    assert.deepEqual(await database.reads.query(bare(`select client_id from ${table} limit 1`)), [], table);
    if (table === "audit_log") continue;
    await database.transaction((tx) => tx.query(bare(`update ${table} set client_id = client_id`)));
    await database.query(bare(`delete from ${table}`));
    assert.equal(await countOf(table), before, table);
  }
});

test("a statement of one client does not reach another's rows, with any missing condition", async () => {
  await insertClient(owner, { clientId: "MINE" });
  const joined = sql`select o.order_id from tenant t cross join sales_order o where t.client_id = ${tenant} limit 10`;
  assert.ok((await database.of(client.clientId).query(joined)).length > 0);
  assert.deepEqual(await database.of("MINE").query(joined), []);
  assert.deepEqual(await database.reads.of("MINE").query(joined), []);
  await database.transaction(async (tx) => {
    assert.deepEqual(await tx.of("MINE").query(joined), []);
    assert.deepEqual(await tx.query(bare("select order_id from sales_order limit 1")), []);
  });
  const foreign = sql`insert into tenant (client_id) select ${"FOREIGN"} from tenant t where t.client_id = ${tenant}`;
  await assert.rejects(database.of("MINE").query(foreign), /violates row-level security policy/);
});

test("the client that a transaction names is named again after a rollback", async () => {
  const statement = sql`select order_id from sales_order where client_id = ${tenant} limit 1`;
  const failing = openDatabase({ url, connectionsMax: 1, applicationName: "crossdock one", isRowSecure: true });
  try {
    await assert.rejects(
      failing.transaction(async (tx) => {
        await tx.of(client.clientId).query(statement);
        throw new Error("given up");
      }),
    );
    assert.equal((await failing.of(client.clientId).query(statement)).length, 1);
    await assert.rejects(
      failing.transaction((tx) => tx.of(client.clientId).query(sql`select 1 / (${tenant} = '')::int`)),
    );
    assert.equal((await failing.of(client.clientId).query(statement)).length, 1);
  } finally {
    await failing.close();
  }
});

test("a grown table is analysed under it", async () => {
  await admin.query("create table grown (client_id text, id integer, primary key (client_id, id))");
  await admin.query("insert into grown select 'DEMO', n from generate_series(1, 300) n");
  await until("statistics of the grown table", async () => (await analyzeGrown(database)).includes("grown"));
});
