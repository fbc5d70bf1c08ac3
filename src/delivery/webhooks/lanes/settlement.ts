// The effect of ended attempts on their deliveries, the breaker and the incident: pure.

import type { EndedAttempt, SettledDelivery } from "#/delivery/webhooks/lanes/attempt-repository.ts";
import { type BreakerState, type BreakerStep, isOpen, stepBreaker } from "#/delivery/webhooks/lanes/breaker.ts";
import {
  isDelivered,
  planRetry,
  planRetryOfLost,
  type RetryState,
  stopsBlocking,
} from "#/delivery/webhooks/lanes/retry-plan.ts";
import { type AttemptEnd, storedStatus } from "#/delivery/webhooks/lanes/states.ts";
import type { SendResult } from "#/delivery/webhooks/sending/sender.ts";
import { receives, type SubscriptionStatus } from "#/delivery/webhooks/subscriptions/subscription.ts";

/** A delivery whose attempt was written. */
export interface Begun {
  readonly deliveryId: string;
  readonly attemptId: string;
  readonly isProbe: boolean;
  readonly objectType: string;
  readonly objectId: string;
  readonly state: RetryState;
  readonly hasUnblocked: boolean;
}

export type Ended =
  | { readonly kind: Extract<AttemptEnd, "SENT">; readonly begun: Begun; readonly result: SendResult }
  | { readonly kind: Exclude<AttemptEnd, "SENT">; readonly begun: Begun; readonly endedAtMs: number };

export interface Settlement {
  readonly attempts: readonly EndedAttempt[];
  readonly deliveries: readonly SettledDelivery[];
  /** Objects whose next delivery is due. */
  readonly moved: readonly { readonly objectType: string; readonly objectId: string }[];
  readonly breaker: BreakerState;
  /** The last change: for a breaker that opened and closed, CLOSED. */
  readonly change: BreakerStep["change"];
  /** The receiver answered 410. */
  readonly isGone: boolean;
  /** The changes of the receiver's state, in order, for the incident. */
  readonly incidents: readonly ({ readonly kind: "FAILURE"; readonly opens: boolean } | { readonly kind: "SUCCESS" })[];
  /** How the last failed attempt of a receiver ended. */
  readonly lastError: { readonly errorClass: string; readonly text: string } | undefined;
}

export interface SettlementOptions {
  /** Seconds. */
  readonly schedule: readonly number[];
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Deliveries to retry wait until the subscription is resumed. */
  readonly isPaused: boolean;
}

const iso = (ms: number) => new Date(ms).toISOString();
const endOf = (ended: Ended) => (ended.kind === "SENT" ? ended.result.endedAtMs : ended.endedAtMs);

export function settle(breakerBefore: BreakerState, all: readonly Ended[], options: SettlementOptions): Settlement {
  const { schedule, random, isPaused } = options;
  let breaker = breakerBefore;
  let change: Settlement["change"];
  let isGone = false;
  let lastError: Settlement["lastError"];
  const incidents: Settlement["incidents"][number][] = [];
  const attempts: EndedAttempt[] = [];
  const deliveries: SettledDelivery[] = [];
  const moved: Settlement["moved"][number][] = [];
  for (const ended of all.toSorted((a, b) => endOf(a) - endOf(b))) {
    const { begun } = ended;
    const nowMs = endOf(ended);
    const outcome = ended.kind === "SENT" ? ended.result.outcome : ({ kind: "failed" } as const);
    const moment = { nowMs, random: random(), isProbe: begun.isProbe };
    const plan =
      ended.kind === "LOST"
        ? planRetryOfLost(schedule, begun.state, moment)
        : planRetry(schedule, begun.state, outcome, moment);
    const verdict = ended.kind === "EXPIRED" ? expired : plan.verdict;
    const { blocksUntilMs } = plan.state;
    const isScheduled = verdict.state === "SCHEDULED";
    const hasUnblocked =
      begun.hasUnblocked || (isScheduled && ended.kind !== "LOST" && stopsBlocking(plan.state, moment));
    const isDone = verdict.state === "SUCCEEDED";
    const isHourOver = ended.kind === "SENT" && !isDone && isFailingForAnHour(begun.state, nowMs);
    const error = isDone ? undefined : errorOf(ended);
    const atMs = verdict.state === "SCHEDULED" ? verdict.atMs : undefined;
    deliveries.push({
      deliveryId: begun.deliveryId,
      attemptId: begun.attemptId,
      status: isScheduled && isPaused ? "HELD" : storedStatus[verdict.state],
      dueAt: atMs === undefined || isPaused ? undefined : iso(atMs),
      settledAt: isScheduled ? undefined : iso(nowMs),
      blocksUntil: blocksUntilMs === undefined ? undefined : iso(blocksUntilMs),
      hasUnblocked,
      isAlerted: isHourOver,
      attempts: plan.state.attempts,
      rejections: plan.state.rejections,
      lastError: error?.text,
    });
    attempts.push(attemptOf(ended));
    if (!isScheduled || (hasUnblocked && !begun.hasUnblocked)) {
      moved.push({ objectType: begun.objectType, objectId: begun.objectId });
    }
    if (ended.kind !== "SENT") continue;
    lastError = error ?? lastError;
    const step = stepBreaker(schedule, breaker, {
      isSuccess: isDelivered(outcome),
      isProbe: begun.isProbe,
      nowMs,
      isUnreadable: ended.result.errorClass === "unreadable",
    });
    breaker = step.state;
    change = change === "DISABLED" ? change : (step.change ?? change);
    if (verdict.state === "FAILED" && verdict.disables) isGone = true;
    const opens = step.change === "OPENED" || verdict.state === "FAILED" || isHourOver;
    incidents.push(isDone ? { kind: "SUCCESS" } : { kind: "FAILURE", opens });
  }
  return { attempts, deliveries, moved, breaker, change, isGone, incidents, lastError };
}

