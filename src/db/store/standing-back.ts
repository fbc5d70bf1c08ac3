import { setTimeout as sleep } from "node:timers/promises";
import { sqlStateOf } from "#/db/errors.ts";

/**
 * How long a schema change waits for a table lock. All later lock requests queue after a waiting one. This limit is
 * well below the second that statements of the program wait for a lock, so that a schema change on running nodes costs
 * none of their requests.
 */
export const tableWaitMsMax = 250;
const pauseMs = 750;
const triesMax = 120;

/** Lock time-out, and deadlock. */
const inTheWayStates: ReadonlySet<string> = new Set(["55P03", "40P01"]);

/** Retries on lock timeout or deadlock (55P03, 40P01): for up to two minutes, or `tries` attempts, of a second each. */
export async function standingBack<T>(work: () => Promise<T>, tries = triesMax): Promise<T> {
  for (let done = 1; ; done++) {
    try {
      return await work();
    } catch (error) {
      if (!inTheWayStates.has(sqlStateOf(error) ?? "") || done >= tries) throw error;
      await sleep(pauseMs);
    }
  }
}
