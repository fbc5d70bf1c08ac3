// Background work that many owners have at the same time. Each owner has its own turns, and one owner's failure does
// not affect another (docs/decisions/0040-fair-turns.md).

import { namedWork } from "#/kernel/concurrency/deadline.ts";
import { createFairGate } from "#/kernel/concurrency/gate.ts";
import { createLookPause } from "#/kernel/concurrency/polling.ts";
import { createWakeUp } from "#/kernel/concurrency/wake-up.ts";
import { waitFor } from "#/kernel/telemetry/loop-watch.ts";
import { minuteMs } from "#/kernel/values/durations.ts";

export interface FairTurns {
  /** A hint that there is work. @param name whose work, where that is known: then only that owner's work is looked for. */
  wake(name?: string): void;
  /** Finishes the running batches. */
  stop(): Promise<void>;
}

/** The result of a batch. */
export interface Batch {
  /** Measured in the units of the batch size. */
  readonly weight: number;
  /** The owner gets another turn as soon as the other waiting owners have had theirs. */
  readonly hasMore: boolean;
}

export interface BatchSizes {
  /**
   * A slow batch never shrinks the next one below this size, because each batch has fixed costs. A failed batch may.
   */
  readonly sizeMin: number;
  readonly sizeMax: number;
}

/**
 * EVERYBODY: for example an unreachable store; the failure says nothing about the owner. PASSING: the owner's work
 * conflicted with other work, and is postponed for a moment each time.
 */
export type FailureScope = "EVERYBODY" | "OWNER" | "PASSING";

export interface FairTurnsContext<Work> extends BatchSizes {
  /** For the watch of the event loop. */
  readonly name: string;
  /** All owners that have work, in no order. */
  find(): Promise<ReadonlyMap<string, Work>>;
  /**
   * The owners that have work among those that a hint names. On Citus it asks one shard, and `find` each of them: without
   * it, every commit of a client was a look at all clients.
   */
  findNamed?(name: string): Promise<ReadonlyMap<string, Work>>;
  /**
   * Runs one batch of an owner. An owner's batches never overlap. @param size the maximum weight of the batch; at least
   * 1.
   */
  work(owner: string, work: Work, size: number): Promise<Batch>;
  scopeOf(error: unknown): FailureScope;
  onError(error: Error, owner?: string): void;
  /** Maximum number of concurrent batches; slow owners together have at most half of them. */
  readonly placesMax: number;
  /**
   * Milliseconds between polls for work. If each commit of a busy system started a poll, a turn would find only a few
   * rows.
   */
  readonly paceMs: number;
  /**
   * Milliseconds after which a poll runs without a hint: a lost hint costs latency only. Longer after ten seconds
   * without work.
   */
  readonly pollMs: number;
}

/** The target duration of a batch: the longest that another owner waits for it. */
const goalMs = 100;
const slowMs = 10 * goalMs;
const backOffMsMin = 500;
const backOffMsMax = minuteMs;
/**
 * The limit for an owner whose failure no success of another owner contradicts: the store may be at fault, and recover
 * soon.
 */
const backOffMsMaxAlone = 4_000;
const pauseAfterErrorMs = 500;
/** Maximum number of owners of one poll; the owners that were served longest ago come first. */
const ownersMax = 1_000;
/** How long an owner without work is remembered. */
const forgetMs = 300_000;

interface OwnerState {
  size: number;
  failures: number;
  /** Postponed until then. */
  retryAtMs: number;
  /** When its last batch began. */
  servedAtMs: number;
}

/** The state of owners: the size of their batches, when each was last served, and until when it is postponed. */
export interface OwnerStates {
  sizeOf(owner: string): number;
  isPostponed(owner: string): boolean;
  listPostponed(): string[];
  /** Sorted so that owners that were served longest ago, or never, come first. */
  sortByTurn<T>(owners: Iterable<readonly [string, T]>): (readonly [string, T])[];
  begin(owner: string): void;
  succeed(owner: string, weight: number): void;
  fail(owner: string, scope?: "OWNER" | "PASSING"): void;
  /** When the first of the postponed owners may be served; undefined where none is postponed. */
  nextRetryMs(): number | undefined;
  /** Forgets owners that have had no work for a long time. */
  forget(): void;
}

