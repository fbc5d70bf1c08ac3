import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "#/kernel/clock.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import type { Desk, Pace } from "#/warehouse-sim/desk.ts";
import { type Answer, type PortClient, pageLimit } from "#/warehouse-sim/port-client.ts";

export interface FacilityWorkerContext {
  readonly facilityCode: string;
  readonly port: PortClient;
  readonly desk: Desk;
  readonly clock: Clock;
  /** 1: the demo's clock. */
  readonly speed: number;
  readonly log: Logger;
  /** The credential opens nothing any more: somebody else works here now. */
  readonly onShut: () => void;
}

export interface FacilityWorker {
  /** Reports what is next for an object now, and answers what it was: nothing where there is nothing to do. */
  step(objectId: string, clientId?: string): Promise<readonly string[]>;
  /** Reports what is next for whatever has waited longest, and answers what it was. */
  stepNext(clientId?: string): Promise<readonly string[]>;
  setPace(pace: FacilityPace): void;
  /** The latest reports, the newest first. */
  reports(): readonly SentReport[];
  /** Starts nothing more; what is under way ends by the port client's signal. */
  stop(): Promise<void>;
}

export interface FacilityPace extends Pace {
  /** Nothing is read, and nothing reported: a warehouse that does not answer. */
  readonly isSilent: boolean;
}

/** What was sent to the port, and what it said. */
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

/** With the one request that reads lists, no more than eight are under way at a facility. */
const reportsMax = 7;
const pollMsDefault = 1_000;
const pollMsMin = 100;
/** With nothing in hand and no news the list is read less often: an idle sandbox is to be idle. */
const idlePollsMax = 4;
const silentLookMs = 5_000;
const backOffMsMin = 200;
const backOffMsMax = 10_000;

