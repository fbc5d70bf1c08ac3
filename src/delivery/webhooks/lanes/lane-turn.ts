import {
  clearLaterDue,
  endDeliveries,
  lockObjects,
  setHeadsDue,
} from "#/delivery/webhooks/deliveries/delivery-repository.ts";
import type { Message, MessageSource } from "#/delivery/webhooks/events/event-list.ts";
import type { DueDelivery } from "#/delivery/webhooks/lanes/attempt-repository.ts";
import * as attempts from "#/delivery/webhooks/lanes/attempt-repository.ts";
import { type BreakerState, isOpen, notAhead, phaseOf, readBreaker } from "#/delivery/webhooks/lanes/breaker.ts";
import { advanceIncident } from "#/delivery/webhooks/lanes/lane-incident.ts";
import type { Ahead } from "#/delivery/webhooks/lanes/lane-repository.ts";
import * as lanes from "#/delivery/webhooks/lanes/lane-repository.ts";
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
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import { recordAudit } from "#/store/db/audit.ts";
import type { ClientTransaction, Transaction, UnitOfWork } from "#/store/db/database.ts";
import { LeaseLostError } from "#/store/db/errors.ts";
import { aheadMsMax } from "#/store/db/store/clock.ts";

export interface TurnContext extends WindowContext {
  readonly log: Logger;
  /** The process that holds the lanes. */
  readonly owner: string;
  /** Seconds after each failed attempt. */
  readonly schedule: readonly number[];
  readonly random: () => number;
  readonly leaseMs: number;
  /** Until this moment, what was due at once may have a due time in the future, because the clock was set back. */
  readonly aheadUntilMs?: (() => number) | undefined;
}

/**
 * The settlement changes the subscription's status. It runs again with the row locked for the change: a transaction
 * that adds deliveries shares the row with one that only sends.
 */
export class StatusChangeError extends Error {
  override readonly name = "StatusChangeError";
}

/** The lane to take is not free, or not due. The transaction rolls back, so that its locks cost no disk write. */
export class LaneTakenError extends Error {
  override readonly name = "LaneTakenError";
}

/** The results that a turn of the lane settles, and its free places. */
export interface Turn extends Room {
  readonly settling: readonly Ended[];
  /** The deliveries whose attempts are outstanding. */
  readonly inProgress: readonly string[];
  /** Withdraws all attempts that wait to be sent. They are back in the lane if the turn fails. */
  withdraw(): void;
  /** Written, but no longer to be sent. */
  readonly withdrawn: readonly Sendable[];
  /** The lane is released as soon as no attempt is outstanding, even if deliveries are due. */
  readonly isLast: boolean;
}

/** The holder's claim to the lane. */
export interface Hold {
  /** Undefined until the lane is taken. */
  readonly fence: number | undefined;
  /** The lane's due time lies impossibly far ahead, and the lane is taken all the same. */
  readonly isAhead: boolean;
}

export interface Turned {
  readonly fence: number;
  readonly taken: readonly Sendable[];
  /** Attempts of a previous holder that is gone: the caller settles them. */
  readonly lost: readonly Ended[];
  readonly settlement: Settlement;
  /** A delivery has blocked its object, or has failed, for an hour. */
  readonly mustUnblock: boolean;
  /**
   * The lane was released, because no attempt is outstanding and no delivery is due. `dueAtMs`: when it is due again.
   */
  readonly released: { readonly dueAtMs: number | undefined } | undefined;
}

const iso = (ms: number) => new Date(ms).toISOString();

/** No retry is due later than this, whatever its receiver requests. */
export const dueMostMs = (schedule: readonly number[]): number =>
  Math.max(longestStepMs(schedule), retryAfterMsMax) + aheadMsMax;

export const leaseLost = (webhookId: string): LeaseLostError =>
  new LeaseLostError(`the lane of ${webhookId} has another owner`);

export const leaseOf = (
  { owner, leaseMs }: TurnContext,
  { fence, nowMs }: { readonly fence: number; readonly nowMs: number },
): lanes.LaneLease => ({ owner, fence, leaseUntil: iso(nowMs + leaseMs) });

