import { assert } from "#/kernel/assert.ts";
import type { Tx } from "#/store/db/database.ts";
import type { AppliedMigration } from "#/store/db/schema/migrator.ts";
import { sql } from "#/store/db/sql.ts";
import { poolInName } from "#/store/db/store/health.ts";

export interface DatabaseFacts {
  readonly version: string;
  readonly version_number: number;
  readonly fsync: string;
  readonly full_page_writes: string;
  readonly synchronous_commit: string;
  readonly autovacuum: string;
  readonly track_counts: string;
  readonly is_in_recovery: boolean;
  /** The limit for ordinary roles, over all nodes. */
  readonly connections: number;
  /** The open connections of all users. */
  readonly connections_open: number;
  /** Oldest unfrozen transaction id: PostgreSQL stops writing at two thousand million. */
  readonly transaction_age: number;
  readonly database_bytes: number;
  readonly is_migrated: boolean;
  /** Whether the schema has a table for the host keys of SFTP. */
  readonly has_host_keys: boolean;
}

export async function findFacts(tx: Tx): Promise<DatabaseFacts> {
  const [facts] = await tx.query<DatabaseFacts>(
    sql`select current_setting('server_version') as version, current_setting('server_version_num')::int as version_number,
      current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
      current_setting('synchronous_commit') as synchronous_commit,
      current_setting('autovacuum') as autovacuum, current_setting('track_counts') as track_counts,
      pg_is_in_recovery() as is_in_recovery,
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true), '0')::int as connections,
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections_open,
      (select age(datfrozenxid)::int from pg_database where datname = current_database()) as transaction_age,
      pg_database_size(current_database())::float8 as database_bytes,
      to_regclass('schema_migration') is not null as is_migrated,
      to_regclass('sftp_host_key') is not null as has_host_keys`,
  );
  assert(facts, "a select without a table answers one row");
  return facts;
}

/** As JSON, because a schema of an earlier release lacks the column `beside`. */
export function listAppliedMigrations(tx: Tx): Promise<AppliedMigration[]> {
  return tx.query(
    sql`select name, (to_jsonb(m) ->> 'beside')::int as beside from schema_migration m order by name limit 10000`,
  );
}

/**
 * The pool size of each process that runs on this database now, from the application name of its monitoring connection.
 */
export async function listPools(tx: Tx): Promise<number[]> {
  const rows = await tx.query<{ pool: number }>(
    sql`select substring(application_name from ${poolInName})::int as pool from pg_stat_activity
      where datname = current_database() and application_name ~ ${poolInName} limit 1000`,
  );
  return rows.map(({ pool }) => pool);
}

export interface LongTransaction {
  readonly pid: number;
  readonly application_name: string;
  readonly state: string | null;
  readonly seconds: number;
}

/** Oldest first. Only members of `pg_monitor` see those of other database users. */
export function listLongTransactions(tx: Tx, secondsMin: number): Promise<LongTransaction[]> {
  return tx.query(
    sql`select pid, application_name, state, extract(epoch from clock_timestamp() - xact_start)::float8 as seconds
      from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
        and xact_start < clock_timestamp() - ${secondsMin}::float8 * interval '1 second'
      order by xact_start limit 5`,
  );
}

/** Prepared two-phase transactions that were never finished: they hold their locks forever. */
export function listPrepared(
  tx: Tx,
  secondsMin: number,
): Promise<{ readonly gid: string; readonly seconds: number }[]> {
  return tx.query(
    sql`select gid, extract(epoch from clock_timestamp() - prepared)::float8 as seconds from pg_prepared_xacts
      where database = current_database() and prepared < clock_timestamp() - ${secondsMin}::float8 * interval '1 second'
      order by prepared limit 5`,
  );
}

export interface DeadRows {
  readonly table: string;
  readonly dead: number;
  readonly live: number;
}

/** Tables in which more than `part` of the rows are dead, worst first. */
export function listDeadRows(tx: Tx, rowsMin: number, part: number): Promise<DeadRows[]> {
  return tx.query(
    sql`select relname as table, n_dead_tup::float8 as dead, n_live_tup::float8 as live from pg_stat_user_tables
      where n_dead_tup > ${rowsMin}::bigint and n_dead_tup > n_live_tup * ${part}::float8
      order by n_dead_tup desc limit 5`,
  );
}

export interface HeldSlot {
  readonly slot: string;
  readonly is_active: boolean;
  /** `lost` and `unreserved`: the log that the slot needs is gone, or about to go. */
  readonly wal_status: string | null;
  /** The size of the write-ahead log that is kept for the slot. */
  readonly bytes: number;
}

export function listSlots(tx: Tx): Promise<HeldSlot[]> {
  return tx.query(
    sql`select slot_name as slot, active as is_active, wal_status,
        coalesce(pg_wal_lsn_diff(
          case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_lsn() end, restart_lsn), 0
        )::float8 as bytes
      from pg_replication_slots order by bytes desc limit 20`,
  );
}

/** The size of the database on each node of Citus that answers, the coordinator included. */
export async function listNodeSizes(tx: Tx): Promise<number[]> {
  const rows = await tx.query<{ bytes: number }>(
    sql`select result::float8 as bytes
      from run_command_on_all_nodes('select pg_database_size(current_database())') where success limit 1000`,
  );
  return rows.map(({ bytes }) => bytes);
}

/** The size of the partitions of each month, newest month first; on Citus that of all their shards. */
export function listMonthSizes(
  tx: Tx,
  tables: readonly string[],
  onCitus: boolean,
): Promise<{ readonly month: string; readonly bytes: number }[]> {
  const size = onCitus ? sql`citus_total_relation_size(c.oid)` : sql`pg_total_relation_size(c.oid)`;
  return tx.query(
    sql`select right(c.relname, 7) as month, sum(${size})::float8 as bytes
      from unnest(${tables}::text[]) t(name) join pg_inherits i on i.inhparent = to_regclass(t.name)
        join pg_class c on c.oid = i.inhrelid
      group by 1 order by 1 desc limit 120`,
  );
}
