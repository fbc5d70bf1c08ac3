import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "#/kernel/clock.ts";
import type { Config } from "#/kernel/config/config.ts";
import { migrationsFolder } from "#/kernel/shipped-files.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import type { PlainConnection } from "#/store/db/citus/catalogue.ts";
import { placeNewTables } from "#/store/db/citus/placement.ts";
import { startEmbedded, stopUnused } from "#/store/db/embedded/index.ts";
import { filesOf } from "#/store/db/embedded/place.ts";
import { fullDiskOf } from "#/store/db/errors.ts";
import { type MigrationReport, migrate } from "#/store/db/schema/migrator.ts";
import { makePartitions } from "#/store/db/schema/partitions.ts";
import { ensureRowSecurity } from "#/store/db/schema/row-security.ts";
import { aheadMsMax, clockQuery, type StoreClock } from "#/store/db/store/clock.ts";

/** Time limit for a clean shutdown, from the stop signal on. */
export const stopMsMax = 5_000;

/** Margin for rows that were written since the last run of a job. */
const slackMs = minuteMs;

/**
 * The database connection. The embedded PostgreSQL is started if it does not run, and keeps running while others use
 * it.
 */
export interface Store {
  readonly url: string;
  /** Connection for LISTEN, locks and migrations. */
  readonly directUrl: string;
  readonly isEmbedded: boolean;
  readonly isRowSecure: boolean;
  /** @param patienceMs time for the embedded PostgreSQL to flush, if this process is its last user */
  close(patienceMs?: number): Promise<void>;
}

/** The folder of the embedded database's files; undefined where the database is another one. */
export function databaseFolder({ database, dataDir }: Config): string | undefined {
  return database.url === undefined ? filesOf(dataDir) : undefined;
}

const postgresql = { part: "postgresql" };

export async function openStore({ database, dataDir }: Config, log?: Logger): Promise<Store> {
  const { url, directUrl } = database;
  const { isRowSecure } = database;
  if (url !== undefined)
    return { url, directUrl: directUrl ?? url, isEmbedded: false, isRowSecure, close: async () => {} };
  const server = await startEmbedded({ dataDir, log: (line) => log?.info(postgresql, line) });
  return { url: server.url, directUrl: server.url, isEmbedded: true, isRowSecure, close: server.stop };
}

/** Stops the embedded PostgreSQL of a start that failed, unless another process uses it. */
export async function stopUnusedStore({ database, dataDir }: Config, log: Logger, patienceMs: number): Promise<void> {
  if (database.url !== undefined) return;
  await stopUnused({ dataDir, log: (line) => log.info(postgresql, line) }, patienceMs);
}

/**
 * Creates schema and partitions once, however many processes start at the same time. On Citus, it also distributes new
 * tables.
 * @param storeClock is set from the store's clock.
 */
export function bringUpToDate(
  { directUrl, isRowSecure }: Store,
  clock: Clock,
  storeClock?: StoreClock,
): Promise<MigrationReport> {
  return migrate(directUrl, migrationsFolder, {
    async afterwards(client) {
      if (storeClock) await setClock(storeClock, client);
      await makePartitions(client, clock.now());
      await placeNewTables(client, migrationsFolder);
      if (isRowSecure) await ensureRowSecurity(client, migrationsFolder);
    },
  });
}

/**
 * Jobs run every few seconds, so the latest of their last runs shows how far the store's clock was before this start.
 */
async function setClock(storeClock: StoreClock, client: PlainConnection): Promise<void> {
  await storeClock.measure(() => client.query(clockQuery).then(({ rows }) => (rows[0] as { ms: number }).ms));
  const { rows } = await client.query(
    "select extract(epoch from max(last_run_at))::float8 * 1000 as ms from job_lease",
  );
  const { ms: lastRunMs } = rows[0] as { ms: number | null };
  if (lastRunMs !== null && lastRunMs > storeClock.now() + aheadMsMax) storeClock.noteAhead(lastRunMs + slackMs);
}

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
