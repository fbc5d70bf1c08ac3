import assert from "node:assert/strict";
import { test } from "node:test";
import { withDeadline } from "#/kernel/concurrency/deadline.ts";
import { openAcross } from "#/store/db/across.ts";
import { StoreUnavailableError, sqlStateOf, TooBroadError } from "#/store/db/errors.ts";
import { sql } from "#/store/db/sql.ts";
import { atEnd } from "../../../tests/support/app/at-end.ts";
import { until } from "../../../tests/support/app/until.ts";
import { testDatabase } from "../../../tests/support/postgres/database.ts";

const { url, database } = await testDatabase();
const across = openAcross({ url, onError: () => {}, statementTimeoutMs: 1_000 });
atEnd(() => across.close());

/** The store sent no answer within half a second after its time-out. The machine causes this, not the store. */
const isSilence = (error: Error) => error instanceof StoreUnavailableError && sqlStateOf(error.cause) === undefined;

test("a slow query is reported as too slow, not as an unavailable database", async () => {
  const slow = sql`select pg_sleep(5) limit 1`;
  for (const read of [
    () => across.query(slow),
    () => across.reads.query(slow),
    () => across.transaction((tx) => tx.query(slow)),
  ]) {
    // The test retries a read that got no answer. A statement that the store itself cancelled must never be reported as
    // an unavailable store.
    await until("TooBroadError", async () => {
      const error = await read().then(
        () => assert.fail("it was answered"),
        (error: Error) => error,
      );
      assert(error instanceof TooBroadError || isSilence(error), String(error));
      return error instanceof TooBroadError;
    });
  }
  assert.deepEqual(await across.query(sql`select 1 as n limit 1`), [{ n: 1 }]);
});

test("a user has two of the connections, and is refused reads beyond its share", async () => {
  const user = { atMs: performance.now() + 600_000, holder: () => "user anna" };
  const reads = Array.from({ length: 103 }, () =>
    withDeadline(user, () => across.query(sql`select pg_sleep(0.02) limit 1`)),
  );
  const settled = Promise.allSettled(reads);
  const [busy] = await database.query<{ count: number }>(
    sql`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name = 'crossdock console' and state = 'active' limit 1`,
  );
  assert.ok((busy?.count ?? 0) <= 2, `${busy?.count} connections were in use`);
  const refused = (await settled).flatMap((read) => (read.status === "rejected" ? [read.reason as Error] : []));
  assert.deepEqual(
    refused.map(({ name }) => name),
    ["ShareError", "ShareError", "ShareError"],
  );
});

test("writes are refused", async () => {
  const write = sql`insert into console_user (user_name, role, password_hash, created_at) values ('x', 'admin', 'x', now())`;
  await assert.rejects(
    () => across.query(write),
    (error: Error) => error instanceof StoreUnavailableError,
  );
  await assert.rejects(() => across.transaction((tx) => tx.query(write)));
});

test("on Citus a read over all nodes takes one connection per node and leaves the other pools unchanged", async () => {
  const setting = sql`select current_setting('citus.max_adaptive_executor_pool_size', true) as size limit 1`;
  assert.deepEqual(await across.query(setting), [{ size: "1" }]);
  assert.deepEqual(await across.reads.query(setting), [{ size: "1" }]);
  const [row] = await database.query<{ size: string | null }>(setting);
  assert.notEqual(row?.size, "1");
});

test("an unavailable database is reported as unavailable", async () => {
  const nowhere = openAcross({ url: "postgresql://127.0.0.1:1/none", onError: () => {} });
  await assert.rejects(() => nowhere.query(sql`select 1 as n limit 1`), StoreUnavailableError);
  await nowhere.close();
});
