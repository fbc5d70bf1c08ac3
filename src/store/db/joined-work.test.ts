import assert from "node:assert/strict";
import { test } from "node:test";
import type { Transaction } from "#/store/db/database.ts";
import { runJoined } from "#/store/db/joined-work.ts";
import { byColumn, combined, setOf } from "#/store/db/row-set.ts";
import { sql } from "#/store/db/sql.ts";
import { insertInto, selectFrom, table, updateOf } from "#/store/db/table.ts";
import { AloneError } from "#/store/db/transaction.ts";
import { testDatabase } from "../../../tests/support/postgres/database.ts";

const sent: string[] = [];
const { database } = await testDatabase({ engine: "postgresql", onStatement: ({ text }) => sent.push(text) });
await database.query(
  sql`create table shelf (client_id text not null, sku text not null, qty integer not null check (qty >= 0),
    primary key (client_id, sku))`,
);
await database.query(
  sql`create table label (client_id text not null, sku text not null, primary key (client_id, sku))`,
);
await database.query(sql`insert into tenant (client_id) values ('DEMO'), ('OTHER')`);

interface Added {
  readonly sku: string;
  readonly added: number;
}
const shelf = table("shelf", ["sku"], { sku: "text", qty: "integer" });
const insertShelves = insertInto(shelf);
const findShelves = selectFrom(shelf, { by: "sku", select: ["sku", "qty"], orderBy: ["qty", "sku"], limit: 100 });
const findLabels = selectFrom(table("label", ["sku"], { sku: "text" }), { by: "sku", select: ["sku"], limit: 100 });
const addTo = updateOf(shelf, {
  with: { added: "integer" },
  also: { qty: sql`shelf.qty + given.added` },
  combine: (rows: readonly Added[]) =>
    combined(
      rows,
      ({ sku }) => sku,
      (left, right) => ({ sku: left.sku, added: left.added + right.added }),
    ),
});

async function fill(clientId: string, qtyOf: Readonly<Record<string, number>>): Promise<void> {
  const rows = Object.entries(qtyOf).map(([sku, qty]) => ({ sku, qty }));
  await database.query(sql`delete from shelf where client_id = ${clientId}`);
  await database.transaction(async (tx) => insertShelves.send(tx.of(clientId), rows));
}

async function stockOf(clientId: string): Promise<Record<string, number>> {
  const rows = await findShelves.query(database.of(clientId), ["A", "B", "C", "D"]);
  return Object.fromEntries(rows.map(({ sku, qty }) => [sku, qty]));
}

const outcomeOf = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.map((result) => (result.status === "fulfilled" ? result.value : `${result.reason.message}`));

test("pieces share their reads and writes, and each gets its own rows in the order of the statement", async () => {
  await fill("DEMO", { A: 3, B: 1, C: 2 });
  sent.length = 0;
  const wanted = [["A", "B"], ["B", "C"], ["D"], ["C"]];
  const results = await runJoined(
    database,
    wanted.map((skus) => async (tx) => {
      const rows = await findShelves.query(tx.of("DEMO"), skus);
      addTo.send(
        tx.of("DEMO"),
        rows.map(({ sku }) => ({ sku, added: 10 })),
      );
      return rows.map(({ sku, qty }) => `${sku} ${qty}`);
    }),
  );
  assert.deepEqual(outcomeOf(results), [["B 1", "A 3"], ["B 1", "C 2"], [], ["C 2"]]);
  assert.equal(sent.length, 2, sent.join("\n"));
  assert.deepEqual(await stockOf("DEMO"), { A: 13, B: 21, C: 22 });
});

test("pieces share a read over clients", async () => {
  await fill("DEMO", { A: 1 });
  await fill("OTHER", { B: 2 });
  sent.length = 0;
  const work = (skus: readonly string[]) => async (tx: Transaction) => {
    const rows = await tx.query<{ readonly sku: string; readonly client_id: string }>(
      setOf(skus, (sought) => sql`select sku, client_id from shelf where sku = any(${sought}::text[]) order by sku`, {
        reads: "shelf",
        keys: byColumn("sku"),
      }),
    );
    return rows.map(({ sku, client_id }) => `${client_id} ${sku}`);
  };
  const results = await runJoined(database, [work(["A", "C"]), work(["B", "A"])]);
  assert.deepEqual(outcomeOf(results), [["DEMO A"], ["DEMO A", "OTHER B"]]);
  assert.equal(sent.length, 1, sent.join("\n"));
});

