/** A timer that runs only while there is something to look after: a timer for nothing wakes an idle process. */
export interface Ticker {
  /** Starts the timer where it does not run. */
  start(): void;
  stop(): void;
}

/** @param tick returns false to stop the timer. */
export function createTicker(everyMs: number, tick: () => boolean): Ticker {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  return {
    start() {
      timer ??= setInterval(() => {
        if (!tick()) stop();
      }, everyMs).unref();
    },
    stop,
  };
}
