import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { readEventMessages } from "#/delivery/webhooks/events/event-list.ts";
import { listDueLanes, listLanesAhead } from "#/delivery/webhooks/fan-out/fan-out.cross-client.ts";
import { type AttemptKind, Lane, type LaneContext, type Slots } from "#/delivery/webhooks/lanes/lane.ts";
import type { LaneKey } from "#/delivery/webhooks/lanes/lane-repository.ts";
import { dueMostMs } from "#/delivery/webhooks/lanes/lane-turn.ts";
import { createFairGate } from "#/kernel/concurrency/gate.ts";
import { startPolling } from "#/kernel/concurrency/polling.ts";
import { logLevelOf } from "#/store/db/errors.ts";
import { aheadMsMax } from "#/store/db/store/clock.ts";

export interface Dispatcher {
  /** A hint that deliveries are due; with the client and its subscriptions where they are known. */
  wake(clientId?: string, webhookIds?: ReadonlySet<string>): void;
  /** Waits a few seconds for attempts in progress; the result of longer ones stays unknown. */
  stop(): Promise<void>;
}

export type DispatcherContext = Omit<LaneContext, "slots" | "sources" | "leaseMs" | "gate" | "random" | "owner"> & {
  /** Reads the documents of pushed outbound feeds; without it none are pushed. */
  readonly readDocuments?: LaneContext["sources"]["OUTBOUND"];
  /** After a restore: no request is sent while this returns true. */
  readonly isHeld?: () => boolean;
  /** For tests that kill dispatchers. */
  readonly leaseMs?: number;
  readonly pollMs?: number;
  readonly requestsMax?: number;
};

/** Short enough that the lanes of a killed worker are taken over within seconds. */
const leaseMsDefault = 5_000;
const lanesMax = 512;
const requestsMaxDefault = 512;
/** Concurrent transactions of all lanes. */
const transactionsMax = 4;
/** A client whose lanes' transactions take this long leaves half of them to other clients. */
const slowTransactionMs = 1_000;
const stopMsMax = 3_000;
/** Retries of attempts that failed at about the same time share one window instead of one window each. */
const gatherMs = 100;
const pauseAfterErrorMs = 500;
/** The interval of the search for lanes whose due time lies further ahead than any can. */
const aheadEveryMs = 30_000;

/**
 * Finds due lanes, takes those first that have waited longest, and runs one loop for each. The lanes of a dead worker
 * are free when their leases have expired: the deliveries it had begun are due again (decision 0017).
 */
export function startDispatcher(context: DispatcherContext): Dispatcher {
  const { database, clock, log, sender, leaseMs = leaseMsDefault, pollMs = 1_000, readDocuments } = context;
  const { requestsMax = requestsMaxDefault } = context;
  const lanes = new Map<string, Lane>();
  const timers = new Set<NodeJS.Timeout>();
  let isStopping = false;
  let knownAheadUntilMs = Number.NEGATIVE_INFINITY;
  let lookedAheadMs = Number.NEGATIVE_INFINITY;
  const laneContext: LaneContext = {
    ...context,
    leaseMs,
    owner: randomUUID(),
    random: Math.random,
    slots: createSlots(requestsMax),
    gate: createFairGate(transactionsMax, { slowMs: slowTransactionMs }),
    sources: { WEBHOOK: readEventMessages, OUTBOUND: readDocuments ?? (async () => new Map()) },
  };
  const iso = (ms: number) => new Date(ms).toISOString();

  const nameOf = ({ clientId, webhookId }: LaneKey) => `${clientId} ${webhookId}`;

  /** Starts a lane's loop, if there is room for it. */
  function start(key: LaneKey, isAhead = false): void {
    const name = nameOf(key);
    if (isStopping || context.isHeld?.() || lanes.has(name) || lanes.size >= lanesMax) return;
    const lane = new Lane(laneContext, key, isAhead);
    lanes.set(name, lane);
    void lane.done.then(({ dueAtMs, isWoken }) => {
      lanes.delete(name);
      if (isStopping) return;
      if (isWoken) polling.wake();
      if (dueAtMs !== undefined) ringAt(dueAtMs);
    });
  }

  /** Wakes the loop for a lane that is due before the next poll. */
  function ringAt(dueAtMs: number): void {
    const waitMs = dueAtMs - clock.now();
    if (waitMs > pollMs) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      polling.wake();
    }, Math.max(0, waitMs) + gatherMs);
    timers.add(timer);
  }

  async function turn(): Promise<void> {
    if (context.isHeld?.()) {
      for (const lane of lanes.values()) lane.stop();
      return;
    }
    const free = lanesMax - lanes.size;
    if (free <= 0) return;
    const nowMs = clock.now();
    const leaseMost = iso(nowMs + leaseMs + aheadMsMax);
    for (const key of await listDueLanes(database.lookUps, iso(nowMs), leaseMost, free)) start(key);
    await startAhead();
  }

  /** Starts lanes whose due time lies impossibly far ahead, because the clock was set back. */
  async function startAhead(): Promise<void> {
    const nowMs = clock.now();
    const untilMs = context.aheadUntilMs?.() ?? Number.NEGATIVE_INFINITY;
    const isNews = untilMs !== knownAheadUntilMs;
    if (!isNews && performance.now() - lookedAheadMs < aheadEveryMs) return;
    knownAheadUntilMs = untilMs;
    lookedAheadMs = performance.now();
    const after = iso(nowMs + (nowMs < untilMs ? aheadMsMax : dueMostMs(context.schedule)));
    for (const key of await listLanesAhead(database.lookUps, after, lanesMax - lanes.size)) start(key, true);
  }

  const polling = startPolling({
    name: "deliveries",
    everyMs: pollMs,
    async turn() {
      try {
        await turn();
        return pollMs;
      } catch (error) {
        log[logLevelOf(error)]({ err: error }, "dispatching was interrupted");
        // No wake-up shortens this pause.
        await sleep(pauseAfterErrorMs);
        return 0;
      }
    },
  });

  return {
    wake(clientId, webhookIds) {
      if (clientId === undefined || webhookIds === undefined) {
        polling.wake();
        for (const lane of lanes.values()) lane.wake();
        return;
      }
      // Wakes only the named lanes: each woken lane runs a transaction, and of fifty lanes forty-nine would run it for
      // nothing.
      for (const webhookId of webhookIds) {
        const lane = lanes.get(nameOf({ clientId, webhookId }));
        if (lane) lane.wake();
        else start({ clientId, webhookId });
      }
    },
    async stop() {
      isStopping = true;
      await polling.stop();
      for (const timer of timers) clearTimeout(timer);
      const all = [...lanes.values()];
      for (const lane of all) lane.stop();
      const late = setTimeout(() => {
        for (const lane of all) lane.abandon();
      }, stopMsMax);
      await Promise.all(all.map(({ done }) => done));
      clearTimeout(late);
      // The requests still in progress were abandoned.
      await sender.close(0);
    },
  };
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
