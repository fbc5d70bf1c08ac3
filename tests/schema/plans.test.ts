// Checks every statement with a client, as the product sent it, against the rules of
// docs/decisions/0009-one-schema-for-postgresql-and-citus.md, by its text and by its plan.
import assert from "node:assert/strict";
import { test } from "node:test";
import { migrationsFolder } from "#/kernel/shipped-files.ts";
import type { TableClass } from "#/store/db/citus/catalogue.ts";
import type { Tx } from "#/store/db/database.ts";
import { withSchemaLock } from "#/store/db/schema/migrator.ts";
import { clientRole, ensureRowSecurity } from "#/store/db/schema/row-security.ts";
import { rowsMin } from "#/store/db/schema/statistics.ts";
import { type Statement, sql } from "#/store/db/sql.ts";
import { setStatements } from "#/store/db/table.ts";
import { insertClient } from "../support/builders/client.ts";
import { testDatabase } from "../support/postgres/database.ts";
import { isTest, listFiles, readSource } from "../tidy/source.ts";
import { explainOnCitus } from "./citus/citus.ts";
import { formsRefused } from "./citus/citus-forms.ts";
import { functionsRefused, readFunctions } from "./citus/citus-functions.ts";
import { growTables } from "./grown-tables.ts";
import { readTables } from "./migrations.ts";
import { newerSqlIn } from "./newer-sql.ts";
import {
  faultsOfOuterJoin,
  faultsOfPlan,
  faultsOfSharedPlan,
  faultsOfText,
  monthsRead,
  type PlanNode,
  type Schema,
  volatile,
} from "./plan-rules.ts";
import { explainText, prepareText } from "./prepared.ts";
import { recordWorkload } from "./recorded.ts";
import { patternOf } from "./templates.ts";
import { faultsOfClientWork, faultsOfTransaction } from "./transaction-rules.ts";

const { database, url } = await testDatabase({ engine: "postgresql", statementTimeoutMs: 60_000 });
const client = await insertClient(database);

const { statements, transactions } = await recordWorkload(url, client);
const ofClient = statements.filter(({ isTenant }) => isTenant);
// Plans of empty tables prove nothing about full ones.
await growTables(database, client.clientId);
const schema = await readSchema();
const plans = new Map<Statement, PlanNode>();
for (const statement of ofClient) plans.set(statement, await explain(statement));
await withSchemaLock(url, (connection) => ensureRowSecurity(connection, migrationsFolder));
const walledPlans = new Map<Statement, PlanNode>();
for (const statement of ofClient) walledPlans.set(statement, await explain(statement, `set local role ${clientRole}`));

function assertNone(faults: readonly string[]): void {
  assert.equal(faults.join("\n\n"), "");
}

const named = (statement: Statement, faults: readonly string[]) =>
  faults.map((fault) => `${fault}\n  ${statement.text.replace(/\s+/g, " ").slice(0, 200)}`);

async function readSchema(): Promise<Schema> {
  const classOf = new Map<string, TableClass>(
    readTables().flatMap((table) => (table.class ? [[table.name, table.class]] : [])),
  );
  const partitions = await database.query<{ name: string; table: string; is_new: boolean }>(sql`
    select i.inhrelid::regclass::text as name, i.inhparent::regclass::text as table,
      c.reltuples < ${rowsMin}::integer and max(c.reltuples) over (partition by i.inhparent) >= ${rowsMin}::integer as is_new
    from pg_inherits i join pg_class c on c.oid = i.inhrelid limit 10000`);
  // The statistics of the grown tables show whether an index holds few rows, because a condition may be always true
  // (decision 0011). Statistics of a partitioned table are summed over its months.
  const indexes = await database.query<{ name: string; columns: string[]; holds_few: boolean }>(sql`
    with size as (
      select i.indexrelid, i.indpred, i.indnkeyatts, coalesce(h.inhparent, i.indexrelid) as root,
        greatest(o.reltuples, 0) as index_rows, greatest(c.reltuples, 0) as table_rows
      from pg_index i join pg_class c on c.oid = i.indrelid join pg_class o on o.oid = i.indexrelid
        left join pg_inherits h on h.inhrelid = i.indexrelid
      where c.relnamespace = 'public'::regnamespace
    )
    select s.indexrelid::regclass::text as name,
      s.indpred is not null and sum(r.index_rows) < sum(r.table_rows) / 10 as holds_few,
      array(select btrim(pg_get_indexdef(s.indexrelid, n, true), '"') from generate_series(1, s.indnkeyatts) n) as columns
    from size s join size r on r.root = s.root
    group by s.indexrelid, s.indpred, s.indnkeyatts limit 10000`);
  const tableOfPartition = new Map(partitions.map(({ name, table }) => [name, table]));
  return {
    classOf,
    tableOf: (name) => tableOfPartition.get(name) ?? name,
    newMonths: new Set(partitions.flatMap(({ name, is_new: isNew }) => (isNew ? [name] : []))),
    indexes: new Map(indexes.map(({ name, columns, holds_few }) => [name, { columns, holdsFew: holds_few }])),
  };
}

