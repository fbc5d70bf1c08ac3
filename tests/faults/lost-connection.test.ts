// Behaviour of a transaction whose connection stops responding, and what it leaves.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "#/store/db/database.ts";
import { CommitUnknownError, StoreUnavailableError, sqlStateOf } from "#/store/db/errors.ts";
import { sql } from "#/store/db/sql.ts";
import { silenceMsMax } from "#/store/db/store/connection.ts";
import { atEnd } from "../support/app/at-end.ts";
import { watchMachine } from "../support/app/machine.ts";
import { patient, testDatabase } from "../support/postgres/database.ts";
import { startStoreProxy } from "./nodes/store-proxy.ts";
import { withClient } from "./oracles/oracle.ts";

const { database, url } = await testDatabase();
const proxy = await startStoreProxy(url);
const stretch = watchMachine();
/** Long enough that the delay of a busy machine is less than a second timeout. */
const statementTimeoutMs = 4_000;
const remote = openDatabase({
  url: proxy.url,
  connectionsMax: 3,
  applicationName: "crossdock test",
  statementTimeoutMs,
});
atEnd(async () => {
  await remote.close().catch(() => {});
  await proxy.close();
});
await withClient(url, (client) => client.query("create table counter (id integer primary key, n integer not null)"));
await database.query(sql`insert into counter values (1, 0)`);

test("a transaction fails with its first error, not with later ones", async () => {
  const work = database.transaction(async (tx) => {
    tx.send(sql`insert into counter values (1, 0)`);
    await tx.query(sql`select n from counter where id = 1`);
  });
  await assert.rejects(work, (error) => sqlStateOf(error) === "23505");
});

test("a statement that no one waits for any more, because one before it failed, does not end the process", async (t) => {
  const ended: unknown[] = [];
  const note = (reason: unknown) => void ended.push(reason);
  process.on("unhandledRejection", note);
  t.after(() => process.off("unhandledRejection", note));
  const work = database.transaction(async (tx) => {
    const cut = tx.query(sql`select pg_terminate_backend(pg_backend_pid())`);
    const behind = tx.query(sql`select n from counter where id = 1`);
    await cut;
    await behind;
  });
  await assert.rejects(work, StoreUnavailableError);
  await sleep(20);
  assert.deepEqual(ended, []);
});

test("a transaction whose store falls silent fails after one time-out, and its locks are free within seconds", async (t) => {
  let beganMs = performance.now();
  const work = remote.transaction(async (tx) => {
    await tx.query(sql`update counter set n = 99 where id = 1`);
    proxy.hang();
    beganMs = performance.now();
    await tx.query(sql`select n from counter where id = 1`);
  });
  await assert.rejects(
    work,
    (error) => error instanceof StoreUnavailableError && !(error instanceof CommitUnknownError),
  );
  const failedMs = performance.now() - beganMs;
  // On PostgreSQL's side, the silent connection is still open and holds the row lock.
  await database.transaction((tx) => tx.query(sql`update counter set n = n + 1 where id = 1`), {
    lockTimeoutMs: 30_000,
    statementTimeoutMs: 30_000,
  });
  const freeMs = performance.now() - beganMs;
  t.diagnostic(
    `failed after ${Math.round(failedMs)} ms with a time-out of ${statementTimeoutMs + silenceMsMax} ms; the lock was free after ${Math.round(freeMs)} ms`,
  );
  assert(failedMs < 1.9 * (statementTimeoutMs + silenceMsMax) * stretch());
  assert(freeMs < 15_000 * stretch());
  assert.deepEqual(await database.query(sql`select n from counter where id = 1`), [{ n: 1 }]);
  await proxy.back();
  assert.deepEqual(await remote.query(sql`select n from counter where id = 1`), [{ n: 1 }]);
});

for (const when of ["delivered", "lost"] as const) {
  test(`a connection that is cut at COMMIT (${when}) leaves the outcome unknown to the caller`, async () => {
    const id = when === "delivered" ? 2 : 3;
    proxy.cutAtCommit(when);
    const work = remote.transaction(async (tx) => tx.send(sql`insert into counter values (${id}::integer, 0)`));
    await assert.rejects(work, CommitUnknownError);
    await proxy.back();
    const find = () => database.query(sql`select n from counter where id = ${id}::integer`);
    if (when === "delivered") {
      // PostgreSQL runs the received statement at its own pace; it may start after the caller has got the error.
      for (const until = Date.now() + 30_000; Date.now() < until && (await find()).length === 0; ) await sleep(20);
      assert.deepEqual(await find(), [{ n: 0 }]);
    } else {
      // Waits for the transaction in question, if it still runs.
      await database.transaction(
        async (tx) => tx.send(sql`insert into counter values (${id}::integer, 1) on conflict do nothing`),
        patient,
      );
      assert.deepEqual(await find(), [{ n: 1 }]);
    }
  });
}
