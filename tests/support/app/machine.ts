// Measures how much slower this machine is at present than an idle one. Time limits of a few seconds assume an idle
// machine, so they are multiplied by this factor.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { atEnd } from "./at-end.ts";

/** Start of an empty program on an idle machine, at most. Up to this time, the factor is 1. */
const usualStartMs = 60;
/** The same for a write of a page to the disk. */
const usualWriteMs = 30;
const lookMs = 500;
/** Longer than any tested time limit. */
const keptMs = 30_000;
/** Maximum factor. On a slower machine, time limits cannot be tested. */
export const stretchMax = 10;

/** Duration of some work, as a multiple of its usual duration. */
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
 * Measures from now on the start of an empty program and the write of a page to the disk. Call it at the top of a file.
 * @returns the current factor for a time limit: 1, or up to 10 if the machine was slow for a quarter of the last half
 * minute
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
      // A late wake-up means that this process itself was suspended.
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
    // Ignores the slowest quarter, which may coincide with the start of the tested programs. A pending measurement
    // counts with its duration so far.
    const usual = ratios[Math.floor((ratios.length * 3) / 4)] ?? 0;
    const pending = pendingSinceMs === undefined ? 0 : nowMs - pendingSinceMs;
    return Math.min(stretchMax, Math.max(1, usual, pending / (usualStartMs + usualWriteMs)));
  };
}
