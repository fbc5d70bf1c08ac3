import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Asks again until there is an answer other than undefined or false.
 * @param what is waited for, for the message
 * @throws when there is none within `msMax`
 */
export async function until<T>(
  what: string,
  ask: () => Promise<T> | T,
  msMax = 30_000,
): Promise<Exclude<T, undefined | false>> {
  for (const giveUpMs = performance.now() + msMax; ; await sleep(20)) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer as Exclude<T, undefined | false>;
    assert(performance.now() < giveUpMs, `waited ${msMax} ms for ${what}`);
  }
}
