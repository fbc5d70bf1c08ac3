import {
  type AttemptTraces,
  createAttemptTraces,
  recordAttempt,
  recordLostAttempt,
} from "#/delivery/webhooks/lanes/attempt-telemetry.ts";
import { unblockLongBlocked } from "#/delivery/webhooks/lanes/lane-incident.ts";
import { findNextDue, type LaneKey, renewLane } from "#/delivery/webhooks/lanes/lane-repository.ts";
import {
  LaneTakenError,
  leaseLost,
  leaseOf,
  type Sendable,
  StatusChangeError,
  settleAndTake,
  type Turn,
  type TurnContext,
  type Turned,
  unitOfWork,
} from "#/delivery/webhooks/lanes/lane-turn.ts";
import type { Ended } from "#/delivery/webhooks/lanes/settlement.ts";
import { unblocksAt } from "#/delivery/webhooks/lanes/states.ts";
import { type Sender, type SendResult, unreadable } from "#/delivery/webhooks/sending/sender.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { FairGate } from "#/kernel/concurrency/gate.ts";
import { createWakeUp } from "#/kernel/concurrency/wake-up.ts";
import type { ClientDatabase, Database } from "#/store/db/database.ts";
import { CommitUnknownError, isContention, isUnavailable, LeaseLostError } from "#/store/db/errors.ts";
import { retryOnConflict } from "#/store/db/retry-on-conflict.ts";
import type { TraceOrigins } from "#/store/outbox/publish-trace.ts";

export interface LaneContext extends TurnContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly sender: Sender;
  readonly slots: Slots;
  /** Runs a handful of transactions at a time, of the clients in turn: lanes are many, and connections few. */
  readonly gate: FairGate;
  /** For traces. */
  readonly findOrigins?: TraceOrigins | undefined;
}

/** The first attempt of a delivery, or a later attempt or a probe of an open breaker. */
export type AttemptKind = "FIRST" | "AGAIN";

/** The requests in progress in this process, by kind. */
export interface Slots {
  /** Waits for a slot. The returned function releases it. */
  take(kind: AttemptKind): Promise<() => void>;
}

export interface LaneEnd {
  /** When the lane is due again (Unix milliseconds); undefined where this is unknown, or no delivery waits. */
  readonly dueAtMs: number | undefined;
  /** There was a wake-up hint, which may have come too late for the last turn. */
  readonly isWoken: boolean;
}

/** Concurrent requests for one subscription (webhooks.md §2). */
const inFlightMax = 4;
/** The number of attempts begun at a time: enough to make one transaction worth its cost. */
const windowMax = 64;
const restMs = 1_000;
/** A due delivery could not be taken: another transaction has locked its row. */
const contentionMs = 20;
/**
 * A written attempt is sent within this time after a look at the subscription, or after another look. A window that
 * takes a slow receiver a minute is therefore not sent to a subscription paused meanwhile, nor by a process that slept
 * past its lease.
 */
const freshMs = 1_000;
const pauseAfterErrorMs = 250;

const kindOf = ({ begun }: Sendable): AttemptKind => (begun.state.attempts === 0 && !begun.isProbe ? "FIRST" : "AGAIN");

/**
 * The lane of one subscription while this process holds it: states.ts has the diagram of its transitions. It takes the
 * lane, unless it has another holder, and sends what is due. Only one loop runs a lane, so that attempts in progress and
 * the breaker stay in memory. Attempts are written before they are sent. Ended attempts are settled while the next ones
 * are in progress; the last settlement releases the lane.
 */
export class Lane {
  /** Resolves when the lane was released or lost, or could not be taken. */
  readonly done: Promise<LaneEnd>;
  readonly #context: LaneContext;
  readonly #key: LaneKey;
  readonly #store: ClientDatabase;
  readonly #traces: AttemptTraces | undefined;
  readonly #wakeUp = createWakeUp();
  readonly #isAhead: boolean;

  /** CLAIMED: the attempts are written, and wait for a slot of the process. */
  readonly #claimed: Sendable[] = [];
  /** STARTED, by the id of the attempt. */
  readonly #started = new Map<string, Sendable>();
  /** The next turn settles them. */
  #ended: Ended[] = [];
  /** Slots that are requested, or held until the next look at the subscription. */
  #places = 0;

