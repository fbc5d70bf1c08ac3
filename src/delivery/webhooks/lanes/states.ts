/**
 * The states of a lane, and the rules between them besides settlement: pure.
 *
 * A delivery (retry-plan.ts, settlement.ts). The later deliveries of its object are BLOCKED until it has ended, or has
 * failed for an hour.
 *
 *     event ──► QUEUED ───claim───► CLAIMED ───slot───► STARTED ──2xx──────────────────────────► SUCCEEDED
 *               ▲    ▲               │  │                │  │
 *     BLOCKED ──┘    └───withdraw────┘  │                │  └──410, blocked address, last try──► FAILED
 *                                       └──content gone──┼─────────────────────────────────────► EXPIRED
 *                                                        └──other failure, worker lost──┐
 *                        CLAIMED ◄──claim when due── SCHEDULED ◄────────────────────────┘
 *
 * Stored: `webhook_delivery.status` is PENDING (QUEUED with a due time, BLOCKED without), RETRYING (SCHEDULED),
 * DELIVERED or FAILED (also EXPIRED). HELD and SKIPPED belong to a paused subscription. A claim writes the attempt into
 * its delivery (`attempt_id`) before any request is sent, so CLAIMED and STARTED differ in memory only (`Lane`): a claimed
 * attempt waits for a slot of the process, and can be withdrawn. It is a row of `webhook_attempt` when it has ended.
 *
 * The breaker of the receiver (breaker.ts).
 *
 *     CLOSED ──failures──► OPEN ──probe is due──► HALF_OPEN ──success──► CLOSED
 *                           ▲                         │
 *                           └──────────failure────────┘
 *
 * The lane (lane.ts; its transaction is in lane-turn.ts). A worker takes a due lane that is FREE, and holds it by a lease
 * with a fence. The lane is FREE again when the worker releases it, or when the lease expires. The next holder takes the
 * deliveries whose attempts the previous one left, settles these as LOST, and repeats them.
 */

import { type BreakerState, isOpen } from "#/delivery/webhooks/lanes/breaker.ts";
import type { NextDue, StoredLane } from "#/delivery/webhooks/lanes/lane-repository.ts";
import { jitterMax } from "#/delivery/webhooks/lanes/retry-plan.ts";
import { receives, type SubscriptionStatus } from "#/delivery/webhooks/subscriptions/subscription.ts";
import { aheadMsMax } from "#/store/db/store/clock.ts";

/** How an attempt ended that was claimed. */
export type AttemptEnd =
  /** The request was sent, and has a result. */
  | "SENT"
  /** The worker that began the attempt did not see its end. */
  | "LOST"
  /** There was no message to send, because the event or the document is no longer kept. */
  | "EXPIRED";

/** The states of a delivery after an attempt. */
type StateAfterAttempt = "SUCCEEDED" | "SCHEDULED" | "FAILED" | "EXPIRED";

export const storedStatus = {
  SUCCEEDED: "DELIVERED",
  SCHEDULED: "RETRYING",
  FAILED: "FAILED",
  EXPIRED: "FAILED",
} as const satisfies Readonly<Record<StateAfterAttempt, string>>;

const msOf = (moment: string | null) => (moment === null ? undefined : Date.parse(moment));
/** The earliest of the known moments; undefined where none is known. Unix milliseconds. */
export const earliest = (...moments: readonly (number | undefined)[]): number | undefined => {
  const known = moments.filter((ms) => ms !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};

/** When the next delivery stops blocking its object, or is reported because it has failed for an hour. */
export const unblocksAt = ({ blocksUntil, aloneUntil }: NextDue): number | undefined =>
  earliest(msOf(blocksUntil), msOf(aloneUntil));

/** When a lane is next due; undefined where no delivery waits, or the subscription receives none. */
export function dueOf(status: SubscriptionStatus, breaker: BreakerState, next: NextDue): number | undefined {
  if (!receives(status)) return undefined;
  const dueMs = msOf(next.dueAt);
  if (isOpen(breaker)) return dueMs === undefined ? undefined : Math.max(dueMs, breaker.nextProbeAtMs ?? 0);
  return earliest(dueMs, unblocksAt(next));
}

/**
 * Whether a lane can be taken: it is due, and has no holder or an expired lease. A lease that ends later than a lease
 * taken now comes from a clock that was ahead, and is void.
 *
 * @param isAhead the lane is checked because its due time lies impossibly far ahead.
 */
export function isFree(
  { dueAt, leaseUntil }: Pick<StoredLane, "dueAt" | "leaseUntil">,
  nowMs: number,
  { leaseMs, isAhead }: { readonly leaseMs: number; readonly isAhead: boolean },
): boolean {
  if (dueAt === null || (Date.parse(dueAt) > nowMs && !isAhead)) return false;
  if (leaseUntil === null) return true;
  const untilMs = Date.parse(leaseUntil);
  return untilMs < nowMs || untilMs > nowMs + leaseMs + aheadMsMax;
}

/** The longest delay of a retry other than a receiver's own Retry-After. */
export const longestStepMs = (schedule: readonly number[]): number =>
  Math.max(...schedule, 0) * 1_000 * (1 + jitterMax);
