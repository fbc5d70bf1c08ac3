import type { UnitOfWork } from "#/db/database.ts";
import { lockObjects, setHeadsDue } from "#/delivery/webhooks/deliveries/delivery-repository.ts";
import { isOpen, readBreaker } from "#/delivery/webhooks/lanes/breaker.ts";
import { isOngoing, readIncident } from "#/delivery/webhooks/lanes/incident.ts";
import { advanceIncident } from "#/delivery/webhooks/lanes/lane-incident.ts";
import * as lanes from "#/delivery/webhooks/lanes/lane-repository.ts";
import { receives } from "#/delivery/webhooks/subscriptions/subscription.ts";
import { shareSubscription } from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import { hourMs } from "#/kernel/values/durations.ts";

const deliveriesMax = 500;
const iso = (ms: number) => new Date(ms).toISOString();

/**
 * A delivery that has blocked the later ones of its object for an hour stops blocking them and is retried
 * independently. The incident reports it once as failing for an hour, as it does for deliveries that were refused for
 * good and no longer block their object. The caller holds the lane.
 *
 * @returns false where the lease was lost.
 */
export async function unblockLongBlocked(
  tx: UnitOfWork,
  webhookId: string,
  { nowMs, lease }: { readonly nowMs: number; readonly lease: lanes.LaneLease },
): Promise<boolean> {
  const [subscription, lane, objects] = await Promise.all([
    shareSubscription(tx, webhookId),
    lanes.readLane(tx, webhookId),
    lanes.listBlockingTooLong(tx, webhookId, iso(nowMs), deliveriesMax),
  ]);
  if (subscription === undefined || !receives(subscription.status)) return true;
  if (isOpen(readBreaker(lane?.breaker))) return true;
  await lockObjects(tx, objects);
  if (objects.length > 0) lanes.unblockObjects(tx, iso(nowMs), objects);
  const alone = await lanes.markReported(tx, webhookId, iso(nowMs), deliveriesMax);
  if (objects.length === 0 && alone === 0) return true;
  setHeadsDue(tx, iso(nowMs), objects);
  const row = await lanes.lockLane(tx, webhookId, lease.fence);
  if (!row) return false;
  const breaker = readBreaker(row.breaker);
  const notified = await advanceIncident(
    { tx, nowMs, subscription, before: row.incident },
    {
      breaker,
      // A known failure is no new failure: the quiet time of an incident continues.
      incidents: isOngoing(readIncident(row.incident, nowMs)) ? [] : [{ kind: "FAILURE", opens: true }],
      isDisabled: false,
      lastError: undefined,
      failingSinceMs: nowMs - hourMs,
    },
  );
  lanes.putLane(tx, webhookId, {
    lease,
    breaker,
    incident: notified.incident,
    incidentDueAt: notified.dueAtMs === undefined ? undefined : iso(notified.dueAtMs),
  });
  return true;
}