/** A transaction of a lane, as the author of what it changes. */
export const unitOfWork = (tx: Transaction, { clientId }: lanes.LaneKey, ids: Ids, nowMs: number): UnitOfWork =>
  tx.of(clientId, { actor: "worker", origin: "webhooks", at: iso(nowMs), ids });

/** Limits beyond which a due time comes from a clock that was ahead; undefined where no such time is expected. */
function findAhead(context: TurnContext, { fence, isAhead }: Hold, nowMs: number): Ahead | undefined {
  const { schedule, aheadUntilMs } = context;
  const wasSetBack = nowMs < (aheadUntilMs?.() ?? Number.NEGATIVE_INFINITY);
  if (!wasSetBack && !(fence === undefined && isAhead)) return undefined;
  const mostMs = wasSetBack ? longestStepMs(schedule) + aheadMsMax : dueMostMs(schedule);
  return {
    at: iso(nowMs),
    untriedMost: iso(nowMs + aheadMsMax),
    retryMost: iso(nowMs + mostMs),
    holdMost: iso(nowMs + blockMsMax + aheadMsMax),
  };
}

/**
 * Settles what has ended, takes what is due, and releases the lane when there is neither, in one transaction. The first
 * turn also takes the lane.
 *
 * @param options.isAlone the subscription's row is locked for a change of its status.
 * @throws LaneTakenError where the lane to take has another holder, or nothing is due. StatusChangeError where the turn
 *   must run alone. LeaseLostError. Nothing is settled then.
 */
