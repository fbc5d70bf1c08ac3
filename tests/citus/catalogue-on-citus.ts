// Executes every statement of the catalogue on Citus, for a client that owns nearly all rows and for a small one.
import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { sqlStateOf } from "#/store/db/errors.ts";
import type { Statement } from "#/store/db/sql.ts";
import { connectionSettings } from "#/store/db/store/connection.ts";
import { growingTables } from "../schema/grown-tables.ts";
import { readTables } from "../schema/migrations.ts";
import { explainText, prepareText } from "../schema/prepared.ts";
import { recordWorkload } from "../schema/recorded.ts";
import { atEnd } from "../support/app/at-end.ts";
import { insertClient } from "../support/builders/client.ts";
import { copyingText, firstRowOf } from "../support/postgres/copied-rows.ts";
import { testDatabase } from "../support/postgres/database.ts";
import { readRows, writeRowsOf } from "../support/postgres/skewed-base.ts";
import { faultsOfClientPlan, faultsOfSharedPlan } from "./citus-plans.ts";

const copies = 2_000;
/** Fewer than the copies, more than any limit of a statement over clients. */
const rowsMax = 1_500;
const uniqueViolation = "23505";
/** Statements that count up to a maximum, of which each worker sends as many keys. */
const countsTo = /\blimit 1 offset \$\d+$/;
const [big, small] = ["DEMO", "SMALL"] as const;

const { url, database } = await testDatabase({ statementTimeoutMs: 60_000 });
const { statements } = await recordWorkload(url, await insertClient(database));

const distributed = readTables().flatMap((table) => (table.class === "distributed" ? [table.name] : []));
const rows = await readRows(database, distributed);
await insertClient(database, { clientId: small });
for (const name of distributed) {
  const text = `delete from ${name} where client_id = $1`;
  await database.query({ text, name: "", values: [small], isTenant: false });
}
await writeRowsOf(database, rows, { from: big, to: small });
for (const table of growingTables) {
  const source = await firstRowOf(database.of(big), table);
  const text = await copyingText(database, { table, source, from: 1, to: copies, openOneIn: 50 });
  await database.query({ text, name: "", values: [], isTenant: false });
}

const settings = connectionSettings({
  url,
  connectionsMax: 1,
  applicationName: "crossdock catalogue",
  statementTimeoutMs: 30_000,
  isOverAllNodes: true,
});
const client = new pg.Client(settings.client);
await client.connect();
await client.query("set citus.explain_all_tasks = on");
atEnd(() => client.end());

/** A row that the client has already. A set of rows that goes through the coordinator loses its code. */
const isDuplicate = (error: unknown) =>
  sqlStateOf(error) === uniqueViolation || (error as Error).message.startsWith("duplicate key value");

const shown = ({ text, values }: Statement, fault: string) =>
  `${String(values[0])}: ${fault}\n  ${text.replace(/\s+/g, " ").slice(0, 400)}`;

/** Plans and executes the statement, and rolls it back. */
async function faultsOf(statement: Statement): Promise<string[]> {
  await client.query("begin");
  try {
    await client.query(prepareText(statement));
    // A write is executed by `explain (analyze)`, too. A plan without it has no counts of rows.
    const options = statement.isTenant ? "costs off" : "analyze, timing off";
    const { rows: lines } = await client.query<{ "QUERY PLAN": string }>(explainText(statement, options));
    const plan = lines.map((line) => line["QUERY PLAN"]).join("\n");
    if (!statement.isTenant) await client.query("rollback; begin");
    // Some statements are refused only when they are executed.
    await client.query({ text: statement.text, values: [...statement.values] });
    if (statement.isTenant) return faultsOfClientPlan(plan);
    return countsTo.test(statement.text) ? [] : faultsOfSharedPlan(plan, rowsMax);
  } catch (error) {
    return isDuplicate(error) ? [] : [(error as Error).message];
  } finally {
    await client.query("rollback");
    await client.query("deallocate all");
  }
}

const faults: string[] = [];
let executed = 0;
for (const statement of statements.filter(({ text }) => /^\s*(?:select|with|insert|update|delete)\b/i.test(text))) {
  const clients = statement.isTenant ? [big, small] : [undefined];
  for (const id of clients) {
    const scoped = id === undefined ? statement : { ...statement, values: [id, ...statement.values.slice(1)] };
    faults.push(...(await faultsOf(scoped)).map((fault) => shown(scoped, fault)));
    executed++;
  }
}

test("every statement is executed on Citus, a client's as one task, others without pulling whole tables", (context) => {
  context.diagnostic(`${statements.length} statements, ${executed} executions`);
  assert.ok(statements.length > 500);
  assert.equal(faults.join("\n\n"), "");
});
