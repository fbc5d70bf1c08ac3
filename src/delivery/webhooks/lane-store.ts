import { recordAudit } from "#/db/audit.ts";
import type { Database, Transaction } from "#/db/database.ts";
import { type BreakerState, closedBreaker, isOpen } from "#/delivery/webhooks/breaker.ts";
import { tellIncident } from "#/delivery/webhooks/lane-incident.ts";
import * as lanes from "#/delivery/webhooks/lane-repository.ts";
import type { Message, MessageSource } from "#/delivery/webhooks/messages.ts";
import type { Target } from "#/delivery/webhooks/sender.ts";
import { type Begun, type Ended, type Settlement, settle } from "#/delivery/webhooks/settlement.ts";
import * as tries from "#/delivery/webhooks/try-repository.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Ids } from "#/kernel/ids.ts";
import type { Logger } from "#/kernel/log.ts";
import type { SecretBox } from "#/kernel/secret-box.ts";
import {
  dueHeads,
  failDeliveries,
  findSubscription,
  lockObjects,
  openTarget,
  receives,
  type Subscription,
  type SubscriptionStatus,
  updateStatus,
} from "#/modules/webhooks/index.ts";

export interface LaneStoreContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly secretBox: SecretBox;
  /** Seconds after each failed try. */
  readonly schedule: readonly number[];
  readonly random: () => number;
  readonly sources: Readonly<Record<Subscription["kind"], MessageSource>>;
  readonly leaseMs: number;
  /** Lets a handful of transactions run at a time: lanes are many, and connections few. */
  readonly gate: <T>(work: () => Promise<T>) => Promise<T>;
}

export class LeaseLostError extends Error {
  override readonly name = "LeaseLostError";
}

/** A try that was written, and what is to be sent; without a message where the event is not kept any more. */
export interface Sendable {
  readonly begun: Begun;
  readonly topicName: string;
  readonly target: Target;
  readonly message: (Message & { readonly sequence: number | undefined }) | undefined;
}

export interface Turn {
  readonly settling: readonly Ended[];
  /** Written, and not to be sent after all. */
  readonly withdrawn: readonly Sendable[];
  /** Written, and waiting to be sent: taken back when nothing is to be sent any more. */
  readonly unsent: Sendable[];
  readonly outstanding: number;
  readonly room: number;
  readonly inFlightMax: number;
}

export interface LaneStore {
  /** Settles and takes in one transaction. @throws LeaseLostError, and then nothing was settled. */
  turn(turn: Turn): Promise<Sendable[]>;
  /** Gives the lane back unless something is due by now. */
  release(
    isStopping: boolean,
  ): Promise<{ readonly isReleased: true; readonly dueAtMs: number | undefined } | { readonly isReleased: false }>;
  /** Renews the lease until the timer is cleared. */
  keepLease(onLost: () => void): NodeJS.Timeout;
  isLeaseOver(): boolean;
}

const holdingMax = 500;
const iso = (ms: number) => new Date(ms).toISOString();

