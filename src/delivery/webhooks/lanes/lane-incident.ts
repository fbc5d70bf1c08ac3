import { noteIncident } from "#/delivery/mail/index.ts";
import { lockObjects, setHeadsDue } from "#/delivery/webhooks/deliveries/delivery-repository.ts";
import { disablesAtMs, isOpen, readBreaker } from "#/delivery/webhooks/lanes/breaker.ts";
import {
  type IncidentEvent,
  type IncidentState,
  isOngoing,
  nextTickAtMs,
  readIncident,
  stepIncident,
} from "#/delivery/webhooks/lanes/incident.ts";
import * as lanes from "#/delivery/webhooks/lanes/lane-repository.ts";
import type { Settlement } from "#/delivery/webhooks/lanes/settlement.ts";
import { earliest } from "#/delivery/webhooks/lanes/states.ts";
import { receives, type Subscription } from "#/delivery/webhooks/subscriptions/subscription.ts";
import { shareSubscription } from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import { hourMs } from "#/kernel/values/durations.ts";
import type { UnitOfWork } from "#/store/db/database.ts";

export interface IncidentContext {
  readonly tx: UnitOfWork;
  readonly nowMs: number;
  readonly subscription: Subscription;
  readonly before: IncidentState | null;
}

const iso = (ms: number) => new Date(ms).toISOString();
const isoOf = (ms: number | undefined) => (ms === undefined ? undefined : iso(ms));

/**
 * Applies a settlement to the incident of a subscription, and writes the mails to send. Runs in the settlement's
 * transaction or that of a check, which has locked the lane. @returns the state, and when time alone next changes it.
 */
export async function advanceIncident(
  { tx, nowMs, subscription, before }: IncidentContext,
  settlement: Pick<Settlement, "breaker" | "lastError"> & {
    readonly incidents: readonly IncidentEvent[];
    readonly isDisabled: boolean;
    /** For a delivery that fails while others succeed: the start of its failures. Unix milliseconds. */
    readonly failingSinceMs?: number;
  },
): Promise<{ readonly incident: IncidentState | undefined; readonly dueAtMs: number | undefined }> {
  const { breaker, incidents, isDisabled, lastError } = settlement;
  const events: IncidentEvent[] = [...incidents];
  if (isDisabled) events.push({ kind: "DISABLED" });
  let state = readIncident(before, nowMs);
  const disablesMs = disablesAtMs(breaker);
  for (const event of events) {
    const step = stepIncident(state, event, nowMs);
    state = step.state;
    if (step.mails.length === 0) continue;
    const { webhookId } = subscription;
    const [waiting, failing] = await Promise.all([lanes.countWaiting(tx, webhookId), lanes.findFailing(tx, webhookId)]);
    await noteIncident(tx, subscription, step, {
      lastErrorClass: lastError?.errorClass,
      lastError: lastError?.text ?? failing?.last_error,
      since: isoOf(earliest(breaker.firstFailureAtMs, settlement.failingSinceMs) ?? state?.openedAtMs),
      waiting,
      nextTryAt: isoOf(breaker.nextProbeAtMs) ?? failing?.due_at,
      disablesAt: isoOf(disablesMs),
    });
  }
  return { incident: state, dueAtMs: nextTickAtMs(state, disablesMs) };
}

const deliveriesMax = 500;

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
      // A known failure is not a new failure: the quiet time of an incident continues.
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
