import { type Asked, bad, type Check, type CheckGroup, doubtful, good, rated } from "#/cli/doctor/check.ts";
import { keyChecks } from "#/cli/doctor/key-checks.ts";
import { findFacts, listAppliedMigrations } from "#/cli/doctor/repository.ts";
import {
  connectionChecks,
  databaseDiskCheck,
  durabilityCheck,
  fullDiskCheck,
  nodesCheck,
  versionCheck,
  writableCheck,
} from "#/cli/doctor/server-checks.ts";
import { accessRuleChecks } from "#/cli/doctor/sign-in-checks.ts";
import { storageChecks } from "#/cli/doctor/storage-checks.ts";
import { workChecks } from "#/cli/doctor/work-checks.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Config } from "#/kernel/config/config.ts";
import { migrationsFolder } from "#/kernel/shipped-files.ts";
import { isOnCitus } from "#/store/db/citus/catalogue.ts";
import { listNodesAway } from "#/store/db/citus/reachable-nodes.ts";
import { type Database, openDatabase } from "#/store/db/database.ts";
import { isUnavailable, sqlStateOf } from "#/store/db/errors.ts";
import { compareSchema, isFinalized, readMigrations } from "#/store/db/schema/migrator.ts";
import type { Statement } from "#/store/db/sql.ts";
import { clockQuery, createStoreClock, skewMsMax, skewMsWarn } from "#/store/db/store/clock.ts";

/** A database that does not answer takes little more than twice this, and must be reported within five seconds. */
const answerMsMax = 2_000;

const storeTime: Statement = { text: clockQuery, values: [], name: "doctor clock", isTenant: false };

/** Checks the database that locks and migrations use, because a connection pooler answers by itself. */
export async function checkDatabase(url: string, config: Config, clock: Clock): Promise<readonly Check[]> {
  const database = openDatabase({
    url,
    connectionsMax: 1,
    applicationName: "crossdock doctor",
    isReadOnly: true,
    connectTimeoutMs: answerMsMax,
    statementTimeoutMs: answerMsMax,
  });
  try {
    const facts = await findFacts(database);
    // After the first statement, which includes the time to open the connection.
    const storeClock = createStoreClock({ wall: clock.now });
    await storeClock.measure(async () => (await database.query<{ ms: number }>(storeTime))[0]?.ms ?? Number.NaN);
    const context: Asked = { database, config, nowMs: storeClock.now() };
    const away: string[] = [];
    const groups: CheckGroup[] = [
      {
        name: "nodes",
        async run() {
          if (!(await isOnCitus(database))) return [];
          away.push(...(await database.transaction(listNodesAway)));
          return [nodesCheck(away)];
        },
      },
      { name: "disk", run: async () => (facts.is_in_recovery ? [] : databaseDiskCheck(url)) },
      { name: "pools", run: () => connectionChecks(context, facts) },
      { name: "schema", run: async () => [await schemaCheck(database, facts.is_migrated)] },
    ];
    if (facts.is_migrated)
      groups.push(
        ...storageChecks(context, facts),
        ...workChecks(context),
        ...keyChecks(context, facts),
        ...accessRuleChecks(context),
      );
    const checks = [versionCheck(facts), writableCheck(facts), durabilityCheck(facts), skewCheck(storeClock.skewMs())];
    for (const group of groups) checks.push(...(await answered(group, away)));
    return checks;
  } catch (error) {
    return [unreachable(error)];
  } finally {
    await database.close();
  }
}

/**
 * A failed check does not affect the others; if the database is gone, all fail.
 * @param away nodes of Citus, without which a query over clients fails
 */
async function answered({ name, run }: CheckGroup, away: readonly string[]): Promise<readonly Check[]> {
  try {
    return await run();
  } catch (error) {
    const isLate = sqlStateOf(error) === "57014" || sqlStateOf((error as Error).cause) === "57014";
    if (isUnavailable(error) && !isLate) {
      if (away.length === 0) throw error;
      return [doubtful(name, `could not be checked without ${away.join(", ")}`, "start these nodes first")];
    }
    const why = isLate
      ? `took longer than ${answerMsMax / 1000} s to check`
      : `could not be checked: ${reasonOf(error)}`;
    return [doubtful(name, why, "run 'crossdock doctor' again; if the problem persists, see PostgreSQL's log")];
  }
}

function reasonOf(error: unknown): string {
  const reasons =
    error instanceof Error ? [error.message, (error.cause as Error | undefined)?.message] : [String(error)];
  return reasons.filter(Boolean).join(": ");
}

export function unreachable(error: unknown): Check {
  const full = fullDiskCheck(error);
  if (full !== undefined) return full;
  return bad(
    "database",
    reasonOf(error),
    "start PostgreSQL, or correct DATABASE_URL; without it the embedded one is used, whose log is postgres.log in the data directory",
  );
}

export function skewCheck(skewMs: number): Check {
  const text = `the database's differs from this machine's by ${Math.abs(skewMs / 1000).toFixed(1)} s`;
  const advice = "let NTP set both clocks: ids, tokens and deadlines are made from them";
  return rated("clock", text, advice, { fail: Math.abs(skewMs) > skewMsMax, warn: Math.abs(skewMs) > skewMsWarn });
}

async function schemaCheck(database: Database, isMigrated: boolean): Promise<Check> {
  const migrations = await readMigrations(migrationsFolder);
  const applied = isMigrated ? await listAppliedMigrations(database) : [];
  const missing = migrations.filter(({ name }) => !applied.some((appliedMigration) => appliedMigration.name === name));
  const newest = applied.at(-1)?.name;
  const { ahead, fault } = compareSchema(migrations, applied);
  if (fault !== undefined) return bad("schema", fault.text, fault.advice);
  if (missing.length > 0) {
    return doubtful(
      "schema",
      `lacks ${missing.length} of ${migrations.length} migrations`,
      "run 'crossdock migrate', or start the server",
    );
  }
  const notes = [
    ...(ahead.length > 0 ? ["of a newer release with which this one can run"] : []),
    ...(isFinalized(migrations, applied) ? [] : ["not finalized: 'crossdock migrate --finalize' ends a roll-out"]),
  ];
  return good("schema", [`is at ${newest}`, ...notes].join(", "));
}
