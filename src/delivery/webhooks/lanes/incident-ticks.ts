import { type DueIncident, listDueIncidents } from "#/delivery/mail/mail.cross-client.ts";
import type { IncidentFacts } from "#/delivery/mail/note.ts";
import { noteIncident } from "#/delivery/mail/notes.ts";
import {
  countWaiting,
  findFailing,
  type LaneIncident,
  lockClient,
  lockIncident,
  updateIncident,
} from "#/delivery/mail/repository.ts";
import { disableAfterMs, disablesAtMs, readBreaker } from "#/delivery/webhooks/lanes/breaker.ts";
import { nextTickAtMs, readIncident, stepIncident } from "#/delivery/webhooks/lanes/incident.ts";
import type { Clock } from "#/kernel/clock.ts";
import { hourMs } from "#/kernel/values/durations.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import { type ClientTurns, createClientTurns } from "#/store/db/client-turns.ts";
import type { Database } from "#/store/db/database.ts";
import { isContention } from "#/store/db/errors.ts";
import { aheadMsMax } from "#/store/db/store/clock.ts";

export interface TicksContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Kept from run to run, for the back-off of each client. */
  readonly turns?: ClientTurns;
}

/** Ten times the subscriptions of the largest client. */
const incidentsMax = 10_000;
/** A paused subscription receives no requests: its incident is checked again after this time. */
const pausedMs = hourMs;
/** No incident is due later than this: the subscription is disabled by then. */
const dueMsMost = disableAfterMs + aheadMsMax;

const iso = (ms: number) => new Date(ms).toISOString();

/**
 * Checks incidents as `tickIncidents` does, and all of them once after the clock was set back.
 * @param aheadUntilMs @see StoreClock
 */
export function createIncidentTicks(context: TicksContext, aheadUntilMs: () => number): () => Promise<number> {
  let knownUntilMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const untilMs = aheadUntilMs();
    const mailed = await tickIncidents(context, untilMs !== knownUntilMs);
    knownUntilMs = untilMs;
    return mailed;
  };
}

/**
 * Checks the incidents that time alone changes: recovered, still failing, soon disabled. Each runs in a separate
 * transaction, under the lock of its lane's row, so that concurrent checks report it once. A due time that lies
 * impossibly far ahead comes from a clock that was ahead, and is computed again. Clients take turns: an incident that
 * fails delays no incident of another client.
 *
 * @param wasSetBack the clock was set back: every due time may come from the future.
 * @returns the number of mails reported.
 */
export async function tickIncidents(context: TicksContext, wasSetBack = false): Promise<number> {
  const { database, clock, turns = createClientTurns() } = context;
  const aheadMs = wasSetBack ? 0 : dueMsMost;
  const nowMs = clock.now();
  let mailed = 0;
  const all = await listDueIncidents(database.lookUps, iso(nowMs), iso(nowMs + aheadMs), incidentsMax);
  await turns.run(
    Map.groupBy(all, ({ clientId }) => clientId),
    async (incidents) => {
      const due = incidents.shift();
      if (due === undefined) return false;
      try {
        mailed += await tickIncident(context, due, aheadMs);
      } catch (error) {
        // Another transaction settles its lane; the next round checks it.
        if (!isContention(error)) throw error;
      }
      return incidents.length > 0;
    },
  );
  return mailed;
}

function tickIncident(
  { database, clock, ids }: TicksContext,
  { clientId, webhookId }: DueIncident,
  aheadMs: number,
): Promise<number> {
  return database.transaction(async (tx) => {
    const view = tx.of(clientId);
    // Locks the client's row first, which the notes need, then the lane without waiting: a transaction that settles the
    // lane may lock both in either order.
    await lockClient(view);
    const lane = await lockIncident(view, webhookId);
    const nowMs = clock.now();
    if (!lane?.incident_due_at) return 0;
    const dueMs = Date.parse(lane.incident_due_at);
    if (dueMs > nowMs && dueMs <= nowMs + aheadMs) return 0;
    const before = readIncident(lane.incident, nowMs);
    if (lane.status === "PAUSED" && before?.quietSinceMs === undefined) {
      updateIncident(view, webhookId, before, iso(nowMs + pausedMs));
      return 0;
    }
    const disablesMs = disablesBy(lane, nowMs);
    const step = stepIncident(before, { kind: "TICK", disablesAtMs: disablesMs }, nowMs);
    const nextMs = nextTickAtMs(step.state, disablesMs);
    updateIncident(view, webhookId, step.state, nextMs === undefined ? undefined : iso(nextMs));
    if (step.mails.length === 0) return 0;
    const [waiting, failing] = await Promise.all([countWaiting(view, webhookId), findFailing(view, webhookId)]);
    const subject = {
      webhookId,
      kind: lane.kind,
      topicName: lane.topic_name,
      additionalTopicNames: lane.additional_topic_names,
      url: lane.url,
      emailList: lane.email_list,
    };
    const facts = { ...factsOf(lane, nowMs), waiting, lastError: failing?.last_error };
    const change = { actor: "worker", origin: "incidents", at: iso(nowMs), ids };
    await noteIncident(view.with(change), subject, step, facts);
    return step.mails.length;
  });
}

/** When the subscription is disabled if the failures continue. A first failure in the future counts from now. */
function disablesBy({ breaker }: LaneIncident, nowMs: number): number | undefined {
  const { firstFailureAtMs } = readBreaker(breaker);
  return disablesAtMs({ firstFailureAtMs: firstFailureAtMs && Math.min(firstFailureAtMs, nowMs) });
}

function factsOf(lane: LaneIncident, nowMs: number): IncidentFacts {
  const { firstFailureAtMs, nextProbeAtMs } = readBreaker(lane.breaker);
  const sinceMs = firstFailureAtMs ?? readIncident(lane.incident, nowMs)?.openedAtMs;
  const disablesMs = disablesBy(lane, nowMs);
  return {
    since: sinceMs === undefined ? undefined : iso(Math.min(sinceMs, nowMs)),
    nextTryAt: nextProbeAtMs === undefined ? (lane.due_at ?? undefined) : iso(nextProbeAtMs),
    disablesAt: disablesMs === undefined ? undefined : iso(disablesMs),
  };
}
