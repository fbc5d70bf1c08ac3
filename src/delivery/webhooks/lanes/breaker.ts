import { dayMs, minuteMs } from "#/kernel/values/durations.ts";

// The circuit breaker of a subscription (webhooks.md §2): while it is open, only probes are sent, so that a dead
// receiver costs next to nothing. One success closes it. Pure; moments are Unix milliseconds, schedules seconds.

export interface BreakerState {
  /** Failed attempts since the last success, including probes. */
  readonly failures: number;
  readonly firstFailureAtMs: number | undefined;
  readonly lastFailureAtMs: number | undefined;
  readonly lastSuccessAtMs: number | undefined;
  /** Set while the breaker is open. */
  readonly openedAtMs: number | undefined;
  readonly nextProbeAtMs: number | undefined;
  readonly probeDelayMs: number | undefined;
  /**
   * Set while nothing is sent because the secret or the headers cannot be opened: the first such attempt. The console
   * lists these lanes.
   */
  readonly unreadableSinceMs: number | undefined;
}

export const closedBreaker: BreakerState = {
  failures: 0,
  firstFailureAtMs: undefined,
  lastFailureAtMs: undefined,
  lastSuccessAtMs: undefined,
  openedAtMs: undefined,
  nextProbeAtMs: undefined,
  probeDelayMs: undefined,
  unreadableSinceMs: undefined,
};

const failuresToOpen = 3;
const probeMsMax = 15 * minuteMs;
/** The subscription is disabled after this time of nothing but failures. */
export const disableAfterMs = 8 * dayMs;

/** Far beyond every moment and count that is written here, and within the moments that a Date can hold. */
const valueMost = 8_000_000_000_000;

/** Reads a stored state. A value that is not a number of a sensible size, written by hand, is ignored. */
export function readBreaker(stored: Partial<Record<keyof BreakerState, unknown>> | null | undefined): BreakerState {
  const numberOf = (value: unknown) =>
    typeof value === "number" && value >= 0 && value <= valueMost ? value : undefined;
  return {
    failures: numberOf(stored?.failures) ?? 0,
    firstFailureAtMs: numberOf(stored?.firstFailureAtMs),
    lastFailureAtMs: numberOf(stored?.lastFailureAtMs),
    lastSuccessAtMs: numberOf(stored?.lastSuccessAtMs),
    openedAtMs: numberOf(stored?.openedAtMs),
    nextProbeAtMs: numberOf(stored?.nextProbeAtMs),
    probeDelayMs: numberOf(stored?.probeDelayMs),
    unreadableSinceMs: numberOf(stored?.unreadableSinceMs),
  };
}

/** Normalizes a state: no past event lies in the future, and no probe waits longer than the schedule permits. */
export function notAhead(state: BreakerState, schedule: readonly number[], nowMs: number): BreakerState {
  const atMost = (ms: number | undefined, mostMs: number) => (ms === undefined ? undefined : Math.min(ms, mostMs));
  const { probeMsMax } = breakerLimits(schedule);
  return {
    failures: state.failures,
    probeDelayMs: atMost(state.probeDelayMs, probeMsMax),
    firstFailureAtMs: atMost(state.firstFailureAtMs, nowMs),
    lastFailureAtMs: atMost(state.lastFailureAtMs, nowMs),
    lastSuccessAtMs: atMost(state.lastSuccessAtMs, nowMs),
    openedAtMs: atMost(state.openedAtMs, nowMs),
    nextProbeAtMs: atMost(state.nextProbeAtMs, nowMs + probeMsMax),
    unreadableSinceMs: atMost(state.unreadableSinceMs, nowMs),
  };
}

export interface BreakerStep {
  readonly state: BreakerState;
  readonly change: "OPENED" | "CLOSED" | "DISABLED" | undefined;
}

export const isOpen = (state: BreakerState): boolean => state.openedAtMs !== undefined;

/**
 * CLOSED: deliveries are sent in order. OPEN: nothing is sent. HALF_OPEN: the next probe is due, and its result closes
 * the breaker or opens it for longer.
 */
export type BreakerPhase = "CLOSED" | "OPEN" | "HALF_OPEN";

export function phaseOf(state: BreakerState, nowMs: number): BreakerPhase {
  if (!isOpen(state)) return "CLOSED";
  return nowMs >= (state.nextProbeAtMs ?? 0) ? "HALF_OPEN" : "OPEN";
}

/** The moment at which the subscription is disabled if every attempt fails; undefined while none fails. */
export const disablesAtMs = ({ firstFailureAtMs }: Pick<BreakerState, "firstFailureAtMs">): number | undefined =>
  firstFailureAtMs === undefined ? undefined : firstFailureAtMs + disableAfterMs;

export interface BreakerAttempt {
  readonly isSuccess: boolean;
  /**
   * The attempt began while the breaker was open. An attempt in progress when the breaker opened says nothing about
   * when to probe.
   */
  readonly isProbe: boolean;
  /** Nothing was sent, because the secret or the headers cannot be opened. */
  readonly isUnreadable?: boolean;
  /** The end of the attempt. */
  readonly nowMs: number;
}

/** The state after an attempt or a probe. */
export function stepBreaker(
  schedule: readonly number[],
  before: BreakerState,
  { isSuccess, isProbe, isUnreadable = false, nowMs }: BreakerAttempt,
): BreakerStep {
  if (isSuccess) {
    const state = { ...closedBreaker, lastFailureAtMs: before.lastFailureAtMs, lastSuccessAtMs: nowMs };
    return { state, change: isOpen(before) ? "CLOSED" : undefined };
  }
  const failures = before.failures + 1;
  const firstFailureAtMs = before.firstFailureAtMs ?? nowMs;
  const unreadableSinceMs = isUnreadable ? (before.unreadableSinceMs ?? nowMs) : undefined;
  const failed = { ...before, failures, firstFailureAtMs, lastFailureAtMs: nowMs, unreadableSinceMs };
  if (nowMs - firstFailureAtMs >= disableAfterMs) return { state: failed, change: "DISABLED" };
  const limits = breakerLimits(schedule);
  if (isOpen(before) && !isProbe) return { state: failed, change: undefined };
  if (isOpen(before)) {
    const probeDelayMs = Math.min((before.probeDelayMs ?? limits.firstProbeMs) * 2, limits.probeMsMax);
    return { state: { ...failed, probeDelayMs, nextProbeAtMs: nowMs + probeDelayMs }, change: undefined };
  }
  if (failures < failuresToOpen || nowMs - firstFailureAtMs < limits.distanceMs)
    return { state: failed, change: undefined };
  const probeDelayMs = limits.firstProbeMs;
  const state = { ...failed, openedAtMs: nowMs, probeDelayMs, nextProbeAtMs: nowMs + probeDelayMs };
  return { state, change: "OPENED" };
}

/**
 * Limits that follow from the schedule: the distance between the first and the last failure, the first probe and the
 * largest.
 */
export function breakerLimits(schedule: readonly number[]): {
  readonly distanceMs: number;
  readonly firstProbeMs: number;
  readonly probeMsMax: number;
} {
  const [first = 0, second = first] = schedule;
  const largestMs = Math.min(probeMsMax, Math.max(...schedule, 0) * 1_000);
  const distanceMs = (schedule.length > 1 ? first + second : first) * 1_000;
  return { distanceMs, firstProbeMs: Math.min(second * 1_000, largestMs), probeMsMax: largestMs };
}