/** Works one facility: reads its tasks, and reports what is due. */
export function startFacilityWorker(context: FacilityWorkerContext): FacilityWorker {
  const { facilityCode, port, desk, clock, log } = context;
  const pollMsOf = (speed: number) => (speed === 0 ? pollMsDefault : Math.max(pollMsMin, pollMsDefault / speed));
  let pollMs = pollMsOf(context.speed);
  let isSilent = false;
  const sent: SentReport[] = [];
  const running = new Map<string, Promise<string | undefined>>();
  let isStopped = false;
  let pausedUntilMs = 0;
  let failures = 0;
  let nextPollMs = 0;
  /** Jobs of before a restart need the items too. */
  let hasItems = false;
  let idlePolls = 1;
  let wakeUp: (() => void) | undefined;

  function wake(): void {
    wakeUp?.();
  }

  /** What every answer tells about the port itself; true when it answered. */
  function isAnswered<Body>(answer: Answer<Body>): boolean {
    if (answer.kind === "shut") {
      isStopped = true;
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
    while (!isStopped && desk.hasRoom()) {
      const askedMs = clock.now();
      const page = await port.listTasks(desk.taskCursor());
      if (!isAnswered(page)) return;
      if (page.kind === "refused") {
        // A cursor of another database, or of a list that was made anew: everything is read again, nothing done again.
        log.info({ facilityCode, reason: page.reason }, "the list of tasks is read from its start");
        desk.startOver();
        return;
      }
      if (page.kind !== "ok") return;
      // Behind the tasks, so that every item that they name is known.
      if (page.body.items.length > 0 && !(await readItems())) return;
      if (page.body.items.length > 0) idlePolls = 1;
      desk.takeTasks(page.body.items, page.body.nextCursor, askedMs);
      if (page.body.items.length < pageLimit) return;
    }
  }

  async function readItems(): Promise<boolean> {
    while (!isStopped) {
      const page = await port.listItems(desk.itemCursor());
      if (!isAnswered(page) || page.kind !== "ok") {
        if (page.kind === "refused") desk.startOver();
        return false;
      }
      desk.takeItems(page.body.items, page.body.nextCursor);
      if (page.body.items.length < pageLimit) return true;
    }
    return false;
  }

  /** Sends what is next for a job. Answers what it was where the port took it. */
  async function work(key: string): Promise<string | undefined> {
    const report = desk.begin(key);
    if (!report) return undefined;
    const answer = await port.report(report);
    if (!isAnswered(answer)) return undefined;
    note(key, report.action, answer);
    if (answer.kind === "ok") {
      desk.settle(key, report, answer.body);
      return report.action;
    }
    if (answer.kind === "failed") {
      const isGivenUp = desk.postpone(key);
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
    desk.refuse(key, report, status);
    // The reason may be news that the list has already.
    nextPollMs = 0;
    return undefined;
  }

  function note(key: string, action: string, answer: Answer<unknown>): void {
    const [kind = "", clientId = ""] = key.split(" ", 2);
    const objectId = key.slice(kind.length + clientId.length + 2);
    const outcome = answer.kind === "ok" ? "TAKEN" : answer.kind === "refused" ? "REFUSED" : "FAILED";
    sent.unshift({
      ...{ atMs: clock.now(), clientId, objectId, action, outcome },
      ...(answer.kind === "refused" || answer.kind === "failed" ? { reason: answer.reason } : {}),
    });
    sent.length = Math.min(sent.length, reportsKept);
  }

  function launch(key: string): Promise<string | undefined> {
    const known = running.get(key);
    if (known) return known;
    const task = work(key)
      .catch((error: Error) => {
        log.error({ err: error, facilityCode, objectId: key }, "the simulated warehouse gives an object up");
        desk.drop(key);
        return undefined;
      })
      .finally(() => {
        running.delete(key);
        wake();
      });
    running.set(key, task);
    return task;
  }

  const loop = (async () => {
    while (!isStopped) {
      const nowMs = clock.now();
      if (!isSilent && nowMs >= pausedUntilMs && nowMs >= nextPollMs) {
        nextPollMs = nowMs + pollMs * (desk.size > 0 ? 1 : idlePolls);
        idlePolls = Math.min(idlePolls + 1, idlePollsMax);
        await poll().catch((error: Error) => log.error({ err: error, facilityCode }, "a list could not be read"));
      }
      const nextDueMs = clock.now() < pausedUntilMs || !hasItems ? Math.max(pausedUntilMs, nextPollMs) : launchDue();
      // Whoever sets the pace wakes it.
      if (isSilent) nextPollMs = clock.now() + silentLookMs;
      const untilMs = Math.min(nextDueMs, Math.max(nextPollMs, pausedUntilMs));
      await rest(Math.max(5, untilMs - clock.now()));
    }
  })();

  /** Starts what is due; answers when the next is. */
  function launchDue(): number {
    if (isSilent) return Number.POSITIVE_INFINITY;
    const { due, nextDueMs } = desk.listDue(clock.now(), reportsMax - running.size, (key) => running.has(key));
    for (const key of due) launch(key);
    return running.size >= reportsMax ? Number.POSITIVE_INFINITY : nextDueMs;
  }

  /** Until then, or until something ends. */
  async function rest(ms: number): Promise<void> {
    // The stop may have come while a list was read: nobody would wake us again.
    if (isStopped) return;
    const ended = new AbortController();
    wakeUp = () => ended.abort();
    await sleep(Math.min(ms, 60_000), undefined, { signal: ended.signal }).catch(() => {});
    wakeUp = undefined;
  }

  return {
    async step(objectId, clientId) {
      if (isSilent) return [];
      // What has just been released is wanted too.
      nextPollMs = 0;
      wake();
      const keys = desk.listKeysOf(objectId, clientId);
      const done = await Promise.all(keys.map(launch));
      return done.filter((action) => action !== undefined);
    },
    async stepNext(clientId) {
      if (isSilent) return [];
      nextPollMs = 0;
      wake();
      const next = desk
        .listNext(Number.MAX_SAFE_INTEGER)
        .find(
          ({ key, job, step }) =>
            step !== undefined && (clientId === undefined || job.clientId === clientId) && !running.has(key),
        );
      const done = next && (await launch(next.key));
      return done === undefined ? [] : [done];
    },
    setPace(pace) {
      desk.setPace(pace);
      pollMs = pollMsOf(pace.speed);
      isSilent = pace.isSilent;
      nextPollMs = 0;
      wake();
    },
    reports: () => sent,
    async stop() {
      isStopped = true;
      wake();
      await loop;
      await Promise.all(running.values());
    },
  };
}
