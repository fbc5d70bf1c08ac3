import type { Database } from "#/db/database.ts";
import { forEachClient } from "#/db/each-client.ts";
import { isContention } from "#/db/errors.ts";
import {
  countWaiting,
  findFailing,
  type LaneIncident,
  lockIncident,
  updateIncident,
} from "#/delivery/mail/incident-repository.ts";
import { type DueIncident, listDueIncidents } from "#/delivery/mail/mail.cross-client.ts";
import type { IncidentFacts } from "#/delivery/mail/note.ts";
import { noteIncident } from "#/delivery/mail/notes.ts";
import { lockClient } from "#/delivery/mail/repository.ts";
import { disablesAtMs, readBreaker } from "#/delivery/webhooks/incidents/breaker.ts";
import { nextTickAtMs, readIncident, stepIncident } from "#/delivery/webhooks/incidents/incident.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Ids } from "#/kernel/values/ids.ts";

export interface TicksContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
}

const incidentsMax = 1_000;
/** A paused subscription receives no requests: its incident is checked again after this time. */
const pausedMs = 3_600_000;

const iso = (ms: number) => new Date(ms).toISOString();

/**
 * Checks the incidents that time alone changes: recovered, still failing, soon disabled. Each runs in a separate
 * transaction, under the lock of its lane's row, so that concurrent checks report it once.
 *
 * @returns the number of mails reported.
 */
export async function tickIncidents(context: TicksContext): Promise<number> {
  const { database, clock } = context;
  let told = 0;
  await forEachClient(await listDueIncidents(database, iso(clock.now()), incidentsMax), async (due) => {
    try {
      told += await tickIncident(context, due);
    } catch (error) {
      // Another transaction settles its lane; the next round checks it.
      if (!isContention(error)) throw error;
    }
  });
  return told;
}

function tickIncident({ database, clock, ids }: TicksContext, { clientId, webhookId }: DueIncident): Promise<number> {
  return database.transaction(async (tx) => {
    // Locks the client's row first, which the notes need, then the lane without waiting: a transaction that settles the
    // lane may lock both in either order.
    await lockClient(tx, clientId);
    const lane = await lockIncident(tx, clientId, webhookId);
    const nowMs = clock.now();
    if (!lane?.incident_due_at || Date.parse(lane.incident_due_at) > nowMs) return 0;
    const before = readIncident(lane.incident);
    if (lane.status === "PAUSED" && before?.quietSinceMs === undefined) {
      updateIncident(tx, clientId, webhookId, before, iso(nowMs + pausedMs));
      return 0;
    }
    const disablesMs = disablesAtMs(readBreaker(lane.breaker));
    const step = stepIncident(before, { kind: "TICK", disablesAtMs: disablesMs }, nowMs);
    const nextMs = nextTickAtMs(step.state, disablesMs);
    updateIncident(tx, clientId, webhookId, step.state, nextMs === undefined ? undefined : iso(nextMs));
    if (step.mails.length === 0) return 0;
    const [waiting, failing] = await Promise.all([
      countWaiting(tx, clientId, webhookId),
      findFailing(tx, clientId, webhookId),
    ]);
    const subject = {
      ...{ clientId, webhookId, kind: lane.kind, topicName: lane.topic_name, url: lane.url },
      emailList: lane.email_list,
    };
    const facts = { ...factsOf(lane), waiting, lastError: failing?.last_error };
    await noteIncident(tx, { at: iso(nowMs), ids }, subject, step, facts);
    return step.mails.length;
  });
}

function factsOf({ breaker: stored, incident, due_at }: LaneIncident): IncidentFacts {
  const breaker = readBreaker(stored);
  const sinceMs = breaker.firstFailureAtMs ?? readIncident(incident)?.openedAtMs;
  const disablesMs = disablesAtMs(breaker);
  return {
    since: sinceMs === undefined ? undefined : iso(sinceMs),
    nextTryAt: breaker.nextProbeAtMs === undefined ? (due_at ?? undefined) : iso(breaker.nextProbeAtMs),
    disablesAt: disablesMs === undefined ? undefined : iso(disablesMs),
  };
}
