import { createFairQueue } from "#/kernel/fair-queue.ts";

/** Lets so much run at a time; what comes later waits in its order. */
export type Gate = <T>(work: () => Promise<T>) => Promise<T>;

export function createGate(placesMax: number): Gate {
  const gate = createFairGate(placesMax);
  return (work) => gate("", work);
}

/** The same for work of several owners, who take turns: nobody waits for all that another has sent before. */
export type FairGate = <T>(owner: string, work: () => Promise<T>) => Promise<T>;

export function createFairGate(placesMax: number): FairGate {
  const waiting = createFairQueue<() => void>();
  let taken = 0;
  return async (owner, work) => {
    const turn = new Promise<void>((resolve) => waiting.push(owner, resolve));
    if (taken < placesMax) {
      taken++;
      waiting.shift()?.();
    }
    await turn;
    try {
      return await work();
    } finally {
      // The place goes to whoever waits, and is never free between the two.
      const next = waiting.shift();
      if (next) next();
      else taken--;
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
