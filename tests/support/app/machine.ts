// How much slower this machine is at present than one that has nothing else to do. What the program promises within some
// seconds it promises on a machine that has time for it: by so much more it may take.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { atEnd } from "./at-end.ts";

/** What the start of a program that does nothing takes at the most where nobody else is at work: then nothing is granted. */
const usualStartMs = 60;
/** The same of a page that is to be on the disk. */
const usualWriteMs = 30;
const lookMs = 500;
/** Longer than anything that is promised takes. */
const keptMs = 30_000;
/** Where a machine is slower still nothing can be said of what is promised. */
export const stretchMax = 10;

/** How long something takes, in multiples of what it usually takes. */
async function lookAt(usualMs: number, work: () => Promise<unknown>): Promise<number> {
  const beganMs = performance.now();
  await work();
  return (performance.now() - beganMs) / usualMs;
}

async function writePage(file: string): Promise<void> {
  const page = await open(file, "w");
  await page.write(Buffer.alloc(8_192, 1));
  await page.sync();
  await page.close();
}

/**
 * Looks from now on how long the machine takes to start a program that does nothing, and to have a page on its disk. To be
 * called at the top of a file.
 * @returns by what a limit is to be multiplied now: 1, or up to 10 where the machine was slow for a quarter of the last half minute
 */
export function watchMachine(): () => number {
  const folder = mkdtempSync(path.join(os.tmpdir(), "crossdock-machine-"));
  const looks: { readonly atMs: number; ratio: number }[] = [];
  const ended = new AbortController();
  let pendingSinceMs: number | undefined;
  const looking = (async () => {
    while (!ended.signal.aborted) {
      const atMs = performance.now();
      pendingSinceMs = atMs;
      const starts = await lookAt(usualStartMs, () =>
        once(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }), "exit"),
      );
      const writes = await lookAt(usualWriteMs, () => writePage(path.join(folder, "page")));
      const look = { atMs, ratio: Math.max(starts, writes) };
      looks.push(look);
      pendingSinceMs = undefined;
      const sleptAtMs = performance.now();
      await sleep(lookMs, undefined, { signal: ended.signal }).catch(() => {});
      // By what it is woken too late this process itself stood still.
      look.ratio = Math.max(look.ratio, (performance.now() - sleptAtMs - lookMs) / usualStartMs);
    }
  })();
  atEnd(async () => {
    ended.abort();
    await looking;
    await rm(folder, { recursive: true, force: true });
  });
  return () => {
    const nowMs = performance.now();
    const ratios = looks.filter(({ atMs }) => atMs > nowMs - keptMs).map(({ ratio }) => ratio);
    ratios.sort((left, right) => left - right);
    // All but the slowest quarter: some of them may have met the very start of the programs that the test is about. A look that
    // has not come back counts with what it has taken so far.
    const usual = ratios[Math.floor((ratios.length * 3) / 4)] ?? 0;
    const pending = pendingSinceMs === undefined ? 0 : nowMs - pendingSinceMs;
    return Math.min(stretchMax, Math.max(1, usual, pending / (usualStartMs + usualWriteMs)));
  };
}
