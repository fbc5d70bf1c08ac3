import type { Tx } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";
import { assert } from "#/kernel/assert.ts";

export interface DatabaseFacts {
  readonly version: string;
  readonly version_number: number;
  readonly fsync: string;
  readonly synchronous_commit: string;
  /** That ordinary roles may open, over all nodes. */
  readonly connections: number;
  readonly is_migrated: boolean;
  /** Whether the schema has a place for the host keys of SFTP. */
  readonly has_host_keys: boolean;
}

export async function findFacts(tx: Tx): Promise<DatabaseFacts> {
  const [facts] = await tx.query<DatabaseFacts>(
    sql`select current_setting('server_version') as version, current_setting('server_version_num')::int as version_number,
      current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous_commit,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true), '0')::int as connections,
      to_regclass('schema_migration') is not null as is_migrated,
      to_regclass('sftp_host_key') is not null as has_host_keys`,
  );
  assert(facts, "a select without a table answers one row");
  return facts;
}

/** The database's own time in Unix milliseconds. */
export async function findTimeMs(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ now_ms: string }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::text as now_ms`,
  );
  return Number(row?.now_ms);
}

export async function listAppliedMigrations(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(sql`select name from schema_migration order by name limit 10000`);
  return rows.map(({ name }) => name);
}
