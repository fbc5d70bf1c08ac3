import { waitFor } from "#/kernel/telemetry/loop-watch.ts";

/** Lets a loop sleep until a wake-up or a time-out. A wake-up that arrived while the loop was busy also counts. */
export interface WakeUp {
  notify(): void;
  /** Acknowledges all wake-ups so far: only later ones shorten the next sleep. */
  reset(): void;
  wait(msMax: number): Promise<void>;
}

export function createWakeUp(): WakeUp {
  let hasRung = false;
  let wake: (() => void) | undefined;
  return {
    notify() {
      hasRung = true;
      wake?.();
    },
    reset() {
      hasRung = false;
    },
    async wait(msMax) {
      if (hasRung) return;
      const ring = new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, msMax);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      await waitFor(ring);
      wake = undefined;
    },
  };
}
