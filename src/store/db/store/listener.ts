import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { startPolling, untilNextMs } from "#/kernel/concurrency/polling.ts";

/**
 * LISTEN on a separate connection. A heartbeat detects a lost connection, and the listener reconnects. Notifications of
 * the time in between are lost, so `onNotice` is then called once for every channel. A notification is a hint: a caller
 * that needs certainty also polls.
 */
export interface Listener {
  stop(): Promise<void>;
}

const heartbeatMs = 5_000;
const reconnectMs = 1_000;
const endMsMax = 500;

export function listen(
  url: string,
  channels: readonly string[],
  onNotice: (channel: string, payload: string) => void,
  onError: (error: Error) => void,
): Listener {
  const stopped = new AbortController();
  let client: pg.Client | undefined;

  async function hold(): Promise<void> {
    const connection = new pg.Client({
      connectionString: url,
      application_name: "crossdock listen",
      connectionTimeoutMillis: 3_000,
      query_timeout: 3_000,
      keepAlive: true,
    });
    client = connection;
    const lost = new Promise<never>((_, reject) => {
      connection.on("error", reject);
      connection.on("end", () => reject(new Error("the LISTEN connection was closed")));
    });
    lost.catch(() => {});
    try {
      await Promise.race([connection.connect(), lost]);
      connection.on("notification", ({ channel, payload }) => onNotice(channel, payload ?? ""));
      for (const channel of channels) await Promise.race([connection.query(`listen ${channel}`), lost]);
      for (const channel of channels) onNotice(channel, "");
      for (;;) {
        await Promise.race([sleep(untilNextMs(heartbeatMs), undefined, { signal: stopped.signal }), lost]);
        await Promise.race([connection.query("select 1"), lost]);
      }
    } finally {
      connection.removeAllListeners("notification");
      await endWithin(connection, endMsMax);
    }
  }

  // Each turn is a connection, which ends with an error.
  const polling = startPolling({
    name: "notices",
    everyMs: reconnectMs,
    turn: () =>
      hold().catch((error: Error) => {
        if (!stopped.signal.aborted) onError(error);
      }),
  });

  return {
    async stop() {
      stopped.abort();
      const ended = polling.stop();
      if (client) await endWithin(client, endMsMax);
      await ended;
    },
  };
}

/** A store that does not answer does not answer the termination message either. */
async function endWithin(client: pg.Client, msMax: number): Promise<void> {
  const ended = new AbortController();
  await Promise.race([client.end(), sleep(msMax, undefined, { signal: ended.signal })]).catch(() => {});
  // A running timer keeps the process alive until it fires.
  ended.abort();
}
