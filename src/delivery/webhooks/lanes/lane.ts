import { CommitUnknownError, isContention, isUnavailable, LeaseLostError } from "#/db/errors.ts";
import { retryOnConflict } from "#/db/retry-on-conflict.ts";
import { createAttemptTraces, recordAttempt, recordLostAttempt } from "#/delivery/webhooks/lanes/attempt-telemetry.ts";
import type { LaneKey } from "#/delivery/webhooks/lanes/lane-repository.ts";
import {
  type LaneStoreContext,
  openLaneStore,
  type Sendable,
  type Turned,
} from "#/delivery/webhooks/lanes/lane-turn.ts";
import type { Ended } from "#/delivery/webhooks/lanes/settlement.ts";
import { type Sender, type SendResult, unreadable } from "#/delivery/webhooks/sending/sender.ts";
import { createWakeUp, type WakeUp } from "#/kernel/concurrency/wake-up.ts";
import type { TraceOrigins } from "#/outbox/publish-trace.ts";

export interface LaneContext extends LaneStoreContext {
  readonly sender: Sender;
  readonly slots: Slots;
  /** For traces. */
  readonly findOrigins?: TraceOrigins | undefined;
}

export interface LaneEnd {
  /** When the lane is due again (Unix milliseconds); undefined where this is unknown, or no delivery waits. */
  readonly dueAtMs: number | undefined;
  /** There was a wake-up hint, which may have come too late for the last turn. */
  readonly isWoken: boolean;
}

