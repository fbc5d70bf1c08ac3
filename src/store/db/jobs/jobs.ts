import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "#/kernel/clock.ts";
import { namedWork } from "#/kernel/concurrency/deadline.ts";
import { startPolling, untilNextMs } from "#/kernel/concurrency/polling.ts";
import { durationSince, type Logger } from "#/kernel/telemetry/log.ts";
import { metrics } from "#/kernel/telemetry/metrics.ts";
import { dayMs, hourMs, minuteMs } from "#/kernel/values/durations.ts";
import type { Database } from "#/store/db/database.ts";
import { isContention, isStoreAway, logLevelOf } from "#/store/db/errors.ts";
import { endTurn, failTurn, giveTurnBack, renewTurn, takeTurns } from "#/store/db/jobs/job-lease.ts";

/** Work that is due by the clock. It runs on one worker at a time: the first that claims it. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  /** For a job that is due once a day: the hour, UTC. Without it the job keeps its distance to its last run. */
  readonly hourUtc?: number;
  /**
   * Returns the amount of work done, where it can be counted: a run with work is logged.
   * @param stopping when it is aborted, a long run ends between two batches.
   */
  run(stopping?: AbortSignal): Promise<number | undefined> | Promise<void>;
}

export interface Jobs {
  /** Waits a few seconds for running jobs. The lease of a slower job is released, so that another worker starts it. */
  stop(): Promise<void>;
}

export interface JobsContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** While this returns false, no job that is due by the clock runs. */
  readonly isClockRight?: () => boolean;
  /** For tests that kill workers. */
  readonly leaseMs?: number;
  readonly askMs?: number;
  readonly stopMsMax?: number;
}

const askMsDefault = 5_000;
/** A run that takes this long, or a job with at least this interval, is logged even without any work. */
const slowMsMin = 1_000;
const rareMsMin = 10 * minuteMs;
/** The lease of a killed worker expires after this time; a running worker renews its lease as long as its job runs. */
const leaseMsDefault = 15_000;
/** Within the time that a process has for its end, and long enough for nearly every run. */
const stopMsMaxDefault = 2_500;
/** Hour of the daily checks of all clients, whose facilities may have several time zones. */
export const nightHourUtc = 2;

/**
 * The job is due if its last success is not after this time. A success is recorded at the end of the run: without the
 * slack, a job of five seconds would be due at every second look.
 */
function dueBeforeMs({ everyMs, hourUtc }: Job, nowMs: number, slackMs: number): number {
  if (hourUtc === undefined) return nowMs - everyMs + slackMs;
  const sinceHourMs = (nowMs - hourUtc * hourMs) % dayMs;
  return nowMs - sinceHourMs - 1;
}

export function startJobs(context: JobsContext, jobs: readonly Job[]): Jobs {
  const { database, clock, log, leaseMs = leaseMsDefault, askMs = askMsDefault } = context;
  const { stopMsMax = stopMsMaxDefault } = context;
  const slackMs = askMs / 5;
  const owner = randomUUID();
  const stopped = new AbortController();
  /** Running jobs, and the timers that renew their leases. */
  const atWork = new Map<string, NodeJS.Timeout>();

  /** @param job claimed by this process */
  async function runClaimed(job: Job): Promise<void> {
    const started = performance.now();
    let renewed = Promise.resolve();
    const renewing = setInterval(() => {
      renewed = renewTurn(database, job.name, owner, clock.now() + leaseMs).catch(() => {});
    }, leaseMs / 3);
    atWork.set(job.name, renewing);
    const [outcome] = await Promise.allSettled([(async () => job.run(stopped.signal))()]);
    clearInterval(renewing);
    // An interrupted job has no lease any more.
    const isOurs = atWork.delete(job.name);
    // A renewal after the end postpones the next turn.
    await renewed;
    if (outcome.status === "rejected") {
      // Where the database is away, the lease expires instead, and the job is due as it was before.
      if (isOurs)
        await failTurn(database, job.name, owner, clock.now(), job.everyMs).catch((error: Error) =>
          log.warn({ err: error, job: job.name }, "the failure of a job was not recorded"),
        );
      throw outcome.reason;
    }
    if (isOurs) await endTurn(database, job.name, owner, clock.now());
    const done = outcome.value ?? undefined;
    // Most jobs are due every few seconds and find no work: a line for each hides the others.
    const durationMs = durationSince(started);
    metrics.jobRuns.inc({ job_name: job.name, outcome: "done" });
    metrics.jobDuration.observe({ job_name: job.name }, durationMs / 1_000);
    const isRoutine = !done && durationMs < slowMsMin && job.everyMs < rareMsMin;
    log[isRoutine ? "debug" : "info"]({ job: job.name, done, durationMs }, "job");
  }

  const run = (job: Job) =>
    runClaimed(job).catch((error: Error) => {
      if (isOver) return;
      const outcome = isContention(error) || isStoreAway(error) ? "put_off" : "failed";
      metrics.jobRuns.inc({ job_name: job.name, outcome });
      if (isContention(error)) log.info({ job: job.name }, "job postponed: other transactions use the same stock");
      else if (isStoreAway(error)) log.warn({ job: job.name }, "job postponed: the database does not answer");
      else log.error({ err: error, job: job.name }, "job failed");
    });

  let isOver = false;
  const running = new Map<Job, Promise<void>>();

  /** Starts the jobs that are due. Each runs independently: a long job, such as the check of all stock, delays no other. */
  async function startDue(): Promise<void> {
    if (context.isClockRight?.() === false) return;
    const nowMs = clock.now();
    const resting = jobs
      .filter((job) => !running.has(job))
      .map((job) => ({ job, name: job.name, dueBeforeMs: dueBeforeMs(job, nowMs, slackMs) }));
    const claimed = new Set(await takeTurns(database, resting, owner, { nowMs, leaseMs }));
    for (const { job, name } of resting) {
      if (!claimed.has(name)) continue;
      if (stopped.signal.aborted) {
        await giveTurnBack(database, name, owner, clock.now()).catch(() => {});
        continue;
      }
      running.set(
        job,
        namedWork(`job ${name}`, () => run(job)).finally(() => running.delete(job)),
      );
    }
  }

  const looking = startPolling({
    name: "jobs",
    everyMs: askMs,
    async turn() {
      await startDue().catch((error: Error) => {
        if (!isOver) log[logLevelOf(error)]({ err: error }, "jobs postponed: those that are due could not be claimed");
      });
      return untilNextMs(askMs);
    },
  });

  return {
    async stop() {
      stopped.abort();
      const late = new AbortController();
      const ended = looking.stop().then(() => Promise.all(running.values()));
      await Promise.race([ended, sleep(stopMsMax, undefined, { signal: late.signal }).catch(() => {})]);
      late.abort();
      isOver = true;
      for (const [job, renewing] of atWork) {
        atWork.delete(job);
        clearInterval(renewing);
        log.info({ job }, "job interrupted by the stop; another worker restarts it");
        await giveTurnBack(database, job, owner, clock.now()).catch(() => {});
      }
    },
  };
}
