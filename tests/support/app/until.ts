import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Polls until there is a result other than undefined or false.
 * @param what the awaited condition, for the message; a function is called when the time is over
 * @throws if there is no result within `msMax`
 */
export async function until<T>(
  what: string | (() => string),
  ask: () => Promise<T> | T,
  msMax = 30_000,
): Promise<Exclude<T, undefined | false>> {
  for (const giveUpMs = performance.now() + msMax; ; await sleep(20)) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer as Exclude<T, undefined | false>;
    if (performance.now() < giveUpMs) continue;
    assert.fail(`waited ${msMax} ms for ${typeof what === "string" ? what : what()}`);
  }
}

/**
 * Retries on 503, like a real client. On a slow machine, the last of many concurrent requests get a 503, even after a
 * write was stored. Such a write needs a key or an id that makes it idempotent.
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
