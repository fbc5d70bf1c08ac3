import { setTimeout as sleep } from "node:timers/promises";
import { namedWork } from "#/kernel/concurrency/deadline.ts";
import { createWakeUp } from "#/kernel/concurrency/wake-up.ts";

/** A loop that polls until it is stopped. */
export interface Polling {
  /** Ends the pause. A wake-up during a turn is kept for the pause after it. */
  wake(): void;
  /** Ends the loop; resolves when the current turn is over. */
  stop(): Promise<void>;
}

export interface PollingOptions {
  /** For the watch of the event loop. */
  readonly name: string;
  readonly everyMs: number;
  /** Handles its errors. May return another pause, in milliseconds: 0 for none. */
  readonly turn: () => Promise<number | undefined> | Promise<void>;
  /** The caller has run the first turn: the loop begins with a pause. */
  readonly beginsWithPause?: boolean;
}

/** Runs turns, with a pause after each. */
export function startPolling({ name, everyMs, turn, beginsWithPause = false }: PollingOptions): Polling {
  const wakeUp = createWakeUp();
  let isStopping = false;
  const running = namedWork(name, async () => {
    if (beginsWithPause) await wakeUp.wait(everyMs);
    while (!isStopping) {
      wakeUp.reset();
      const result = await turn();
      const pauseMs = typeof result === "number" ? result : everyMs;
      if (pauseMs > 0 && !isStopping) await wakeUp.wait(pauseMs);
    }
  });
  return {
    wake: () => wakeUp.notify(),
    async stop() {
      isStopping = true;
      wakeUp.notify();
      await running;
    },
  };
}

/** Work found within this time is expected again soon. */
const restlessMs = 10_000;
const idlePollMs = 5_000;

/**
 * The pause until the next full `everyMs` of the process. Loops at rest look at the same moment, so that they wake the
 * process once: a wake-up of an idle machine costs 0.1 ms of the processor.
 */
export function untilNextMs(everyMs: number): number {
  const pauseMs = everyMs - (performance.now() % everyMs);
  // A timer may fire early.
  return pauseMs < everyMs / 10 ? pauseMs + everyMs : pauseMs;
}

/**
 * The pause between two looks for work: short while there was work of late, then longer. A hint wakes the loop in between,
 * so a pause matters only where the hint was lost with the process that had it. Six loops at one look a second took half
 * of an idle process's time (bench/results.md).
 */
export function createLookPause(pollMs: number): { after(hasWork: boolean): number } {
  let workedAtMs = performance.now();
  return {
    after(hasWork) {
      const nowMs = performance.now();
      if (hasWork) workedAtMs = nowMs;
      return nowMs - workedAtMs < restlessMs ? pollMs : untilNextMs(Math.max(pollMs, idlePollMs));
    },
  };
}

/** Probes until there is a result. @returns undefined if there is none within `msMax`. */
export async function pollUntil<Found>(
  probe: () => Found | undefined | Promise<Found | undefined>,
  { everyMs, msMax }: { readonly everyMs: number; readonly msMax: number },
): Promise<Found | undefined> {
  for (const giveUpMs = performance.now() + msMax; ; await sleep(everyMs)) {
    const found = await probe();
    if (found !== undefined || performance.now() >= giveUpMs) return found;
  }
}
