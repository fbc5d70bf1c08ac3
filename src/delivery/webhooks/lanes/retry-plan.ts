/**
 * When a delivery is retried, and when it ends (webhooks.md §2, Retries). Pure, so that a test can walk through years
 * of failures. All times are milliseconds, moments Unix milliseconds.
 */
import { dayMs, hourMs } from "#/kernel/values/durations.ts";

const daySeconds = dayMs / 1_000;

/** The delays between the 17 attempts, over eight days. */
export const retryDelaysSeconds: readonly number[] = [
  ...[5, 30, 120, 600, 1800, 7200, 18_000, 36_000, 50_400, 72_000],
  ...[daySeconds, daySeconds, daySeconds, daySeconds, daySeconds, daySeconds],
];

export const retryAfterMsMax = 10 * hourMs;
/** A delivery blocks the later ones of its object for this long while its own attempts fail. */
export const blockMsMax = hourMs;
/** Or until it has had this number of permanent rejections. */
const refusalsMax = 3;
export const jitterMax = 0.1;

/** The result of an attempt: an answer, no answer (with its class), or an address that is blocked. */
export type AttemptOutcome =
  | { readonly kind: "answered"; readonly status: number; readonly retryAfterMs?: number | undefined }
  | { readonly kind: "failed" }
  | { readonly kind: "blocked" };

/** The state of a delivery between two attempts. */
export interface RetryState {
  /** Ended attempts that count; probes of an open breaker do not. */
  readonly attempts: number;
  /** Answers that a retry does not change. */
  readonly rejections: number;
  /**
   * Until this moment, the later events of its object wait for the delivery. Undefined while no attempt of the delivery
   * has failed, and they wait in any case. An open breaker sends only probes, which are not the delivery's attempts:
   * this moment is ignored meanwhile, and postponed by the open time when the breaker closes. A delivery that was
   * refused for good blocks no other: at this moment it has failed for an hour.
   */
  readonly blocksUntilMs: number | undefined;
}

export const unattempted: RetryState = { attempts: 0, rejections: 0, blocksUntilMs: undefined };

type FailureReason = "BLOCKED" | "GONE" | "EXHAUSTED";

export type Verdict =
  | { readonly state: "SUCCEEDED" }
  | { readonly state: "SCHEDULED"; readonly atMs: number }
  /** `disables`: the receiver answered 410, and wants no further events. */
  | { readonly state: "FAILED"; readonly reason: FailureReason; readonly disables: boolean };

export interface RetryPlan {
  readonly state: RetryState;
  readonly verdict: Verdict;
}

export const isDelivered = (outcome: AttemptOutcome): boolean =>
  outcome.kind === "answered" && outcome.status >= 200 && outcome.status <= 299;

/** Answers about the request, not about the moment: 4xx except those that a receiver recovers from. */
function isRefusal(outcome: AttemptOutcome): boolean {
  if (outcome.kind !== "answered") return false;
  const { status } = outcome;
  return status >= 400 && status <= 499 && ![401, 403, 404, 408, 409, 425, 429].includes(status);
}

export interface AttemptMoment {
  readonly nowMs: number;
  /** From 0 up to 1: the fraction of the jitter. */
  readonly random: number;
  /** A probe of an open breaker: logged, but not one of the delivery's attempts. */
  readonly isProbe: boolean;
}

/**
 * Whether a retried delivery stops blocking its object: it has blocked the later deliveries for an hour in which
 * its own attempts failed, or was refused for good.
 */
export const stopsBlocking = (
  { rejections, blocksUntilMs }: RetryState,
  { nowMs, isProbe }: Omit<AttemptMoment, "random">,
): boolean => rejections >= refusalsMax || (!isProbe && blocksUntilMs !== undefined && blocksUntilMs <= nowMs);

/**
 * Checks an attempt with an unknown result. Most likely it was not even sent, so the delivery is due again at once. It
 * counts, but it is never the last attempt and starts no hour: only an observed failure counts as one.
 */
export function planRetryOfLost(
  schedule: readonly number[],
  before: RetryState,
  { nowMs, isProbe }: Omit<AttemptMoment, "random">,
): RetryPlan {
  const attempts = isProbe
    ? before.attempts
    : Math.max(before.attempts, Math.min(before.attempts + 1, schedule.length));
  return { state: { ...before, attempts }, verdict: { state: "SCHEDULED", atMs: nowMs } };
}

/** @param schedule seconds after each failed attempt; the delivery has one attempt more than there are delays. */
export function planRetry(
  schedule: readonly number[],
  before: RetryState,
  outcome: AttemptOutcome,
  { nowMs, random, isProbe }: AttemptMoment,
): RetryPlan {
  const attempts = before.attempts + (isProbe ? 0 : 1);
  if (isDelivered(outcome)) return { state: { ...before, attempts }, verdict: { state: "SUCCEEDED" } };
  const rejections = before.rejections + (isRefusal(outcome) ? 1 : 0);
  const hasBegun = !isProbe || rejections >= refusalsMax;
  const blocksUntilMs = before.blocksUntilMs ?? (hasBegun ? nowMs + blockMsMax : undefined);
  const state = { attempts, rejections, blocksUntilMs };
  const failed = (reason: FailureReason): RetryPlan => ({
    state: { ...state, blocksUntilMs: Math.min(blocksUntilMs ?? nowMs, nowMs) },
    verdict: { state: "FAILED", reason, disables: reason === "GONE" },
  });
  if (outcome.kind === "blocked") return failed("BLOCKED");
  if (outcome.kind === "answered" && outcome.status === 410) return failed("GONE");
  if (attempts > schedule.length) return failed("EXHAUSTED");
  const delayMs = (schedule[Math.max(attempts, 1) - 1] as number) * 1_000 * (1 + jitterMax * random);
  const requestedMs =
    outcome.kind === "answered" && [429, 503].includes(outcome.status) ? outcome.retryAfterMs : undefined;
  const waitMs = Math.max(delayMs, Math.min(requestedMs ?? 0, retryAfterMsMax));
  return { state, verdict: { state: "SCHEDULED", atMs: nowMs + Math.round(waitMs) } };
}
