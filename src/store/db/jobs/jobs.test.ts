import assert from "node:assert/strict";
import { test } from "node:test";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { dayMs, hourMs, minuteMs } from "#/kernel/values/durations.ts";
import { listJobTurns } from "#/store/db/jobs/job-lease.ts";
import { type Job, startJobs } from "#/store/db/jobs/jobs.ts";
import { atEnd } from "../../../../tests/support/app/at-end.ts";
import { until } from "../../../../tests/support/app/until.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
const log = createLogger({ level: "fatal", format: "json", destination: { write: () => {} } });

/** Runs a job by a clock that stands still between the steps of a test. */
function play(job: Pick<Job, "name" | "everyMs" | "hourUtc">, startMs: number) {
  let nowMs = startMs;
  let lookCount = 0;
  let fault: Error | undefined;
  const runs: number[] = [];
  const jobs = startJobs(
    {
      database,
      clock: {
        now() {
          // Each look asks for the time.
          lookCount++;
          return nowMs;
        },
      },
      log,
      askMs: 5,
      leaseMs: 60 * minuteMs,
    },
    [
      {
        ...job,
        async run() {
          runs.push(nowMs);
          if (fault) throw fault;
        },
      },
    ],
  );
  atEnd(() => jobs.stop());
  return {
    runs,
    fails(error: Error | undefined) {
      fault = error;
    },
    /** Sets the time, waits until the job was looked at, and returns the number of runs so far. */
    async at(ms: number) {
      nowMs = ms;
      const before = lookCount;
      await until("two looks", () => lookCount > before + 5);
      return runs.length;
    },
    turn: async () => (await listJobTurns(database)).find((turn) => turn.job === job.name),
  };
}

const lostConnection = Object.assign(new Error("terminating connection"), { code: "57P01", severity: "FATAL" });

test("a daily job that fails is retried in minutes, ever more seldom, and names its last success", async () => {
  const t0 = Date.UTC(2026, 10, 2, 2);
  const job = play({ name: "checks", everyMs: dayMs, hourUtc: 2 }, t0);
  assert.equal(await job.at(t0), 1);
  assert.equal(await job.at(t0 + 23 * hourMs), 1);
  job.fails(lostConnection);
  const t1 = t0 + dayMs;
  assert.equal(await job.at(t1), 2);
  assert.equal(await job.at(t1 + 0.9 * minuteMs), 2);
  assert.equal(await job.at(t1 + 1.1 * minuteMs), 3);
  assert.equal(await job.at(t1 + 3 * minuteMs), 3, "the second retry waits twice as long");
  assert.equal(await job.at(t1 + 3.2 * minuteMs), 4);
  const turn = await job.turn();
  assert.deepEqual([turn?.failures, Date.parse(turn?.last_run_at ?? "")], [3, t0]);
  job.fails(undefined);
  assert.equal(await job.at(t1 + 8 * minuteMs), 5);
  assert.equal(await job.at(t1 + 23 * hourMs), 5);
  const after = await job.turn();
  assert.deepEqual(
    [after?.failures, after?.retry_at, Date.parse(after?.last_run_at ?? "")],
    [0, null, t1 + 8 * minuteMs],
  );
});

test("retries are half an hour apart at most, and no further than the job's interval", async () => {
  const t0 = Date.UTC(2026, 10, 2, 14);
  const seldom = play({ name: "seldom", everyMs: 12 * hourMs }, t0);
  const often = play({ name: "often", everyMs: 5_000 }, t0);
  for (const job of [seldom, often]) {
    job.fails(new Error("broken"));
    await until("the first run", () => job.runs.length === 1);
  }
  for (let i = 1; i <= 8; i++) {
    const ms = t0 + i * 31 * minuteMs;
    assert.equal(await seldom.at(ms), i + 1);
    assert.equal(await often.at(ms), i + 1);
  }
  assert.equal(await often.at(t0 + 8 * 31 * minuteMs + 6_000), 10);
});

