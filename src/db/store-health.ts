import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/**
 * Whether the store answers, asked each second on a connection of its own: what waits for a store that is gone is
 * answered at once instead of after its own time-out, and the first success lets the work through again.
 */
export interface StoreHealth {
  isDown(): boolean;
  stop(): Promise<void>;
}

/** What the name of the connection says of the process: how many connections its pool may have. @see doctor */
export const poolInName = "^crossdock health, pool of ([0-9]+)$";

const probeMs = 1_000;
const answerMsMax = 2_000;

/** @param poolSize connections that the pool of this process may have: others on the database count it. */
export function watchStore(
  url: string,
  poolSize: number,
  onChange: (isDown: boolean, cause: Error | undefined) => void,
): StoreHealth {
  let isDown = false;
  let client: pg.Client | undefined;
  const stopped = new AbortController();

  function settle(down: boolean, cause?: Error): void {
    if (down === isDown) return;
    isDown = down;
    onChange(down, cause);
  }

  async function probe(): Promise<void> {
    if (!client) {
      const connecting = new pg.Client({
        connectionString: url,
        application_name: `crossdock health, pool of ${poolSize}`,
        connectionTimeoutMillis: answerMsMax,
        query_timeout: answerMsMax,
      });
      connecting.on("error", () => {
        if (client === connecting) client = undefined;
      });
      await connecting.connect();
      client = connecting;
    }
    await client.query("select 1");
  }

  const running = (async () => {
    while (!stopped.signal.aborted) {
      try {
        await probe();
        settle(false);
      } catch (error) {
        const broken = client;
        client = undefined;
        broken?.end().catch(() => {});
        settle(true, error as Error);
      }
      await sleep(probeMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
  })();

  return {
    isDown: () => isDown,
    async stop() {
      stopped.abort();
      await running;
      await client?.end().catch(() => {});
    },
  };
}