const expired = { state: "EXPIRED" } as const;

const isFailingForAnHour = ({ blocksUntilMs }: RetryState, nowMs: number): boolean =>
  blocksUntilMs !== undefined && nowMs >= blocksUntilMs;

/** The text of an error, without any part of the request or of the answer's body. */
function errorOf(ended: Ended): { readonly errorClass: string; readonly text: string } {
  if (ended.kind !== "SENT") {
    return ended.kind === "LOST"
      ? { errorClass: "unknown", text: "unknown: the worker stopped before the answer arrived" }
      : { errorClass: "expired", text: "expired: the message is no longer stored" };
  }
  const { errorClass = "protocol", status, detail } = ended.result;
  const what = errorClass === "status" || detail === undefined ? `answered ${status ?? "nothing"}` : detail;
  return { errorClass, text: plain(`${errorClass}: ${what}`, 500) };
}

const headersMax = 50;
const headerCharactersMax = 1_000;

function attemptOf(ended: Ended): EndedAttempt {
  const { attemptId, deliveryId, isProbe } = ended.begun;
  if (ended.kind !== "SENT") {
    const nothing = { address: undefined, phases: undefined, status: undefined, headers: undefined, body: undefined };
    const state = ended.kind === "LOST" ? "UNKNOWN" : "ENDED";
    const errorClass = ended.kind === "LOST" ? undefined : "expired";
    return {
      ...nothing,
      attemptId,
      deliveryId,
      isProbe,
      state,
      startedAt: undefined,
      endedAt: iso(ended.endedAtMs),
      errorClass,
    };
  }
  const { result } = ended;
  const headers = Object.entries(result.headers).filter(([name]) => name.toLowerCase() !== "set-cookie");
  return {
    attemptId,
    deliveryId,
    isProbe,
    state: "ENDED",
    startedAt: iso(result.startedAtMs),
    endedAt: iso(result.endedAtMs),
    address: result.address,
    phases: result.phases,
    status: result.status,
    headers: Object.fromEntries(
      headers.slice(0, headersMax).map(([name, value]) => [plain(name, 200), plain(value, headerCharactersMax)]),
    ),
    body: result.body,
    errorClass: result.errorClass,
  };
}

/** Foreign text in a form that PostgreSQL accepts. */
const plain = (text: string, charactersMax: number) =>
  text.slice(0, charactersMax).toWellFormed().replaceAll("\u0000", "");

/** The status of a subscription after a settlement. */
export function statusAfter(
  status: SubscriptionStatus,
  { change, isGone, breaker }: Pick<Settlement, "change" | "isGone" | "breaker">,
): SubscriptionStatus {
  // This includes a subscription that was paused after the request: on resume it would receive what its receiver
  // refuses.
  if (isGone) return "DISABLED";
  if (!receives(status)) return status;
  if (change === "DISABLED") return "DISABLED";
  return isOpen(breaker) ? "FAILING" : "ACTIVE";
}

/** The objects of ended attempts that are retried. */
export function objectsToRetry(
  settling: readonly Ended[],
  { deliveries }: Settlement,
): { readonly objectType: string; readonly objectId: string }[] {
  const retried = new Set(deliveries.flatMap(({ status, deliveryId }) => (status === "RETRYING" ? deliveryId : [])));
  return settling.flatMap(({ begun: { deliveryId, objectType, objectId } }) =>
    retried.has(deliveryId) ? { objectType, objectId } : [],
  );
}
