import type { Clock } from "#/kernel/clock.ts";
import { startPolling } from "#/kernel/concurrency/polling.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import type { JobQueue, Pace } from "#/sandbox/simulator/job-queue.ts";
import { type Answer, type PortClient, pageLimit } from "#/sandbox/simulator/port-client.ts";

export interface FacilityWorkerContext {
  readonly facilityCode: string;
  readonly port: PortClient;
  readonly queue: JobQueue;
  readonly clock: Clock;
  readonly pace: FacilityPace;
  readonly log: Logger;
  /** Called when the credential is no longer valid: another worker has taken over the facility. */
  readonly onShut: () => void;
}

export interface FacilityWorker {
  /** Reports the next step of an object now, and returns its actions; empty if there is nothing to do. */
  step(objectId: string, clientId?: string): Promise<readonly string[]>;
  /** Reports the next step of the job that has waited longest, and returns its actions. */
  stepNext(clientId?: string): Promise<readonly string[]>;
  /** Resolves when the reports of the pace before it are answered. */
  setPace(pace: FacilityPace): Promise<void>;
  /** The latest reports, newest first. */
  reports(): readonly SentReport[];
  /** Starts nothing more. The signal of the port client aborts requests in flight. */
  stop(): Promise<void>;
}

export interface FacilityPace extends Pace {
  /** While true, nothing is read and nothing reported, like a warehouse that does not answer. */
  readonly isSilent: boolean;
}

/** A report that was sent to the port, and the port's response. */
export interface SentReport {
  /** Unix milliseconds. */
  readonly atMs: number;
  readonly clientId: string;
  readonly objectId: string;
  readonly action: string;
  readonly outcome: "TAKEN" | "REFUSED" | "FAILED";
  readonly reason?: string;
}

const reportsKept = 40;

/** With the one request that reads lists, at most eight requests are in flight per facility. */
const reportsMax = 7;
const pollMsDefault = 1_000;
const pollMsMin = 100;
/** An idle facility without news reads the list less often, so that an idle sandbox causes little load. */
const idlePollsMax = 4;
const silentLookMs = 5_000;
const backOffMsMin = 200;
const backOffMsMax = 10_000;

const restMsMax = minuteMs;