export function createOwnerStates({ sizeMin, sizeMax }: BatchSizes, now: () => number): OwnerStates {
  const states = new Map<string, OwnerState>();
  let lastSuccess: { readonly owner: string; readonly atMs: number } | undefined;
  let successBefore: typeof lastSuccess;

  function of(owner: string): OwnerState {
    const known = states.get(owner);
    if (known) return known;
    const state = { size: sizeMax, failures: 0, retryAtMs: 0, servedAtMs: Number.NEGATIVE_INFINITY };
    states.set(owner, state);
    return state;
  }

  /** Another owner has succeeded since, so the failure concerns this owner only. */
  function hasOtherSucceededSince(owner: string, ms: number): boolean {
    const other = lastSuccess?.owner === owner ? successBefore : lastSuccess;
    return other !== undefined && other.atMs >= ms;
  }

  return {
    sizeOf: (owner) => Math.floor(states.get(owner)?.size ?? sizeMax),
    isPostponed: (owner) => (states.get(owner)?.retryAtMs ?? 0) > now(),
    listPostponed: () => [...states].flatMap(([owner, { retryAtMs }]) => (retryAtMs > now() ? owner : [])),
    sortByTurn: (owners) => {
      const servedAtMs = (owner: string) => states.get(owner)?.servedAtMs ?? Number.NEGATIVE_INFINITY;
      return [...owners].sort(([a], [b]) => {
        const order = servedAtMs(a) - servedAtMs(b);
        return Number.isNaN(order) ? 0 : order;
      });
    },
    begin(owner) {
      of(owner).servedAtMs = now();
    },
    succeed(owner, weight) {
      const state = of(owner);
      const ms = now() - state.servedAtMs;
      if (lastSuccess?.owner !== owner) successBefore = lastSuccess;
      lastSuccess = { owner, atMs: now() };
      state.failures = 0;
      state.retryAtMs = 0;
      if (ms <= goalMs) {
        state.size = Math.min(sizeMax, state.size * 1.5 + 1);
      } else if (weight > sizeMin) {
        // Halved at most: one batch that had to wait is weak evidence.
        state.size = Math.min(state.size, Math.max(sizeMin, weight * Math.max(0.5, goalMs / ms)));
      }
    },
    fail(owner, scope = "OWNER") {
      const state = of(owner);
      const ms = now() - state.servedAtMs;
      if (scope === "PASSING") {
        state.retryAtMs = now() + backOffMsMin;
        return;
      }
      state.failures++;
      // A batch that ran for 4 s before it failed is 40 times too large: halving alone needs six failures to find that
      // out.
      state.size = Math.max(1, state.size * Math.min(0.5, goalMs / ms));
      const max = hasOtherSucceededSince(owner, state.servedAtMs) ? backOffMsMax : backOffMsMaxAlone;
      state.retryAtMs = now() + Math.min(max, backOffMsMin * 2 ** (state.failures - 1));
    },
    nextRetryMs() {
      const nowMs = now();
      const retries = [...states.values()].flatMap(({ retryAtMs }) => (retryAtMs > nowMs ? retryAtMs : []));
      return retries.length === 0 ? undefined : Math.min(...retries);
    },
    forget() {
      for (const [owner, { servedAtMs, retryAtMs }] of states) {
        if (Math.max(servedAtMs, retryAtMs) < now() - forgetMs) states.delete(owner);
      }
    },
  };
}

/**
 * Looks for owners with work, on a wake-up and by a polling loop, and serves each owner independently, batch by batch:
 * no owner waits for another's last batch. Owners that wait for a place get it in turn. A failure concerns its owner
 * only: the owner is postponed, longer each time, and its next batch is smaller.
 */
