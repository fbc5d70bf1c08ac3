import { createFairQueue } from "#/kernel/concurrency/fair-queue.ts";

/** Limits concurrent work; later work waits in its order. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

export function createGate(placesMax: number): Gate {
  const gate = createFairGate(placesMax);
  return (work) => gate("", work);
}

/** A gate for work of several owners, who take turns: no owner waits for all earlier work of another. */
export type FairGate = <T>(owner: string, work: () => Promise<T>) => Promise<T>;

export interface FairGateOptions {
  /**
   * An owner whose work takes this long is slow until one of its tasks is quicker. Slow owners together hold at most
   * half of the places. However many they are, the other owners share the other half.
   */
  readonly slowMs?: number;
  /** Maximum number of places of one owner; all of them by default. */
  readonly ownerPlacesMax?: number;
  /** For tests. */
  readonly now?: () => number;
}

export function createFairGate(placesMax: number, options: FairGateOptions = {}): FairGate {
  const {
    slowMs = Number.POSITIVE_INFINITY,
    ownerPlacesMax = Number.POSITIVE_INFINITY,
    now = () => performance.now(),
  } = options;
  const slowMax = Math.max(1, Math.floor(placesMax / 2));
  const waiting = createFairQueue<() => void>();
  const running = new Set<{ readonly owner: string; readonly startedMs: number }>();
  const slow = new Set<string>();
  let taken = 0;

  function hasPlace(owner: string): boolean {
    if (ownerPlacesMax === Number.POSITIVE_INFINITY) return true;
    let places = 0;
    for (const run of running) if (run.owner === owner) places++;
    return places < ownerPlacesMax;
  }

  /** Marks owners of long-running work as slow before that work ends. */
  function noteSlow(): void {
    if (slowMs === Number.POSITIVE_INFINITY) return;
    for (const { owner, startedMs } of running) if (now() - startedMs >= slowMs) slow.add(owner);
  }

  function giveOut(): void {
    noteSlow();
    while (taken < placesMax && waiting.length > 0) {
      const slowTaken = slow.size === 0 ? 0 : [...running].filter(({ owner }) => slow.has(owner)).length;
      const begin = waiting.shift((owner) => (slowTaken < slowMax || !slow.has(owner)) && hasPlace(owner));
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
