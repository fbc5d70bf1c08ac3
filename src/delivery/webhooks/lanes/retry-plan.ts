/**
 * When a delivery is tried again, and when it ends (webhooks.md §2, Retries): pure, so that years of failures can be walked
 * through in a test. All times are milliseconds, moments Unix milliseconds.
 */

export const retryAfterMsMax = 10 * 3_600_000;
/** A delivery holds the later ones of its object back for so long of its own failed tries. */
export const holdMsMax = 3_600_000;
/** Or until it was refused for good so often. */
const refusalsMax = 3;
export const jitterMax = 0.1;

/** How a try ended: an answer, no answer (of what class), or an address that may not be connected to. */
export type TryOutcome =
  | { readonly kind: "answered"; readonly status: number; readonly retryAfterMs?: number | undefined }
  | { readonly kind: "failed" }
  | { readonly kind: "blocked" };

/** What is kept of a delivery between two tries. */
export interface RetryState {
  /** Tries that have ended and count; probes of an open breaker do not. */
  readonly tries: number;
  /** Answers that will not change by trying again. */
  readonly refusals: number;
  /**
   * Until then the later events of its object wait for it; undefined while no try of its own has failed, and they wait in any
   * case. Of an open breaker only probes are sent, which are no tries of its own: meanwhile this moment does not count, and
   * when the breaker closes it is put off by as long as that was. Of one that was refused for good nobody waits: at this
   * moment it has failed for an hour.
   */
  readonly holdsUntilMs: number | undefined;
}

export const untried: RetryState = { tries: 0, refusals: 0, holdsUntilMs: undefined };

export type Verdict =
  | { readonly status: "DELIVERED" }
  | { readonly status: "RETRYING"; readonly atMs: number }
  /** `disables`: the receiver said 410, and wants nothing any more. */
  | { readonly status: "FAILED"; readonly reason: "BLOCKED" | "GONE" | "EXHAUSTED"; readonly disables: boolean };

export interface Judged {
  readonly state: RetryState;
  readonly verdict: Verdict;
}

export const isDelivered = (outcome: TryOutcome): boolean =>
  outcome.kind === "answered" && outcome.status >= 200 && outcome.status <= 299;

/** Answers that say something about the request, not about the moment: 4xx but for those that a receiver gets over. */
function isRefusal(outcome: TryOutcome): boolean {
  if (outcome.kind !== "answered") return false;
  const { status } = outcome;
  return status >= 400 && status <= 499 && ![401, 403, 404, 408, 409, 425, 429].includes(status);
}

export interface TryMoment {
  readonly nowMs: number;
  /** From 0 up to 1: how much of the jitter is taken. */
  readonly random: number;
  /** A probe of an open breaker: logged, but none of the delivery's tries. */
  readonly isProbe: boolean;
}

/**
 * Whether a delivery that is tried again goes on alone: it has held the later ones of its object back for an hour of its own
 * failed tries, or was refused for good.
 */
export const passes = (
  { refusals, holdsUntilMs }: RetryState,
  { nowMs, isProbe }: Omit<TryMoment, "random">,
): boolean => refusals >= refusalsMax || (!isProbe && holdsUntilMs !== undefined && holdsUntilMs <= nowMs);

/**
 * Of a try whose end nobody saw: most likely it was not even sent, so the delivery is due again at once. It counts, but it is
 * never the last one, and starts no hour: what nobody saw fail has not failed.
 */
export function judgeLost(
  schedule: readonly number[],
  before: RetryState,
  { nowMs, isProbe }: Omit<TryMoment, "random">,
): Judged {
  const tries = isProbe ? before.tries : Math.max(before.tries, Math.min(before.tries + 1, schedule.length));
  return { state: { ...before, tries }, verdict: { status: "RETRYING", atMs: nowMs } };
}

/** @param schedule seconds after each failed try; the delivery has one try more than there are delays. */
export function judgeTry(
  schedule: readonly number[],
  before: RetryState,
  outcome: TryOutcome,
  { nowMs, random, isProbe }: TryMoment,
): Judged {
  const tries = before.tries + (isProbe ? 0 : 1);
  if (isDelivered(outcome)) return { state: { ...before, tries }, verdict: { status: "DELIVERED" } };
  const refusals = before.refusals + (isRefusal(outcome) ? 1 : 0);
  const hasBegun = !isProbe || refusals >= refusalsMax;
  const holdsUntilMs = before.holdsUntilMs ?? (hasBegun ? nowMs + holdMsMax : undefined);
  const state = { tries, refusals, holdsUntilMs };
  const failed = (reason: "BLOCKED" | "GONE" | "EXHAUSTED"): Judged => ({
    state: { ...state, holdsUntilMs: Math.min(holdsUntilMs ?? nowMs, nowMs) },
    verdict: { status: "FAILED", reason, disables: reason === "GONE" },
  });
  if (outcome.kind === "blocked") return failed("BLOCKED");
  if (outcome.kind === "answered" && outcome.status === 410) return failed("GONE");
  if (tries > schedule.length) return failed("EXHAUSTED");
  const delayMs = (schedule[Math.max(tries, 1) - 1] as number) * 1_000 * (1 + jitterMax * random);
  const asked = outcome.kind === "answered" && [429, 503].includes(outcome.status) ? outcome.retryAfterMs : undefined;
  const waitMs = Math.max(delayMs, Math.min(asked ?? 0, retryAfterMsMax));
  return { state, verdict: { status: "RETRYING", atMs: nowMs + Math.round(waitMs) } };
}