export function startFairTurns<Work>(context: FairTurnsContext<Work>): FairTurns {
  const { placesMax, paceMs, pollMs, onError } = context;
  const now = () => performance.now();
  const states = createOwnerStates(context, now);
  const gate = createFairGate(placesMax, { slowMs });
  const wakeUp = createWakeUp();
  const lookPause = createLookPause(pollMs);
  const served = new Map<string, Promise<void>>();
  /** Names of hints, until they are looked for. */
  let hints = new Set<string>();
  /** Owners that were found again while they were served, by the hint or by a poll: they may have new work. */
  const foundWhileServed = new Map<string, string | undefined>();
  let isStopping = false;
  let pausedUntilMs = 0;
  /** When all owners are looked for again. A hint without a name makes that now. */
  let pollsAtMs = 0;

  function wake(name?: string): void {
    if (name !== undefined && context.findNamed) hints.add(name);
    else pollsAtMs = 0;
    wakeUp.notify();
  }

  /** Returns whether the owner has more work. */
  async function serveBatch(owner: string, work: Work): Promise<boolean> {
    if (isStopping || now() < pausedUntilMs) return false;
    states.begin(owner);
    try {
      const { weight, hasMore } = await context.work(owner, work, states.sizeOf(owner));
      states.succeed(owner, weight);
      return hasMore;
    } catch (error) {
      const scope = context.scopeOf(error);
      if (scope === "EVERYBODY") pausedUntilMs = now() + pauseAfterErrorMs;
      else states.fail(owner, scope);
      onError(error as Error, owner);
      return false;
    }
  }

  async function serve(owner: string, work: Work): Promise<void> {
    while (await gate(owner, () => serveBatch(owner, work)));
    served.delete(owner);
    if (!foundWhileServed.has(owner)) return;
    const name = foundWhileServed.get(owner);
    foundWhileServed.delete(owner);
    wake(name);
  }

  async function look(): Promise<void> {
    const names = hints;
    hints = new Set();
    const isPoll = now() >= pollsAtMs;
    if (isPoll) {
      pollsAtMs = Number.POSITIVE_INFINITY;
      const hasNews = serveFound(await context.find());
      pollsAtMs = Math.min(pollsAtMs, now() + lookPause.after(hasNews));
      return;
    }
    await Promise.all([...names].map(lookFor));
  }

  async function lookFor(name: string): Promise<void> {
    try {
      serveFound((await context.findNamed?.(name)) ?? new Map(), name);
    } catch (error) {
      // The next poll finds the work, and reports a store that cannot be reached.
      pollsAtMs = 0;
      if (context.scopeOf(error) !== "EVERYBODY") onError(error as Error, name);
    }
  }

  /** Returns whether an owner was found that is not being served: no hint came for it, or not yet. */
  function serveFound(found: ReadonlyMap<string, Work>, name?: string): boolean {
    let hasNews = false;
    const sortByTurn = states.sortByTurn(found).filter(([owner]) => !states.isPostponed(owner));
    for (const [owner, work] of sortByTurn.slice(0, ownersMax)) {
      if (served.has(owner)) foundWhileServed.set(owner, name);
      else {
        served.set(owner, serve(owner, work));
        hasNews = true;
      }
    }
    return hasNews;
  }

  /** Waits for quick batches, so that work that arrives meanwhile forms one batch. */
  async function letWork(): Promise<void> {
    if (served.size === 0) return;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, goalMs);
    });
    await Promise.race([Promise.all(served.values()), late]);
    clearTimeout(timer);
  }

  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  const running = namedWork(context.name, async () => {
    while (!isStopping) {
      wakeUp.reset();
      try {
        if (now() >= pausedUntilMs) await look();
      } catch (error) {
        onError(error as Error);
        pausedUntilMs = now() + pauseAfterErrorMs;
        pollsAtMs = 0;
      }
      await letWork();
      states.forget();
      await waitFor(pause(paceMs));
      const retriesAtMs = states.nextRetryMs() ?? Number.POSITIVE_INFINITY;
      pollsAtMs = Math.min(pollsAtMs, retriesAtMs);
      const resumesAtMs = pausedUntilMs > now() ? pausedUntilMs : pollsAtMs;
      await wakeUp.wait(Math.max(0, resumesAtMs - now()));
    }
    await Promise.all(served.values());
  });

  return {
    wake,
    async stop() {
      isStopping = true;
      wakeUp.notify();
      await running;
    },
  };
}