  /** Undefined until the lane is taken. */
  #fence: number | undefined;
  #leaseUntilMs: number;
  /** The next check for deliveries that stop blocking; a further check runs before the lane rests. */
  #nextUnblockAtMs: number;
  #isLost = false;
  #isStopping = false;
  #isAbandoned = false;
  #isWoken = false;
  #lookedAtMs = Number.NEGATIVE_INFINITY;
  #looked = Promise.withResolvers<void>();

  /** @param isAhead the lane's due time lies impossibly far ahead. */
  constructor(context: LaneContext, key: LaneKey, isAhead = false) {
    this.#context = context;
    this.#key = key;
    this.#isAhead = isAhead;
    this.#store = context.database.ofClient(key.clientId);
    this.#traces = createAttemptTraces(context, key);
    this.#leaseUntilMs = context.clock.now() + context.leaseMs;
    this.#nextUnblockAtMs = this.#leaseUntilMs;
    this.done = this.#runWhileOurs().then((dueAtMs) => ({ dueAtMs, isWoken: this.#isWoken }));
  }

  /** A hint that deliveries are due. */
  wake(): void {
    this.#isWoken = true;
    this.#wakeUp.notify();
  }

  /** Stops sending; attempts in progress still end. */
  stop(): void {
    this.#isStopping = true;
    this.#wakeUp.notify();
  }

  /** Stops waiting for attempts in progress: their result stays unknown. */
  abandon(): void {
    this.#isAbandoned = true;
    this.stop();
  }