export function openLaneStore(context: LaneStoreContext, key: lanes.LaneKey, fence: number): LaneStore {
  const { database, clock, ids, log, secretBox, schedule, random, sources, leaseMs, gate } = context;
  const { clientId, webhookId } = key;
  let leaseUntilMs = clock.now() + leaseMs;
  let isLost = false;
  /** What waits behind a delivery that has failed for too long is looked for this often, and when the lane would rest. */
  let nextPassAtMs = 0;

  const lost = () => new LeaseLostError(`the lane of ${webhookId} has another owner`);

  async function turn(it: Turn): Promise<Sendable[]> {
    if (isLost) throw lost();
    if (clock.now() >= nextPassAtMs) await gate(letPass);
    const nowMs = clock.now();
    const takenBack: Sendable[] = [];
    const { taken, settlement } = await gate(() =>
      database.transaction((tx) => settleAndTake(tx, it, takenBack, nowMs)),
    ).catch((error: Error) => {
      it.unsent.unshift(...takenBack);
      throw error;
    });
    leaseUntilMs = nowMs + leaseMs;
    if (settlement.change !== undefined || settlement.isGone) {
      log.info({ ...key, change: settlement.isGone ? "GONE" : settlement.change }, "webhook breaker");
    }
    return taken;
  }

  async function settleAndTake(tx: Transaction, it: Turn, takenBack: Sendable[], nowMs: number) {
    const objects = it.settling.map(({ begun }) => ({ webhookId, ...pick(begun) }));
    // In the order in which everybody locks: the subscription, the objects, the lane last.
    const [status, subscription, lane] = await Promise.all([
      lanes.shareSubscription(tx, key),
      findSubscription(tx, clientId, webhookId),
      lanes.readLane(tx, key),
      lockObjects(tx, clientId, objects),
    ]);
    if (lane?.fence !== fence || status === undefined || subscription === undefined) throw lost();
    const before: BreakerState = { ...closedBreaker, ...lane.breaker };
    const settlement = settle(before, it.settling, { schedule, random, isPaused: status === "PAUSED" });
    const { breaker } = settlement;
    const becomes = statusAfter(status as SubscriptionStatus, settlement);
    tries.endTries(tx, clientId, settlement.tries);
    tries.settleDeliveries(tx, clientId, settlement.deliveries);
    // At once, so that none of it is begun while this is written.
    if (!receives(becomes) || (isOpen(breaker) && !isOpen(before))) takenBack.push(...it.unsent.splice(0));
    tries.withdrawTries(
      tx,
      clientId,
      [...it.withdrawn, ...takenBack].map(({ begun }) => begun),
    );
    if (becomes !== status) {
      const from = ["ACTIVE", "FAILING"] as const;
      await updateStatus(tx, clientId, webhookId, { from, to: becomes });
      recordAudit(
        tx,
        clientId,
        { actor: "worker", origin: "webhooks", at: iso(nowMs), ids },
        {
          action: becomes === "DISABLED" ? "disable" : becomes === "FAILING" ? "fail" : "recover",
          objectType: "webhook",
          objectId: webhookId,
          detail: { status: becomes, before: status },
        },
      );
      if (becomes === "DISABLED") {
        failDeliveries(tx, clientId, webhookId, iso(nowMs), "the subscription was disabled");
      }
    }
    dueHeads(
      tx,
      clientId,
      iso(nowMs),
      settlement.moved.map((object) => ({ webhookId, ...object })),
    );
    const taken = receives(becomes) ? await take(tx, subscription, breaker, it, nowMs) : [];
    await putLane(tx, subscription, settlement, nowMs);
    return { taken, settlement };
  }

  /** Writes tries of what is due; of an open breaker a probe, and nothing else. */
  async function take(
    tx: Transaction,
    subscription: Subscription,
    breaker: BreakerState,
    { outstanding, room, inFlightMax }: Turn,
    nowMs: number,
  ): Promise<Sendable[]> {
    const isProbe = isOpen(breaker);
    // Of a receiver that fails, no more is written than can be sent now.
    const limit = isProbe
      ? probesNow(breaker, outstanding, room, nowMs)
      : breaker.failures > 0
        ? Math.min(room, inFlightMax - outstanding)
        : room;
    if (limit <= 0) return [];
    const due = await tries.takeDue(tx, key, iso(nowMs), limit);
    if (due.length === 0) return [];
    const messages = await sources[subscription.kind](
      tx,
      clientId,
      due.map(({ event_id }) => event_id),
    );
    const target = openTarget(secretBox, subscription, nowMs);
    const taken = due.map((delivery): Sendable => {
      const message = messages.get(delivery.event_id);
      return {
        begun: begunOf(delivery, ids.next(nowMs), isProbe),
        topicName: delivery.topic_name,
        target,
        message: message && { ...message, sequence: delivery.sequence ?? undefined },
      };
    });
    tries.startTries(
      tx,
      key,
      iso(nowMs),
      taken.map(({ begun }) => begun),
    );
    return taken;
  }

  /** The lane's row last, with the fence: whoever lost the lease settles nothing. */
  async function putLane(tx: Transaction, subscription: Subscription, settlement: Settlement, nowMs: number) {
    const row = await lanes.lockLane(tx, key, fence);
    if (!row) throw lost();
    const { incident, dueAtMs } = await tellIncident(
      { tx, ids, nowMs, subscription, before: row.incident },
      settlement,
    );
    lanes.putLane(tx, key, {
      breaker: settlement.breaker,
      incident,
      incidentDueAt: dueAtMs === undefined ? undefined : iso(dueAtMs),
      leaseUntil: iso(nowMs + leaseMs),
    });
  }

  /** Deliveries that have held the later ones of their object back for an hour go on alone. */
  async function letPass(): Promise<void> {
    const nowMs = clock.now();
    await database.transaction(async (tx) => {
      const [status, objects] = await Promise.all([
        lanes.shareSubscription(tx, key),
        tries.listHoldingTooLong(tx, key, iso(nowMs), holdingMax),
      ]);
      if (status === undefined || !receives(status as SubscriptionStatus) || objects.length === 0) return;
      await lockObjects(tx, clientId, objects);
      tries.letPass(tx, key, iso(nowMs), objects);
      dueHeads(tx, clientId, iso(nowMs), objects);
      const [subscription, row] = await Promise.all([
        findSubscription(tx, clientId, webhookId),
        lanes.lockLane(tx, key, fence),
      ]);
      if (!row || !subscription) throw lost();
      const breaker = { ...closedBreaker, ...row.breaker };
      const incidents = [{ kind: "FAILURE", opens: true }] as const;
      const told = await tellIncident(
        { tx, ids, nowMs, subscription, before: row.incident },
        { breaker, incidents, change: undefined, isGone: false, lastError: undefined },
      );
      lanes.putLane(tx, key, {
        breaker,
        incident: told.incident,
        incidentDueAt: told.dueAtMs === undefined ? undefined : iso(told.dueAtMs),
        leaseUntil: iso(nowMs + leaseMs),
      });
    });
    nextPassAtMs = nowMs + leaseMs;
  }

  function release(isStopping: boolean) {
    return gate(() =>
      database.transaction(async (tx) => {
        // What is added while the row is locked makes the lane due again behind us.
        const [row, subscription, next] = await Promise.all([
          lanes.lockLane(tx, key, fence),
          findSubscription(tx, clientId, webhookId),
          lanes.findNextDue(tx, key),
        ]);
        if (!row) throw lost();
        const nowMs = clock.now();
        const dueAtMs = dueOf(subscription, { ...closedBreaker, ...row.breaker }, next);
        if (next.holds_until !== null && Date.parse(next.holds_until) <= nowMs) nextPassAtMs = 0;
        if (dueAtMs !== undefined && dueAtMs <= nowMs && !isStopping) return { isReleased: false } as const;
        lanes.releaseLane(tx, key, dueAtMs === undefined ? undefined : iso(dueAtMs));
        return { isReleased: true, dueAtMs } as const;
      }),
    );
  }

  return {
    turn,
    release,
    keepLease(onLost) {
      return setInterval(() => {
        const nowMs = clock.now();
        // Each settlement renews it as well.
        if (leaseUntilMs - nowMs > (leaseMs * 2) / 3) return;
        lanes.renewLane(database, key, fence, iso(nowMs + leaseMs)).then(
          (isOurs) => {
            if (isOurs) leaseUntilMs = Math.max(leaseUntilMs, nowMs + leaseMs);
            else isLost = true;
            if (isLost) onLost();
          },
          () => {},
        );
      }, leaseMs / 5);
    },
    isLeaseOver: () => clock.now() > leaseUntilMs,
  };
}

