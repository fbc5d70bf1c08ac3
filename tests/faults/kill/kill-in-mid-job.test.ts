// Scheduled work runs on one worker at a time, and continues on another if that one is killed in the middle.
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, systemClock } from "#/kernel/clock.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { openDatabase } from "#/store/db/database.ts";
import { type Job, type Jobs, startJobs } from "#/store/db/jobs/jobs.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { watchMachine } from "../../support/app/machine.ts";
import { until } from "../../support/app/until.ts";
import { testDatabase } from "../../support/postgres/database.ts";

const log = createLogger({ level: "fatal", format: "json", destination: { write: () => {} } });
const running = new Set<Jobs>();
const stretch = watchMachine();
const { database, url } = await testDatabase();
atEnd(() => Promise.all([...running].map((jobs) => jobs.stop())));

function start(job: Job, on = database, leaseMs = 600, clock: Clock = systemClock): Jobs {
  const jobs = startJobs({ database: on, clock, log, leaseMs, askMs: 50 }, [job]);
  running.add(jobs);
  return jobs;
}

test("a job whose worker is gone is done by another when its lease has run out", async () => {
  const gone = openDatabase({ url, connectionsMax: 2, applicationName: "crossdock test" });
  let hasBegun = false;
  let goOn = () => {};
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const first = start(
    {
      name: "killed",
      everyMs: 1,
      async run() {
        hasBegun = true;
        await gate;
      },
    },
    gone,
  );
  await until("the job to begin", async () => hasBegun || undefined);
  // Like kill -9: nothing more of it reaches the store.
  await gone.close();
  const beganMs = performance.now();
  let runs = 0;
  start({ name: "killed", everyMs: 60_000, run: async () => void runs++ });
  await until("another worker to do it", async () => runs > 0);
  assert(performance.now() - beganMs < 10_000 * stretch());
  goOn();
  await first.stop();
  assert.equal(runs, 1);
});

test("a job that takes longer than its lease is done by one worker all the same", async () => {
  let together = 0;
  let togetherMax = 0;
  let runs = 0;
  // Long enough to be renewed in time on a busy machine. While this process gets no processor time for that, the clock
  // of the lease stops too.
  const leaseMs = 4_000;
  const tickMs = 20;
  let nowMs = Date.now();
  setInterval(() => {
    nowMs += tickMs;
  }, tickMs).unref();
  const clock = { now: () => nowMs };
  const job: Job = {
    name: "long",
    everyMs: 1,
    async run() {
      togetherMax = Math.max(togetherMax, ++together);
      const endMs = nowMs + 1.5 * leaseMs;
      await until("the job's end", () => nowMs > endMs, 120_000);
      together--;
      runs++;
    },
  };
  const workers = Array.from({ length: 3 }, () => start(job, database, leaseMs, clock));
  await until("two runs", async () => runs >= 2, 120_000);
  await Promise.all(workers.map((worker) => worker.stop()));
  assert.equal(togetherMax, 1);
});

test("a job that a stop breaks off is begun again by another worker at once", async () => {
  let hasBegun = false;
  let goOn = () => {};
  const gate = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const stopping = startJobs({ database, clock: systemClock, log, leaseMs: 60_000, askMs: 50, stopMsMax: 400 }, [
    {
      name: "job interrupted by the stop",
      everyMs: 60_000,
      async run() {
        hasBegun = true;
        await gate;
      },
    },
  ]);
  await until("the job to begin", async () => hasBegun || undefined);
  const beganMs = performance.now();
  await stopping.stop();
  let runs = 0;
  start({ name: "job interrupted by the stop", everyMs: 60_000, run: async () => void runs++ });
  await until("another worker to do it", async () => runs > 0);
  // Long before the lease expires.
  assert(performance.now() - beganMs < 20_000);
  // Its late end must not end the turn of another worker.
  goOn();
  await sleep(100);
  assert.equal(runs, 1);
});
