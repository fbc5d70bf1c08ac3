import { recordAudit } from "#/db/audit.ts";
import type { Database, Transaction } from "#/db/database.ts";
import { LeaseLostError } from "#/db/errors.ts";
import { aheadMsMax } from "#/db/store/clock.ts";
import { failDeliveries } from "#/delivery/webhooks/deliveries/deliveries.ts";
import { clearLaterDue, lockObjects, setHeadsDue } from "#/delivery/webhooks/deliveries/delivery-repository.ts";
import * as attempts from "#/delivery/webhooks/lanes/attempt-repository.ts";
import { type DueDelivery, startAttempts } from "#/delivery/webhooks/lanes/attempt-repository.ts";
import { type BreakerState, isOpen, notAhead, phaseOf, readBreaker } from "#/delivery/webhooks/lanes/breaker.ts";
import { advanceIncident } from "#/delivery/webhooks/lanes/lane-incident.ts";
import * as lanes from "#/delivery/webhooks/lanes/lane-repository.ts";
import { type Ahead, bringBack, postponeUnblocking } from "#/delivery/webhooks/lanes/lane-repository.ts";
import { blockMsMax, retryAfterMsMax } from "#/delivery/webhooks/lanes/retry-plan.ts";
import {
  type Begun,
  type Ended,
  objectsToRetry,
  type Settlement,
  settle,
  statusAfter,
} from "#/delivery/webhooks/lanes/settlement.ts";
import { dueOf, isFree, longestStepMs, unblocksAt } from "#/delivery/webhooks/lanes/states.ts";
import { unblockLongBlocked } from "#/delivery/webhooks/lanes/unblock.ts";
import type { Message, MessageSource } from "#/delivery/webhooks/sending/messages.ts";
import type { Target } from "#/delivery/webhooks/sending/sender.ts";
import { openTarget } from "#/delivery/webhooks/subscriptions/secrets.ts";
import {
  receives,
  type Subscription,
  type SubscriptionStatus,
} from "#/delivery/webhooks/subscriptions/subscription.ts";
import {
  lockSubscription,
  shareSubscription,
  updateStatus,
} from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { FairGate } from "#/kernel/concurrency/gate.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import type { Ids } from "#/kernel/values/ids.ts";

export interface LaneStoreContext extends WindowContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** The process that holds the lanes. */
  readonly owner: string;
  /** Seconds after each failed attempt. */
  readonly schedule: readonly number[];
  readonly random: () => number;
  readonly leaseMs: number;
  /** Until this moment, what was due at once may have a due time in the future, because the clock was set back. */
  readonly aheadUntilMs?: (() => number) | undefined;
  /** Runs a handful of transactions at a time, of the clients in turn: lanes are many, and connections few. */
  readonly gate: FairGate;
}

/**
 * The settlement changes the subscription's status. It runs again with the row locked for the change: a transaction
 * that adds deliveries shares the row with one that only sends.
 */
class StatusChangeError extends Error {
  override readonly name = "StatusChangeError";
}

/** The lane to take is not free, or not due. The transaction rolls back, so that its locks cost no disk write. */
class LaneTakenError extends Error {
  override readonly name = "LaneTakenError";
}

export interface Turn extends Room {
  readonly settling: readonly Ended[];
  /** The deliveries whose attempts are outstanding. */
  readonly inProgress: readonly string[];
  /** Written, but no longer to be sent. */
  readonly withdrawn: readonly Sendable[];
  /** Written, and waiting to be sent: withdrawn when the subscription stops receiving. */
  readonly unsent: Sendable[];
  /** The lane is released as soon as no attempt is outstanding, even if deliveries are due. */
  readonly isLast: boolean;
}

export interface Turned {
  readonly taken: readonly Sendable[];
  /** Attempts of a previous holder that is gone: the caller settles them. */
  readonly lost: readonly Ended[];
  /**
   * The lane was released, because no attempt is outstanding and no delivery is due. `dueAtMs`: when it is due again.
   */
  readonly released: { readonly dueAtMs: number | undefined } | undefined;
}