const pick = ({ objectType, objectId }: Begun) => ({ objectType, objectId });

const probesNow = ({ nextProbeAtMs = 0 }: BreakerState, outstanding: number, room: number, nowMs: number) =>
  outstanding === 0 && room > 0 && nowMs >= nextProbeAtMs ? 1 : 0;

/** @returns undefined where nothing waits, or nothing is sent. */
function dueOf(
  subscription: Subscription | undefined,
  breaker: BreakerState,
  { due_at, holds_until }: lanes.NextDue,
): number | undefined {
  if (subscription === undefined || !receives(subscription.status)) return undefined;
  const dueMs = due_at === null ? undefined : Date.parse(due_at);
  if (isOpen(breaker)) return dueMs === undefined ? undefined : Math.max(dueMs, breaker.nextProbeAtMs ?? 0);
  const moments = [dueMs, holds_until === null ? undefined : Date.parse(holds_until)].filter((ms) => ms !== undefined);
  return moments.length === 0 ? undefined : Math.min(...moments);
}

function statusAfter(status: SubscriptionStatus, { change, isGone, breaker }: Settlement): SubscriptionStatus {
  if (!receives(status)) return status;
  if (isGone || change === "DISABLED") return "DISABLED";
  return isOpen(breaker) ? "FAILING" : "ACTIVE";
}

export function begunOf(delivery: tries.DueDelivery, tryId: string, isProbe: boolean): Begun {
  const { holds_until } = delivery;
  return {
    ...{ tryId, isProbe, deliveryId: delivery.delivery_id, hasPassed: delivery.has_passed },
    ...{ objectType: delivery.object_type, objectId: delivery.object_id },
    state: {
      tries: delivery.tries,
      refusals: delivery.refusals,
      holdsUntilMs: holds_until === null ? undefined : Date.parse(holds_until),
    },
  };
}
