// The planner's statistics on the tables (docs/decisions/0036-statistics.md). A prepared statement is planned once for
// all clients, and the plan is kept until the statistics change.

import { minuteMs } from "#/kernel/values/durations.ts";
import { hasCitus, type PlainConnection } from "#/store/db/citus/catalogue.ts";
import type { Database } from "#/store/db/database.ts";
import { retryOnTableLock } from "#/store/db/retry-on-conflict.ts";
import { sql } from "#/store/db/sql.ts";

/**
 * Declares that one client may own a whole table, for every table of clients and every month without this declaration;
 * returns their names. It takes effect when they are analysed. A table without a key has the whole row as its replica identity.
 *
 * Otherwise the planner assumes an average client. With 3,000 small clients it expects 93 orders of a client that has
 * 200,000, and reads "all" of them instead of a few look-ups (240 to 1,200 ms instead of 0.2). With one distinct value
 * of client_id it expects the whole table for each client, and uses the whole key.
 */
export async function stateClientShare(connection: PlainConnection): Promise<string[]> {
  const isOnCitus = await hasCitus(connection);
  const { rows } = await connection.query(`
    select c.oid::regclass::text as name, c.relkind = 'p' as "isPartitioned",
      coalesce('n_distinct=1' = any(a.attoptions), false) as "isStated",
      ${isOnCitus ? "exists (select from citus_tables t where t.table_name = c.oid::regclass)" : "false"} as "isPlaced"
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'client_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and exists (
      select from pg_index i where i.indrelid = c.oid and (i.indisprimary or c.relreplident = 'f') and i.indnkeyatts > 1
        and a.attnum = any(i.indkey::int2[]))
    order by 1 limit 10000`);
  const stated: string[] = [];
  for (const table of rows as ClientTable[]) {
    const { name, isPartitioned, isStated, isPlaced } = table;
    if (isPlaced ? await isStatedOfShards(connection, name) : isStated) continue;
    const inherited = isPartitioned ? ", n_distinct_inherited = 1" : "";
    const text = (target: string) => `alter table ${target} alter column client_id set (n_distinct = 1${inherited})`;
    // Citus keeps statistics of the shards, and rejects the statement for the table as a whole.
    await retryOnTableLock(() => connection.query(isPlaced ? onShards(name, text("%s")) : text(name)));
    stated.push(name);
  }
  return stated;
}

interface ClientTable {
  readonly name: string;
  readonly isPartitioned: boolean;
  readonly isStated: boolean;
  readonly isPlaced: boolean;
}

const onShards = (table: string, text: string) =>
  `select success, result from run_command_on_shards('${table}', $$${text}$$)`;

/** A shard that was moved or split is a new table. */
async function isStatedOfShards(connection: PlainConnection, table: string): Promise<boolean> {
  const options = onShards(
    table,
    "select attoptions::text from pg_attribute where attrelid = '%s'::regclass and attname = 'client_id'",
  );
  const { rows } = await connection.query(options);
  return (rows as { result: string }[]).every(({ result }) => result.includes("n_distinct=1"));
}

/** Below this number, a scan of the whole table is as fast as a look-up of a row. */
export const rowsMin = 200;
const growth = 4;
/** New rows of all tables before the next look: a table is analysed at most this number of rows late. */
const insertedMin = 100;
/** For a large table, PostgreSQL samples 30,000 rows. */
const analyzeMsMax = minuteMs;

/**
 * Analyses as `analyzeGrown` does, where enough rows were inserted since the last look that found nothing: the look at the tables takes
 * 2.5 ms of PostgreSQL, which was an eighth of what an idle process costs it.
 */
export function createAnalysis(database: Database): () => Promise<string[]> {
  let lookedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const [row] = await database.query<{ inserted: number }>(
      sql`select pg_stat_get_db_tuples_inserted(d.oid)::float8 as inserted from pg_database d
        where d.datname = current_database() limit 1`,
    );
    const inserted = row?.inserted ?? 0;
    // A reset of the statistics sets it to 0.
    if (Math.abs(inserted - lookedAt) < insertedMin) return [];
    const names = await analyzeGrown(database);
    // Grown tables may be left, and a failed look found none.
    if (names.length === 0) lookedAt = inserted;
    return names;
  };
}

/**
 * Analyses each table that has grown fourfold since its last analysis; returns their names. PostgreSQL itself does it
 * at most once a minute, and never for a partitioned table as a whole; a plan from the time of the first orders is too
 * old by then. Tables of another role are left to that role. On Citus the workers' own autovacuum does it.
 */
export async function analyzeGrown(database: Database): Promise<string[]> {
  const ofGrown = sql`
    select c.oid::regclass::text as name
    from pg_class c left join pg_inherits i on i.inhparent = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and pg_has_role(c.relowner, 'usage')
    group by c.oid
    having sum(pg_stat_get_live_tuples(coalesce(i.inhrelid, c.oid)))
      >= greatest(${rowsMin}::integer, ${growth}::integer * c.reltuples)
    order by sum(pg_stat_get_live_tuples(coalesce(i.inhrelid, c.oid))) limit 100`;
  // Runs as the owner: the role of row-level security owns no table.
  const grown = await database.query<{ name: string }>({ ...ofGrown, isAcross: true });
  const names = grown.map(({ name }) => name);
  await analyzeTables(database, names);
  return names;
}

export async function analyzeTables(database: Database, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const analyze = { text: `analyze ${name}`, name: "", values: [], isTenant: false, isAcross: true };
    await database.transaction((tx) => tx.query(analyze), { statementTimeoutMs: analyzeMsMax });
  }
}
