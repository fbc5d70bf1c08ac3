import { bad, type Check, doubtful, good } from "#/cli/doctor/check.ts";
import { type DatabaseFacts, findFacts, findTimeMs, listAppliedMigrations } from "#/cli/doctor/repository.ts";
import { type Database, openDatabase } from "#/db/database.ts";
import { readMigrations } from "#/db/migrator.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Config } from "#/kernel/config.ts";
import { migrationsFolder } from "#/roles/files.ts";
import { servesSftp } from "#/roles/sftp.ts";
import { showHostKeys } from "#/sftp/index.ts";

const versionMin = 15;
/** Connections that are no role's: LISTEN, migrations, the command line, a person with psql. */
const spareConnectionsMin = 10;
const clockSkewMsWarn = 1_000;
const clockSkewMsFail = 60_000;

/** Asks the database that locks and migrations use, because a pooler would answer for itself. */
export async function checkDatabase(url: string, config: Config, clock: Clock): Promise<readonly Check[]> {
  const database = openDatabase({ url, connectionsMax: 1, applicationName: "crossdock doctor" });
  try {
    const facts = await findFacts(database);
    return [
      versionCheck(facts),
      durabilityCheck(facts),
      poolCheck(facts.connections, config),
      await clockCheck(database, clock),
      await schemaCheck(database, facts.is_migrated),
      ...(servesSftp(config) ? [await hostKeyCheck(database, facts.has_host_keys)] : []),
    ];
  } catch (error) {
    return [unreachable(error)];
  } finally {
    await database.close();
  }
}

export function unreachable(error: unknown): Check {
  const reason =
    error instanceof Error ? [error.message, (error.cause as Error | undefined)?.message] : [String(error)];
  return bad(
    "database",
    reason.filter(Boolean).join(": "),
    "start PostgreSQL, or mend DATABASE_URL; without it the embedded one is used, whose log is postgres.log in the data directory",
  );
}

function versionCheck({ version, version_number: number }: DatabaseFacts): Check {
  const name = `PostgreSQL ${version}`;
  return number >= versionMin * 10_000
    ? good("database", name)
    : bad("database", name, `use PostgreSQL ${versionMin} or newer`);
}

function durabilityCheck({ fsync, synchronous_commit: commit }: DatabaseFacts): Check {
  const text = `fsync ${fsync}, synchronous_commit ${commit}`;
  return fsync === "on" && commit !== "off"
    ? good("durability", text)
    : bad("durability", text, "set both to on: else a crash loses documents that were acknowledged");
}

export function poolCheck(connections: number, { roles, database }: Pick<Config, "roles" | "database">): Check {
  const wanted = roles.length * database.poolSize;
  const text = `${roles.length} roles × ${database.poolSize} connections = ${wanted} of ${connections} that PostgreSQL allows`;
  const advice = "lower CROSSDOCK_DB_POOL, raise max_connections, or put a pooler between; every node counts";
  if (wanted > connections) return bad("pools", text, advice);
  return wanted + spareConnectionsMin > connections ? doubtful("pools", text, advice) : good("pools", text);
}

async function clockCheck(database: Database, clock: Clock): Promise<Check> {
  const beforeMs = clock.now();
  const there = await findTimeMs(database);
  const here = (beforeMs + clock.now()) / 2;
  return skewCheck(there - here);
}

export function skewCheck(skewMs: number): Check {
  const text = `the database's differs from this machine's by ${Math.abs(skewMs / 1000).toFixed(1)} s`;
  const advice = "let NTP set both clocks: ids, tokens and deadlines are made from them";
  if (Math.abs(skewMs) > clockSkewMsFail) return bad("clock", text, advice);
  return Math.abs(skewMs) > clockSkewMsWarn ? doubtful("clock", text, advice) : good("clock", text);
}

async function schemaCheck(database: Database, isMigrated: boolean): Promise<Check> {
  const migrations = await readMigrations(migrationsFolder);
  const applied = isMigrated ? await listAppliedMigrations(database) : [];
  const missing = migrations.filter(({ name }) => !applied.includes(name));
  const newest = applied.at(-1);
  if (applied.some((known) => !migrations.some(({ name }) => name === known))) {
    return bad("schema", `is at ${newest}, which this release does not know`, "run the newer release");
  }
  return missing.length === 0
    ? good("schema", `is at ${newest}`)
    : doubtful(
        "schema",
        `lacks ${missing.length} of ${migrations.length} migrations`,
        "run 'crossdock migrate', or start the server",
      );
}

/** What an operator hands to clients, who compare it at their first connection. */
async function hostKeyCheck(database: Database, hasHostKeys: boolean): Promise<Check> {
  const keys = hasHostKeys ? await showHostKeys(database) : [];
  const shown = keys.map(({ algorithm, fingerprint }) => `${fingerprint} (${algorithm})`);
  return good("SFTP host key", shown.length > 0 ? shown.join(", ") : "is made when SFTP is started for the first time");
}
