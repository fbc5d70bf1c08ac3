import { randomUUID } from "node:crypto";
import { isUnavailable } from "#/db/errors.ts";
import { listDueLanes } from "#/delivery/webhooks/cross-client-queries.ts";
import { type Lane, type LaneContext, runLane } from "#/delivery/webhooks/lane.ts";
import { claimLane, type LaneKey } from "#/delivery/webhooks/lane-repository.ts";
import { begunOf } from "#/delivery/webhooks/lane-store.ts";
import { readEventMessages } from "#/delivery/webhooks/messages.ts";
import type { Ended } from "#/delivery/webhooks/settlement.ts";
import { createSlots } from "#/delivery/webhooks/slots.ts";
import { listStarted } from "#/delivery/webhooks/try-repository.ts";
import { createAlarm } from "#/kernel/alarm.ts";

export interface Dispatcher {
  /** A hint that there is something to deliver; for which subscriptions of which client, where that is known. */
  wake(clientId?: string, webhookIds?: ReadonlySet<string>): void;
  /** Waits a few seconds for what is under way; of what takes longer the end is not known. */
  stop(): Promise<void>;
}

export type DispatcherContext = Omit<LaneContext, "slots" | "sources" | "leaseMs" | "gate" | "random"> & {
  /** Of outbound feeds that are pushed; without it none are. */
  readonly readDocuments?: LaneContext["sources"]["OUTBOUND"];
  /** For tests that kill dispatchers. */
  readonly leaseMs?: number;
  readonly pollMs?: number;
};

/** Short enough that the lanes of a worker that was killed are taken over within seconds. */
const leaseMsDefault = 5_000;
const lanesMax = 512;
const requestsMax = 512;
/** Transactions at a time, of all lanes. */
const transactionsMax = 4;
const stopMsMax = 3_000;
const pauseAfterErrorMs = 500;
/** Of a lane's holder before: more than it may have begun. */
const startedMax = 1_000;

/**
 * Finds lanes with something to do, takes them, those first that have waited longest, and has each sent by its own loop. A
 * dead worker's lanes are free when their leases have run out: what it had begun is due again (decision 0017).
 */
export function startDispatcher(context: DispatcherContext): Dispatcher {
  const { database, clock, log, sender, leaseMs = leaseMsDefault, pollMs = 1_000, readDocuments } = context;
  const owner = randomUUID();
  const alarm = createAlarm();
  const lanes = new Map<string, Lane>();
  const timers = new Set<NodeJS.Timeout>();
  let isStopping = false;
  const laneContext: LaneContext = {
    ...context,
    leaseMs,
    random: Math.random,
    slots: createSlots(requestsMax),
    gate: createGate(transactionsMax),
    sources: { WEBHOOK: readEventMessages, OUTBOUND: readDocuments ?? (async () => new Map()) },
  };
  const iso = (ms: number) => new Date(ms).toISOString();

  async function take(key: LaneKey): Promise<void> {
    const claimed = await laneContext.gate(() =>
      database.transaction(async (tx) => {
        const nowMs = clock.now();
        const [fence, lost] = await Promise.all([
          claimLane(tx, key, owner, iso(nowMs), iso(nowMs + leaseMs)),
          listStarted(tx, key, startedMax),
        ]);
        return { fence, lost, nowMs };
      }),
    );
    const { fence, lost, nowMs } = claimed;
    if (fence === undefined) return;
    if (lost.length > 0) log.info({ ...key, tries: lost.length }, "tries of a worker that died are made again");
    const ended = lost.map(
      (row): Ended => ({ kind: "LOST", begun: begunOf(row, row.try_id, row.is_probe), endedAtMs: nowMs }),
    );
    const name = `${key.clientId} ${key.webhookId}`;
    const lane = runLane(laneContext, key, fence, ended);
    lanes.set(name, lane);
    if (isStopping) lane.stop();
    void lane.done.then((dueAtMs) => {
      lanes.delete(name);
      if (dueAtMs === undefined || isStopping) return;
      // What is due before the next look is not left until then.
      const waitMs = dueAtMs - clock.now();
      if (waitMs > pollMs) return;
      const timer = setTimeout(
        () => {
          timers.delete(timer);
          alarm.ring();
        },
        Math.max(0, waitMs),
      );
      timers.add(timer);
    });
  }

  async function turn(): Promise<void> {
    const free = lanesMax - lanes.size;
    if (free <= 0) return;
    const due = await listDueLanes(database, iso(clock.now()), free);
    const mine = due.filter(({ clientId, webhookId }) => !lanes.has(`${clientId} ${webhookId}`));
    await Promise.all(
      mine.map((key) =>
        take(key).catch((error: Error) => {
          if (isUnavailable(error)) throw error;
          log.error({ err: error, ...key }, "a lane could not be taken");
        }),
      ),
    );
  }

  const running = (async () => {
    while (!isStopping) {
      alarm.hear();
      try {
        await turn();
        await alarm.rest(pollMs);
      } catch (error) {
        log.warn({ err: error }, "dispatching was interrupted");
        await new Promise((resolve) => setTimeout(resolve, pauseAfterErrorMs));
      }
    }
  })();

  return {
    wake(clientId, webhookIds) {
      alarm.ring();
      // Each that is woken looks, in a transaction: of fifty lanes forty-nine would do so for nothing.
      if (webhookIds === undefined) for (const lane of lanes.values()) lane.wake();
      else for (const webhookId of webhookIds) lanes.get(`${clientId} ${webhookId}`)?.wake();
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

/** Runs so much at a time; what comes later waits in its order. */
function createGate(placesMax: number): LaneContext["gate"] {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return async (work) => {
    if (taken >= placesMax) await new Promise<void>((resolve) => waiting.push(resolve));
    else taken++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else taken--;
    }
  };
}
