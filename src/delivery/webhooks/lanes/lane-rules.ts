// Rules of a lane besides settlement: pure.
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
/** The earliest of the known moments; undefined where none is known. Unix milliseconds. */
export const earliest = (...moments: readonly (number | undefined)[]): number | undefined => {
  const known = moments.filter((ms) => ms !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
};

/** When the next delivery stops blocking its object, or is reported because it has failed for an hour. */
export const passesAt = ({ blocks_until, alone_until }: NextDue): number | undefined =>
  earliest(msOf(blocks_until), msOf(alone_until));

/** When a lane is next due; undefined where no delivery waits, or the subscription receives none. */
export function dueOf(status: SubscriptionStatus, breaker: BreakerState, next: NextDue): number | undefined {
  if (!receives(status)) return undefined;
  const dueMs = msOf(next.due_at);
  if (isOpen(breaker)) return dueMs === undefined ? undefined : Math.max(dueMs, breaker.nextProbeAtMs ?? 0);
  return earliest(dueMs, passesAt(next));
}

/**
 * Whether a lane can be taken: it is due, and has no holder or an expired lease. A lease that ends later than a lease
 * taken now comes from a clock that was ahead, and is void.
 *
 * @param isAhead the lane is checked because its due time lies impossibly far ahead.
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

/** The longest delay of a retry other than a receiver's own Retry-After. */
export const longestStepMs = (schedule: readonly number[]): number =>
  Math.max(...schedule, 0) * 1_000 * (1 + jitterMax);

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
export function objectsTriedAgain(
  settling: readonly Ended[],
  { deliveries }: Settlement,
): { readonly objectType: string; readonly objectId: string }[] {
  const again = new Set(deliveries.flatMap(({ status, deliveryId }) => (status === "RETRYING" ? deliveryId : [])));
  return settling.flatMap(({ begun: { deliveryId, objectType, objectId } }) =>
    again.has(deliveryId) ? { objectType, objectId } : [],
  );
}
