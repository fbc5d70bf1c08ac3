import { randomUUID } from "node:crypto";
import { logLevelOf } from "#/db/errors.ts";
import { aheadMsMax } from "#/db/store/clock.ts";
import { listDueLanes, listLanesAhead } from "#/delivery/webhooks/fan-out/fan-out.cross-client.ts";
import { type Lane, type LaneContext, runLane } from "#/delivery/webhooks/lanes/lane.ts";
import type { LaneKey } from "#/delivery/webhooks/lanes/lane-repository.ts";
import { dueMostMs } from "#/delivery/webhooks/lanes/lane-store.ts";
import { readEventMessages } from "#/delivery/webhooks/sending/messages.ts";
import { createSlots } from "#/delivery/webhooks/sending/slots.ts";
import { createAlarm } from "#/kernel/concurrency/alarm.ts";
import { createFairGate } from "#/kernel/concurrency/gate.ts";

export interface Dispatcher {
  /** A hint that there is something to deliver; for which subscriptions of which client, where that is known. */
  wake(clientId?: string, webhookIds?: ReadonlySet<string>): void;
  /** Waits a few seconds for what is under way; of what takes longer the end is not known. */
  stop(): Promise<void>;
}

export type DispatcherContext = Omit<LaneContext, "slots" | "sources" | "leaseMs" | "gate" | "random" | "owner"> & {
  /** Of outbound feeds that are pushed; without it none are. */
  readonly readDocuments?: LaneContext["sources"]["OUTBOUND"];
  /** After a restore: nothing is sent as long as this says so. */
  readonly isHeld?: () => boolean;
  /** For tests that kill dispatchers. */
  readonly leaseMs?: number;
  readonly pollMs?: number;
  readonly requestsMax?: number;
};

/** Short enough that the lanes of a worker that was killed are taken over within seconds. */
const leaseMsDefault = 5_000;
const lanesMax = 512;
const requestsMaxDefault = 512;
/** Transactions at a time, of all lanes. */
const transactionsMax = 4;
/** Lanes of a client whose transactions take so long leave half of them to the others'. */
const slowTransactionMs = 1_000;
const stopMsMax = 3_000;
/** What failed at about the same time is tried again together: in one window, not in one for each. */
const gatherMs = 100;
const pauseAfterErrorMs = 500;
/** How often it is looked for lanes that are due behind where anything can be due. */
const aheadEveryMs = 30_000;

/**
 * Finds lanes with something to do, takes them, those first that have waited longest, and has each sent by its own loop. A
 * dead worker's lanes are free when their leases have run out: what it had begun is due again (decision 0017).
 */
export function startDispatcher(context: DispatcherContext): Dispatcher {
  const { database, clock, log, sender, leaseMs = leaseMsDefault, pollMs = 1_000, readDocuments } = context;
  const { requestsMax = requestsMaxDefault } = context;
  const alarm = createAlarm();
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

  /** Has a lane sent, if it can be taken. */
  function start(key: LaneKey, isAhead = false): void {
    const name = nameOf(key);
    if (isStopping || context.isHeld?.() || lanes.has(name) || lanes.size >= lanesMax) return;
    const lane = runLane(laneContext, key, isAhead);
    lanes.set(name, lane);
    void lane.done.then(({ dueAtMs, isWoken }) => {
      lanes.delete(name);
      if (isStopping) return;
      if (isWoken) alarm.ring();
      if (dueAtMs !== undefined) ringAt(dueAtMs);
    });
  }

  /** What is due before the next look is not left until then. */
  function ringAt(dueAtMs: number): void {
    const waitMs = dueAtMs - clock.now();
    if (waitMs > pollMs) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      alarm.ring();
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
    for (const key of await listDueLanes(database, iso(nowMs), leaseMost, free)) start(key);
    await startAhead();
  }

  /** Lanes that are due in a future that cannot be: the clock that they went by was set back. */
  async function startAhead(): Promise<void> {
    const nowMs = clock.now();
    const untilMs = context.aheadUntilMs?.() ?? Number.NEGATIVE_INFINITY;
    const isNews = untilMs !== knownAheadUntilMs;
    if (!isNews && performance.now() - lookedAheadMs < aheadEveryMs) return;
    knownAheadUntilMs = untilMs;
    lookedAheadMs = performance.now();
    const after = iso(nowMs + (nowMs < untilMs ? aheadMsMax : dueMostMs(context.schedule)));
    for (const key of await listLanesAhead(database, after, lanesMax - lanes.size)) start(key, true);
  }

  const running = (async () => {
    while (!isStopping) {
      alarm.hear();
      try {
        await turn();
        await alarm.rest(pollMs);
      } catch (error) {
        log[logLevelOf(error)]({ err: error }, "dispatching was interrupted");
        await new Promise((resolve) => setTimeout(resolve, pauseAfterErrorMs));
      }
    }
  })();

  return {
    wake(clientId, webhookIds) {
      if (clientId === undefined || webhookIds === undefined) {
        alarm.ring();
        for (const lane of lanes.values()) lane.wake();
        return;
      }
      // Each that is woken looks, in a transaction: of fifty lanes forty-nine would do so for nothing.
      for (const webhookId of webhookIds) {
        const lane = lanes.get(nameOf({ clientId, webhookId }));
        if (lane) lane.wake();
        else start({ clientId, webhookId });
      }
    },
    async stop() {
      isStopping = true;
      alarm.ring();
      await running;
      for (const timer of timers) clearTimeout(timer);
      const all = [...lanes.values()];
      for (const lane of all) lane.stop();
      const late = setTimeout(() => {
        for (const lane of all) lane.abandon();
      }, stopMsMax);
      await Promise.all(all.map(({ done }) => done));
      clearTimeout(late);
      // Whatever is still under way was given up.
      await sender.close(0);
    },
  };
}
