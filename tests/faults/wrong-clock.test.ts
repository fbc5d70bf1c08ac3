// Wrong clocks that are corrected later: of one node, and of the machine with node and database. Scheduled work
// continues by itself, also after a kill -9 at the wrong time.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { dayMs } from "#/kernel/values/durations.ts";
import { atEnd } from "../support/app/at-end.ts";
import { commandLine } from "../support/app/cli.ts";
import { makeDataDir, type StartingProcess, spawnProcess, urlIn } from "../support/app/process.ts";
import { testServer } from "../support/app/server.ts";
import { until } from "../support/app/until.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { scrape, sumOf } from "../support/http/scrape.ts";
import { tellEvents, webhookDesk } from "../support/webhooks/webhooks.ts";

const settings = { CROSSDOCK_WEBHOOK_RETRY_SCHEDULE: "0.5,2,5" };
const server = await testServer({ ...settings, CROSSDOCK_ROLES: "api,auth" });
const dataDir = makeDataDir();
const shiftFile = path.join(dataDir, "shift");
/** Far below the delay caused by a lease in the future. */
const goneOnMsMax = 120_000;
const shifted = {
  NODE_OPTIONS: `--import ${pathToFileURL(path.resolve("tests/support/app/shifted-clock.mjs")).href}`,
  SHIFTED_CLOCK_FILE: shiftFile,
};

const setNode = (ms: number) => writeFileSync(shiftFile, String(ms));
/** The database's clock is read with a function that a schema before PostgreSQL's own can replace. */
const setDatabase = (ms: number) => server.rows("update test_clock set shift_ms = $1::float8", ms);
setNode(0);
await server.rows("create table test_clock (shift_ms float8)");
await server.rows("insert into test_clock values (0)");
await server.rows(`create function clock_timestamp() returns timestamptz language sql volatile as
  $$ select pg_catalog.clock_timestamp() + (select shift_ms from public.test_clock) * interval '1 millisecond' $$`);
const databaseName = new URL(server.config.database.url as string).pathname.slice(1);
await server.rows(`alter database "${databaseName}" set search_path = public, pg_catalog`);

function startWorker(): StartingProcess {
  return spawnProcess(dataDir, {
    ...settings,
    ...shifted,
    DATABASE_URL: server.config.database.url as string,
    CROSSDOCK_SECRET: "a master key for tests, long enough",
    CROSSDOCK_ROLES: "worker",
    CROSSDOCK_SEED_DEMO: "false",
  });
}

const client = await server.onboard("CLOCKS");
const handleReport = await webhookDesk(server, client);
const receiver = await startReceiver();
atEnd(() => receiver.close());
await handleReport.create({ url: receiver.url });
let eventCount = 0;
const objectIds = Array.from({ length: 10 }, (_, i) => `O-${i}`);

async function tell(): Promise<void> {
  await tellEvents(server, "CLOCKS", objectIds);
  eventCount += objectIds.length;
}

const haveCome = () =>
  until(
    `${eventCount} deliveries`,
    () => new Set(receiver.requests.map(({ headers }) => headers["webhook-id"])).size >= eventCount,
    goneOnMsMax,
  );

const addressOf = (worker: StartingProcess) => until("the worker's address", () => urlIn(worker.output()), goneOnMsMax);

/** Checks the process's counter of a job that is due every five seconds. */
async function jobsGoOn(worker: StartingProcess): Promise<void> {
  const url = await addressOf(worker);
  const job = { job_name: "statistics", outcome: "done" };
  const runs = async () => sumOf(await scrape(url), "crossdock_job_runs_total", job);
  const before = await runs();
  await until("jobs to go on", async () => (await runs()) > before, goneOnMsMax);
}

test("the clock of machine and database a day ahead, and ten minutes back: webhooks and jobs go on, after a kill too", async () => {
  let worker = startWorker();
  await tell();
  await haveCome();
  for (const [ms, isKilled] of [
    [dayMs, true],
    [dayMs, false],
    [600_000, true],
    [600_000, false],
  ] as const) {
    setNode(ms);
    await setDatabase(ms);
    await tell();
    await haveCome();
    await jobsGoOn(worker);
    // When the clock is corrected, one delivery is in progress and another waits for its retry.
    receiver.answer = 500;
    await tell();
    const before = receiver.requests.length;
    await receiver.waitFor(before + 1);
    if (isKilled) await worker.kill();
    setNode(0);
    await setDatabase(0);
    receiver.answer = 200;
    if (isKilled) worker = startWorker();
    await tell();
    await haveCome();
    await jobsGoOn(worker);
  }
  await worker.stop("SIGTERM");
});

/** Leases of jobs whose end or last run is in the future; a lease is 15 s long. */
const leasesAhead = async () =>
  (
    await server.rows(`select job, owner, lease_until, last_run_at from job_lease
      where greatest(lease_until, last_run_at) > pg_catalog.clock_timestamp() + interval '20 seconds' order by job`)
  ).map((lease) => JSON.stringify(lease));

test("a node with a wrong clock reports it, stops timed work beyond a minute, and continues when it is right", async () => {
  let worker = startWorker();
  await jobsGoOn(worker);
  // A worker that was killed a day ahead leaves the lease of its running job. The next worker replaces it when the job
  // is due: `events-check` runs once a day, `partitions` twice.
  const leftByKill = new Set(await leasesAhead());
  setNode(30_000);
  await until("a warning", () => worker.output().includes("the clock of this machine differs from the database's"));
  const skew = async () => sumOf(await scrape(await addressOf(worker)), "crossdock_clock_skew_seconds");
  await until("the metric", async () => (await skew()) > 29);
  await tell();
  await haveCome();
  for (const [ms, isKilled] of [
    [dayMs, true],
    [-600_000, false],
  ] as const) {
    setNode(ms);
    await until("an error", () => worker.output().includes("timed work does not run here"));
    const doctor = await commandLine(server)(["doctor"], shifted);
    assert.equal(doctor.code, 1);
    assert.match(doctor.stdout, /clock.*differs from this machine's by/);
    await tell();
    await sleep(2_000);
    const leases = await leasesAhead();
    assert.deepEqual(
      leases.filter((lease) => !leftByKill.has(lease)),
      [],
      "no lease and no last run is of a wrong clock",
    );
    if (isKilled) await worker.kill();
    setNode(0);
    if (isKilled) worker = startWorker();
    await haveCome();
    await jobsGoOn(worker);
  }
  await worker.stop("SIGTERM");
});
