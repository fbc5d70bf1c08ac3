import type { Transaction } from "#/db/database.ts";
import { countWaiting } from "#/delivery/mail/incident-repository.ts";
import { noteIncident } from "#/delivery/mail/index.ts";
import { disablesAtMs } from "#/delivery/webhooks/breaker.ts";
import { type IncidentEvent, type IncidentState, nextTickAtMs, stepIncident } from "#/delivery/webhooks/incident.ts";
import type { Settlement } from "#/delivery/webhooks/settlement.ts";
import type { Ids } from "#/kernel/ids.ts";
import type { Subscription } from "#/modules/webhooks/index.ts";

export interface IncidentContext {
  readonly tx: Transaction;
  readonly ids: Ids;
  readonly nowMs: number;
  readonly subscription: Subscription;
  readonly before: IncidentState | null;
}

const iso = (ms: number) => new Date(ms).toISOString();
const isoOf = (ms: number | undefined) => (ms === undefined ? undefined : iso(ms));

/**
 * Takes the incident of a subscription through what a settlement has seen, and writes down what is to be told of it, in
 * the settlement's transaction, which has locked the lane. @returns the state, and when time alone takes it further.
 */
export async function tellIncident(
  { tx, ids, nowMs, subscription, before }: IncidentContext,
  settlement: Pick<Settlement, "breaker" | "incidents" | "change" | "isGone" | "lastError">,
): Promise<{ readonly incident: IncidentState | undefined; readonly dueAtMs: number | undefined }> {
  const { breaker, incidents, change, isGone, lastError } = settlement;
  const events: IncidentEvent[] = [...incidents];
  if (isGone || change === "DISABLED") events.push({ kind: "DISABLED" });
  let state = before ?? undefined;
  const disablesMs = disablesAtMs(breaker);
  for (const event of events) {
    const step = stepIncident(state, event, nowMs);
    state = step.state;
    if (step.mails.length === 0) continue;
    const { clientId, webhookId } = subscription;
    await noteIncident(tx, { at: iso(nowMs), ids }, subscription, step, {
      lastErrorClass: lastError?.errorClass,
      lastError: lastError?.text,
      since: isoOf(breaker.firstFailureAtMs ?? state?.openedAtMs),
      waiting: await countWaiting(tx, clientId, webhookId),
      nextTryAt: isoOf(breaker.nextProbeAtMs),
      disablesAt: isoOf(disablesMs),
    });
  }
  return { incident: state, dueAtMs: nextTickAtMs(state, disablesMs) };
}
