import type { Clock } from "#/kernel/clock.ts";
import type { FaultRates } from "#/kernel/config/parsers.ts";
import { type Job, keyOf, type OrderJob, type World } from "#/sandbox/simulator/job.ts";
import type { Journal } from "#/sandbox/simulator/journal.ts";
import { jobsOfKnown, type KnownObject } from "#/sandbox/simulator/known-object.ts";
import { planNext, settle } from "#/sandbox/simulator/plan.ts";
import type { Item, Report, Task } from "#/sandbox/simulator/port.ts";
import { createSerialBook, type SerialRun } from "#/sandbox/simulator/serial-book.ts";
import { jobOf, withNews } from "#/sandbox/simulator/task-news.ts";

/**
 * All work in hand at one facility of the simulated warehouse. A job is journalled before its report is sent, and
 * removed when it has no further step.
 */
export interface JobQueue {
  /** False while too many jobs are in hand to read more tasks. */
  hasRoom(): boolean;
  taskCursor(): string | undefined;
  itemCursor(): string | undefined;
  /** The lists must be read from their start. */
  startOver(): void;
  takeItems(items: readonly Item[], nextCursor: string | undefined): void;
  /** @param askedMs when the page was requested; it may miss the effect of reports after that time. */
  takeTasks(tasks: readonly Task[], nextCursor: string | undefined, askedMs: number): void;
  /** The report to send or resend for a job; undefined if there is none. */
  begin(key: string): Report | undefined;
  settle(key: string, report: Report, answer: Readonly<Record<string, unknown>>): void;
  /** The port rejected the report. */
  refuse(key: string, report: Report, status: number): void;
  /** The port failed on the report, which is sent again later. Returns whether the job was given up. */
  postpone(key: string): boolean;
  drop(key: string): void;
  /** Due jobs, longest overdue first, and the time when the next one is due. */
  listDue(
    nowMs: number,
    max: number,
    isRunning: (key: string) => boolean,
  ): { due: readonly string[]; nextDueMs: number };
  /** Keys of an order's job and its parcels, of a purchase order's jobs per vendor order, and so on. */
  listKeysOf(objectId: string, clientId?: string): readonly string[];
  /** Changes the pace. Scheduled work moves later or earlier accordingly. */
  setPace(pace: Pace): void;
  /** Takes over objects that the simulator has not followed, goods in hand and parcels, as the store has them. */
  adopt(known: KnownObject): void;
  /** Jobs by due time, including clients that are worked by hand. */
  listNext(max: number): readonly NextWork[];
  readonly size: number;
}

export interface Pace {
  /** Factor of the usual speed; 0 pauses. */
  readonly speed: number;
  readonly faults: FaultRates;
  /** Clients whose jobs run only on an explicit step. */
  readonly byHand: ReadonlySet<string>;
}

/** A job and its next step. */
export interface NextWork {
  readonly key: string;
  readonly job: Job;
  /** Undefined while the job has nothing to do: it is held, or waits for news. */
  readonly step: string | undefined;
}

export interface JobQueueContext {
  readonly facilityCode: string;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly seed: string;
  readonly pace: Pace;
}

/** About 10 MiB; at speed 1 that is a throughput of some 100 orders a second. */
const jobsMax = 5_000;
const itemsMax = 500_000;
/** Due time of jobs that wait for news from the port. */
const neverMs = Number.MAX_SAFE_INTEGER;
const refusalsMax = 4;
const retrySeconds = 8;
/** After this time, the platform's tasks show the effect of a report. */
const rereadAfterMs = 2_000;
const jobPrefix = "job ";
const shelfPrefix = "shelf ";
const cursorKey = "task cursor";

/** After these reports, the object's task changes: it lists the remaining work. */
const taskActions = ["pick", "cancel", "receive", "take back", "assemble", "count"];
const changesTask = ({ action }: Report) => taskActions.includes(action);

