import type { UnitOfWork } from "#/db/database.ts";
import { countWaiting, findFailing } from "#/delivery/mail/incident-repository.ts";
import { noteIncident } from "#/delivery/mail/index.ts";
import { disablesAtMs } from "#/delivery/webhooks/lanes/breaker.ts";
import {
  type IncidentEvent,
  type IncidentState,
  nextTickAtMs,
  readIncident,
  stepIncident,
} from "#/delivery/webhooks/lanes/incident.ts";
import type { Settlement } from "#/delivery/webhooks/lanes/settlement.ts";
import { earliest } from "#/delivery/webhooks/lanes/states.ts";
import type { Subscription } from "#/delivery/webhooks/subscriptions/subscription.ts";

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
 * transaction, which has locked the lane. @returns the state, and when time alone next changes it.
 */
export async function advanceIncident(
  { tx, nowMs, subscription, before }: IncidentContext,
  settlement: Pick<Settlement, "breaker" | "incidents" | "lastError"> & {
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
    const [waiting, failing] = await Promise.all([countWaiting(tx, webhookId), findFailing(tx, webhookId)]);
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