/** Works one facility: reads its tasks and reports due steps. */
export function startFacilityWorker(context: FacilityWorkerContext): FacilityWorker {
  const { facilityCode, port, queue, clock, log } = context;
  const pollMsOf = (speed: number) => (speed === 0 ? pollMsDefault : Math.max(pollMsMin, pollMsDefault / speed));
  let pollMs = pollMsOf(context.pace.speed);
  let { isSilent } = context.pace;
  const sent: SentReport[] = [];
  const running = new Map<string, Promise<string | undefined>>();
  let isStopped = false;
  let pausedUntilMs = 0;
  let failures = 0;
  let nextPollMs = 0;
  /** Jobs from before a restart need the items too. */
  let hasItems = false;
  let idlePolls = 1;

  /** Handles the answers that concern the port itself. Returns true if the port answered. */
  function isAnswered<Body>(answer: Answer<Body>): boolean {
    if (answer.kind === "shut") {
      isStopped = true;
      void polling.stop();
      context.onShut();
      return false;
    }
    if (answer.kind === "unavailable") {
      if (isStopped) return false;
      const backOffMs = Math.min(backOffMsMax, backOffMsMin * 2 ** Math.min(failures++, 10));
      pausedUntilMs = clock.now() + Math.max(answer.retryAfterMs ?? 0, backOffMs);
      if (failures === 5) log.warn({ facilityCode, reason: answer.reason }, "the warehouse port does not answer");
      return false;
    }
    if (failures >= 5) log.info({ facilityCode }, "the warehouse port answers again");
    failures = 0;
    return true;
  }

  async function poll(): Promise<void> {
    if (!hasItems) {
      hasItems = await readItems();
      if (!hasItems) return;
    }
    while (!isStopped && queue.hasRoom()) {
      const askedMs = clock.now();
      const page = await port.listTasks(queue.taskCursor());
      if (!isAnswered(page)) return;
      if (page.kind === "refused") {
        // The cursor belongs to another database or to a list that was recreated. Everything is read again, nothing is
        // done again.
        log.info({ facilityCode, reason: page.reason }, "the list of tasks is read from its start");
        queue.startOver();
        return;
      }
      if (page.kind !== "ok") return;
      // Items are read after the tasks, so that every item that the tasks name is known.
      if (page.body.items.length > 0 && !(await readItems())) return;
      if (page.body.items.length > 0) idlePolls = 1;
      queue.takeTasks(page.body.items, page.body.nextCursor, askedMs);
      if (page.body.items.length < pageLimit) return;
    }
  }

  async function readItems(): Promise<boolean> {
    while (!isStopped) {
      const page = await port.listItems(queue.itemCursor());
      if (!isAnswered(page) || page.kind !== "ok") {
        if (page.kind === "refused") queue.startOver();
        return false;
      }
      queue.takeItems(page.body.items, page.body.nextCursor);
      if (page.body.items.length < pageLimit) return true;
    }
    return false;
  }

  /** Sends the next report of a job. Returns its action if the port took it. */
  async function work(key: string): Promise<string | undefined> {
    const report = queue.begin(key);
    if (!report) return undefined;
    const answer = await port.report(report);
    if (!isAnswered(answer)) return undefined;
    note(key, report.action, answer);
    if (answer.kind === "ok") {
      queue.settle(key, report, answer.body);
      return report.action;
    }
    if (answer.kind === "failed") {
      const isGivenUp = queue.postpone(key);
      log.warn(
        { facilityCode, objectId: key, action: report.action, isGivenUp, reason: answer.reason },
        "a report failed",
      );
      return undefined;
    }
    if (answer.kind !== "refused") return undefined;
    const { status, reason } = answer;
    const fields = { facilityCode, objectId: key, action: report.action, status, reason };
    if (status === 409) log.debug(fields, "the port refused a report");
    else log.warn(fields, "the port cannot read a report of the simulated warehouse");
    queue.refuse(key, report, status);
    // The reason may be news that is already in the list.
    nextPollMs = 0;
    return undefined;
  }

  function note(key: string, action: string, answer: Answer<unknown>): void {
    const [kind = "", clientId = ""] = key.split(" ", 2);
    const objectId = key.slice(kind.length + clientId.length + 2);
    const outcome = answer.kind === "ok" ? "TAKEN" : answer.kind === "refused" ? "REFUSED" : "FAILED";
    sent.unshift({
      atMs: clock.now(),
      clientId,
      objectId,
      action,
      outcome,
      ...(answer.kind === "refused" || answer.kind === "failed" ? { reason: answer.reason } : {}),
    });
    sent.length = Math.min(sent.length, reportsKept);
  }

  function launch(key: string): Promise<string | undefined> {
    const known = running.get(key);
    if (known) return known;
    const task = work(key)
      .catch((error: Error) => {
        log.error({ err: error, facilityCode, objectId: key }, "the simulated warehouse gives up an object");
        queue.drop(key);
        return undefined;
      })
      .finally(() => {
        running.delete(key);
        polling.wake();
      });
    running.set(key, task);
    return task;
  }

  const polling = startPolling({
    name: "warehouse simulator",
    everyMs: restMsMax,
    async turn() {
      const nowMs = clock.now();
      if (!isSilent && nowMs >= pausedUntilMs && nowMs >= nextPollMs) {
        nextPollMs = nowMs + pollMs * (queue.size > 0 ? 1 : idlePolls);
        idlePolls = Math.min(idlePolls + 1, idlePollsMax);
        await poll().catch((error: Error) => log.error({ err: error, facilityCode }, "a list could not be read"));
      }
      const nextDueMs = clock.now() < pausedUntilMs || !hasItems ? Math.max(pausedUntilMs, nextPollMs) : launchDue();
      // A change of the pace wakes up the loop.
      if (isSilent) nextPollMs = clock.now() + silentLookMs;
      const untilMs = Math.min(nextDueMs, Math.max(nextPollMs, pausedUntilMs));
      return Math.min(Math.max(5, untilMs - clock.now()), restMsMax);
    },
  });

  function pollNow(): void {
    nextPollMs = 0;
    polling.wake();
  }

  /** Starts due jobs; returns when the next one is due. */
  function launchDue(): number {
    if (isSilent) return Number.POSITIVE_INFINITY;
    const { due, nextDueMs } = queue.listDue(clock.now(), reportsMax - running.size, (key) => running.has(key));
    for (const key of due) void launch(key);
    return running.size >= reportsMax ? Number.POSITIVE_INFINITY : nextDueMs;
  }

  return {
    async step(objectId, clientId) {
      if (isSilent) return [];
      // Read the list too, for work that was just released.
      pollNow();
      const keys = queue.listKeysOf(objectId, clientId);
      const done = await Promise.all(keys.map(launch));
      return done.filter((action) => action !== undefined);
    },
    async stepNext(clientId) {
      if (isSilent) return [];
      pollNow();
      const next = queue
        .listNext(Number.MAX_SAFE_INTEGER)
        .find(
          ({ key, job, step }) =>
            step !== undefined && (clientId === undefined || job.clientId === clientId) && !running.has(key),
        );
      const done = next && (await launch(next.key));
      return done === undefined ? [] : [done];
    },
    async setPace(pace) {
      queue.setPace(pace);
      pollMs = pollMsOf(pace.speed);
      isSilent = pace.isSilent;
      const before = [...running.values()];
      pollNow();
      await Promise.all(before);
    },
    reports: () => sent,
    async stop() {
      isStopped = true;
      await polling.stop();
      await Promise.all(running.values());
    },
  };
}
