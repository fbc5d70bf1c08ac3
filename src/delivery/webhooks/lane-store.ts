import { recordAudit } from "#/db/audit.ts";
import type { Database, Transaction } from "#/db/database.ts";
import { type BreakerState, closedBreaker, isOpen } from "#/delivery/webhooks/breaker.ts";
import { tellIncident } from "#/delivery/webhooks/lane-incident.ts";
import * as lanes from "#/delivery/webhooks/lane-repository.ts";
import { dueOf, objectsTriedAgain, probesNow, statusAfter } from "#/delivery/webhooks/lane-rules.ts";
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
  lockSubscription,
  openTarget,
  receives,
  type Subscription,
  type SubscriptionStatus,
  undueLater,
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

/**
 * The subscription's status changes with this settlement, which is made again with the row locked for it: those who add
 * deliveries share the row with whoever only sends.
 */
class StatusChangeError extends Error {
  override readonly name = "StatusChangeError";
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
  /**
   * Settles and takes in one transaction. @param begin is asked for the turn when the transaction begins.
   * @throws LeaseLostError, and then nothing was settled.
   */
  turn(begin: () => Turn): Promise<Sendable[]>;
  /** Gives the lane back unless something is due by now. */
  release(
    isStopping: boolean,
  ): Promise<{ readonly isReleased: true; readonly dueAtMs: number | undefined } | { readonly isReleased: false }>;
  /** Renews the lease until the timer is cleared. */
  keepLease(onLost: () => void): NodeJS.Timeout;
  isLeaseOver(): boolean;
}

const holdingMax = 500;
const hourMs = 3_600_000;
/** A part of INV or IMS is several megabytes: of outbound documents no more are held in memory, sent or waiting. */
const documentsMax = 8;
const iso = (ms: number) => new Date(ms).toISOString();