export interface Lane {
  /** A hint that deliveries are due. */
  wake(): void;
  /** Stops sending; attempts in progress still end. */
  stop(): void;
  /** Stops waiting for attempts in progress: their result stays unknown. */
  abandon(): void;
  /** Resolves when the lane was released or lost, or could not be taken. */
  readonly done: Promise<LaneEnd>;
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
 * Takes the lane of one subscription, unless it has another holder, and sends what is due. Only one loop runs a lane,
 * so that attempts in progress and the breaker stay in memory. Attempts are written before they are sent. Ended
 * attempts are settled while the next ones are in progress; the last settlement releases the lane.
 *
 * @param isAhead the lane's due time lies impossibly far ahead.
 */
export function runLane(context: LaneContext, key: LaneKey, isAhead = false): Lane {
  const { clock, log, sender, slots } = context;
  const store = openLaneStore(context, key, isAhead);
  const traced = createAttemptTraces(context, key);
  const wakeUp: WakeUp = createWakeUp();
  /** Attempts that wait for a slot of the process stay here, so that they can be withdrawn. */
  const unsent: Sendable[] = [];
  const inFlight = new Map<string, Sendable>();
  let ended: Ended[] = [];
  /** Slots that are requested, or held until the next look at the subscription. */
  let places = 0;
  let isStopping = false;
  let isAbandoned = false;
  let isWoken = false;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let looked = Promise.withResolvers<void>();

  const isFresh = () => Math.abs(clock.now() - lookedAtMs) < freshMs;

  /** Requests one slot for each attempt that can be sent. */
  function launch(): void {
    if (isStopping || !isFresh()) return;
    for (let i = unsent.length - 1; i >= 0; i--) {
      const { message, begun } = unsent[i] as Sendable;
      if (message !== undefined) continue;
      unsent.splice(i, 1);
      ended.push({ kind: "EXPIRED", begun, endedAtMs: clock.now() });
      wakeUp.notify();
    }
    while (places < unsent.length && inFlight.size + places < inFlightMax) {
      places++;
      void sendFromPlace(kindOf(unsent[places - 1] as Sendable));
    }
  }

  /** Chooses the attempt when the slot is free: the attempt that requested it may have been withdrawn. */
  async function sendFromPlace(kind: AttemptKind): Promise<void> {
    const giveBack = await slots.take(kind);
    while (!isStopping && unsent.length > 0 && !isFresh()) {
      wakeUp.notify();
      await looked.promise;
    }
    places--;
    const at = isStopping ? -1 : unsent.findIndex((next) => next.message !== undefined && kindOf(next) === kind);
    const [next] = at < 0 ? [] : unsent.splice(at, 1);
    if (next) inFlight.set(next.begun.attemptId, next);
    const end = next && (await send(next));
    giveBack();
    // The loop has abandoned this attempt, and has written its result as unknown.
    if (next && !inFlight.delete(next.begun.attemptId)) return;
    if (end) {
      ended.push(end);
      wakeUp.notify();
    }
    launch();
  }

  async function send(next: Sendable): Promise<Ended> {
    const { begun, target, message } = next;
    const startedMs = performance.now();
    try {
      const result =
        target === undefined
          ? unreadable(clock.now())
          : await sender.send(target, message as NonNullable<typeof message>);
      if (target === undefined) {
        log.error(
          { ...key, deliveryId: begun.deliveryId },
          "the secret or the headers of a subscription cannot be decrypted",
        );
      }
      note(next, result);
      recordAttempt(result);
      traced?.end(next, result, startedMs);
      return { kind: "SENT", begun, result };
    } catch (error) {
      // The sender returns a result whatever the receiver does; this is an internal error, and the attempt counts as
      // failed.
      log.error({ err: error, ...key, deliveryId: begun.deliveryId }, "a delivery could not be sent");
      recordLostAttempt();
      return { kind: "LOST", begun, endedAtMs: clock.now() };
    }
  }

  function note(next: Sendable, result: SendResult): void {
    const { begun, topicName } = next;
    const { status, errorClass, startedAtMs, endedAtMs } = result;
    log.info(
      {
        token: traced?.tokenOf(next),
        ...key,
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

  /** Settles what has ended and takes what is due. A failed settlement is retried while this process holds the lane. */
  async function turn(): Promise<Turned | undefined> {
    let settling: readonly Ended[] = [];
    let withdrawn: readonly Sendable[] = [];
    try {
      // Read when the transaction begins: attempts that end while it waits for other transactions are settled with it.
      const turned = await store.turn(() => {
        settling = ended;
        ended = [];
        withdrawn = isStopping ? unsent.splice(0) : [];
        const inProgress = [...inFlight.values(), ...unsent].map(({ begun }) => begun.deliveryId);
        const outstanding = inProgress.length;
        const room = isStopping ? 0 : windowMax - outstanding;
        return { settling, withdrawn, unsent, inProgress, outstanding, room, inFlightMax, isLast: isStopping };
      });
      unsent.push(...(turned?.taken ?? []));
      traced?.begin(turned?.taken ?? []);
      ended.push(...(turned?.lost ?? []));
      lookedAtMs = clock.now();
      hasLooked();
      return turned;
    } catch (error) {
      ended = [...settling, ...ended];
      unsent.unshift(...withdrawn);
      throw error;
    }
  }

  function hasLooked(): void {
    looked.resolve();
    looked = Promise.withResolvers();
  }

  function abandonUnderWay(): void {
    for (const { begun } of inFlight.values()) {
      ended.push({ kind: "LOST", begun, endedAtMs: clock.now() });
      recordLostAttempt();
    }
    inFlight.clear();
  }

  async function run(): Promise<number | undefined> {
    for (;;) {
      wakeUp.reset();
      isWoken = false;
      if (isAbandoned) abandonUnderWay();
      const isBusy = inFlight.size >= inFlightMax && ended.length === 0 && !isStopping;
      if (!isBusy) {
        const turned = await turn();
        if (turned === undefined || turned.released) return turned?.released?.dueAtMs;
        launch();
      }
      if (ended.length > 0) continue;
      await wakeUp.wait(inFlight.size + unsent.length === 0 ? contentionMs : restMs);
    }
  }

  /** Whether the loop goes on after an error. The next holder of a lane that is given up settles what is in progress. */
  function goesOn(error: unknown): boolean {
    const isTransient = (isUnavailable(error) || isContention(error)) && !(error instanceof CommitUnknownError);
    if (!isTransient || isAbandoned || store.isLeaseOver()) return false;
    log.warn({ err: error, ...key }, "settling was interrupted");
    return true;
  }

  /** Runs until the lane is released or lost; waits out a short outage of the database, and contention. */
  async function runWhileOurs(): Promise<number | undefined> {
    const renewing = store.keepLease(() => wakeUp.notify());
    try {
      const pauseMs = () => pauseAfterErrorMs;
      return await retryOnConflict(run, { attemptsMax: Number.POSITIVE_INFINITY, pauseMs, isConflict: goesOn });
    } catch (error) {
      if (error instanceof LeaseLostError) {
        log.warn(key, "the lane has another owner, which settles the deliveries in progress");
        return undefined;
      }
      const level = isUnavailable(error) ? "warn" : "error";
      log[level]({ err: error, ...key }, "a lane was given up");
      return undefined;
    } finally {
      isStopping = true;
      unsent.length = 0;
      clearInterval(renewing);
      hasLooked();
    }
  }

  return {
    wake() {
      isWoken = true;
      wakeUp.notify();
    },
    stop() {
      isStopping = true;
      wakeUp.notify();
    },
    abandon() {
      isAbandoned = true;
      isStopping = true;
      wakeUp.notify();
    },
    done: runWhileOurs().then((dueAtMs) => ({ dueAtMs, isWoken })),
  };
}

/** The first attempt of a delivery, or a later attempt or a probe of an open breaker. */
export type AttemptKind = "FIRST" | "AGAIN";

/** The requests in progress in this process, by kind. */
export interface Slots {
  /** Waits for a slot. The returned function releases it. */
  take(kind: AttemptKind): Promise<() => void>;
}

/**
 * At least half of the slots are reserved for first attempts, so that the retries of failing receivers take none from
 * working ones (webhooks.md §2, Breaker). Each kind is served in order of arrival.
 */
export function createSlots(placesMax: number): Slots {
  const againMax = Math.max(1, Math.floor(placesMax / 2));
  const waiting = { FIRST: [] as (() => void)[], AGAIN: [] as (() => void)[] };
  const taken = { FIRST: 0, AGAIN: 0 };
  const isFree = (kind: AttemptKind) =>
    taken.FIRST + taken.AGAIN < placesMax && (kind === "FIRST" || taken.AGAIN < againMax);

  function giveOut(): void {
    for (const kind of ["FIRST", "AGAIN"] as const) {
      while (waiting[kind].length > 0 && isFree(kind)) {
        taken[kind]++;
        waiting[kind].shift()?.();
      }
    }
  }

  return {
    take(kind) {
      return new Promise((resolve) => {
        waiting[kind].push(() =>
          resolve(() => {
            taken[kind]--;
            giveOut();
          }),
        );
        giveOut();
      });
    },
  };
}
