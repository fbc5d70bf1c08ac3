import { CommitUnknownError, isContention, isUnavailable, LeaseLostError } from "#/db/errors.ts";
import type { LaneKey } from "#/delivery/webhooks/lanes/lane-repository.ts";
import { type LaneStoreContext, openLaneStore, type Turned } from "#/delivery/webhooks/lanes/lane-store.ts";
import type { Sendable } from "#/delivery/webhooks/lanes/lane-window.ts";
import type { Ended } from "#/delivery/webhooks/lanes/settlement.ts";
import { type Sender, type SendResult, unreadable } from "#/delivery/webhooks/sending/sender.ts";
import type { Slots, TryKind } from "#/delivery/webhooks/sending/slots.ts";
import { createTryTraces, noteLostTry, noteTry } from "#/delivery/webhooks/sending/try-telemetry.ts";
import { type Alarm, createAlarm } from "#/kernel/concurrency/alarm.ts";
import type { TraceOrigins } from "#/outbox/publish-trace.ts";

export interface LaneContext extends LaneStoreContext {
  readonly sender: Sender;
  readonly slots: Slots;
  /** For traces. */
  readonly findOrigins?: TraceOrigins | undefined;
}

export interface LaneEnd {
  /** When the lane is due again (Unix milliseconds); undefined where it is not known, or nothing waits. */
  readonly dueAtMs: number | undefined;
  /** There was a hint that something is due, which may have come too late to be looked at. */
  readonly isWoken: boolean;
}

export interface Lane {
  /** A hint that something is due. */
  wake(): void;
  /** Sends nothing more; what is under way is waited for. */
  stop(): void;
  /** What is under way is not waited for any more: its end will not be known. */
  abandon(): void;
  /** The lane was given back, or lost, or never ours. */
  readonly done: Promise<LaneEnd>;
}

/** Requests under way for one subscription (webhooks.md §2). */
const inFlightMax = 4;
/** Written as STARTED at a time: what makes one transaction worth its while. */
const windowMax = 64;
const restMs = 1_000;
/** Something is due that could not be taken: somebody has its row. */
const contentionMs = 20;
/**
 * What was written is sent within so much of a look at the subscription, or after another one: a window that a slow receiver
 * takes a minute for is not sent to one that was paused meanwhile, nor by a process that slept past its lease.
 */
const freshMs = 1_000;
const pauseAfterErrorMs = 250;

const kindOf = ({ begun }: Sendable): TryKind => (begun.state.tries === 0 && !begun.isProbe ? "FIRST" : "AGAIN");

/**
 * Takes the lane of one subscription, unless it is somebody else's, and sends what is due: alone, so that what is under way
 * and the breaker are kept in memory. Tries are written before they are sent; what has ended is settled while the next ones
 * are under way; with the last of it the lane is given back.
 *
 * @param isAhead it is due in a future that cannot be.
 */
