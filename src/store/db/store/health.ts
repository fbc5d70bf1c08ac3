import type { Socket } from "node:net";
import { setTimeout as sleep, setImmediate as turn } from "node:timers/promises";
import pg from "pg";
import { startPolling } from "#/kernel/concurrency/polling.ts";
import { clockQuery, type StoreClock } from "#/store/db/store/clock.ts";

/**
 * Whether the store answers, and its clock, probed each second on a separate connection. While the store is
 * unavailable, waiting work fails at once instead of after its own time-out. The first successful probe lets work
 * through again.
 */
export interface StoreHealth {
  isDown(): boolean;
  stop(): Promise<void>;
}

/** The connection's name states how many connections the pool of the process may have. @see doctor */
export const poolInName = "^crossdock health, pool of ([0-9]+)$";

const probeMs = 1_000;
/**
 * The wait consists of pieces. At most one piece elapses while this process is suspended, so that an answer that
 * arrived meanwhile is still read.
 */
const answerMsMax = 2_000;
const pieceMs = 100;

/**
 * @param poolSize maximum number of connections in the pool of this process; other processes on the database read it.
 */
export function watchStore(
  url: string,
  poolSize: number,
  onChange: (isDown: boolean, cause: Error | undefined) => void,
  storeClock?: StoreClock,
): StoreHealth {
  let isDown = false;
  let client: pg.Client | undefined;

  function settle(down: boolean, cause?: Error): void {
    if (down === isDown) return;
    isDown = down;
    onChange(down, cause);
  }

  async function probe(): Promise<void> {
    const connection =
      client ?? new pg.Client({ connectionString: url, application_name: `crossdock health, pool of ${poolSize}` });
    if (connection !== client) {
      connection.on("error", () => {
        if (client === connection) client = undefined;
      });
      client = connection;
      await connection.connect();
    }
    const ask = () => connection.query<{ ms: number }>(clockQuery).then(({ rows }) => rows[0]?.ms as number);
    await (storeClock ? storeClock.measure(ask) : ask());
  }

  /** @returns why the store does not answer */
  async function failure(): Promise<Error | undefined> {
    try {
      await inTime(probe());
      return undefined;
    } catch (error) {
      const broken = client;
      client = undefined;
      if (broken) cutOff(broken);
      return error as Error;
    }
  }

  const polling = startPolling({
    name: "watch of the store",
    everyMs: probeMs,
    async turn() {
      let cause = await failure();
      // One connection that was cut says nothing about the store: without a second one, all work fails until the next
      // probe.
      if (cause !== undefined && !(cause instanceof SilenceError)) cause = await failure();
      settle(cause !== undefined, cause);
    },
  });

  return {
    isDown: () => isDown,
    async stop() {
      await polling.stop();
      await client?.end().catch(() => {});
    },
  };
}

class SilenceError extends Error {}

/** @throws SilenceError when the store is still silent */
async function inTime(probe: Promise<void>): Promise<void> {
  const settled = new AbortController();
  const late = (async () => {
    for (let leftMs = answerMsMax; leftMs > 0; leftMs -= pieceMs) {
      await sleep(pieceMs, undefined, { signal: settled.signal });
    }
    await turn();
    throw new SilenceError(`the database did not answer for ${answerMsMax} ms`);
  })();
  late.catch(() => {});
  try {
    await Promise.race([probe, late]);
  } finally {
    settled.abort();
  }
}

/** A store that does not answer does not answer the termination message either. */
function cutOff(client: pg.Client): void {
  (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
}
