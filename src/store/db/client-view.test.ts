import assert from "node:assert/strict";
import { test } from "node:test";
import { createIds } from "#/kernel/values/ids.ts";
import type { ClientTx, Tx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import type { Change } from "#/store/db/transaction.ts";
import { insertClient } from "../../../tests/support/builders/client.ts";
import { testDatabase } from "../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
await insertClient(database, { clientId: "ONE" });
await insertClient(database, { clientId: "TWO" });
const change: Change = { actor: "test", origin: "test", at: "2026-11-25T10:00:00Z", ids: createIds() };
const selectClient = sql`select client_id from client where client_id = ${tenant}`;

test("several views of one transaction each bind their client, beside statements of no client", async () => {
  const rows = await database.transaction(async (tx) => {
    const [firstView, secondView] = [tx.of("ONE"), tx.of("TWO", change)];
    assert.equal(secondView.change, change);
    assert.equal(secondView.with({ ...change, actor: "other" }).change.actor, "other");
    return Promise.all([
      firstView.query(selectClient),
      secondView.query(selectClient),
      secondView.plain.query(sql`select 1 as one`),
    ]);
  });
  assert.deepEqual(rows, [[{ client_id: "ONE" }], [{ client_id: "TWO" }], [{ one: 1 }]]);
  assert.deepEqual(await database.reads.of("TWO").query(selectClient), [{ client_id: "TWO" }]);
});

test("a view refuses work after its transaction has ended", async () => {
  const late = await database.transaction(async (tx) => tx.of("ONE", change));
  await assert.rejects(late.query(selectClient), /the transaction has ended/);
  assert.throws(() => late.send(selectClient), /the transaction has ended/);
});

test("a statement without its client neither compiles nor runs", async () => {
  const forgotten = (tx: Tx) =>
    // @ts-expect-error only a client's view executes a statement that names the client
    tx.query(sql`select 1 from client where client_id = ${tenant}`);
  await assert.rejects(async () => forgotten(database), /a client's view executes a tenant statement/);
  const nested = (tx: Tx) =>
    // @ts-expect-error a part that names the client needs it as the whole does
    tx.query(sql`select 1 from client where ${sql`client_id = ${tenant}`}`);
  await assert.rejects(async () => nested(database), /a client's view executes a tenant statement/);
  // @ts-expect-error an executor is not a client's view
  const unnamed: ClientTx = database;
  assert.ok(unnamed);
  await assert.rejects(async () => database.of("ONE").query(sql`select 1`), /must name its client/);
});
