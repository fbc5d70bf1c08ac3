import { createAlarm } from "#/kernel/alarm.ts";

/** Work that goes on behind the requests, turn by turn, as long as the process lives. */
export interface Turns {
  /** A hint that there is work. */
  wake(): void;
  /** Finishes the turn under way. */
  stop(): Promise<void>;
}

export interface TurnsContext {
  /** Answers whether there is more to do at once. @param isStopping to be asked between its parts. */
  turn(isStopping: () => boolean): Promise<boolean>;
  onInterrupted(error: Error): void;
  /** Milliseconds between turns: woken by each commit of a busy system, a turn would find a handful of rows. */
  readonly paceMs: number;
  /** Milliseconds after which a turn comes without a hint: a lost one costs latency only. */
  readonly pollMs: number;
}

export function startTurns({ turn, onInterrupted, paceMs, pollMs }: TurnsContext): Turns {
  const alarm = createAlarm();
  let isStopping = false;

  const running = (async () => {
    while (!isStopping) {
      alarm.hear();
      const hasMore = await turn(() => isStopping).catch((error: Error) => {
        onInterrupted(error);
        return false;
      });
      if (hasMore) continue;
      await new Promise((resolve) => setTimeout(resolve, paceMs));
      await alarm.rest(pollMs);
    }
  })();

  return {
    wake: () => alarm.ring(),
    async stop() {
      isStopping = true;
      alarm.ring();
      await running;
    },
  };
}
