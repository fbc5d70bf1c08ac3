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