test("a daily job is due at its hour, whenever the first worker started", async () => {
  const t0 = Date.UTC(2026, 10, 2, 14, 30);
  const job = play({ name: "at-two", everyMs: dayMs, hourUtc: 2 }, t0);
  assert.equal(await job.at(t0), 1, "the first run is at the start");
  assert.equal(await job.at(Date.UTC(2026, 10, 3, 1, 59)), 1);
  assert.equal(await job.at(Date.UTC(2026, 10, 3, 2, 1)), 2);
  assert.equal(await job.at(Date.UTC(2026, 10, 4, 1, 59)), 2);
  assert.equal(await job.at(Date.UTC(2026, 10, 4, 2, 0)), 3);
});

test("a job that fails while its failure cannot be recorded logs both errors", async () => {
  const lines: { readonly msg: string; readonly err?: { readonly message: string } }[] = [];
  const query: typeof database.query = (statement) =>
    statement.text.includes("failures + 1") ? Promise.reject(new Error("the turn is lost")) : database.query(statement);
  const run = () => Promise.reject(new Error("broken"));
  const jobs = startJobs(
    {
      database: { ...database, query },
      clock: { now: () => Date.UTC(2026, 10, 2) },
      log: createLogger({
        level: "warn",
        format: "json",
        destination: { write: (line) => lines.push(JSON.parse(line)) },
      }),
      askMs: 5,
    },
    [{ name: "twice-broken", everyMs: minuteMs, run }],
  );
  atEnd(() => jobs.stop());
  await until("two errors", () => lines.length >= 2);
  assert.deepEqual(
    lines.slice(0, 2).map(({ msg, err }) => [msg, err?.message]),
    [
      ["the failure of a job was not recorded", "the turn is lost"],
      ["job failed", "broken"],
    ],
  );
});

test("one statement claims the due jobs among all, and a job that ended late in its interval is due at the next look", async () => {
  const texts: string[] = [];
  const runs: string[] = [];
  let nowMs = Date.UTC(2026, 10, 3);
  const query: typeof database.query = (statement) => {
    texts.push(statement.text);
    return database.query(statement);
  };
  const names = ["first", "second", "third"];
  const jobs = startJobs(
    { database: { ...database, query }, clock: { now: () => nowMs }, log, askMs: 500 },
    names.map((name) => ({ name: `look-${name}`, everyMs: minuteMs, run: async () => void runs.push(name) })),
  );
  atEnd(() => jobs.stop());
  await until("the first runs", () => texts.filter((text) => text.includes("update job_lease")).length === 3);
  assert.deepEqual(runs.toSorted(), names);
  texts.length = 0;
  await until("two looks", () => texts.length >= 2);
  assert.ok(
    texts.every((text) => text.includes("unnest")),
    "a look without a due job is one statement",
  );
  // The last runs ended up to a fifth of a look after the moment at which their look began.
  texts.length = 0;
  nowMs += minuteMs - 100;
  await until("the second runs", () => runs.length === 6);
  assert.ok(texts.filter((text) => text.includes("insert into")).length < 3, "the three jobs are claimed at once");
});

test("of two workers that look at the same moment each job runs on one", async () => {
  const runs: string[] = [];
  let looks = 0;
  const query: typeof database.query = (statement) => {
    if (statement.text.includes("unnest")) looks++;
    return database.query(statement);
  };
  const names = ["one", "two", "three", "four"];
  const nowMs = Date.UTC(2026, 10, 3);
  const workers = [1, 2].map(() =>
    startJobs(
      { database: { ...database, query }, clock: { now: () => nowMs }, log, askMs: 20 },
      names.map((name) => ({ name: `shared-${name}`, everyMs: minuteMs, run: async () => void runs.push(name) })),
    ),
  );
  atEnd(() => Promise.all(workers.map((worker) => worker.stop())));
  await until("ten looks", () => looks >= 10);
  assert.deepEqual(runs.toSorted(), names.toSorted());
});
