import { setTimeout as sleep } from "node:timers/promises";
import { fullDiskOf } from "#/db/errors.ts";

const pauseMs = 500;
const pauseMsMax = 5_000;

/**
 * Starts, as often as a full disk prevents it: a running node waits for space too, and serves again without anybody's
 * help.
 *
 * @param onFull is called with the first of these failures
 * @param signal ends the wait
 * @throws any other failure
 */
export async function startWithSpace<Started>(
  start: () => Promise<Started>,
  onFull: (cause: Error) => void,
  signal: AbortSignal,
): Promise<Started> {
  for (let failures = 0; ; ) {
    try {
      return await start();
    } catch (error) {
      const cause = fullDiskOf(error);
      if (cause === undefined) throw error;
      if (failures++ === 0) onFull(cause);
      await sleep(Math.min(pauseMs * failures, pauseMsMax), undefined, { signal }).catch(() => {});
      if (signal.aborted) throw error;
    }
  }
}