export function openLaneStore(context: LaneStoreContext, key: lanes.LaneKey, fence: number): LaneStore {
  const { database, clock, ids, log, secretBox, schedule, random, sources, leaseMs, gate } = context;
  const { clientId, webhookId } = key;
  let leaseUntilMs = clock.now() + leaseMs;
  let isLost = false;
  /** What waits behind a delivery that has failed for too long is looked for this often, and when the lane would rest. */
  let nextPassAtMs = 0;

  const lost = () => new LeaseLostError(`the lane of ${webhookId} has another owner`);

  async function turn(begin: () => Turn): Promise<Sendable[]> {
    if (isLost) throw lost();
    if (clock.now() >= nextPassAtMs) await gate(letPass);
    const takenBack: Sendable[] = [];
    let it: Turn | undefined;
    let nowMs = 0;
    const run = (isAlone: boolean) =>
      gate(() => {
        it ??= begin();
        const turn = it;
        nowMs = clock.now();
        return database.transaction((tx) => settleAndTake(tx, turn, { takenBack, nowMs, isAlone }));
      });
    const { taken, settlement } = await run(false)
      .catch((error: Error) => {
        if (error instanceof StatusChangeError) return run(true);
        throw error;
      })
      .catch((error: Error) => {
        it?.unsent.unshift(...takenBack);
        throw error;
      });
    leaseUntilMs = nowMs + leaseMs;
    if (settlement.change !== undefined || settlement.isGone) {
      log.info({ ...key, change: settlement.isGone ? "GONE" : settlement.change }, "webhook breaker");
    }
    return taken;
  }

  async function settleAndTake(
    tx: Transaction,
    it: Turn,
    {
      takenBack,
      nowMs,
      isAlone,
    }: { readonly takenBack: Sendable[]; readonly nowMs: number; readonly isAlone: boolean },
  ) {
    const objects = it.settling.map(({ begun }) => ({ webhookId, ...pick(begun) }));
    // In the order in which everybody locks: the subscription, the objects, the lane last.
    const [status, subscription, lane] = await Promise.all([
      isAlone
        ? lockSubscription(tx, clientId, webhookId).then((locked) => locked?.status)
        : lanes.shareSubscription(tx, key),
      findSubscription(tx, clientId, webhookId),
      lanes.readLane(tx, key),
      lockObjects(tx, clientId, objects),
    ]);
    if (lane?.fence !== fence || status === undefined || subscription === undefined) throw lost();
    const before: BreakerState = { ...closedBreaker, ...lane.breaker };
    const settlement = settle(before, it.settling, { schedule, random, isPaused: status === "PAUSED" });
    const { breaker } = settlement;
    const becomes = statusAfter(status as SubscriptionStatus, settlement);
    if (becomes !== status && !isAlone) throw new StatusChangeError();
    tries.endTries(tx, clientId, settlement.tries);
    tries.settleDeliveries(tx, clientId, settlement.deliveries);
    // One that was sent again by hand while a later one was under way is the head now: what failed waits for it.
    undueLater(
      tx,
      clientId,
      objectsTriedAgain(it.settling, settlement).map((object) => ({ webhookId, ...object })),
    );
    // What waited flows in order: the time in which only probes were sent is none of anybody's hour.
    if (before.openedAtMs !== undefined && !isOpen(breaker)) tries.putOffPassing(tx, key, nowMs - before.openedAtMs);
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
    const due = receives(becomes) ? await findDue(tx, subscription, breaker, it, nowMs) : [];
    // Beside the reading, which locks nothing.
    const [row, taken] = await Promise.all([
      lanes.lockLane(tx, key, fence),
      begin(tx, subscription, due, isOpen(breaker), nowMs),
    ]);
    if (!row) throw lost();
    const isDisabled = becomes !== status && becomes === "DISABLED";
    await putLane(tx, subscription, row, { ...settlement, isDisabled }, nowMs);
    return { taken, settlement };
  }

  /** What is due; of an open breaker a probe, and nothing else. */
  async function findDue(
    tx: Transaction,
    subscription: Subscription,
    breaker: BreakerState,
    { outstanding, room: roomOfAny, inFlightMax }: Turn,
    nowMs: number,
  ): Promise<tries.DueDelivery[]> {
    const room = subscription.kind === "OUTBOUND" ? Math.min(roomOfAny, documentsMax - outstanding) : roomOfAny;
    // Of a receiver that fails, no more is written than can be sent now.
    const limit = isOpen(breaker)
      ? probesNow(breaker, outstanding, room, nowMs)
      : breaker.failures > 0
        ? Math.min(room, inFlightMax - outstanding)
        : room;
    return limit <= 0 ? [] : tries.takeDue(tx, key, iso(nowMs), limit);
  }

  /** Writes their tries. */
  async function begin(
    tx: Transaction,
    subscription: Subscription,
    due: readonly tries.DueDelivery[],
    isProbe: boolean,
    nowMs: number,
  ): Promise<Sendable[]> {
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

  /** The lane's row, which is locked last, and with the fence: whoever lost the lease settles nothing. */
  async function putLane(
    tx: Transaction,
    subscription: Subscription,
    row: lanes.LaneRow,
    settlement: Settlement & { readonly isDisabled: boolean },
    nowMs: number,
  ) {
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
    // Nearly always there are none, and a transaction that locks is written to disk.
    if ((await tries.listHoldingTooLong(database, key, iso(nowMs), 1)).length === 0) {
      nextPassAtMs = nowMs + leaseMs;
      return;
    }
    await database.transaction(async (tx) => {
      const [status, lane, objects] = await Promise.all([
        lanes.shareSubscription(tx, key),
        lanes.readLane(tx, key),
        tries.listHoldingTooLong(tx, key, iso(nowMs), holdingMax),
      ]);
      if (status === undefined || !receives(status as SubscriptionStatus) || objects.length === 0) return;
      if (isOpen({ ...closedBreaker, ...lane?.breaker })) return;
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
        { breaker, incidents, isDisabled: false, lastError: undefined, failingSinceMs: nowMs - hourMs },
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
        if (leaseUntilMs - nowMs > leaseMs / 2) return;
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
