import { recordAudit } from "#/db/audit.ts";
import type { Database, Transaction } from "#/db/database.ts";
import { LeaseLostError } from "#/db/errors.ts";
import { aheadMsMax } from "#/db/store/clock.ts";
import { failDeliveries } from "#/delivery/webhooks/deliveries/deliveries.ts";
import { dueHeads, lockObjects, undueLater } from "#/delivery/webhooks/deliveries/delivery-repository.ts";
import { letPass } from "#/delivery/webhooks/fan-out/lane-passing.ts";
import { type Ahead, bringBack, putOffPassing } from "#/delivery/webhooks/fan-out/passing-repository.ts";
import { type BreakerState, closedBreaker, isOpen, notAhead } from "#/delivery/webhooks/incidents/breaker.ts";
import { tellIncident } from "#/delivery/webhooks/incidents/lane-incident.ts";
import * as lanes from "#/delivery/webhooks/lanes/lane-repository.ts";
import {
  dueOf,
  isFree,
  longestStepMs,
  objectsTriedAgain,
  passesAt,
  statusAfter,
} from "#/delivery/webhooks/lanes/lane-rules.ts";
import {
  beginTries,
  begunOf,
  type Room,
  type Sendable,
  type WindowContext,
  windowSize,
} from "#/delivery/webhooks/lanes/lane-window.ts";
import { holdMsMax, retryAfterMsMax } from "#/delivery/webhooks/lanes/retry-plan.ts";
import { type Begun, type Ended, type Settlement, settle } from "#/delivery/webhooks/lanes/settlement.ts";
import * as tries from "#/delivery/webhooks/sending/try-repository.ts";
import {
  receives,
  type Subscription,
  type SubscriptionStatus,
} from "#/delivery/webhooks/subscriptions/subscription.ts";
import {
  findSubscription,
  lockSubscription,
  updateStatus,
} from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { FairGate } from "#/kernel/concurrency/gate.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";

export interface LaneStoreContext extends WindowContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Of the process: whose a lane is. */
  readonly owner: string;
  /** Seconds after each failed try. */
  readonly schedule: readonly number[];
  readonly random: () => number;
  readonly leaseMs: number;
  /** Until when what was due at once may lie in the future, because the clock was set back. */
  readonly aheadUntilMs?: (() => number) | undefined;
  /** Lets a handful of transactions run at a time, of the clients in turn: lanes are many, and connections few. */
  readonly gate: FairGate;
}

/**
 * The subscription's status changes with this settlement, which is made again with the row locked for it: those who add
 * deliveries share the row with whoever only sends.
 */
class StatusChangeError extends Error {
  override readonly name = "StatusChangeError";
}

/** The lane was to be taken, and is not free, or is not due. Rolled back: what was locked for it costs no disk. */
class LaneTakenError extends Error {
  override readonly name = "LaneTakenError";
}

export interface Turn extends Room {
  readonly settling: readonly Ended[];
  /** Written, and not to be sent after all. */
  readonly withdrawn: readonly Sendable[];
  /** Written, and waiting to be sent: taken back when nothing is to be sent any more. */
  readonly unsent: Sendable[];
  /** The lane is given back whatever is due, as soon as nothing of it is outstanding. */
  readonly isLast: boolean;
}

export interface Turned {
  readonly taken: readonly Sendable[];
  /** Of a holder before, which is gone: to be settled. */
  readonly lost: readonly Ended[];
  /** The lane was given back, because nothing is outstanding and nothing due. `dueAtMs`: when it is due again. */
  readonly released: { readonly dueAtMs: number | undefined } | undefined;
}

export interface LaneStore {
  /**
   * Settles what has ended, takes what is due, and gives the lane back when there is neither: in one transaction, the first
   * of which takes the lane as well.
   *
   * @param begin is asked for the turn when the transaction begins.
   * @returns undefined where the lane was to be taken, and is somebody else's, or nothing is due.
   * @throws LeaseLostError, and then nothing was settled.
   */
  turn(begin: () => Turn): Promise<Turned | undefined>;
  /** Renews the lease until the timer is cleared. */
  keepLease(onLost: () => void): NodeJS.Timeout;
  isLeaseOver(): boolean;
}

/** Of a lane's holder before: more than it may have begun. */
const startedMax = 1_000;
const iso = (ms: number) => new Date(ms).toISOString();

/** How one run of a turn's transaction goes; it may be run again. */
interface Run {
  readonly nowMs: number;
  /** The subscription's row is locked for a change of its status. */
  readonly isAlone: boolean;
  /** Out of the turn's `unsent`. */
  readonly takenBack: Sendable[];
}

/** Behind this no retry is due, whatever its receiver wishes. */
export const dueMostMs = (schedule: readonly number[]): number =>
  Math.max(longestStepMs(schedule), retryAfterMsMax) + aheadMsMax;

/**
 * The lane is taken by its first turn.
 * @param isAhead it is due in a future that cannot be, and is taken all the same.
 */
