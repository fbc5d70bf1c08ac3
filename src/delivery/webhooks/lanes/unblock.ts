import type { Transaction } from "#/db/database.ts";
import { lockObjects, setHeadsDue } from "#/delivery/webhooks/deliveries/delivery-repository.ts";
import { isOpen, readBreaker } from "#/delivery/webhooks/lanes/breaker.ts";
import { isOngoing, readIncident } from "#/delivery/webhooks/lanes/incident.ts";
import { advanceIncident } from "#/delivery/webhooks/lanes/lane-incident.ts";
import * as lanes from "#/delivery/webhooks/lanes/lane-repository.ts";
import { receives } from "#/delivery/webhooks/subscriptions/subscription.ts";
import { shareSubscription } from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import { hourMs } from "#/kernel/values/durations.ts";
import type { Ids } from "#/kernel/values/ids.ts";

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
  tx: Transaction,
  key: lanes.LaneKey,
  { ids, nowMs, lease }: { readonly ids: Ids; readonly nowMs: number; readonly lease: lanes.LaneLease },
): Promise<boolean> {
  const { clientId, webhookId } = key;
  const view = tx.of(clientId);
  const [subscription, lane, objects] = await Promise.all([
    shareSubscription(view, webhookId),
    lanes.readLane(tx, key),
    lanes.listBlockingTooLong(tx, key, iso(nowMs), deliveriesMax),
  ]);
  if (subscription === undefined || !receives(subscription.status)) return true;
  if (isOpen(readBreaker(lane?.breaker))) return true;
  await lockObjects(view, objects);
  if (objects.length > 0) lanes.unblockObjects(tx, key, iso(nowMs), objects);
  const alone = await lanes.markReported(tx, key, iso(nowMs), deliveriesMax);
  if (objects.length === 0 && alone === 0) return true;
  setHeadsDue(view, iso(nowMs), objects);
  const row = await lanes.lockLane(tx, key, lease.fence);
  if (!row) return false;
  const breaker = readBreaker(row.breaker);
  const notified = await advanceIncident(
    { tx, ids, nowMs, subscription, before: row.incident },
    {
      breaker,
      // A known failure is no new failure: the quiet time of an incident continues.
      incidents: isOngoing(readIncident(row.incident, nowMs)) ? [] : [{ kind: "FAILURE", opens: true }],
      isDisabled: false,
      lastError: undefined,
      failingSinceMs: nowMs - hourMs,
    },
  );
  lanes.putLane(tx, key, {
    lease,
    breaker,
    incident: notified.incident,
    incidentDueAt: notified.dueAtMs === undefined ? undefined : iso(notified.dueAtMs),
  });
  return true;
}