export async function settleAndTake(
  context: TurnContext,
  tx: UnitOfWork,
  { webhookId }: lanes.LaneKey,
  turn: Turn,
  { hold, nowMs, isAlone }: { readonly hold: Hold; readonly nowMs: number; readonly isAlone: boolean },
): Promise<Turned> {
  const { schedule, random, leaseMs } = context;
  const inWebhook = (objects: readonly ObjectOfLane[]) =>
    objects.map(({ objectType, objectId }) => ({ webhookId, objectType, objectId }));
  // The common lock order: the subscription, the objects, the lane last.
  const [subscription, lane] = await Promise.all([
    (isAlone ? lockSubscription : shareSubscription)(tx, webhookId),
    lanes.readLane(tx, webhookId),
    lockObjects(tx, inWebhook(turn.settling.map(({ begun }) => begun))),
  ]);
  const isTaking = hold.fence === undefined;
  const free = { leaseMs, isAhead: hold.isAhead };
  if (isTaking && (lane === undefined || !isFree(lane, nowMs, free))) throw new LaneTakenError();
  if (lane === undefined || subscription === undefined) throw leaseLost(webhookId);
  if (!isTaking && lane.fence !== hold.fence) throw leaseLost(webhookId);
  const { status } = subscription;
  const before: BreakerState = notAhead(readBreaker(lane.breaker), schedule, nowMs);
  const settlement = settle(before, turn.settling, { schedule, random, isPaused: status === "PAUSED" });
  const { breaker } = settlement;
  const becomes = statusAfter(status, settlement);
  if (becomes !== status && !isAlone) throw new StatusChangeError();
  attempts.endAttempts(tx, webhookId, settlement.attempts);
  attempts.settleDeliveries(tx, settlement.deliveries);
  // A delivery that was redelivered by hand while a later one was in progress is now the head: a failed later one
  // waits for it.
  clearLaterDue(tx, inWebhook(objectsToRetry(turn.settling, settlement)));
  const ahead = findAhead(context, hold, nowMs);
  if (ahead) lanes.bringBack(tx, webhookId, ahead);
  // Waiting deliveries are sent in order: the time in which only probes were sent counts for no delivery's hour.
  if (before.openedAtMs !== undefined && !isOpen(breaker)) {
    lanes.postponeUnblocking(tx, webhookId, nowMs - before.openedAtMs);
  }
  // At once, so that no attempt begins while this is written.
  if (!receives(becomes) || (isOpen(breaker) && !isOpen(before))) turn.withdraw();
  attempts.withdrawAttempts(
    tx,
    turn.withdrawn.map(({ begun }) => begun),
  );
  if (becomes !== status) await changeStatus(tx, webhookId, status, becomes);
  setHeadsDue(tx, iso(nowMs), inWebhook(settlement.moved));
  const size = receives(becomes) ? windowSize(subscription, breaker, turn, nowMs) : 0;
  const isIdle = turn.outstanding === 0;
  // A delivery added while the lane's row is locked makes the lane due again after this transaction.
  const [due, row, next] = await Promise.all([
    size === 0 ? [] : attempts.takeDue(tx, webhookId, iso(nowMs), size, turn.inProgress),
    lanes.lockLane(tx, webhookId, lane.fence),
    isIdle ? lanes.findNextDue(tx, webhookId) : undefined,
  ]);
  // Checked again under the row's lock: a late holder may have renewed its lease after all.
  if (isTaking && !(row && isFree(row, nowMs, free))) throw new LaneTakenError();
  if (!row) throw leaseLost(webhookId);
  // The other ones name the attempt of a worker that died: it is settled first.
  const untried = due.filter(({ attempt_id }) => attempt_id === null);
  const lost = due.flatMap((delivery): Ended[] => {
    const { attempt_id, is_probe } = delivery;
    if (attempt_id === null) return [];
    return [{ kind: "LOST", begun: begunOf(delivery, attempt_id, is_probe), endedAtMs: nowMs }];
  });
  const taken = await beginAttempts(tx, context, subscription, untried, { isProbe: isOpen(breaker), nowMs });
  const mustUnblock = next !== undefined && (unblocksAt(next) ?? Number.POSITIVE_INFINITY) <= nowMs;
  const dueAtMs = next && dueOf(becomes, breaker, next);
  const isReleased = isIdle && due.length === 0 && (turn.isLast || dueAtMs === undefined || dueAtMs > nowMs);
  const fence = isTaking ? lane.fence + 1 : lane.fence;
  // The lane's row is locked last and with the fence: a process that lost the lease settles nothing.
  const incident = await advanceIncident(
    { tx, nowMs, subscription, before: row.incident },
    { ...settlement, isDisabled: becomes !== status && becomes === "DISABLED" },
  );
  lanes.putLane(tx, webhookId, {
    lease: isReleased ? { owner: undefined, fence, dueAt: isoOf(dueAtMs) } : leaseOf(context, { fence, nowMs }),
    breaker,
    incident: incident.incident,
    incidentDueAt: isoOf(incident.dueAtMs),
  });
  return { fence, taken, lost, settlement, mustUnblock, released: isReleased ? { dueAtMs } : undefined };
}

const isoOf = (ms: number | undefined) => (ms === undefined ? undefined : iso(ms));

interface ObjectOfLane {
  readonly objectType: string;
  readonly objectId: string;
}

async function changeStatus(
  tx: UnitOfWork,
  webhookId: string,
  before: SubscriptionStatus,
  becomes: SubscriptionStatus,
): Promise<void> {
  await updateStatus(tx, webhookId, { from: [before], to: becomes });
  recordAudit(tx, {
    action: becomes === "DISABLED" ? "disable" : becomes === "FAILING" ? "fail" : "recover",
    objectType: "webhook",
    objectId: webhookId,
    detail: { status: becomes, before },
  });
  if (becomes === "DISABLED") endDeliveries(tx, webhookId, tx.change.at, "the subscription was disabled");
}

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
  tx: ClientTransaction,
  { ids, secretBox, sources }: WindowContext,
  subscription: Subscription,
  due: readonly DueDelivery[],
  { isProbe, nowMs }: { readonly isProbe: boolean; readonly nowMs: number },
): Promise<Sendable[]> {
  if (due.length === 0) return [];
  const messages = await sources[subscription.kind](
    tx,
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
  attempts.startAttempts(
    tx,
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