export function openLaneStore(context: LaneStoreContext, key: lanes.LaneKey, isAhead = false): LaneStore {
  const { database, clock, ids, log, owner, schedule, random, leaseMs, gate } = context;
  const { clientId, webhookId } = key;
  let fence: number | undefined;
  let leaseUntilMs = clock.now() + leaseMs;
  let isLost = false;
  /** Whether something goes on alone by now is looked for this often, and when the lane would rest. */
  let nextPassAtMs = clock.now() + leaseMs;

  const lost = () => new LeaseLostError(`the lane of ${webhookId} has another owner`);
  const holdOf = (mine: number, nowMs: number) => ({ owner, fence: mine, leaseUntil: iso(nowMs + leaseMs) });

  /** Whether a moment is still to come, and not behind where the clock was set back to. */
  const isWithin = (ms: number) => clock.now() < ms && ms <= clock.now() + leaseMs;

  /** What can only have been due by a clock that was ahead; undefined where there is no such thing. */
  function findAhead(nowMs: number, isTaking: boolean): Ahead | undefined {
    const wasSetBack = nowMs < (context.aheadUntilMs?.() ?? Number.NEGATIVE_INFINITY);
    if (!wasSetBack && !(isTaking && isAhead)) return undefined;
    const mostMs = wasSetBack ? longestStepMs(schedule) + aheadMsMax : dueMostMs(schedule);
    return {
      at: iso(nowMs),
      untriedMost: iso(nowMs + aheadMsMax),
      ...{ retryMost: iso(nowMs + mostMs), holdMost: iso(nowMs + holdMsMax + aheadMsMax) },
    };
  }

  async function turn(begin: () => Turn): Promise<Turned | undefined> {
    if (isLost) throw lost();
    if (fence !== undefined && !isWithin(nextPassAtMs)) await pass(fence);
    const takenBack: Sendable[] = [];
    let it: Turn | undefined;
    let nowMs = 0;
    const run = (isAlone: boolean) =>
      gate(clientId, () => {
        it ??= begin();
        const turn = it;
        nowMs = clock.now();
        return database.transaction((tx) => settleAndTake(tx, turn, { takenBack, nowMs, isAlone }));
      });
    const turned = await run(false)
      .catch((error: Error) => {
        if (error instanceof StatusChangeError) return run(true);
        throw error;
      })
      .catch((error: Error) => {
        it?.unsent.unshift(...takenBack);
        if (error instanceof LaneTakenError) return undefined;
        throw error;
      });
    if (turned === undefined) return undefined;
    const { settlement } = turned;
    fence = turned.fence;
    leaseUntilMs = nowMs + leaseMs;
    if (turned.isPassing) nextPassAtMs = 0;
    if (turned.lost.length > 0) {
      log.info({ ...key, tries: turned.lost.length }, "tries of a worker that died are made again");
    }
    if (settlement.change !== undefined || settlement.isGone) {
      log.info({ ...key, change: settlement.isGone ? "GONE" : settlement.change }, "webhook breaker");
    }
    return turned;
  }

  async function settleAndTake(tx: Transaction, it: Turn, { takenBack, nowMs, isAlone }: Run) {
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
    const isTaking = fence === undefined;
    const free = { leaseMs, isAhead };
    if (isTaking && (lane === undefined || !isFree(lane, nowMs, free))) throw new LaneTakenError();
    if (lane === undefined || status === undefined || subscription === undefined) throw lost();
    if (!isTaking && lane.fence !== fence) throw lost();
    const before: BreakerState = notAhead({ ...closedBreaker, ...lane.breaker }, schedule, nowMs);
    const settlement = settle(before, it.settling, { schedule, random, isPaused: status === "PAUSED" });
    const { breaker } = settlement;
    const becomes = statusAfter(status as SubscriptionStatus, settlement);
    if (becomes !== status && !isAlone) throw new StatusChangeError();
    writeSettlement(tx, it, settlement);
    const ahead = findAhead(nowMs, isTaking);
    if (ahead) bringBack(tx, key, ahead);
    // What waited flows in order: the time in which only probes were sent is none of anybody's hour.
    if (before.openedAtMs !== undefined && !isOpen(breaker)) putOffPassing(tx, key, nowMs - before.openedAtMs);
    // At once, so that none of it is begun while this is written.
    if (!receives(becomes) || (isOpen(breaker) && !isOpen(before))) takenBack.push(...it.unsent.splice(0));
    tries.withdrawTries(
      tx,
      clientId,
      [...it.withdrawn, ...takenBack].map(({ begun }) => begun),
    );
    if (becomes !== status) await changeStatus(tx, status as SubscriptionStatus, becomes, nowMs);
    dueHeads(
      tx,
      clientId,
      iso(nowMs),
      settlement.moved.map((object) => ({ webhookId, ...object })),
    );
    const size = receives(becomes) ? windowSize(subscription, breaker, it, nowMs) : 0;
    const isIdle = it.outstanding === 0;
    // What is added while the lane's row is locked makes it due again behind us.
    const [due, row, started, next] = await Promise.all([
      size === 0 ? [] : tries.takeDue(tx, key, iso(nowMs), size),
      lanes.lockLane(tx, key, lane.fence),
      isTaking ? tries.listStarted(tx, key, startedMax) : [],
      isIdle ? lanes.findNextDue(tx, key) : undefined,
    ]);
    // Looked at again under its lock: a holder that was late may have renewed its lease after all.
    if (isTaking && !(row && isFree(row, nowMs, free))) throw new LaneTakenError();
    if (!row) throw lost();
    const taken = await beginTries(tx, context, subscription, due, { isProbe: isOpen(breaker), nowMs });
    const isPassing = next !== undefined && (passesAt(next) ?? Number.POSITIVE_INFINITY) <= nowMs;
    const dueAtMs = next && dueOf(becomes, breaker, next);
    const isReleased =
      isIdle && taken.length + started.length === 0 && (it.isLast || dueAtMs === undefined || dueAtMs > nowMs);
    const mine = isTaking ? lane.fence + 1 : lane.fence;
    const isDisabled = becomes !== status && becomes === "DISABLED";
    await putLane(
      tx,
      subscription,
      row,
      { ...settlement, isDisabled },
      {
        nowMs,
        hold: isReleased
          ? { owner: undefined, fence: mine, dueAt: dueAtMs === undefined ? undefined : iso(dueAtMs) }
          : holdOf(mine, nowMs),
      },
    );
    return {
      ...{ taken, settlement, isPassing, fence: mine, released: isReleased ? { dueAtMs } : undefined },
      lost: started.map((row): Ended => {
        return { kind: "LOST", begun: begunOf(row, row.try_id, row.is_probe), endedAtMs: nowMs };
      }),
    };
  }

  function writeSettlement(tx: Transaction, { settling }: Turn, settlement: Settlement): void {
    tries.endTries(tx, clientId, settlement.tries);
    tries.settleDeliveries(tx, clientId, settlement.deliveries);
    // One that was sent again by hand while a later one was under way is the head now: what failed waits for it.
    undueLater(
      tx,
      clientId,
      objectsTriedAgain(settling, settlement).map((object) => ({ webhookId, ...object })),
    );
  }

  async function changeStatus(
    tx: Transaction,
    before: SubscriptionStatus,
    becomes: SubscriptionStatus,
    nowMs: number,
  ): Promise<void> {
    await updateStatus(tx, clientId, webhookId, { from: [before], to: becomes });
    recordAudit(
      tx,
      clientId,
      { actor: "worker", origin: "webhooks", at: iso(nowMs), ids },
      {
        action: becomes === "DISABLED" ? "disable" : becomes === "FAILING" ? "fail" : "recover",
        objectType: "webhook",
        objectId: webhookId,
        detail: { status: becomes, before },
      },
    );
    if (becomes === "DISABLED") failDeliveries(tx, clientId, webhookId, iso(nowMs), "the subscription was disabled");
  }

  /** The lane's row, which is locked last, and with the fence: whoever lost the lease settles nothing. */
  async function putLane(
    tx: Transaction,
    subscription: Subscription,
    row: lanes.LaneRow,
    settlement: Settlement & { readonly isDisabled: boolean },
    { nowMs, hold }: { readonly nowMs: number; readonly hold: lanes.LaneHold },
  ): Promise<void> {
    const { incident, dueAtMs } = await tellIncident(
      { tx, ids, nowMs, subscription, before: row.incident },
      settlement,
    );
    lanes.putLane(tx, key, {
      ...{ hold, breaker: settlement.breaker, incident },
      incidentDueAt: dueAtMs === undefined ? undefined : iso(dueAtMs),
    });
  }

  async function pass(mine: number): Promise<void> {
    await gate(clientId, async () => {
      const nowMs = clock.now();
      // Nearly always there is nothing, and a transaction that locks is written to disk.
      const atMs = passesAt(await lanes.findNextDue(database, key));
      if (atMs === undefined || atMs > nowMs) return;
      const isOurs = await database.transaction((tx) => letPass(tx, key, { ids, nowMs, hold: holdOf(mine, nowMs) }));
      if (!isOurs) throw lost();
    });
    nextPassAtMs = clock.now() + leaseMs;
  }

  return {
    turn,
    keepLease(onLost) {
      return setInterval(() => {
        const nowMs = clock.now();
        // Each settlement renews it as well.
        if (fence === undefined || (leaseUntilMs - nowMs > leaseMs / 2 && isWithin(leaseUntilMs))) return;
        lanes.renewLane(database, key, fence, iso(nowMs + leaseMs)).then(
          (isOurs) => {
            if (isOurs) leaseUntilMs = nowMs + leaseMs;
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
