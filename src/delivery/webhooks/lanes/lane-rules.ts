// What a lane goes by besides what is settled: pure.
import { aheadMsMax } from "#/db/store/clock.ts";
import { type BreakerState, isOpen } from "#/delivery/webhooks/incidents/breaker.ts";
import type { LaneRow, NextDue } from "#/delivery/webhooks/lanes/lane-repository.ts";
import { jitterMax } from "#/delivery/webhooks/lanes/retry-plan.ts";
import type { Ended, Settlement } from "#/delivery/webhooks/lanes/settlement.ts";
import { receives, type SubscriptionStatus } from "#/delivery/webhooks/subscriptions/subscription.ts";

/** How many probes of an open breaker may be sent now: one at a time, when it is due. */
export const probesNow = (
  { nextProbeAtMs = 0 }: BreakerState,
  outstanding: number,
  room: number,
  nowMs: number,
): number => (outstanding === 0 && room > 0 && nowMs >= nextProbeAtMs ? 1 : 0);

const msOf = (moment: string | null) => (moment === null ? undefined : Date.parse(moment));
/** Of the moments that are known the first; undefined where none is. Unix milliseconds. */
export const earliest = (...moments: readonly (number | undefined)[]): number | undefined => {
  const known = moments.filter((ms) => ms !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};

/** When a delivery is next to go on alone, or to be told of because it has failed for an hour. */
export const passesAt = ({ holds_until, alone_until }: NextDue): number | undefined =>
  earliest(msOf(holds_until), msOf(alone_until));

/** When a lane has next something to do; undefined where nothing waits, or nothing is sent. */
export function dueOf(status: SubscriptionStatus, breaker: BreakerState, next: NextDue): number | undefined {
  if (!receives(status)) return undefined;
  const dueMs = msOf(next.due_at);
  if (isOpen(breaker)) return dueMs === undefined ? undefined : Math.max(dueMs, breaker.nextProbeAtMs ?? 0);
  return earliest(dueMs, passesAt(next));
}

/**
 * Whether a lane can be taken: something is due, and nobody holds it, or its holder let the lease run out. A lease that ends
 * behind where one that is taken now would end is of a clock that was ahead, and void.
 *
 * @param isAhead the lane is looked at because its due time lies in a future that cannot be.
 */
export function isFree(
  { due_at, lease_until }: Pick<LaneRow, "due_at" | "lease_until">,
  nowMs: number,
  { leaseMs, isAhead }: { readonly leaseMs: number; readonly isAhead: boolean },
): boolean {
  if (due_at === null || (Date.parse(due_at) > nowMs && !isAhead)) return false;
  if (lease_until === null) return true;
  const untilMs = Date.parse(lease_until);
  return untilMs < nowMs || untilMs > nowMs + leaseMs + aheadMsMax;
}

/** The longest that anything but a receiver's own wish puts a retry off. */
export const longestStepMs = (schedule: readonly number[]): number =>
  Math.max(...schedule, 0) * 1_000 * (1 + jitterMax);

/** What a settlement makes of a subscription. */
export function statusAfter(
  status: SubscriptionStatus,
  { change, isGone, breaker }: Pick<Settlement, "change" | "isGone" | "breaker">,
): SubscriptionStatus {
  // Of one that was paused behind the request, too: it would be sent what its receiver wants no more when it resumes.
  if (isGone) return "DISABLED";
  if (!receives(status)) return status;
  if (change === "DISABLED") return "DISABLED";
  return isOpen(breaker) ? "FAILING" : "ACTIVE";
}

/** The objects of what ended and is tried again. */
export function objectsTriedAgain(
  settling: readonly Ended[],
  { deliveries }: Settlement,
): { readonly objectType: string; readonly objectId: string }[] {
  const again = new Set(deliveries.flatMap(({ status, deliveryId }) => (status === "RETRYING" ? deliveryId : [])));
  return settling.flatMap(({ begun: { deliveryId, objectType, objectId } }) =>
    again.has(deliveryId) ? { objectType, objectId } : [],
  );
}