export function runLane(context: LaneContext, key: LaneKey, isAhead = false): Lane {
  const { clock, log, sender, slots } = context;
  const store = openLaneStore(context, key, isAhead);
  const traced = createTryTraces(context, key);
  const alarm: Alarm = createAlarm();
  /** What waits for a place of the process stays here, so that it can be withdrawn. */
  const unsent: Sendable[] = [];
  const underWay = new Map<string, Sendable>();
  let ended: Ended[] = [];
  /** Places that are asked for, or held until the subscription has been looked at. */
  let places = 0;
  let isStopping = false;
  let isAbandoned = false;
  let isWoken = false;
  let lookedAtMs = Number.NEGATIVE_INFINITY;
  let looked = Promise.withResolvers<void>();

  const isFresh = () => Math.abs(clock.now() - lookedAtMs) < freshMs;

  /** Asks for places to send from, as many as there is something to send for. */
  function launch(): void {
    if (isStopping || !isFresh()) return;
    for (let i = unsent.length - 1; i >= 0; i--) {
      const { message, begun } = unsent[i] as Sendable;
      if (message !== undefined) continue;
      unsent.splice(i, 1);
      ended.push({ kind: "UNSENDABLE", begun, endedAtMs: clock.now() });
      alarm.ring();
    }
    while (places < unsent.length && underWay.size + places < inFlightMax) {
      places++;
      void sendFromPlace(kindOf(unsent[places - 1] as Sendable));
    }
  }

  /** What is sent is chosen when the place is there: what waited for it may have been withdrawn. */
  async function sendFromPlace(kind: TryKind): Promise<void> {
    const giveBack = await slots.take(kind);
    while (!isStopping && unsent.length > 0 && !isFresh()) {
      alarm.ring();
      await looked.promise;
    }
    places--;
    const at = isStopping ? -1 : unsent.findIndex((next) => next.message !== undefined && kindOf(next) === kind);
    const [next] = at < 0 ? [] : unsent.splice(at, 1);
    if (next) underWay.set(next.begun.tryId, next);
    const end = next && (await send(next));
    giveBack();
    // Nobody waits for it any more: its end was written as unknown.
    if (next && !underWay.delete(next.begun.tryId)) return;
    if (end) {
      ended.push(end);
      alarm.ring();
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
          "the secret or the headers of a subscription cannot be opened",
        );
      }
      note(next, result);
      noteTry(result);
      traced?.end(next, result, startedMs);
      return { kind: "SENT", begun, result };
    } catch (error) {
      // The sender answers whatever the receiver does; this is a fault of ours, and the try counts as failed.
      log.error({ err: error, ...key, deliveryId: begun.deliveryId }, "a delivery could not be sent");
      noteLostTry();
      return { kind: "LOST", begun, endedAtMs: clock.now() };
    }
  }

  function note(next: Sendable, result: SendResult): void {
    const { begun, topicName } = next;
    const { status, errorClass, startedAtMs, endedAtMs } = result;
    log.info(
      {
        ...{ token: traced?.tokenOf(next), ...key, deliveryId: begun.deliveryId, topicName, objectId: begun.objectId },
        try: begun.state.tries + (begun.isProbe ? 0 : 1),
        ...{ isProbe: begun.isProbe, status, errorClass, durationMs: Math.round(endedAtMs - startedAtMs) },
      },
      "webhook try",
    );
  }

  /** Settles what has ended and takes what is due. What could not be settled is tried again while the lane is ours. */
  async function turn(): Promise<Turned | undefined> {
    let settling: readonly Ended[] = [];
    let withdrawn: readonly Sendable[] = [];
    try {
      // Looked at when its transaction begins: what ends while others' transactions are waited for is settled with it.
      const turned = await store.turn(() => {
        settling = ended;
        ended = [];
        withdrawn = isStopping ? unsent.splice(0) : [];
        const outstanding = underWay.size + unsent.length;
        const room = isStopping ? 0 : windowMax - outstanding;
        return { settling, withdrawn, unsent, outstanding, room, inFlightMax, isLast: isStopping };
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
    for (const { begun } of underWay.values()) {
      ended.push({ kind: "LOST", begun, endedAtMs: clock.now() });
      noteLostTry();
    }
    underWay.clear();
  }

  async function run(): Promise<number | undefined> {
    for (;;) {
      alarm.hear();
      isWoken = false;
      if (isAbandoned) abandonUnderWay();
      const isBusy = underWay.size >= inFlightMax && ended.length === 0 && !isStopping;
      if (!isBusy) {
        const turned = await turn();
        if (turned === undefined || turned.released) return turned?.released?.dueAtMs;
        launch();
      }
      if (ended.length > 0) continue;
      await alarm.rest(underWay.size + unsent.length === 0 ? contentionMs : restMs);
    }
  }

  /** Until the lane is given back or lost: a store that is away for a moment, or others in the way, are waited out. */
  async function runWhileOurs(): Promise<number | undefined> {
    const renewing = store.keepLease(() => alarm.ring());
    try {
      for (;;) {
        try {
          return await run();
        } catch (error) {
          if (error instanceof LeaseLostError) {
            log.warn(key, "the lane has another holder: what was under way is settled by it");
            return undefined;
          }
          // Given up, the lane is free when its lease runs out, and whoever takes it settles what was under way.
          const isPassing = (isUnavailable(error) || isContention(error)) && !(error instanceof CommitUnknownError);
          if (!isPassing || isAbandoned || store.isLeaseOver()) throw error;
          log.warn({ err: error, ...key }, "settling was interrupted");
          await new Promise((resolve) => setTimeout(resolve, pauseAfterErrorMs));
        }
      }
    } catch (error) {
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
      alarm.ring();
    },
    stop() {
      isStopping = true;
      alarm.ring();
    },
    abandon() {
      isAbandoned = true;
      isStopping = true;
      alarm.ring();
    },
    done: runWhileOurs().then((dueAtMs) => ({ dueAtMs, isWoken })),
  };
}
