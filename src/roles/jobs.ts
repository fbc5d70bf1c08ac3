import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "#/db/database.ts";
import { isContention, isUnavailable } from "#/db/errors.ts";
import { endTurn, renewTurn, takeTurn } from "#/db/job-lease.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Logger } from "#/kernel/log.ts";

/** Work that is due by the clock; it runs on one worker at a time, whichever asks first. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  run(): Promise<void>;
}

export interface Jobs {
  stop(): Promise<void>;
}

export interface JobsContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** For tests that kill workers. */
  readonly leaseMs?: number;
  readonly askMs?: number;
}

const askMsDefault = 5_000;
/** The turn of a worker that was killed is free after this; one that lives renews it as long as its job runs. */
const leaseMsDefault = 15_000;

export function startJobs(context: JobsContext, jobs: readonly Job[]): Jobs {
  const { database, clock, log, leaseMs = leaseMsDefault, askMs = askMsDefault } = context;
  const owner = randomUUID();
  const stopped = new AbortController();

  async function runDue(job: Job): Promise<void> {
    if (!(await takeTurn(database, job.name, owner, clock.now(), job.everyMs, leaseMs))) return;
    const started = performance.now();
    let renewed = Promise.resolve();
    const renewing = setInterval(() => {
      renewed = renewTurn(database, job.name, owner, clock.now() + leaseMs).catch(() => {});
    }, leaseMs / 3);
    try {
      await job.run();
    } finally {
      clearInterval(renewing);
      // A renewal that came behind the end would put the next turn off.
      await renewed;
      await endTurn(database, job.name, owner, clock.now());
    }
    log.debug({ job: job.name, ms: Math.round(performance.now() - started) }, "job done");
  }

  /** Each job on its own: a long one, such as the check of all stock, holds up no other. */
  async function keepRunning(job: Job): Promise<void> {
    while (!stopped.signal.aborted) {
      await runDue(job).catch((error: Error) => {
        if (isContention(error)) log.info({ job: job.name }, "job put off: others work on the same stock");
        else if (isUnavailable(error)) log.warn({ job: job.name }, "job put off: the store does not answer");
        else log.error({ err: error, job: job.name }, "job failed");
      });
      await sleep(askMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
  }

  const running = Promise.all(jobs.map(keepRunning));

  return {
    async stop() {
      stopped.abort();
      await running;
    },
  };
}
