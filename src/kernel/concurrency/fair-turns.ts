// Work behind the requests that many owners have at the same time: each has turns of its own, and no owner's trouble is
// another's (docs/decisions/0040-fair-turns.md).
import { createAlarm } from "#/kernel/concurrency/alarm.ts";
import { createFairGate } from "#/kernel/concurrency/gate.ts";

export interface FairTurns {
  /** A hint that there is work. */
  wake(): void;
  /** Finishes the batches under way. */
  stop(): Promise<void>;
}

/** What a batch has done. */
export interface Batch {
  /** In the units of its size. */
  readonly weight: number;
  /** The owner has another turn as soon as the others that wait have had theirs. */
  readonly hasMore: boolean;
}

export interface BatchSizes {
  /** A batch that only took long is not followed by one below this: each has its fixed costs. One that failed may be. */
  readonly sizeMin: number;
  readonly sizeMax: number;
}

/**
 * EVERYBODY: such as a store that cannot be reached; it says nothing about the owner. PASSING: the owner was in another's way,
 * and is put off for a moment each time.
 */
export type FailureScope = "EVERYBODY" | "OWNER" | "PASSING";

export interface FairTurnsContext<Work> extends BatchSizes {
  /** All owners that have work, in no order. */
  find(): Promise<ReadonlyMap<string, Work>>;
  /** One batch of an owner. An owner's batches never overlap. @param size the weight that it may have; at least 1. */
  work(owner: string, work: Work, size: number): Promise<Batch>;
  scopeOf(error: unknown): FailureScope;
  onError(error: Error, owner?: string): void;
  /** Batches at a time; slow owners together have at most half of them. */
  readonly placesMax: number;
  /** Milliseconds between looks for work: woken by each commit of a busy system, a turn would find a handful of rows. */
  readonly paceMs: number;
  /** Milliseconds after which a look comes without a hint: a lost one costs latency only. */
  readonly pollMs: number;
}

/** What a batch should take: the longest that another owner waits for it. */
const goalMs = 100;
const slowMs = 10 * goalMs;
const backOffMsMin = 500;
const backOffMsMax = 60_000;
/** Of an owner whose failure nobody's success has contradicted: the fault may be the store's, and over soon. */
const backOffMsMaxAlone = 4_000;
const pauseAfterErrorMs = 500;
/** Of one look; those that were served longest ago come first. */
const ownersMax = 1_000;
/** An owner without work is remembered for so long. */
const forgetMs = 300_000;

interface Standing {
  size: number;
  failures: number;
  /** Put off until then. */
  retryAtMs: number;
  /** When its last batch began. */
  servedAtMs: number;
}

/** What is remembered of owners: how large their batches may be, when each was served, and until when it is put off. */
export interface Standings {
  sizeOf(owner: string): number;
  isPutOff(owner: string): boolean;
  /** Those first that were served longest ago, or never. */
  inTurn<T>(owners: Iterable<readonly [string, T]>): (readonly [string, T])[];
  begin(owner: string): void;
  succeed(owner: string, weight: number): void;
  fail(owner: string, scope?: "OWNER" | "PASSING"): void;
  /** When the first of those that are put off may be served; undefined where none is. */
  nextRetryMs(): number | undefined;
  /** Forgets owners that are long without work. */
  forget(): void;
}

