/** Lets a loop sleep until a wake-up or a time-out. A wake-up that arrived while the loop was busy also counts. */
export interface Alarm {
  ring(): void;
  /** Acknowledges all wake-ups so far: only later ones shorten the next sleep. */
  hear(): void;
  rest(msMax: number): Promise<void>;
}

export function createAlarm(): Alarm {
  let hasRung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      hasRung = true;
      wake?.();
    },
    hear() {
      hasRung = false;
    },
    async rest(msMax) {
      if (hasRung) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, msMax);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      wake = undefined;
    },
  };
}
