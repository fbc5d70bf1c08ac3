import { createWakeUp, type WakeUp } from "#/kernel/concurrency/wake-up.ts";

/** A request that waits for tasks of its facility. */
export interface Watcher {
  readonly wakeUp: WakeUp;
  close(): void;
}

/** Wakes the requests of this process that wait for tasks. They hold no database connection while they wait. */
export interface TaskWatch {
  /** Begins to count wake-ups for the facility. Opened before the first read, so that no later task is missed. */
  open(facilityCode: string): Watcher;
  /** Tasks of the facility have changed; without a facility, those of any. A hint: watchers also read now and then. */
  notify(facilityCode?: string): void;
  /** The process stops: nothing waits from now on. */
  end(): void;
  hasEnded(): boolean;
}

export function createTaskWatch(): TaskWatch {
  const waiting = new Map<string, Set<WakeUp>>();
  let isOver = false;

  function notify(facilityCode?: string): void {
    const sets = facilityCode ? [waiting.get(facilityCode) ?? []] : waiting.values();
    for (const wakeUps of sets) for (const wakeUp of wakeUps) wakeUp.notify();
  }

  return {
    open(facilityCode) {
      const wakeUp = createWakeUp();
      const wakeUps = waiting.get(facilityCode) ?? new Set();
      waiting.set(facilityCode, wakeUps.add(wakeUp));
      return {
        wakeUp,
        close() {
          wakeUps.delete(wakeUp);
          if (wakeUps.size === 0 && waiting.get(facilityCode) === wakeUps) waiting.delete(facilityCode);
        },
      };
    },
    notify,
    end() {
      isOver = true;
      notify();
    },
    hasEnded: () => isOver,
  };
}

/** A task whose notification was lost, for example while the listener reconnected, waits this long. */
const recheckMs = 5_000;

export interface WaitOptions {
  readonly watch: TaskWatch;
  readonly facilityCode: string;
  readonly waitMs: number;
  /** The sender has disconnected. */
  readonly signal: AbortSignal;
  /** Called with each time that the request has waited. */
  readonly onWaited: (ms: number) => void;
  /** For tests. */
  readonly recheckMsMax?: number;
}

/**
 * Reads until a page has entries or the time is over, and returns the last page. A page without entries may still
 * move on, past changes of other types of tasks: the next read continues from it.
 */
export async function readWithin<Page extends { readonly rows: readonly unknown[] }>(
  read: (last: Page | undefined) => Promise<Page>,
  { watch, facilityCode, waitMs, signal, onWaited, recheckMsMax = recheckMs }: WaitOptions,
): Promise<Page> {
  if (waitMs === 0) return read(undefined);
  const endMs = performance.now() + waitMs;
  const { wakeUp, close } = watch.open(facilityCode);
  const wake = () => wakeUp.notify();
  signal.addEventListener("abort", wake);
  try {
    for (let page: Page | undefined; ; ) {
      wakeUp.reset();
      page = await read(page);
      const beganMs = performance.now();
      if (page.rows.length > 0 || beganMs >= endMs || signal.aborted || watch.hasEnded()) return page;
      await wakeUp.wait(Math.min(endMs - beganMs, recheckMsMax));
      onWaited(performance.now() - beganMs);
    }
  } finally {
    signal.removeEventListener("abort", wake);
    close();
  }
}
