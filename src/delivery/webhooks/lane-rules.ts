// What a lane goes by besides what is settled: pure.
import { type BreakerState, isOpen } from "#/delivery/webhooks/breaker.ts";
import type { NextDue } from "#/delivery/webhooks/lane-repository.ts";
import type { Ended, Settlement } from "#/delivery/webhooks/settlement.ts";
import { receives, type Subscription, type SubscriptionStatus } from "#/modules/webhooks/index.ts";

/** How many probes of an open breaker may be sent now: one at a time, when it is due. */
export const probesNow = (
  { nextProbeAtMs = 0 }: BreakerState,
  outstanding: number,
  room: number,
  nowMs: number,
): number => (outstanding === 0 && room > 0 && nowMs >= nextProbeAtMs ? 1 : 0);

/** When a lane has next something to do; undefined where nothing waits, or nothing is sent. */
export function dueOf(
  subscription: Subscription | undefined,
  breaker: BreakerState,
  { due_at, holds_until }: NextDue,
): number | undefined {
  if (subscription === undefined || !receives(subscription.status)) return undefined;
  const dueMs = due_at === null ? undefined : Date.parse(due_at);
  if (isOpen(breaker)) return dueMs === undefined ? undefined : Math.max(dueMs, breaker.nextProbeAtMs ?? 0);
  const moments = [dueMs, holds_until === null ? undefined : Date.parse(holds_until)].filter((ms) => ms !== undefined);
  return moments.length === 0 ? undefined : Math.min(...moments);
}

/** What a settlement makes of a subscription. */
export function statusAfter(
  status: SubscriptionStatus,
  { change, isGone, breaker }: Pick<Settlement, "change" | "isGone" | "breaker">,
): SubscriptionStatus {
  if (!receives(status)) return status;
  if (isGone || change === "DISABLED") return "DISABLED";
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
