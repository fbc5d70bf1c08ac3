// What the planner knows of the tables (docs/decisions/0036-statistics.md). A prepared statement is planned once for all
// clients, and the plan is kept until the statistics change.
import { hasCitus, type PlainConnection } from "#/db/citus/catalogue.ts";
import type { Database } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";
import { standingBack } from "#/db/store/standing-back.ts";

/**
 * States that one client may own a whole table, for every table of clients and every month of which it is not stated yet;
 * answers their names. It takes effect when they are analysed.
 *
 * The planner takes each client for an average one: beside 3,000 small clients it expects 93 orders of one that has 200,000,
 * and reads "all" of them in the place of a few look-ups (240 to 1,200 ms in the place of 0.2). With one distinct value
 * behind client_id it expects the whole table there, and goes by the whole key.
 */
export async function stateClientShare(connection: PlainConnection): Promise<string[]> {
  const isOnCitus = await hasCitus(connection);
  const { rows } = await connection.query(`
    select c.oid::regclass::text as name, c.relkind = 'p' as "isPartitioned",
      coalesce('n_distinct=1' = any(a.attoptions), false) as "isStated",
      ${isOnCitus ? "exists (select from citus_tables t where t.table_name = c.oid::regclass)" : "false"} as "isPlaced"
    from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary and i.indnkeyatts > 1
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'client_id' and a.attnum = any(i.indkey::int2[])
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1 limit 10000`);
  const stated: string[] = [];
  for (const table of rows as ClientTable[]) {
    const { name, isPartitioned, isStated, isPlaced } = table;
    if (isPlaced ? await isStatedOfShards(connection, name) : isStated) continue;
    const inherited = isPartitioned ? ", n_distinct_inherited = 1" : "";
    const text = (target: string) => `alter table ${target} alter column client_id set (n_distinct = 1${inherited})`;
    // Citus keeps statistics of the shards, and refuses the statement for the table as a whole.
    await standingBack(() => connection.query(isPlaced ? onShards(name, text("%s")) : text(name)));
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

/** Below it a whole table is read as fast as a row is looked up. */
export const rowsMin = 200;
const growth = 4;
/** Of a large table 30,000 rows are looked at. */
const analyzeMsMax = 60_000;

/**
 * Analyses each table that has grown fourfold since that was last done; answers their names. PostgreSQL does it by itself
 * once a minute at the most, and never for a partitioned table as a whole; a plan of the first orders is too old by then.
 * Tables that belong to another role are left to that one. On Citus the workers' own autovacuum does it.
 */
export async function analyzeGrown(database: Database): Promise<string[]> {
  const ofGrown = sql`
    select c.oid::regclass::text as name
    from pg_class c cross join lateral (
      select sum(s.n_live_tup) as live from pg_stat_user_tables s
      where s.relid = c.oid or s.relid in (select inhrelid from pg_inherits where inhparent = c.oid)) rows
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and pg_has_role(c.relowner, 'usage')
      and rows.live >= ${rowsMin}::integer and rows.live >= ${growth}::integer * c.reltuples
    order by rows.live limit 100`;
  // As the owner: the role of row-level security owns no table.
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