  /** Runs until the lane is released or lost; waits out a short outage of the database, and contention. */
  async #runWhileOurs(): Promise<number | undefined> {
    const { log } = this.#context;
    const renewing = setInterval(() => this.#renewLease(), this.#context.leaseMs / 5);
    try {
      return await retryOnConflict(() => this.#run(), {
        attemptsMax: Number.POSITIVE_INFINITY,
        pauseMs: () => pauseAfterErrorMs,
        isConflict: (error) => this.#goesOn(error),
      });
    } catch (error) {
      if (error instanceof LeaseLostError) {
        log.warn(this.#key, "the lane has another owner, which settles the deliveries in progress");
        return undefined;
      }
      const level = isUnavailable(error) ? "warn" : "error";
      log[level]({ err: error, ...this.#key }, "a lane was given up");
      return undefined;
    } finally {
      this.#isStopping = true;
      this.#claimed.length = 0;
      clearInterval(renewing);
      this.#hasLooked();
    }
  }

  /** Whether the loop goes on after an error. The next holder of a lane that is given up settles what is in progress. */
  #goesOn(error: unknown): boolean {
    const isTransient = (isUnavailable(error) || isContention(error)) && !(error instanceof CommitUnknownError);
    if (!isTransient || this.#isAbandoned || this.#context.clock.now() > this.#leaseUntilMs) return false;
    this.#context.log.warn({ err: error, ...this.#key }, "settling was interrupted");
    return true;
  }

  async #run(): Promise<number | undefined> {
    for (;;) {
      this.#wakeUp.reset();
      this.#isWoken = false;
      if (this.#isAbandoned) this.#loseStarted();
      const isBusy = this.#started.size >= inFlightMax && this.#ended.length === 0 && !this.#isStopping;
      if (!isBusy) {
        const turned = await this.#turn();
        if (turned === undefined || turned.released) return turned?.released?.dueAtMs;
        this.#launch();
      }
      if (this.#ended.length > 0) continue;
      await this.#wakeUp.wait(this.#started.size + this.#claimed.length === 0 ? contentionMs : restMs);
    }
  }

  /**
   * Settles what has ended and takes what is due. A failed settlement is retried while this process holds the lane.
   *
   * @returns undefined where the lane to take has another holder, or nothing is due.
   */
  async #turn(): Promise<Turned | undefined> {
    if (this.#isLost) throw leaseLost(this.#key.webhookId);
    if (this.#fence !== undefined && !this.#isWithin(this.#nextUnblockAtMs)) await this.#unblock(this.#fence);
    const { clock, gate, ids } = this.#context;
    const hold = { fence: this.#fence, isAhead: this.#isAhead };
    let turn: Turn | undefined;
    let nowMs = 0;
    const run = (isAlone: boolean) =>
      gate(this.#key.clientId, () => {
        // Begins with the transaction: attempts that end while it waits for other transactions are settled with it.
        turn ??= this.#beginTurn();
        const begun = turn;
        nowMs = clock.now();
        return this.#store.transaction((tx) => {
          const unit = unitOfWork(tx, this.#key, ids, nowMs);
          return settleAndTake(this.#context, unit, this.#key, begun, { hold, nowMs, isAlone });
        });
      });
    try {
      const turned = await run(false).catch((error: Error) => {
        if (error instanceof StatusChangeError) return run(true);
        throw error;
      });
      this.#claim(turned, nowMs);
      return turned;
    } catch (error) {
      if (turn) this.#undoTurn(turn);
      if (error instanceof LaneTakenError) return undefined;
      throw error;
    }
  }

  #beginTurn(): Turn {
    const settling = this.#ended;
    this.#ended = [];
    const withdrawn: Sendable[] = [];
    const withdraw = () => void withdrawn.push(...this.#claimed.splice(0));
    if (this.#isStopping) withdraw();
    const inProgress = [...this.#started.values(), ...this.#claimed].map(({ begun }) => begun.deliveryId);
    const outstanding = inProgress.length;
    const room = this.#isStopping ? 0 : windowMax - outstanding;
    const isLast = this.#isStopping;
    return { settling, withdrawn, withdraw, inProgress, outstanding, room, inFlightMax, isLast };
  }

  #undoTurn({ settling, withdrawn }: Turn): void {
    this.#ended = [...settling, ...this.#ended];
    this.#claimed.unshift(...withdrawn);
  }

  /** QUEUED or SCHEDULED to CLAIMED. The attempts of a previous holder are LOST. */
  #claim(turned: Turned, nowMs: number): void {
    const { log, clock, leaseMs } = this.#context;
    const { fence, taken, lost, settlement, mustUnblock } = turned;
    this.#fence = fence;
    this.#leaseUntilMs = nowMs + leaseMs;
    if (mustUnblock) this.#nextUnblockAtMs = 0;
    if (lost.length > 0) {
      log.info({ ...this.#key, attempts: lost.length }, "attempts of a worker that died are made again");
    }
    if (settlement.change !== undefined || settlement.isGone) {
      log.info({ ...this.#key, change: settlement.isGone ? "GONE" : settlement.change }, "webhook breaker");
    }
    this.#claimed.push(...taken);
    this.#traces?.begin(taken);
    this.#ended.push(...lost);
    this.#lookedAtMs = clock.now();
    this.#hasLooked();
  }

  #hasLooked(): void {
    this.#looked.resolve();
    this.#looked = Promise.withResolvers();
  }

  #isFresh(): boolean {
    return Math.abs(this.#context.clock.now() - this.#lookedAtMs) < freshMs;
  }

  /** Requests one slot for each attempt that can be sent. */
  #launch(): void {
    if (this.#isStopping || !this.#isFresh()) return;
    this.#expire();
    while (this.#places < this.#claimed.length && this.#started.size + this.#places < inFlightMax) {
      this.#places++;
      void this.#sendFromPlace(kindOf(this.#claimed[this.#places - 1] as Sendable));
    }
  }

  /** CLAIMED to EXPIRED: the event or the document is no longer kept. */
  #expire(): void {
    for (let i = this.#claimed.length - 1; i >= 0; i--) {
      const { message, begun } = this.#claimed[i] as Sendable;
      if (message !== undefined) continue;
      this.#claimed.splice(i, 1);
      this.#end({ kind: "EXPIRED", begun, endedAtMs: this.#context.clock.now() });
    }
  }

  /** Chooses the attempt when the slot is free: the attempt that requested it may have been withdrawn. */
  async #sendFromPlace(kind: AttemptKind): Promise<void> {
    const giveBack = await this.#context.slots.take(kind);
    while (!this.#isStopping && this.#claimed.length > 0 && !this.#isFresh()) {
      this.#wakeUp.notify();
      await this.#looked.promise;
    }
    this.#places--;
    const next = this.#start(kind);
    const end = next && (await this.#send(next));
    giveBack();
    // The loop has abandoned this attempt, and has written its result as unknown.
    if (next && !this.#started.delete(next.begun.attemptId)) return;
    if (end) this.#end(end);
    this.#launch();
  }

  /** CLAIMED to STARTED. */
  #start(kind: AttemptKind): Sendable | undefined {
    if (this.#isStopping) return undefined;
    const at = this.#claimed.findIndex((next) => next.message !== undefined && kindOf(next) === kind);
    const [next] = at < 0 ? [] : this.#claimed.splice(at, 1);
    if (next) this.#started.set(next.begun.attemptId, next);
    return next;
  }

  /** An attempt has ended, and is settled by the next turn. */
  #end(ended: Ended): void {
    this.#ended.push(ended);
    this.#wakeUp.notify();
  }

  /** STARTED to LOST. */
  #loseStarted(): void {
    for (const { begun } of this.#started.values()) {
      this.#ended.push({ kind: "LOST", begun, endedAtMs: this.#context.clock.now() });
      recordLostAttempt();
    }
    this.#started.clear();
  }

  async #send(next: Sendable): Promise<Ended> {
    const { clock, log, sender } = this.#context;
    const { begun, target, message } = next;
    const traceparent = this.#traces && (await this.#traces.parentOf(next));
    const startedMs = performance.now();
    try {
      const result =
        target === undefined
          ? unreadable(clock.now())
          : await sender.send(target, { ...(message as NonNullable<typeof message>), traceparent });
      if (target === undefined) {
        const about = { ...this.#key, deliveryId: begun.deliveryId };
        log.error(about, "the secret or the headers of a subscription cannot be decrypted");
      }
      this.#note(next, result);
      recordAttempt(result);
      this.#traces?.end(next, result, startedMs);
      return { kind: "SENT", begun, result };
    } catch (error) {
      // The sender returns a result whatever the receiver does; this is an internal error, and the attempt counts as
      // failed.
      log.error({ err: error, ...this.#key, deliveryId: begun.deliveryId }, "a delivery could not be sent");
      recordLostAttempt();
      return { kind: "LOST", begun, endedAtMs: clock.now() };
    }
  }

  #note(next: Sendable, { status, errorClass, startedAtMs, endedAtMs }: SendResult): void {
    const { begun, topicName } = next;
    this.#context.log.info(
      {
        token: this.#traces?.tokenOf(next),
        ...this.#key,
        deliveryId: begun.deliveryId,
        topicName,
        objectId: begun.objectId,
        attempt: begun.state.attempts + (begun.isProbe ? 0 : 1),
        isProbe: begun.isProbe,
        status,
        errorClass,
        durationMs: Math.round(endedAtMs - startedAtMs),
      },
      "webhook attempt",
    );
  }

  /**
   * Whether a moment is in the future, but no further ahead than a lease. A later moment dates from before the clock
   * was set back.
   */
  #isWithin(ms: number): boolean {
    const { clock, leaseMs } = this.#context;
    return clock.now() < ms && ms <= clock.now() + leaseMs;
  }

  #renewLease(): void {
    const { clock, leaseMs } = this.#context;
    const nowMs = clock.now();
    // Each settlement renews the lease as well.
    if (this.#fence === undefined || (this.#leaseUntilMs - nowMs > leaseMs / 2 && this.#isWithin(this.#leaseUntilMs)))
      return;
    const untilMs = nowMs + leaseMs;
    const view = this.#store.of(this.#key.clientId);
    renewLane(view, this.#key.webhookId, this.#fence, new Date(untilMs).toISOString()).then(
      (isOurs) => {
        if (isOurs) this.#leaseUntilMs = untilMs;
        else this.#isLost = true;
        if (this.#isLost) this.#wakeUp.notify();
      },
      () => {},
    );
  }

  async #unblock(fence: number): Promise<void> {
    const { clock, gate, ids, leaseMs } = this.#context;
    const { clientId, webhookId } = this.#key;
    await gate(clientId, async () => {
      const nowMs = clock.now();
      // A read first: there is nearly always no work, and a transaction that locks writes to disk.
      const atMs = unblocksAt(await findNextDue(this.#store.of(clientId), webhookId));
      if (atMs === undefined || atMs > nowMs) return;
      const lease = leaseOf(this.#context, { fence, nowMs });
      const isOurs = await this.#store.transaction((tx) =>
        unblockLongBlocked(unitOfWork(tx, this.#key, ids, nowMs), webhookId, { nowMs, lease }),
      );
      if (!isOurs) throw leaseLost(webhookId);
    });
    this.#nextUnblockAtMs = clock.now() + leaseMs;
  }
}
