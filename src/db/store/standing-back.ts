import { setTimeout as sleep } from "node:timers/promises";
import { sqlStateOf } from "#/db/errors.ts";

/**
 * How long a change of the schema waits for a table. Whoever waits for one makes all others wait behind him: this is well
 * below the second that statements of the program wait for a lock, so that a change beside running nodes costs none of
 * their requests.
 */
export const tableWaitMsMax = 250;
const pauseMs = 750;
const triesMax = 120;

/** A lock that was not to be had in time, and a deadlock. */
const inTheWayStates: ReadonlySet<string> = new Set(["55P03", "40P01"]);

/** Does the work again for as long as others are in its way: up to two minutes, or so many tries, of a second each. */
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
