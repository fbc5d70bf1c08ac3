import { placeNewTables } from "#/db/citus/placement.ts";
import { startEmbedded } from "#/db/embedded/index.ts";
import { type MigrationReport, migrate } from "#/db/migrator.ts";
import { makePartitions } from "#/db/partitions.ts";
import { ensureRowSecurity } from "#/db/row-security.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Config } from "#/kernel/config.ts";
import { migrationsFolder } from "#/roles/files.ts";

/** Where the database is. The embedded one is started where it does not run, and left running where others use it. */
export interface Store {
  readonly url: string;
  /** For LISTEN, locks and migrations. */
  readonly directUrl: string;
  readonly isEmbedded: boolean;
  readonly isRowSecure: boolean;
  /** @param patienceMs for the embedded one to write what it holds, where this process is its last user */
  close(patienceMs?: number): Promise<void>;
}

export async function openStore({ database, dataDir }: Config, log?: (line: string) => void): Promise<Store> {
  const { url, directUrl } = database;
  const { isRowSecure } = database;
  if (url !== undefined)
    return { url, directUrl: directUrl ?? url, isEmbedded: false, isRowSecure, close: async () => {} };
  const server = await startEmbedded({ dataDir, ...(log ? { log } : {}) });
  return { url: server.url, directUrl: server.url, isEmbedded: true, isRowSecure, close: server.stop };
}

/** Schema and partitions, made once however many processes start at the same time; on Citus new tables are placed. */
export function bringUpToDate({ directUrl, isRowSecure }: Store, clock: Clock): Promise<MigrationReport> {
  return migrate(directUrl, migrationsFolder, {
    async afterwards(client) {
      await makePartitions(client, clock.now());
      await placeNewTables(client, migrationsFolder);
      if (isRowSecure) await ensureRowSecurity(client, migrationsFolder);
    },
  });
}
