// Long steps of the event loop, for tests of the watch and of work that gives turns.
import { setTimeout as sleep } from "node:timers/promises";
import { type LongStep, watchLoop } from "#/kernel/telemetry/loop-watch.ts";

/** Longer than a period of the watch. */
const periodMs = 60;

/** Occupies the event loop for this processor time. */
export function compute(ms: number): void {
  const before = process.threadCpuUsage();
  for (let used = 0; used < ms; ) {
    const { user, system } = process.threadCpuUsage(before);
    used = (user + system) / 1_000;
  }
}

/** The steps of over 100 ms while `work` runs. */
export async function stepsDuring(work: () => unknown): Promise<readonly LongStep[]> {
  const steps: LongStep[] = [];
  const stop = watchLoop((step) => steps.push(step));
  await sleep(periodMs);
  steps.length = 0;
  await work();
  await sleep(periodMs);
  stop();
  return steps;
}

/** The routes and names of the steps of over 100 ms while `work` runs. */
export async function longWorkDuring(work: () => unknown): Promise<readonly string[]> {
  return (await stepsDuring(work)).flatMap(({ route }) => route ?? []);
}