/** Plans a prepared statement with its generic plan, which any statement may get after a few runs. */
function explain(statement: Statement, ...settings: readonly string[]): Promise<PlanNode> {
  return database.transaction(async (tx) => {
    for (const setting of settings) await run(tx, setting);
    await run(tx, "set local plan_cache_mode = force_generic_plan");
    // Some tables are small here; the check concerns only the available indexes.
    await run(tx, "set local enable_seqscan = off");
    await run(tx, prepareText(statement));
    const rows = await run<{ "QUERY PLAN": readonly { Plan: PlanNode }[] }>(tx, explainText(statement, "format json"));
    await run(tx, "deallocate explained");
    return rows[0]?.["QUERY PLAN"][0]?.Plan as PlanNode;
  });
}

function run<Row>(tx: Tx, text: string): Promise<Row[]> {
  return tx.query<Row>({ text, name: "", values: [], isTenant: false });
}

const templatesIn = (...files: readonly string[]) =>
  listFiles(...files)
    .filter((file) => !isTest(file))
    .flatMap((file) => readSource(file).templates.map((template) => ({ file, template })))
    .filter(({ template }) => template.tag === "sql");

test("the workload sends every statement of the source that names a client", () => {
  const all = templatesIn("src/**/*.ts").filter(({ template }) => template.holes.includes("tenant"));
  assert.ok(all.length > 30);
  assertNone(
    all
      .filter(({ template }) => !ofClient.some(({ text }) => patternOf(template).test(text)))
      .map(({ file, template }) => `${file}: ${template.texts.join("…").replace(/\s+/g, " ").trim().slice(0, 120)}`),
  );
});

test("the workload sends every statement for sets that a module makes", () => {
  assert.ok(setStatements.length > 10);
  assertNone(setStatements.filter(({ text }) => !ofClient.some((sent) => sent.text === text)).map(({ text }) => text));
});

/** Tables that no work writes. */
const unwritten = ["tenant"];