export function createJobQueue(context: JobQueueContext): JobQueue {
  const { facilityCode, journal, clock, seed, pace: initial } = context;
  let speed = initial.speed || 1;
  let { byHand } = initial;
  /** Time at which the facility was paused. */
  let pausedAtMs = initial.speed === 0 ? clock.now() : undefined;
  /** Scheduling clock, which stops while the facility is paused. */
  const now = () => pausedAtMs ?? clock.now();
  const jobs = new Map<string, Job>();
  const items = new Map<string, Item>();
  /** Time of the last answered report, kept while a page that was requested before it may still arrive. */
  const answered = new Map<string, number>();
  /** Tasks that arrived during a report. It is unknown whether they precede or follow that report. */
  const skipped = new Map<string, Task>();
  let taskCursor = journal.entries.get(cursorKey) as string | undefined;
  /** When to read the list again from the journalled cursor, which is before all skipped tasks. */
  let rereadAtMs: number | undefined;
  let itemCursor: string | undefined;

  const serials = createSerialBook(facilityCode, (shelf, runs) => journal.put(shelfPrefix + shelf, runs));
  const findItem = (clientId: string, sku: string) => items.get(`${clientId} ${sku}`);
  const world = { facilityCode, seed, faults: initial.faults, serials, findItem } satisfies World;

  for (const [key, value] of journal.entries) {
    if (key.startsWith(jobPrefix)) jobs.set(key.slice(jobPrefix.length), value as Job);
    if (key.startsWith(shelfPrefix)) serials.restore(key.slice(shelfPrefix.length), value as readonly SerialRun[]);
  }

  function keep(job: Job): void {
    const key = keyOf(job);
    jobs.set(key, job);
    journal.put(jobPrefix + key, job);
  }

  function drop(key: string): void {
    skipped.delete(key);
    if (jobs.delete(key)) journal.remove(jobPrefix + key);
  }

  /** Sets the due time of the next report, counted from now. If that report was already next, its due time stays. */
  function scheduled(job: Job, before: Job | undefined): Job {
    const plan = planNext(job, world);
    if (!plan) return { ...job, dueAtMs: neverMs };
    const isSameStep = before !== undefined && planNext(before, world)?.step === plan.step;
    if (isSameStep && before.dueAtMs !== neverMs) return { ...job, dueAtMs: before.dueAtMs };
    return { ...job, dueAtMs: inSeconds(plan.afterSeconds) };
  }

  const inSeconds = (seconds: number) => now() + (seconds * 1000) / speed;

  /** Returns whether the job was given up. */
  function retryLater(job: Job): boolean {
    const refusals = job.refusals + 1;
    if (refusals < refusalsMax) keep({ ...job, refusals, dueAtMs: inSeconds(retrySeconds * refusals) });
    else drop(keyOf(job));
    return refusals >= refusalsMax;
  }

  function scheduleReread(): void {
    rereadAtMs ??= clock.now() + rereadAfterMs;
  }

  function takeNews(task: Task): void {
    const key = keyOf(jobOf(task));
    const before = jobs.get(key);
    const job = withNews(before, task);
    if (job) keep(scheduled({ ...job, refusals: 0 }, before));
    else drop(key);
  }

  return {
    hasRoom: () =>
      jobs.size < jobsMax || [...jobs.values()].filter(({ dueAtMs }) => dueAtMs !== neverMs).length < jobsMax,
    taskCursor() {
      if (rereadAtMs !== undefined && clock.now() >= rereadAtMs) {
        rereadAtMs = undefined;
        taskCursor = journal.entries.get(cursorKey) as string | undefined;
      }
      return taskCursor;
    },
    itemCursor: () => itemCursor,
    startOver() {
      itemCursor = undefined;
      taskCursor = undefined;
      journal.remove(cursorKey);
    },
    takeItems(page, nextCursor) {
      for (const item of page) {
        const key = `${item.clientId} ${item.sku}`;
        // Re-inserts the item at the end, so that an overflow removes the items that were not updated for the longest
        // time.
        items.delete(key);
        items.set(key, item);
      }
      for (const key of items.keys()) {
        if (items.size <= itemsMax) break;
        items.delete(key);
      }
      itemCursor = nextCursor ?? itemCursor;
    },
    takeTasks(page, nextCursor, askedMs) {
      for (const task of page) {
        const key = keyOf(jobOf(task));
        const isAside = task.type === "HOLD" || task.type === "CANCEL_REQUEST";
        const sending = jobs.get(key)?.sending;
        if (!isAside && sending && changesTask(sending)) skipped.set(key, task);
        else if (isAside || askedMs > (answered.get(key) ?? 0)) takeNews(task);
        else scheduleReread();
      }
      for (const [key, atMs] of answered) if (atMs < askedMs) answered.delete(key);
      taskCursor = nextCursor ?? taskCursor;
      const mustReread = skipped.size > 0 || rereadAtMs !== undefined;
      if (!mustReread && taskCursor !== undefined && taskCursor !== journal.entries.get(cursorKey))
        journal.put(cursorKey, taskCursor);
    },
    begin(key) {
      const job = jobs.get(key);
      if (!job) return undefined;
      if (job.sending) return job.sending;
      const report = planNext(job, world)?.compose(clock.now());
      if (report) keep({ ...job, sending: report });
      else if (job.dueAtMs !== neverMs) keep({ ...job, dueAtMs: inSeconds(retrySeconds) });
      return report;
    },
    settle(key, report, answer) {
      const current = jobs.get(key);
      if (!current) return;
      const { sending: _, ...job } = current;
      if (skipped.delete(key)) scheduleReread();
      const outcome = settle({ ...job, refusals: 0 }, report, answer, world);
      for (const next of outcome.more ?? []) keep(scheduled(next, undefined));
      if (outcome.job) keep(scheduled(outcome.job, undefined));
      else drop(key);
      if (changesTask(report)) answered.set(key, clock.now());
    },
    refuse(key, report, status) {
      const current = jobs.get(key);
      if (!current) return;
      const { sending: _, ...job } = current;
      if (job.kind === "order" && report.action === "pick") giveBackSerials(job, report);
      if (report.action === "assemble" || report.action === "ship") giveBackUnits(job, report);
      const news = skipped.get(key);
      skipped.delete(key);
      if (job.kind === "order" && report.action === "cancel" && status === 409) {
        const { cancelRequest, ...rest } = job;
        const isOver = job.isCancelTooLate || !cancelRequest;
        const next: Job = isOver ? { ...rest, isCancelTooLate: false } : { ...job, isCancelTooLate: true };
        if (planNext(next, world)) keep(scheduled(next, undefined));
        else drop(key);
      } else if (status === 409 || status === 422) retryLater(job);
      else drop(key);
      if (news) takeNews(news);
    },
    postpone(key) {
      const job = jobs.get(key);
      return job === undefined || retryLater(job);
    },
    drop,
    listDue(nowMs, max, isRunning) {
      const due: Job[] = [];
      let nextDueMs = neverMs;
      if (pausedAtMs !== undefined) return { due: [], nextDueMs };
      for (const job of jobs.values()) {
        if (isRunning(keyOf(job)) || byHand.has(job.clientId)) continue;
        if (job.dueAtMs <= nowMs) due.push(job);
        else nextDueMs = Math.min(nextDueMs, job.dueAtMs);
      }
      due.sort((left, right) => left.dueAtMs - right.dueAtMs);
      return { due: due.slice(0, max).map(keyOf), nextDueMs: due.length > max ? nowMs : nextDueMs };
    },
    listKeysOf(objectId, clientId) {
      const isOf = (job: Job) =>
        job.objectId === objectId ||
        (job.kind === "parcel" && job.orderId === objectId) ||
        (job.kind === "PURCHASE_ORDER" && job.objectId.split("/")[0] === objectId);
      return [...jobs.values()]
        .filter((job) => (clientId === undefined || job.clientId === clientId) && isOf(job))
        .map(keyOf);
    },
    setPace(pace) {
      world.faults = pace.faults;
      byHand = pace.byHand;
      const isPaused = pace.speed === 0;
      if (isPaused === (pausedAtMs !== undefined) && (isPaused || pace.speed === speed)) return;
      const wasMs = now();
      const [before, after] = [speed, isPaused ? speed : pace.speed];
      const nowMs = isPaused ? wasMs : clock.now();
      for (const [key, job] of jobs) {
        if (job.dueAtMs === neverMs) continue;
        jobs.set(key, { ...job, dueAtMs: nowMs + (Math.max(0, job.dueAtMs - wasMs) * before) / after });
      }
      speed = after;
      pausedAtMs = isPaused ? wasMs : undefined;
    },
    adopt(found) {
      for (const job of jobsOfKnown(found, world)) {
        const known = jobs.get(keyOf(job));
        if (known?.kind === "order" && job.kind === "order") {
          const isEmpty = known.picked.length + known.parcels.length === 0;
          const { picked, parcels } = job;
          if (isEmpty && !known.sending) keep(scheduled({ ...known, picked, parcels }, undefined));
        } else if (!known) keep(scheduled(job, undefined));
      }
    },
    listNext(max) {
      const ordered = [...jobs.values()].toSorted((left, right) => left.dueAtMs - right.dueAtMs).slice(0, max);
      return ordered.map((job) => ({ key: keyOf(job), job, step: planNext(job, world)?.step }));
    },
    get size() {
      return jobs.size;
    },
  };

  function giveBackUnits({ clientId }: Job, { body }: Report): void {
    type Line = { readonly sku: string; readonly serials?: readonly string[] };
    const { components, lines = components ?? [] } = body as { components?: readonly Line[]; lines?: readonly Line[] };
    for (const { sku, serials: named = [] } of lines) if (named.length > 0) serials.giveBack(clientId, sku, named);
  }

  /**
   * The first rejection may have another cause than the serials. After a second one, other serials are tried, further
   * on each time.
   */
  function giveBackSerials({ clientId, toPick, refusals }: OrderJob, { body }: Report): void {
    for (const line of body.lines as readonly { readonly lineNumber: number; readonly serials?: readonly string[] }[]) {
      const sku = toPick.find(({ lineNumber }) => lineNumber === line.lineNumber)?.sku;
      if (!line.serials || sku === undefined) continue;
      if (refusals === 0) serials.giveBack(clientId, sku, line.serials);
      else serials.take(clientId, sku, line.serials.length * 4 ** refusals);
    }
  }
}