test("equal reads share an answer; those of another client do not", async () => {
  await fill("DEMO", { A: 1 });
  await fill("OTHER", { A: 2 });
  sent.length = 0;
  const work = (clientId: string) => async (tx: Transaction) => {
    const [same] = await tx.query<{ n: number }>(sql`select 7 as n`);
    const [row] = await findShelves.query(tx.of(clientId), ["A"]);
    return [same?.n, row?.qty];
  };
  const results = await runJoined(database, [work("DEMO"), work("OTHER"), work("DEMO")]);
  assert.deepEqual(outcomeOf(results), [
    [7, 1],
    [7, 2],
    [7, 1],
  ]);
  assert.equal(sent.length, 3, sent.join("\n"));
});

test("the others are committed without a piece that fails before it writes, and not without one that fails later", async () => {
  await fill("DEMO", { A: 1, B: 1 });
  const committed: string[] = [];
  const results = await runJoined(
    database,
    ["A", "B"].map((sku) => async (tx) => {
      tx.afterCommit(() => committed.push(sku));
      if (sku === "A") throw new Error("refused");
      addTo.send(tx.of("DEMO"), [{ sku, added: 5 }]);
      return sku;
    }),
  );
  assert.deepEqual(outcomeOf(results), ["refused", "B"]);
  assert.deepEqual(await stockOf("DEMO"), { A: 1, B: 6 });
  assert.deepEqual(committed, ["B"]);
  const late = ["A", "B"].map((sku) => async (tx: Transaction) => {
    addTo.send(tx.of("DEMO"), [{ sku, added: 5 }]);
    if (sku === "A") throw new Error("late");
  });
  await assert.rejects(runJoined(database, late), /late/);
  assert.deepEqual(await stockOf("DEMO"), { A: 1, B: 6 });
});

test("a statement that fails rolls every piece back", async () => {
  await fill("DEMO", { A: 1, B: 1 });
  const pieces = [5, -5].map((added, i) => async (tx: Transaction) => {
    addTo.send(tx.of("DEMO"), [{ sku: i === 0 ? "A" : "B", added }]);
  });
  await assert.rejects(runJoined(database, pieces), { code: "23514" });
  assert.deepEqual(await stockOf("DEMO"), { A: 1, B: 1 });
  const read = async (tx: Transaction) => tx.query(sql`select 1 / 0`);
  await assert.rejects(runJoined(database, [pieces[0] as (typeof pieces)[0], read as never]), { code: "22012" });
  assert.deepEqual(await stockOf("DEMO"), { A: 1, B: 1 });
});

test("a piece cannot share a taken object, a table that it reads after writing, or what it must have alone", async () => {
  await fill("DEMO", { A: 1 });
  let made = 0;
  const results = await runJoined<unknown>(database, [
    async (tx) => {
      tx.claim("order 1");
      tx.claim("order 1");
      return tx.once("lock", async () => ++made);
    },
    async (tx) => tx.claim("order 1"),
    async (tx) => tx.requireAlone(),
    async (tx) => tx.once("lock", async () => ++made),
  ]);
  assert.deepEqual(
    results.map(({ status }) => status),
    ["fulfilled", "rejected", "rejected", "fulfilled"],
  );
  for (const result of results) if (result.status === "rejected") assert.ok(result.reason instanceof AloneError);
  assert.equal(made, 1);
  const reads = async (tx: Transaction) => {
    addTo.send(tx.of("DEMO"), [{ sku: "A", added: 1 }]);
    return findShelves.query(tx.of("DEMO"), ["A"]);
  };
  await assert.rejects(runJoined(database, [reads]), AloneError);
  const readsAnything = async (tx: Transaction) => {
    addTo.send(tx.of("DEMO"), [{ sku: "A", added: 1 }]);
    return tx.query(sql`select 1 as one`);
  };
  await assert.rejects(runJoined(database, [readsAnything]), AloneError);
  assert.deepEqual(await stockOf("DEMO"), { A: 1 });
  const readsAnother = async (tx: Transaction) => {
    addTo.send(tx.of("DEMO"), [{ sku: "A", added: 1 }]);
    return findLabels.query(tx.of("DEMO"), ["A"]);
  };
  assert.deepEqual(outcomeOf(await runJoined(database, [readsAnother])), [[]]);
  assert.deepEqual(await stockOf("DEMO"), { A: 2 });
});