test("a statement for a set names the table that it writes, or the only one that it reads", () => {
  const sets = statements.flatMap(({ text, set }) => (set ? [{ text, set }] : []));
  assert.ok(sets.length > 100);
  assertNone(
    sets.flatMap(({ text, set: { reads, writes } }) => {
      const target = /^\s*(?:insert into|update|delete from)\s+(\w+)/i.exec(text)?.[1];
      const sources = [...text.matchAll(/(?<!epoch )\b(?:from|join)\s+(\w+)\b(?!\()/gi)].map(
        ([, table]) => table as string,
      );
      const others = sources.filter((table) => table !== reads && !unwritten.includes(table));
      return target === writes && (target !== undefined || others.length === 0) ? [] : text;
    }),
  );
});

test("every value is bound, the client as the first", () => {
  for (const { text, values } of ofClient) assert.ok(["DEMO", "OTHER"].includes(values[0] as string), text);
  assertNone(
    statements.filter(({ values }) => values.some((value) => typeof value === "symbol")).map(({ text }) => text),
  );
});

test("a statement that names no client reaches clients' tables only from *.cross-client.ts", () => {
  const allowed = templatesIn("src/**/*.cross-client.ts").map(({ template }) => patternOf(template));
  const distributed = [...schema.classOf]
    .filter(([, tableClass]) => tableClass === "distributed")
    .map(([name]) => name);
  const mention = new RegExp(`\\b(?:from|join|into|update|using)\\s+(?:${distributed.join("|")})\\b`);
  assertNone(
    statements
      .filter(({ isTenant, text }) => !isTenant && mention.test(text) && !allowed.some((pattern) => pattern.test(text)))
      .map(({ text }) => text),
  );
});

test("the text of every statement keeps the rules", () => {
  assertNone(ofClient.flatMap((statement) => named(statement, faultsOfText(statement.text, schema))));
});

test("no statement of the source takes time or chance from the store", () => {
  // `doctor` compares the store's clock with its own.
  assertNone(
    templatesIn("src/**/*.ts")
      .filter(({ file }) => !file.startsWith("src/cli/doctor/"))
      .map(({ file, template }) => `${file}: ${template.texts.join("…")}`)
      .filter((text) => volatile.test(text)),
  );
});

test("every statement is written in the SQL of PostgreSQL 15", () => {
  assertNone(statements.flatMap((statement) => named(statement, newerSqlIn(statement.text))));
});

/** Statements that read all rows of a client or of one of its facilities on purpose. */
const readsAllOf: readonly (readonly [file: string, tables: readonly string[]])[] = [
  // Verifies daily and on request that ledger, balances, reservations and orders agree, so it reads all rows.
  [
    "src/modules/inventory/ledger/check.ts",
    ["stock_balance", "stock_movement", "stock_reservation", "work_order_component", "transfer", "transfer_line"],
  ],
  // A snapshot lists all stock of a facility, minus what was booked after its position. It opens with the last snapshot
  // of the year, of which there is one a day.
  ["src/modules/inventory/snapshots/snapshot.ts", ["stock_balance", "stock_movement", "stock_snapshot"]],
  // Each night a client with ABC counts has the SKUs in stock of a facility read, a thousand in a batch.
  ["src/modules/inventory/counts/abc.ts", ["stock_balance"]],
];

test("the generic plan of every statement finds its rows by an index", () => {
  const excepted = readsAllOf.flatMap(([file, tables]) =>
    templatesIn(file).map(({ template }) => ({ pattern: patternOf(template), tables })),
  );
  const isExcepted = ({ text }: Statement, fault: string) =>
    excepted.some(
      ({ pattern, tables }) =>
        pattern.test(text) &&
        tables.some((table) => new RegExp(`gives all rows .*\\(${table}(?:_\\d+)*\\)$`).test(fault)),
    );
  for (const found of [plans, walledPlans]) {
    assertNone(
      ofClient.flatMap((statement) =>
        named(
          statement,
          faultsOfPlan(found.get(statement) as PlanNode, schema).filter((fault) => !isExcepted(statement, fault)),
        ),
      ),
    );
  }
});

test("the workload sends every statement over several clients", () => {
  const all = templatesIn("src/**/*.cross-client.ts");
  assert.ok(all.length > 10);
  assertNone(
    all
      .filter(({ template }) => !statements.some(({ text }) => patternOf(template).test(text)))
      .map(({ file, template }) => `${file}: ${template.texts.join("…").replace(/\s+/g, " ").trim().slice(0, 120)}`),
  );
});

test("no statement over several clients reads a table of theirs from end to end", async () => {
  // Support looks up a token by hand, in all documents of a month. Idempotency keys are kept for a week, and purged
  // once an hour.
  const isSeldom = /^select (?:client_id from feed_document where token =|distinct client_id from feed_idempotency) /;
  const patterns = templatesIn("src/**/*.cross-client.ts").map(({ template }) => patternOf(template));
  const shared = statements.filter(
    ({ isTenant, text }) => !isTenant && !isSeldom.test(text) && patterns.some((pattern) => pattern.test(text)),
  );
  const faults: string[] = [];
  for (const statement of shared)
    faults.push(...named(statement, faultsOfSharedPlan(await explain(statement), schema)));
  assertNone(faults);
});

test("no condition without a column is beside an outer join over several clients", async () => {
  const isOuter = ({ text }: Statement) => /\b(?:left|right|full) (?:outer )?join\b/i.test(text);
  const distributed = [...schema.classOf].flatMap(([name, tableClass]) => (tableClass === "distributed" ? [name] : []));
  const mention = new RegExp(`\\b(?:from|join) (?:${distributed.join("|")})\\b`);
  const shared = statements.filter(
    (statement) => !statement.isTenant && isOuter(statement) && mention.test(statement.text),
  );
  assert.ok(shared.length > 10);
  const faults: string[] = [];
  for (const statement of shared)
    faults.push(...named(statement, faultsOfOuterJoin(statement.text, await explain(statement))));
  assertNone(faults);
  const text = `select t.client_id from (select client_id, null::text as code from tenant) t
    left join item i on i.client_id = t.client_id where t.code = any($1::text[]) limit 1`;
  const refused = { text, name: "", values: [["A"]], isTenant: false };
  assert.equal(faultsOfOuterJoin(text, await explain(refused)).length, 1);
});

test("a statement with one token or id reads one month", () => {
  const byOneKey = ofClient.filter(({ text }) => /\b(?:token|event_id|audit_id) = \$\d/.test(text));
  assert.ok(byOneKey.length > 2);
  assertNone(
    byOneKey.flatMap((statement) =>
      [...monthsRead(plans.get(statement) as PlanNode, schema)]
        .filter(([, months]) => months.size > 1)
        .flatMap(([table, months]) => named(statement, [`reads ${months.size} months of ${table}`])),
    ),
  );
});

test("a transaction names one client, and what is the coordinator's alone it changes alone", () => {
  // The feeds of tasks and items count positions in a table of the coordinator, so that a crash between the commits
  // loses none (docs/citus.md, "Two commits").
  const known = ["changes warehouse_feed beside a client's rows"];
  assert.ok(transactions.length > 100);
  const found = new Set(transactions.flatMap(({ statements }) => faultsOfTransaction(statements, schema)));
  assert.deepEqual([...found].sort(), known);
});

test("work on a client's node names that client, and no table of the coordinator", () => {
  assert.ok(transactions.filter(({ clientId }) => clientId !== undefined).length > 45);
  assertNone([...new Set(transactions.flatMap((noted) => faultsOfClientWork(noted, schema)))]);
  const text = "select used from rate_limit_use where key = $1 limit 1";
  const statement = { text, name: "", values: ["A"], isTenant: false };
  assert.deepEqual(faultsOfClientWork({ clientId: "DEMO", statements: [statement] }, schema), [
    "rate_limit_use is the coordinator's",
  ]);
});

test("no statement joins a table of the coordinator with rows of clients", () => {
  const classesOf = (text: string) =>
    new Set(
      [...text.matchAll(/\b(?:from|join|into|update)\s+(\w+)/gi)].map(([, name = ""]) => schema.classOf.get(name)),
    );
  assertNone(
    statements
      .map(({ text }) => ({ text, classes: classesOf(text) }))
      .filter(({ classes }) => classes.has("local") && (classes.has("distributed") || classes.has("keyed")))
      .map(({ text }) => text),
  );
});

test("Citus can take every statement over several clients apart", () => {
  assertNone(
    statements
      .filter(({ isTenant }) => !isTenant)
      .flatMap((statement) => named(statement, formsRefused(statement.text, schema))),
  );
});

test("no update or delete calls a function that Citus refuses with a column", async () => {
  const functions = await readFunctions(database);
  const refused = (text: string) => functionsRefused(database, { text }, functions);
  const faults: string[] = [];
  for (const statement of statements) faults.push(...named(statement, await refused(statement.text)));
  assertNone(faults);
  const update = (set: string) =>
    `update item set ${set} where client_id = $1 and sku = $2::text and updated_at = $3::timestamptz`;
  const cases: readonly (readonly [set: string, fault: string | undefined])[] = [
    ["updated_at = updated_at + interval '1 day'", "timestamptz_pl_interval is called with a column"],
    ["updated_at = $3::timestamptz + interval '1 day'", undefined],
    ["name = case when name = '' then $3::timestamptz::text end", "timestamptz_out is in CASE or COALESCE"],
    ["name = coalesce(name, concat('a', 'b'))", "concat is in CASE or COALESCE"],
    ["name = (select min(to_jsonb(i.name)::text) from item i where i.client_id = $1)", undefined],
    ["name = convert_from(convert_to(name, 'UTF8'), 'UTF8')", "convert_to is called with a column"],
    ["name = name || version::text", undefined],
  ];
  for (const [set, fault] of cases) assert.equal((await refused(update(set)))[0], fault, set);
});

test("on Citus every statement is one task on one node", async (context) => {
  const citusUrl = process.env.CROSSDOCK_TEST_CITUS_URL;
  if (citusUrl === undefined) {
    context.diagnostic(
      "LEFT OUT: no plan was asked of Citus and no test ran on it, because CROSSDOCK_TEST_CITUS_URL names no server with it",
    );
    return;
  }
  assertNone(await explainOnCitus(citusUrl, ofClient));
});
