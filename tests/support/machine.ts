// How much slower this machine is at present than one that has nothing else to do. What the program promises within some
// seconds it promises on a machine that has time for it: by so much more it may take.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { atEnd } from "./at-end.ts";

/** What the start of a program that does nothing takes at the most where nobody else is at work: then nothing is granted. */
const usualMs = 60;
const lookMs = 500;
/** Longer than anything that is promised takes. */
const keptMs = 30_000;
/** Where a machine is slower still nothing can be said of what is promised. */
const stretchMax = 10;

/**
 * Looks from now on how long the machine takes to start a program that does nothing. To be called at the top of a file.
 * @returns by what a limit is to be multiplied now: 1, or up to 10 where the machine was slow for most of the last half minute
 */
export function watchMachine(): () => number {
  const looks: { readonly atMs: number; readonly tookMs: number }[] = [];
  const ended = new AbortController();
  let pendingSinceMs: number | undefined;
  const looking = (async () => {
    while (!ended.signal.aborted) {
      const atMs = performance.now();
      pendingSinceMs = atMs;
      await once(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }), "exit");
      looks.push({ atMs, tookMs: performance.now() - atMs });
      pendingSinceMs = undefined;
      await sleep(lookMs, undefined, { signal: ended.signal }).catch(() => {});
    }
  })();
  atEnd(async () => {
    ended.abort();
    await looking;
  });
  return () => {
    const nowMs = performance.now();
    const took = looks.filter(({ atMs }) => atMs > nowMs - keptMs).map(({ tookMs }) => tookMs);
    took.sort((left, right) => left - right);
    // Half of the looks: one of them may have met the very start of the programs that the test is about. A look that has
    // not come back counts with what it has taken so far.
    const usual = took[Math.floor(took.length / 2)] ?? 0;
    const pending = pendingSinceMs === undefined ? 0 : nowMs - pendingSinceMs;
    return Math.min(stretchMax, Math.max(usualMs, usual, pending) / usualMs);
  };
}
