import { createFairQueue } from "#/kernel/concurrency/fair-queue.ts";

/** Lets so much run at a time; what comes later waits in its order. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

export function createGate(placesMax: number): Gate {
  const gate = createFairGate(placesMax);
  return (work) => gate("", work);
}

/** The same for work of several owners, who take turns: nobody waits for all that another has sent before. */
export type FairGate = <T>(owner: string, work: () => Promise<T>) => Promise<T>;

export interface FairGateOptions {
  /**
   * An owner whose work takes so long is slow until one of its works is quicker. Slow owners together hold at most half of
   * the places: however many they are, the other half goes round among the others.
   */
  readonly slowMs?: number;
  /** For tests. */
  readonly now?: () => number;
}

export function createFairGate(placesMax: number, options: FairGateOptions = {}): FairGate {
  const { slowMs = Number.POSITIVE_INFINITY, now = () => performance.now() } = options;
  const slowMax = Math.max(1, Math.floor(placesMax / 2));
  const waiting = createFairQueue<() => void>();
  const running = new Set<{ readonly owner: string; readonly startedMs: number }>();
  const slow = new Set<string>();
  let taken = 0;

  /** What runs for so long says so before it ends. */
  function noteSlow(): void {
    if (slowMs === Number.POSITIVE_INFINITY) return;
    for (const { owner, startedMs } of running) if (now() - startedMs >= slowMs) slow.add(owner);
  }

  function giveOut(): void {
    noteSlow();
    while (taken < placesMax && waiting.length > 0) {
      const slowTaken = slow.size === 0 ? 0 : [...running].filter(({ owner }) => slow.has(owner)).length;
      const begin = waiting.shift((owner) => slowTaken < slowMax || !slow.has(owner));
      if (!begin) return;
      begin();
    }
  }

  return async (owner, work) => {
    const run = { owner, startedMs: 0 };
    await new Promise<void>((resolve) => {
      waiting.push(owner, () => {
        taken++;
        run.startedMs = now();
        running.add(run);
        resolve();
      });
      giveOut();
    });
    try {
      return await work();
    } finally {
      running.delete(run);
      taken--;
      if (now() - run.startedMs >= slowMs) slow.add(owner);
      else slow.delete(owner);
      giveOut();
    }
  };
}

/**
 * Does the same for each, so many at a time, in their order. The first failure keeps what is behind it from beginning.
 *
 * @throws that failure, when all that has begun has ended: nothing of it goes on behind the caller's back.
 */
export async function forEachAtOnce<T>(
  items: Iterable<T>,
  placesMax: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const gate = createGate(placesMax);
  const failures: unknown[] = [];
  await Promise.all(
    Array.from(items, (item) =>
      gate(async () => {
        if (failures.length > 0) return;
        await work(item).catch((error: unknown) => failures.push(error));
      }),
    ),
  );
  if (failures.length > 0) throw failures[0];
}
