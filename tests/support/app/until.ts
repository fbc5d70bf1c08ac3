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

/**
 * What is answered, not 503: that is asked again, as whoever uses the program does. On a slow machine the last of many at once
 * are told to come back, of a write perhaps after it was kept: it needs a key or an id by which it is known again.
 */
export function untilTaken<Answer extends { readonly status: number }>(
  ask: () => Promise<Answer>,
  msMax = 120_000,
): Promise<Answer> {
  const taken = async () => {
    const answer = await ask();
    return answer.status === 503 ? undefined : answer;
  };
  return until("an answer other than 503", taken, msMax) as Promise<Answer>;
}
