/**
 * Measures the steps of the event loop: for how long a route occupies it without a turn for other requests, in processor
 * time of the main thread, so that a slow machine counts as a fast one. It belongs to the process, as its metrics do.
 *
 * A timer ends a period each 50 ms. The requests on the thread, and background work, mark the time that they used: when
 * they send a statement, from its predecessor's answer on. So a period that is longer than its 50 ms has a route. A mark
 * costs about 1 µs. After a second with hardly any work the periods take a second, until a mark finds work again: on an
 * idle machine a wake-up costs 0.1 ms of the processor.
 */
import { metrics } from "#/kernel/telemetry/metrics.ts";

/** A step of the event loop. */
export interface LongStep {
  /** The template of the route that ran, or the name of other work; undefined where neither is known. */
  readonly route: string | undefined;
  readonly cpuMs: number;
  /** Milliseconds since the end of the period before. */
  readonly wallMs: number;
  /** Where the last part of it of over 200 ms was marked: the statement, or the answer, that follows it. */
  readonly stack: string | undefined;
}

const periodMs = 50;
const idlePeriodMs = 1_000;
/** Periods in which the thread used less than `quietMs` in all, before the idle period begins. */
const quietPeriods = 20;
/** The looks of an idle process use some 10 ms at once. */
const quietMs = 20;
/** Shorter steps cause no noticeable delay. */
const longMs = 100;
/** A step of a route that takes longer is a defect: the log and `doctor` name it, and a test with it fails. */
export const stallMs = 200;

const listeners = new Set<(step: LongStep) => void>();
const longest = new Map<string, number>();
let used = new Map<string | undefined, number>();
const stacks = new Map<string, string>();
let lastCpuMs = 0;
let lastEndMs = 0;
/** Processor time since the last period that was not quiet, and the number of periods since then. */
let quiet = { cpuMs: 0, periods: 0 };
let timer: NodeJS.Timeout | undefined;
let isIdle = false;

/**
 * Starts the watch of this process with the first listener.
 *
 * @param onLong is called with each step of over 100 ms.
 * @returns a function that removes the listener; the watch ends with the last one.
 */
export function watchLoop(onLong: (step: LongStep) => void): () => void {
  listeners.add(onLong);
  if (!timer) {
    lastCpuMs = cpuMs();
    lastEndMs = performance.now();
    watchEach(periodMs);
  }
  return () => {
    listeners.delete(onLong);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function watchEach(ms: number): void {
  clearInterval(timer);
  isIdle = ms === idlePeriodMs;
  quiet = { cpuMs: 0, periods: 0 };
  timer = setInterval(endPeriod, ms).unref();
}

/** The processor time since the last mark was used by this route. */
export function markStep(route: string | undefined): void {
  if (!timer) return;
  const now = cpuMs();
  const usedMs = now - lastCpuMs;
  used.set(route, (used.get(route) ?? 0) + usedMs);
  if (route !== undefined && usedMs > stallMs) stacks.set(route, new Error().stack ?? "");
  lastCpuMs = now;
  quiet.cpuMs += usedMs;
  if (isIdle && quiet.cpuMs > quietMs) watchEach(periodMs);
}

/** Waits for an answer, a timer or a turn: the time until then belongs to other work. */
export async function waitFor<T>(wait: Promise<T>): Promise<T> {
  try {
    return await wait;
  } finally {
    markStep(undefined);
  }
}

/** Work of the first use, such as the compilation of a schema, which no later request repeats: it is not a part of a step. */
export function asideOfSteps<T>(work: () => T): T {
  const beganMs = cpuMs();
  try {
    return work();
  } finally {
    lastCpuMs += cpuMs() - beganMs;
  }
}

function endPeriod(): void {
  markStep(undefined);
  const ended = used;
  used = new Map();
  const wallMs = performance.now() - lastEndMs;
  lastEndMs += wallMs;
  for (const [route, usedMs] of ended) {
    if (usedMs < longMs) continue;
    for (const listen of listeners) listen({ route, cpuMs: usedMs, wallMs, stack: stacks.get(route ?? "") });
    if (route === undefined || usedMs <= (longest.get(route) ?? 0)) continue;
    longest.set(route, usedMs);
    metrics.eventLoopStep.set({ route }, usedMs / 1_000);
  }
  stacks.clear();
  if (isIdle || quiet.cpuMs > quietMs) quiet = { cpuMs: 0, periods: 0 };
  else if (++quiet.periods === quietPeriods) watchEach(idlePeriodMs);
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
