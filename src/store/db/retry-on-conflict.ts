import { setTimeout as sleep } from "node:timers/promises";
import { isWorthRepeating, sqlStateOf } from "#/store/db/errors.ts";

export interface RetryOptions {
  readonly attemptsMax: number;
  /** The pause after an attempt; by default none, because the lock that failed has already made the work wait. */
  readonly pauseMs?: (attempt: number) => number;
  /** Whether a new attempt can succeed where this one failed; by default `isWorthRepeating`. */
  readonly isConflict?: (error: unknown) => boolean;
}

/**
 * Repeats work that conflicted with other transactions: a new attempt sees their result.
 *
 * @throws the error of the last attempt, or the first error that is not a conflict.
 */
export async function retryOnConflict<T>(
  work: () => Promise<T>,
  { attemptsMax, pauseMs = () => 0, isConflict = isWorthRepeating }: RetryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt >= attemptsMax || !isConflict(error)) throw error;
      const ms = pauseMs(attempt);
      if (ms > 0) await sleep(ms);
    }
  }
}

/**
 * How long a schema change waits for a table lock. All later lock requests queue after a waiting one. This limit is
 * well below the second that statements of the program wait for a lock, so that a schema change on running nodes costs
 * none of their requests.
 */
export const tableWaitMsMax = 250;
const tablePauseMs = 750;
const tableAttemptsMax = 120;

/** Lock time-out, and deadlock. */
const tableLockStates: ReadonlySet<string> = new Set(["55P03", "40P01"]);

/** Retries a schema change whose tables are locked: for up to two minutes, or `attemptsMax` attempts, of a second each. */
export function retryOnTableLock<T>(work: () => Promise<T>, attemptsMax = tableAttemptsMax): Promise<T> {
  const isConflict = (error: unknown) => tableLockStates.has(sqlStateOf(error) ?? "");
  return retryOnConflict(work, { attemptsMax, pauseMs: () => tablePauseMs, isConflict });
}
