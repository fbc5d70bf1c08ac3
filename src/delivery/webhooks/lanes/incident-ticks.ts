import { lockClient } from "#/delivery/mail/repository.ts";
import { listDueIncidents } from "#/delivery/webhooks/fan-out/fan-out.cross-client.ts";
import { disableAfterMs, disablesAtMs, readBreaker } from "#/delivery/webhooks/lanes/breaker.ts";
import { readIncident } from "#/delivery/webhooks/lanes/incident.ts";
import { advanceIncident } from "#/delivery/webhooks/lanes/lane-incident.ts";
import * as lanes from "#/delivery/webhooks/lanes/lane-repository.ts";
import { findSubscription } from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import type { Clock } from "#/kernel/clock.ts";
import { hourMs } from "#/kernel/values/durations.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import { type ClientTurns, createClientTurns } from "#/store/db/client-turns.ts";
import type { Database, UnitOfWork } from "#/store/db/database.ts";
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
  const { database, clock, ids, turns = createClientTurns() } = context;
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
        mailed += await database.transaction((tx) => {
          const change = { actor: "worker", origin: "incidents", at: iso(clock.now()), ids };
          return tickIncident(tx.of(due.clientId, change), due.webhookId, clock.now(), aheadMs);
        });
      } catch (error) {
        // Another transaction settles its lane; the next round checks it.
        if (!isContention(error)) throw error;
      }
      return incidents.length > 0;
    },
  );
  return mailed;
}

async function tickIncident(tx: UnitOfWork, webhookId: string, nowMs: number, aheadMs: number): Promise<number> {
  // Locks the client's row first, which the notes need, then the lane without waiting: a transaction that settles the
  // lane may lock both in either order. So the subscription's row is not locked.
  await lockClient(tx);
  const [subscription, lane] = await Promise.all([findSubscription(tx, webhookId), lanes.lockIncident(tx, webhookId)]);
  if (!subscription || !lane?.incident_due_at) return 0;
  const dueMs = Date.parse(lane.incident_due_at);
  if (dueMs > nowMs && dueMs <= nowMs + aheadMs) return 0;
  const before = readIncident(lane.incident, nowMs);
  if (subscription.status === "PAUSED" && before?.quietSinceMs === undefined) {
    lanes.updateIncident(tx, webhookId, before, iso(nowMs + pausedMs));
    return 0;
  }
  const { firstFailureAtMs, ...breaker } = readBreaker(lane.breaker);
  // A first failure in the future counts from now.
  const since = { ...breaker, firstFailureAtMs: firstFailureAtMs && Math.min(firstFailureAtMs, nowMs) };
  const { incident, dueAtMs } = await advanceIncident(
    { tx, nowMs, subscription, before: lane.incident },
    {
      breaker: since,
      incidents: [{ kind: "TICK", disablesAtMs: disablesAtMs(since) }],
      isDisabled: false,
      lastError: undefined,
    },
  );
  lanes.updateIncident(tx, webhookId, incident, dueAtMs === undefined ? undefined : iso(dueAtMs));
  return (incident?.mails.length ?? 0) - (before?.mails.length ?? 0);
}