export interface LaneStore {
  /**
   * Settles what has ended, takes what is due, and releases the lane when there is neither, in one transaction. The
   * first turn also takes the lane.
   *
   * @param begin returns the turn; called when the transaction begins.
   * @returns undefined where the lane to take has another holder, or nothing is due.
   * @throws LeaseLostError; nothing was settled.
   */
  turn(begin: () => Turn): Promise<Turned | undefined>;
  /** Renews the lease until the caller clears the timer. */
  keepLease(onLost: () => void): NodeJS.Timeout;
  isLeaseOver(): boolean;
}

const iso = (ms: number) => new Date(ms).toISOString();

/** One run of a turn's transaction; the transaction may run again. */
interface Run {
  readonly nowMs: number;
  /** The subscription's row is locked for a change of its status. */
  readonly isAlone: boolean;
  /** Removed from the turn's `unsent`. */
  readonly takenBack: Sendable[];
}

/** No retry is due later than this, whatever its receiver requests. */
export const dueMostMs = (schedule: readonly number[]): number =>
  Math.max(longestStepMs(schedule), retryAfterMsMax) + aheadMsMax;

/**
 * The first turn takes the lane.
 * @param isAhead the lane's due time lies impossibly far ahead, and the lane is taken all the same.
 */
export function openLaneStore(context: LaneStoreContext, key: lanes.LaneKey, isAhead = false): LaneStore {
  const { database, clock, ids, log, owner, schedule, random, leaseMs, gate } = context;
  const { clientId, webhookId } = key;
  const store = database.ofClient(clientId);
  let fence: number | undefined;
  let leaseUntilMs = clock.now() + leaseMs;
  let isLost = false;
  /** The next check for deliveries that stop blocking; a further check runs before the lane rests. */
  let nextUnblockAtMs = clock.now() + leaseMs;

  const lost = () => new LeaseLostError(`the lane of ${webhookId} has another owner`);
  const leaseOf = (mine: number, nowMs: number) => ({ owner, fence: mine, leaseUntil: iso(nowMs + leaseMs) });

  /**
   * Whether a moment is in the future, but no further ahead than a lease. A later moment dates from before the clock
   * was set back.
   */
  const isWithin = (ms: number) => clock.now() < ms && ms <= clock.now() + leaseMs;

  /** Limits beyond which a due time comes from a clock that was ahead; undefined where no such time is expected. */
  function findAhead(nowMs: number, isTaking: boolean): Ahead | undefined {
    const wasSetBack = nowMs < (context.aheadUntilMs?.() ?? Number.NEGATIVE_INFINITY);
    if (!wasSetBack && !(isTaking && isAhead)) return undefined;
    const mostMs = wasSetBack ? longestStepMs(schedule) + aheadMsMax : dueMostMs(schedule);
    return {
      at: iso(nowMs),
      untriedMost: iso(nowMs + aheadMsMax),
      retryMost: iso(nowMs + mostMs),
      holdMost: iso(nowMs + blockMsMax + aheadMsMax),
    };
  }

  async function turn(begin: () => Turn): Promise<Turned | undefined> {
    if (isLost) throw lost();
    if (fence !== undefined && !isWithin(nextUnblockAtMs)) await unblock(fence);
    const takenBack: Sendable[] = [];
    let lastTurn: Turn | undefined;
    let nowMs = 0;
    const run = (isAlone: boolean) =>
      gate(clientId, () => {
        lastTurn ??= begin();
        const turn = lastTurn;
        nowMs = clock.now();
        return store.transaction((tx) => settleAndTake(tx, turn, { takenBack, nowMs, isAlone }));
      });
    const turned = await run(false)
      .catch((error: Error) => {
        if (error instanceof StatusChangeError) return run(true);
        throw error;
      })
      .catch((error: Error) => {
        lastTurn?.unsent.unshift(...takenBack);
        if (error instanceof LaneTakenError) return undefined;
        throw error;
      });
    if (turned === undefined) return undefined;
    const { settlement } = turned;
    fence = turned.fence;
    leaseUntilMs = nowMs + leaseMs;
    if (turned.mustUnblock) nextUnblockAtMs = 0;
    if (turned.lost.length > 0) {
      log.info({ ...key, attempts: turned.lost.length }, "attempts of a worker that died are made again");
    }
    if (settlement.change !== undefined || settlement.isGone) {
      log.info({ ...key, change: settlement.isGone ? "GONE" : settlement.change }, "webhook breaker");
    }
    return turned;
  }

  async function settleAndTake(tx: Transaction, turn: Turn, { takenBack, nowMs, isAlone }: Run) {
    const view = tx.of(clientId);
    const objects = turn.settling.map(({ begun }) => ({ webhookId, ...pick(begun) }));
    // The common lock order: the subscription, the objects, the lane last.
    const [subscription, lane] = await Promise.all([
      (isAlone ? lockSubscription : shareSubscription)(view, webhookId),
      lanes.readLane(tx, key),
      lockObjects(view, objects),
    ]);
    const isTaking = fence === undefined;
    const free = { leaseMs, isAhead };
    if (isTaking && (lane === undefined || !isFree(lane, nowMs, free))) throw new LaneTakenError();
    if (lane === undefined || subscription === undefined) throw lost();
    if (!isTaking && lane.fence !== fence) throw lost();
    const { status } = subscription;
    const before: BreakerState = notAhead(readBreaker(lane.breaker), schedule, nowMs);
    const settlement = settle(before, turn.settling, { schedule, random, isPaused: status === "PAUSED" });
    const { breaker } = settlement;
    const becomes = statusAfter(status, settlement);
    if (becomes !== status && !isAlone) throw new StatusChangeError();
    writeSettlement(tx, turn, settlement);
    const ahead = findAhead(nowMs, isTaking);
    if (ahead) bringBack(tx, key, ahead);
    // Waiting deliveries are sent in order: the time in which only probes were sent counts for no delivery's hour.
    if (before.openedAtMs !== undefined && !isOpen(breaker)) postponeUnblocking(tx, key, nowMs - before.openedAtMs);
    // At once, so that no attempt begins while this is written.
    if (!receives(becomes) || (isOpen(breaker) && !isOpen(before))) takenBack.push(...turn.unsent.splice(0));
    attempts.withdrawAttempts(
      view,
      [...turn.withdrawn, ...takenBack].map(({ begun }) => begun),
    );
    if (becomes !== status) await changeStatus(tx, status, becomes, nowMs);
    setHeadsDue(
      view,
      iso(nowMs),
      settlement.moved.map((object) => ({ webhookId, ...object })),
    );
    const size = receives(becomes) ? windowSize(subscription, breaker, turn, nowMs) : 0;
    const isIdle = turn.outstanding === 0;
    // A delivery added while the lane's row is locked makes the lane due again after this transaction.
    const [due, row, next] = await Promise.all([
      size === 0 ? [] : attempts.takeDue(tx, key, iso(nowMs), size, turn.inProgress),
      lanes.lockLane(tx, key, lane.fence),
      isIdle ? lanes.findNextDue(tx, key) : undefined,
    ]);
    // Checked again under the row's lock: a late holder may have renewed its lease after all.
    if (isTaking && !(row && isFree(row, nowMs, free))) throw new LaneTakenError();
    if (!row) throw lost();
    // The other ones name the attempt of a worker that died: it is settled first.
    const untried = due.filter(({ attempt_id }) => attempt_id === null);
    const abandoned = due.flatMap((delivery): Ended[] => {
      const { attempt_id, is_probe } = delivery;
      if (attempt_id === null) return [];
      return [{ kind: "LOST", begun: begunOf(delivery, attempt_id, is_probe), endedAtMs: nowMs }];
    });
    const taken = await beginAttempts(tx, context, subscription, untried, { isProbe: isOpen(breaker), nowMs });
    const mustUnblock = next !== undefined && (unblocksAt(next) ?? Number.POSITIVE_INFINITY) <= nowMs;
    const dueAtMs = next && dueOf(becomes, breaker, next);
    const isReleased = isIdle && due.length === 0 && (turn.isLast || dueAtMs === undefined || dueAtMs > nowMs);
    const mine = isTaking ? lane.fence + 1 : lane.fence;
    const isDisabled = becomes !== status && becomes === "DISABLED";
    await putLane(
      tx,
      subscription,
      row,
      { ...settlement, isDisabled },
      {
        nowMs,
        lease: isReleased
          ? { owner: undefined, fence: mine, dueAt: dueAtMs === undefined ? undefined : iso(dueAtMs) }
          : leaseOf(mine, nowMs),
      },
    );
    return {
      taken,
      settlement,
      mustUnblock,
      fence: mine,
      released: isReleased ? { dueAtMs } : undefined,
      lost: abandoned,
    };
  }

  function writeSettlement(tx: Transaction, { settling }: Turn, settlement: Settlement): void {
    const view = tx.of(clientId);
    attempts.endAttempts(tx, key, settlement.attempts);
    attempts.settleDeliveries(view, settlement.deliveries);
    // A delivery that was redelivered by hand while a later one was in progress is now the head: a failed later one
    // waits for it.
    clearLaterDue(
      view,
      objectsToRetry(settling, settlement).map((object) => ({ webhookId, ...object })),
    );
  }

  async function changeStatus(
    tx: Transaction,
    before: SubscriptionStatus,
    becomes: SubscriptionStatus,
    nowMs: number,
  ): Promise<void> {
    const view = tx.of(clientId, { actor: "worker", origin: "webhooks", at: iso(nowMs), ids });
    await updateStatus(view, webhookId, { from: [before], to: becomes });
    recordAudit(view, {
      action: becomes === "DISABLED" ? "disable" : becomes === "FAILING" ? "fail" : "recover",
      objectType: "webhook",
      objectId: webhookId,
      detail: { status: becomes, before },
    });
    if (becomes === "DISABLED") failDeliveries(view, webhookId, view.change.at, "the subscription was disabled");
  }

  /** Writes the lane's row, which is locked last and with the fence: a process that lost the lease settles nothing. */
  async function putLane(
    tx: Transaction,
    subscription: Subscription,
    row: lanes.LaneRow,
    settlement: Settlement & { readonly isDisabled: boolean },
    { nowMs, lease }: { readonly nowMs: number; readonly lease: lanes.LaneLease },
  ): Promise<void> {
    const { incident, dueAtMs } = await advanceIncident(
      { tx, ids, nowMs, subscription, before: row.incident },
      settlement,
    );
    lanes.putLane(tx, key, {
      lease,
      breaker: settlement.breaker,
      incident,
      incidentDueAt: dueAtMs === undefined ? undefined : iso(dueAtMs),
    });
  }

  async function unblock(mine: number): Promise<void> {
    await gate(clientId, async () => {
      const nowMs = clock.now();
      // A read first: there is nearly always no work, and a transaction that locks writes to disk.
      const atMs = unblocksAt(await lanes.findNextDue(store, key));
      if (atMs === undefined || atMs > nowMs) return;
      const isOurs = await store.transaction((tx) =>
        unblockLongBlocked(tx, key, { ids, nowMs, lease: leaseOf(mine, nowMs) }),
      );
      if (!isOurs) throw lost();
    });
    nextUnblockAtMs = clock.now() + leaseMs;
  }

  return {
    turn,
    keepLease(onLost) {
      return setInterval(() => {
        const nowMs = clock.now();
        // Each settlement renews the lease as well.
        if (fence === undefined || (leaseUntilMs - nowMs > leaseMs / 2 && isWithin(leaseUntilMs))) return;
        lanes.renewLane(store, key, fence, iso(nowMs + leaseMs)).then(
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

/** A written attempt and its message; without a message where the event or document is no longer kept. */
export interface Sendable {
  readonly begun: Begun;
  readonly topicName: string;
  /** Undefined where the subscription's secret or headers cannot be decrypted. */
  readonly target: Target | undefined;
  readonly message: (Message & { readonly sequence: number | undefined }) | undefined;
}

export interface WindowContext {
  readonly ids: Ids;
  readonly secretBox: SecretBox;
  readonly sources: Readonly<Record<Subscription["kind"], MessageSource>>;
}

/** The room of a lane. */
export interface Room {
  /** Written, and not settled yet. */
  readonly outstanding: number;
  readonly room: number;
  readonly inFlightMax: number;
}

/** A part of INV or IMS is several megabytes: memory holds no more outbound documents than this, sent or waiting. */
const documentsMax = 8;

/** The number of deliveries to take; with an open breaker, only a probe. */
export function windowSize(
  { kind }: Pick<Subscription, "kind">,
  breaker: BreakerState,
  { outstanding, room: roomOfAny, inFlightMax }: Room,
  nowMs: number,
): number {
  const room = kind === "OUTBOUND" ? Math.min(roomOfAny, documentsMax - outstanding) : roomOfAny;
  switch (phaseOf(breaker, nowMs)) {
    case "CLOSED":
      // For a failing receiver, no more attempts are written than can be sent now.
      return Math.max(0, breaker.failures > 0 ? Math.min(room, inFlightMax - outstanding) : room);
    case "OPEN":
      return 0;
    case "HALF_OPEN":
      // One probe at a time.
      return outstanding === 0 && room > 0 ? 1 : 0;
  }
}

/** Writes the attempts of the taken, locked deliveries, and reads their messages. */
export async function beginAttempts(
  tx: Transaction,
  { ids, secretBox, sources }: WindowContext,
  subscription: Subscription,
  due: readonly DueDelivery[],
  { isProbe, nowMs }: { readonly isProbe: boolean; readonly nowMs: number },
): Promise<Sendable[]> {
  if (due.length === 0) return [];
  const { clientId } = subscription;
  const view = tx.of(clientId);
  const messages = await sources[subscription.kind](
    view,
    due.map(({ event_id }) => event_id),
  );
  const target = findTarget(secretBox, subscription, nowMs);
  const taken = due.map((delivery): Sendable => {
    const message = messages.get(delivery.event_id);
    return {
      begun: begunOf(delivery, ids.next(nowMs), isProbe),
      topicName: delivery.topic_name,
      target,
      message: message && { ...message, sequence: delivery.sequence ?? undefined },
    };
  });
  startAttempts(
    view,
    taken.map(({ begun }) => begun),
  );
  return taken;
}

/** Undefined for damaged rows, and for rows sealed under a master key that this process does not have. */
function findTarget(secretBox: SecretBox, subscription: Subscription, nowMs: number): Target | undefined {
  try {
    return openTarget(secretBox, subscription, nowMs);
  } catch {
    return undefined;
  }
}

export function begunOf(delivery: DueDelivery, attemptId: string, isProbe: boolean): Begun {
  const { blocks_until } = delivery;
  return {
    attemptId,
    isProbe,
    deliveryId: delivery.delivery_id,
    hasUnblocked: delivery.has_unblocked,
    objectType: delivery.object_type,
    objectId: delivery.object_id,
    state: {
      attempts: delivery.attempts,
      rejections: delivery.rejections,
      blocksUntilMs: blocks_until === null ? undefined : Date.parse(blocks_until),
    },
  };
}
