import type { Database } from "#/db/database.ts";
import { CommitUnknownError, isContention, isUnavailable } from "#/db/errors.ts";
import type { LaneKey } from "#/delivery/webhooks/lane-repository.ts";
import { type LaneStoreContext, LeaseLostError, openLaneStore, type Sendable } from "#/delivery/webhooks/lane-store.ts";
import type { Sender, SendResult } from "#/delivery/webhooks/sender.ts";
import type { Ended } from "#/delivery/webhooks/settlement.ts";
import type { Slots } from "#/delivery/webhooks/slots.ts";
import { type Alarm, createAlarm } from "#/kernel/alarm.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Logger } from "#/kernel/log.ts";

export interface LaneContext extends LaneStoreContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly sender: Sender;
  readonly slots: Slots;
}

export interface Lane {
  /** A hint that something is due. */
  wake(): void;
  /** Sends nothing more; what is under way is waited for. */
  stop(): void;
  /** What is under way is not waited for any more: its end will not be known. */
  abandon(): void;
  /** The lane was given back, or lost. @returns when it is due again (Unix milliseconds); undefined where it is not known. */
  readonly done: Promise<number | undefined>;
}

/** Requests under way for one subscription (webhooks.md §2). */
const inFlightMax = 4;
/** Written as STARTED at a time: what makes one transaction worth its while. */
const windowMax = 64;
const restMs = 1_000;
/** A lane is kept for so long when nothing is due: to be given back and taken again costs three transactions. */
const lingerMs = 250;
/**
 * What was written is sent within so much of a look at the subscription, or after another one: a window that a slow receiver
 * takes a minute for is not sent to one that was paused meanwhile, nor by a process that slept past its lease.
 */
const freshMs = 1_000;
const pauseAfterErrorMs = 250;

/**
 * Sends what is due for one subscription, by the lane that was claimed: alone, so that what is under way and the breaker
 * are kept in memory. Tries are written before they are sent; what has ended is settled while the next ones are under way.
 */
export function runLane(context: LaneContext, key: LaneKey, fence: number, lost: readonly Ended[]): Lane {
  const { clock, log, sender, slots } = context;
  const store = openLaneStore(context, key, fence);
  const alarm: Alarm = createAlarm();
  const unsent: Sendable[] = [];
  const underWay = new Map<string, Sendable>();
  let ended: Ended[] = [...lost];
  let isStopping = false;
  let isAbandoned = false;
  let mayRest = false;
  let isWoken = false;
  let lookedAtMs = Number.NEGATIVE_INFINITY;

  function launch(): void {
    while (!isStopping && underWay.size < inFlightMax && clock.now() - lookedAtMs < freshMs) {
      const next = unsent.shift();
      if (!next) return;
      underWay.set(next.begun.tryId, next);
      void send(next);
    }
  }

  async function send(next: Sendable): Promise<void> {
    const { begun, target, message } = next;
    let end: Ended;
    if (message === undefined) {
      end = { kind: "UNSENDABLE", begun, endedAtMs: clock.now() };
    } else {
      const giveBack = await slots.take(begun.state.tries === 0 && !begun.isProbe ? "FIRST" : "AGAIN");
      try {
        // Whoever waited for a place may have been told to stop meanwhile: then nothing was sent.
        if (isStopping) {
          underWay.delete(begun.tryId);
          unsent.unshift(next);
          alarm.ring();
          return;
        }
        const result = await sender.send(target, message);
        end = { kind: "SENT", begun, result };
        note(next, result);
      } catch (error) {
        // The sender answers whatever the receiver does; this is a fault of ours, and the try counts as failed.
        log.error({ err: error, ...key, deliveryId: begun.deliveryId }, "a delivery could not be sent");
        end = { kind: "LOST", begun, endedAtMs: clock.now() };
      } finally {
        giveBack();
      }
    }
    // Nobody waits for it any more: its end was written as unknown.
    if (!underWay.delete(begun.tryId)) return;
    ended.push(end);
    launch();
    alarm.ring();
  }

  function note({ begun, topicName }: Sendable, result: SendResult): void {
    const { status, errorClass, startedAtMs, endedAtMs } = result;
    log.info(
      {
        ...{ ...key, deliveryId: begun.deliveryId, topic: topicName, try: begun.state.tries + (begun.isProbe ? 0 : 1) },
        ...{ isProbe: begun.isProbe, status, errorClass, ms: Math.round(endedAtMs - startedAtMs) },
      },
      "webhook try",
    );
  }

  /** Settles what has ended and takes what is due. What could not be settled is tried again while the lane is ours. */
  async function turn(): Promise<void> {
    let settling: readonly Ended[] = [];
    let withdrawn: readonly Sendable[] = [];
    try {
      // Looked at when its transaction begins: what ends while others' transactions are waited for is settled with it.
      const taken = await store.turn(() => {
        settling = ended;
        ended = [];
        withdrawn = isStopping ? unsent.splice(0) : [];
        const outstanding = underWay.size + unsent.length;
        const room = isStopping ? 0 : windowMax - outstanding;
        return { settling, withdrawn, unsent, outstanding, room, inFlightMax };
      });
      unsent.push(...taken);
      lookedAtMs = clock.now();
      mayRest = taken.length === 0;
    } catch (error) {
      ended = [...settling, ...ended];
      unsent.unshift(...withdrawn);
      throw error;
    }
  }

  function abandonUnderWay(): void {
    for (const { begun } of underWay.values()) ended.push({ kind: "LOST", begun, endedAtMs: clock.now() });
    underWay.clear();
  }

  async function run(): Promise<number | undefined> {
    for (;;) {
      alarm.hear();
      isWoken = false;
      if (isAbandoned) abandonUnderWay();
      const isBusy = underWay.size >= inFlightMax && ended.length === 0 && !isStopping;
      if (!isBusy) {
        await turn();
        launch();
      }
      if (underWay.size === 0 && unsent.length === 0 && ended.length === 0) {
        if (mayRest && !isStopping && !isWoken) {
          // What rang is settled by now.
          alarm.hear();
          await alarm.rest(lingerMs);
        }
        if (isWoken && !isStopping) continue;
        const released = await store.release(isStopping);
        if (released.isReleased) return released.dueAtMs;
        // Something is due that could not be taken this time: somebody has its row.
        if (mayRest) await alarm.rest(20);
        continue;
      }
      if (ended.length === 0) await alarm.rest(restMs);
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
    done: runWhileOurs(),
  };
}