export function createStandings({ sizeMin, sizeMax }: BatchSizes, now: () => number): Standings {
  const standings = new Map<string, Standing>();
  let lastSuccess: { readonly owner: string; readonly atMs: number } | undefined;
  let successBefore: typeof lastSuccess;

  function of(owner: string): Standing {
    const known = standings.get(owner);
    if (known) return known;
    const standing = { size: sizeMax, failures: 0, retryAtMs: 0, servedAtMs: Number.NEGATIVE_INFINITY };
    standings.set(owner, standing);
    return standing;
  }

  /** Another owner was served since, so the failure is this one's own. */
  function hasOtherSucceededSince(owner: string, ms: number): boolean {
    const other = lastSuccess?.owner === owner ? successBefore : lastSuccess;
    return other !== undefined && other.atMs >= ms;
  }

  return {
    sizeOf: (owner) => Math.floor(standings.get(owner)?.size ?? sizeMax),
    isPutOff: (owner) => (standings.get(owner)?.retryAtMs ?? 0) > now(),
    inTurn: (owners) => {
      const servedAtMs = (owner: string) => standings.get(owner)?.servedAtMs ?? Number.NEGATIVE_INFINITY;
      return [...owners].sort(([a], [b]) => {
        const order = servedAtMs(a) - servedAtMs(b);
        return Number.isNaN(order) ? 0 : order;
      });
    },
    begin(owner) {
      of(owner).servedAtMs = now();
    },
    succeed(owner, weight) {
      const standing = of(owner);
      const ms = now() - standing.servedAtMs;
      if (lastSuccess?.owner !== owner) successBefore = lastSuccess;
      lastSuccess = { owner, atMs: now() };
      standing.failures = 0;
      standing.retryAtMs = 0;
      if (ms <= goalMs) {
        standing.size = Math.min(sizeMax, standing.size * 1.5 + 1);
      } else if (weight > sizeMin) {
        // At most halved: one batch that had to wait says little.
        standing.size = Math.min(standing.size, Math.max(sizeMin, weight * Math.max(0.5, goalMs / ms)));
      }
    },
    fail(owner, scope = "OWNER") {
      const standing = of(owner);
      const ms = now() - standing.servedAtMs;
      if (scope === "PASSING") {
        standing.retryAtMs = now() + backOffMsMin;
        return;
      }
      standing.failures++;
      // What took 4 s before it failed is 40 times too large: by halves it would take six failures to find out.
      standing.size = Math.max(1, standing.size * Math.min(0.5, goalMs / ms));
      const max = hasOtherSucceededSince(owner, standing.servedAtMs) ? backOffMsMax : backOffMsMaxAlone;
      standing.retryAtMs = now() + Math.min(max, backOffMsMin * 2 ** (standing.failures - 1));
    },
    nextRetryMs() {
      const nowMs = now();
      const retries = [...standings.values()].flatMap(({ retryAtMs }) => (retryAtMs > nowMs ? retryAtMs : []));
      return retries.length === 0 ? undefined : Math.min(...retries);
    },
    forget() {
      for (const [owner, { servedAtMs, retryAtMs }] of standings) {
        if (Math.max(servedAtMs, retryAtMs) < now() - forgetMs) standings.delete(owner);
      }
    },
  };
}

/**
 * Looks for owners with work, when woken and by a poll, and has each served by itself, batch by batch: nobody waits for
 * another's last batch. Those that wait for a place have it in turn. Failures are an owner's own: it is put off, longer each
 * time, and its next batch is smaller.
 */
export function startFairTurns<Work>(context: FairTurnsContext<Work>): FairTurns {
  const { placesMax, paceMs, pollMs, onError } = context;
  const now = () => performance.now();
  const standings = createStandings(context, now);
  const gate = createFairGate(placesMax, { slowMs });
  const alarm = createAlarm();
  const served = new Map<string, Promise<void>>();
  /** Found again while they were served: perhaps for something that came behind. */
  const foundAgain = new Set<string>();
  let isStopping = false;
  let pausedUntilMs = 0;

  /** Answers whether the owner has more. */
  async function serveBatch(owner: string, work: Work): Promise<boolean> {
    if (isStopping || now() < pausedUntilMs) return false;
    standings.begin(owner);
    try {
      const { weight, hasMore } = await context.work(owner, work, standings.sizeOf(owner));
      standings.succeed(owner, weight);
      return hasMore;
    } catch (error) {
      const scope = context.scopeOf(error);
      if (scope === "EVERYBODY") pausedUntilMs = now() + pauseAfterErrorMs;
      else standings.fail(owner, scope);
      onError(error as Error, owner);
      return false;
    }
  }

  async function serve(owner: string, work: Work): Promise<void> {
    while (await gate(owner, () => serveBatch(owner, work)));
    served.delete(owner);
    if (foundAgain.delete(owner)) alarm.ring();
  }

  async function look(): Promise<void> {
    const found = await context.find();
    const inTurn = standings.inTurn(found).filter(([owner]) => !standings.isPutOff(owner));
    for (const [owner, work] of inTurn.slice(0, ownersMax)) {
      if (served.has(owner)) foundAgain.add(owner);
      else served.set(owner, serve(owner, work));
    }
  }

  /** What is quick is waited for, so that what comes meanwhile makes one batch. */
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

  const running = (async () => {
    while (!isStopping) {
      alarm.hear();
      try {
        if (now() >= pausedUntilMs) await look();
      } catch (error) {
        onError(error as Error);
        pausedUntilMs = now() + pauseAfterErrorMs;
      }
      await letWork();
      standings.forget();
      await pause(paceMs);
      const resumesAtMs = Math.min(
        pausedUntilMs > now() ? pausedUntilMs : Number.POSITIVE_INFINITY,
        standings.nextRetryMs() ?? Number.POSITIVE_INFINITY,
      );
      await alarm.rest(Math.max(0, Math.min(pollMs, resumesAtMs - now())));
    }
    await Promise.all(served.values());
  })();

  return {
    wake: () => alarm.ring(),
    async stop() {
      isStopping = true;
      alarm.ring();
      await running;
    },
  };
}
