/** Lets a loop rest until it is woken or a time has passed. It is woken as well by a ring that came while it was busy. */
export interface Alarm {
  ring(): void;
  /** What rang until now is being seen to: only later rings cut the next rest short. */
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
