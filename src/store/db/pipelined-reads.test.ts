import assert from "node:assert/strict";
import { test } from "node:test";
import { openDatabase } from "#/store/db/database.ts";
import { StoreUnavailableError } from "#/store/db/errors.ts";
import { sql } from "#/store/db/sql.ts";
import { until } from "../../../tests/support/app/until.ts";
import { startProxy } from "../../../tests/support/http/proxy.ts";
import { testDatabase } from "../../../tests/support/postgres/database.ts";

const { database, url } = await testDatabase();
const pidOf = () => database.reads.query<{ pid: number }>(sql`select pg_backend_pid() as pid limit 1`);
const twice = (n: number) => database.reads.query<{ n: number }>(sql`select ${n}::int * 2 as n limit 1`);

test("concurrent reads each get their own rows, on a few connections", async () => {
  const numbers = Array.from({ length: 300 }, (_, i) => i);
  // The first reads are distributed over the connections before any connection is open, however long that takes.
  const [pids, answers] = await Promise.all([Promise.all(numbers.map(pidOf)), Promise.all(numbers.map(twice))]);
  assert.deepEqual(
    answers.map(([row]) => row?.n),
    numbers.map((n) => n * 2),
  );
  const connections = new Set(pids.map(([row]) => row?.pid)).size;
  assert(connections > 1 && connections <= 4, `${connections} connections`);
});

test("a read that fails or is cancelled does not affect other reads", async () => {
  const hasty = openDatabase({ url, connectionsMax: 1, applicationName: "test", statementTimeoutMs: 1_000 });
  const divide = (by: number) => hasty.reads.query<{ n: number }>(sql`select 6 / ${by}::int as n limit 1`);
  const slow = () => hasty.reads.query(sql`select pg_sleep(5) limit 1`);
  const ask = () => Promise.allSettled([0, 1].flatMap(() => [slow(), divide(0), divide(1), divide(2), divide(3)]));
  const isLost = (outcome: PromiseSettledResult<unknown>) =>
    outcome.status === "rejected" && outcome.reason instanceof StoreUnavailableError;
  let outcomes = await ask();
  // When the machine delays the server's answer by half a second, the connection and all its reads are given up.
  for (let more = 4; more > 0 && outcomes.some((outcome, i) => i % 5 !== 0 && isLost(outcome)); more--)
    outcomes = await ask();
  for (const [i, outcome] of outcomes.entries()) {
    if (i % 5 === 0) assert(isLost(outcome));
    else if (i % 5 === 1) assert(outcome.status === "rejected" && outcome.reason.code === "22012");
    else assert.deepEqual(outcome.status === "fulfilled" && outcome.value, [{ n: 6 / ((i % 5) - 1) }]);
  }
  await hasty.close();
});

test("a lost connection fails the reads on it as unavailable, and the next ones work", async () => {
  const [{ pid } = { pid: 0 }] = await pidOf();
  // The connection that terminates the other one is open before the two reads start: opening it may take longer than
  // they do.
  await database.query(sql`select 1 limit 1`);
  const sleep = () => database.reads.query(sql`select pg_sleep(2) limit 1`);
  const sleeping = Promise.allSettled(Array.from({ length: 8 }, sleep));
  await database.query(sql`select pg_terminate_backend(${pid})`);
  const lost = (await sleeping).filter((outcome) => outcome.status === "rejected");
  assert.equal(lost.length, 2);
  for (const { reason } of lost) assert(reason instanceof StoreUnavailableError);
  assert.deepEqual(await twice(4), [{ n: 8 }]);
});

test("a silent connection is closed after the statement time-out, and the others continue", async () => {
  const proxy = await startProxy(url);
  // A connection must also open within this time and half a second.
  const options = { connectionsMax: 1, applicationName: "test", statementTimeoutMs: 1_500 };
  const remote = openDatabase({ url: proxy.url, ...options });
  const read = () => remote.reads.query(sql`select 1 limit 1`);
  try {
    await read();
    proxy.hush();
    const startedMs = performance.now();
    const [silent, ...others] = await Promise.allSettled([read(), read(), read()]);
    assert(silent.status === "rejected" && silent.reason instanceof StoreUnavailableError);
    // Not after the usual limit of a statement, which is 4 s, plus the extra time.
    assert(performance.now() - startedMs < 4_500);
    for (const other of others) assert.equal(other.status, "fulfilled");
    assert.equal((await read()).length, 1);
  } finally {
    await remote.close();
    await proxy.shut();
  }
});

test("an idle connection does not count as silent when it is used again", async () => {
  const rested = openDatabase({ url, connectionsMax: 1, applicationName: "test", statementTimeoutMs: 1_500 });
  const pid = () => rested.reads.query<{ pid: number }>(sql`select pg_backend_pid() as pid limit 1`);
  const [first] = await pid();
  // The answer comes 0.1 s after the connection is given up if the silence counts from its last answer.
  await new Promise((resolve) => setTimeout(resolve, 1_600));
  const slow = Array.from({ length: 8 }, () => rested.reads.query(sql`select pg_sleep(0.5) limit 1`));
  await Promise.all(slow);
  assert.deepEqual((await pid())[0], first);
  await rested.close();
});

test("an unreachable database is unavailable, also for waiting reads", async () => {
  const nowhere = openDatabase({ url: "postgres://x:y@127.0.0.1:1/z", connectionsMax: 1, applicationName: "test" });
  const reads = Array.from({ length: 100 }, () => nowhere.reads.query(sql`select 1 limit 1`));
  for (const outcome of await Promise.allSettled(reads)) {
    assert(outcome.status === "rejected" && outcome.reason instanceof StoreUnavailableError);
  }
  await nowhere.close();
});

test("closing answers running reads and refuses new ones", async () => {
  const closing = openDatabase({ url, connectionsMax: 1, applicationName: "closing", statementTimeoutMs: 30_000 });
  // Long enough to be observed, and to close the pool meanwhile, on a busy machine too.
  const inProgress = closing.reads.query(sql`select pg_sleep(4), 1 as n limit 1`);
  await until("the read to be under way", async () => {
    const [running] = await database.query(sql`select pid from pg_stat_activity
      where application_name = 'closing' and state = 'active' and datname = current_database() limit 1`);
    return running;
  });
  await closing.close();
  assert.equal((await inProgress).length, 1);
  await assert.rejects(closing.reads.query(sql`select 1 limit 1`), StoreUnavailableError);
});
