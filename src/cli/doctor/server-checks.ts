// Checks of PostgreSQL itself: its version, its durability, and its connection limit.
import { type Asked, bad, type Check, good, rated } from "#/cli/doctor/check.ts";
import { type DatabaseFacts, listPools } from "#/cli/doctor/repository.ts";
import type { Config } from "#/kernel/config/config.ts";
import { openDatabase } from "#/store/db/database.ts";
import { fullDiskOf } from "#/store/db/errors.ts";
import { sql } from "#/store/db/sql.ts";

const versionMin = 15;
/**
 * Connections outside the pools: a process's LISTEN, its monitoring, its reads and those of the console; and psql's.
 */
const spareConnectionsMin = 10;

export function versionCheck({ version, version_number: number }: DatabaseFacts): Check {
  const name = `PostgreSQL ${version}`;
  return rated("database", name, `use PostgreSQL ${versionMin} or newer`, { fail: number < versionMin * 10_000 });
}

export function writableCheck(facts: Pick<DatabaseFacts, "is_in_recovery">): Check {
  return facts.is_in_recovery
    ? bad("writes", "this is a replica, which accepts none", "let DATABASE_URL name the primary")
    : good("writes", "this is a primary");
}

/** The check for a full disk that an error reports; undefined where it reports something else. */
export function fullDiskCheck(error: unknown): Check | undefined {
  const cause = fullDiskOf(error);
  if (cause === undefined) return undefined;
  const advice = "free space on the machine of PostgreSQL, or enlarge its disk: requests get 503 until then";
  return bad("disk of the database", `is full: ${cause.message}`, advice);
}

const probeMsMax = 2_000;

/** Writes some pages of a temporary table: reads show no fault of a full disk. @param url not through a pooler */
export async function databaseDiskCheck(url: string): Promise<readonly Check[]> {
  const database = openDatabase({
    url,
    connectionsMax: 1,
    applicationName: "crossdock doctor",
    connectTimeoutMs: probeMsMax,
    statementTimeoutMs: probeMsMax,
  });
  try {
    await database.transaction(async (tx) => {
      tx.send(sql`create temporary table crossdock_doctor (line text) on commit drop`);
      tx.send(sql`insert into crossdock_doctor select md5(i::text) from generate_series(1, 4000) i`);
    });
    return [good("disk of the database", "takes writes")];
  } catch (error) {
    const full = fullDiskCheck(error);
    // Any other fault is for the other checks: a user may be without the privilege.
    return full === undefined ? [] : [full];
  } finally {
    await database.close();
  }
}

/** @param away nodes of Citus that accept no connection from the coordinator */
export function nodesCheck(away: readonly string[]): Check {
  if (away.length === 0) return good("nodes", "the coordinator reaches every node");
  return bad(
    "nodes",
    `the coordinator does not reach ${away.join(", ")}`,
    "start PostgreSQL there, or its standby: until then requests of its clients get 503, and no event is published",
  );
}

export function durabilityCheck({
  fsync,
  full_page_writes: pages,
  synchronous_commit: commit,
}: Pick<DatabaseFacts, "fsync" | "full_page_writes" | "synchronous_commit">): Check {
  const text = `fsync ${fsync}, full_page_writes ${pages}, synchronous_commit ${commit}`;
  return rated("durability", text, "set all three to on: otherwise a crash loses acknowledged documents", {
    fail: fsync !== "on" || pages !== "on" || commit === "off",
  });
}

export async function connectionChecks({ database, config }: Asked, facts: DatabaseFacts): Promise<readonly Check[]> {
  return [poolCheck(facts.connections, config, await listPools(database)), openCheck(facts)];
}

/** @param pools of the processes that run now */
export function poolCheck(
  connections: number,
  { roles, database }: Pick<Config, "roles" | "database">,
  pools: readonly number[],
): Check {
  const needed = roles.length * database.poolSize;
  const sum = pools.reduce((total, pool) => total + pool, 0);
  const wanted = Math.max(needed, sum);
  const nodes = Math.max(1, pools.length);
  const text =
    pools.length === 0
      ? `${roles.length} roles × ${database.poolSize} connections = ${needed} of ${connections} that PostgreSQL allows`
      : `${pools.length} running: ${pools.join(" + ")} connections = ${sum} of ${connections} that PostgreSQL allows`;
  const advice = "lower CROSSDOCK_DB_POOL, raise max_connections, or put a pooler between; every process counts";
  return rated("pools", text, advice, {
    fail: wanted > connections,
    warn: wanted + nodes * spareConnectionsMin > connections,
  });
}

/** Above this, the next process that starts may be refused. */
const openPartMax = 0.85;

export function openCheck({
  connections,
  connections_open: open,
}: Pick<DatabaseFacts, "connections" | "connections_open">): Check {
  const text = `${open} of ${connections} are open`;
  const advice = "see who holds them: select application_name, count(*) from pg_stat_activity group by 1";
  return rated("connections", text, advice, { warn: open > connections * openPartMax });
}
