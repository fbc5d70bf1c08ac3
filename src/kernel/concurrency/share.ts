import { currentHolder, watchOver } from "#/kernel/concurrency/deadline.ts";
import { createFairGate } from "#/kernel/concurrency/gate.ts";

/**
 * Runs a piece of work of the current request (docs/decisions/0040-fair-turns.md): its sender has a share of the places
 * and of the queue, and the senders take turns. Work without a request belongs to the program, which has a share too.
 *
 * @throws {ShareError}, or the error of `onLate`
 */
export type Share = <T>(work: () => Promise<T>) => Promise<T>;

export interface ShareOptions {
  /** The work in the plural, for the refusal: `prints`. */
  readonly what: string;
  readonly placesMax: number;
  /** Places of one sender. */
  readonly runningMax: number;
  /** Work of one sender that runs and waits. */
  readonly heldMax: number;
  /** The error of work whose turn comes when its request is late or its sender has hung up. */
  readonly onLate: () => Error;
}

/** The sender has used up its share. Nothing was done. */
export class ShareError extends Error {
  override readonly name = "ShareError";
  readonly retryAfterSeconds = 2;
}

export function createShare({ what, placesMax, runningMax, heldMax, onLate }: ShareOptions): Share {
  const gate = createFairGate(placesMax, { ownerPlacesMax: runningMax });
  const held = new Map<string, number>();
  return async (work) => {
    const holder = currentHolder() ?? "";
    const before = held.get(holder) ?? 0;
    if (before >= heldMax) {
      throw new ShareError(`The sender has ${heldMax} ${what} in progress, which is the limit; try again in 2 s`);
    }
    held.set(holder, before + 1);
    const isWaitedFor = watchOver();
    try {
      return await gate(holder, async () => {
        // Work that no sender waits for would only delay the others.
        if (!isWaitedFor()) throw onLate();
        return work();
      });
    } finally {
      const left = (held.get(holder) as number) - 1;
      if (left === 0) held.delete(holder);
      else held.set(holder, left);
    }
  };
}
