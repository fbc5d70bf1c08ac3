import { eraseDue } from "#/app/retention/erasure/erase-orders.ts";
import { purgeAll } from "#/app/retention/purges.ts";
import { findLongestRetention } from "#/intake/feeds/feeds.cross-client.ts";
import { purgeExchange } from "#/intake/sftp/index.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { dayMs, hourMs, minuteMs } from "#/kernel/values/durations.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import { listClients, notifyChange } from "#/modules/clients/index.ts";
import { keepSigningKeys } from "#/modules/clients/oauth/index.ts";
import type { Change } from "#/store/db/audit.ts";
import { type ClientTurns, createClientTurns } from "#/store/db/client-turns.ts";
import type { Database } from "#/store/db/database.ts";
import { isContention } from "#/store/db/errors.ts";
import { findReach, keepReach } from "#/store/db/jobs/job-lease.ts";
import type { Job } from "#/store/db/jobs/jobs.ts";
import { withSchemaLock } from "#/store/db/schema/migrator.ts";
import { dropOldPartitions, feedMonthsDays, makePartitions } from "#/store/db/schema/partitions.ts";
import { analyzeTables, stateClientShare } from "#/store/db/schema/statistics.ts";

export interface RetentionContext {
  readonly database: Database;
  /** Connection for DDL and advisory locks, not through a pooler. */
  readonly directUrl: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly secretBox: SecretBox;
}

/**
 * Limit per client in one run. A client with a larger backlog continues in the next run, after the others. A busy
 * client with ten million orders a day completes 35 000 in five minutes; blanking handles 3 500 a second on two shared
 * processors.
 */
const ordersMax = 100_000;

const partitionsJob = "partitions";
/** More than a day, so that the job catches up where it runs once a day, as on a machine that is off at night. */
const reachStepMs = 2 * dayMs;

/**
 * Data that expires (operations.md §6): monthly partitions, rows, personal data, keys. docs/keys-and-data.md lists it
 * for operators.
 */
export function retentionJobs(context: RetentionContext): readonly Job[] {
  const { database, log } = context;
  // One place each: this work is not urgent, and leaves the connections to the others.
  const [purgeTurns, exchangeTurns, erasureTurns] = [createClientTurns(1), createClientTurns(1), createClientTurns(1)];
  return [
    {
      name: "purges",
      everyMs: 60 * minuteMs,
      async run(stopping) {
        const longestDays = feedMonthsDays(await findLongestRetention(database));
        const purged = await purgeAll(
          { database, nowMs: await findOldness(context), feedMonthsDays: longestDays },
          { stopping, turns: purgeTurns },
        );
        const rows = Object.values(purged).reduce((sum, count) => sum + count, 0);
        if (rows > 0) log.info({ purged }, "expired records were deleted");
        return rows;
      },
    },
    {
      name: "sftp-purge",
      everyMs: 60 * minuteMs,
      async run(stopping) {
        const clients = await listClients(database);
        const nowMs = await findOldness(context);
        await exchangeTurns.run(
          clients.map(({ clientId }) => [clientId, purgeExchange({ database, clock: { now: () => nowMs } }, clientId)]),
          async (batches) => !stopping?.aborted && !(await batches.next()).done,
          () => stopping?.aborted ?? false,
        );
      },
    },
    { name: "personal-data", everyMs: 5 * minuteMs, run: (stopping) => eraseAllDue(context, erasureTurns, stopping) },
    { name: "signing-keys", everyMs: 60 * minuteMs, run: () => keepKeys(context) },
    { name: partitionsJob, everyMs: 12 * hourMs, run: () => keepPartitions(context) },
  ];
}

/**
 * The time by which data is old. It is the clock's, and an earlier one after a jump of the clock or a pause of the job
 * `partitions`, which moves it.
 */
function findOldness({ database, clock }: Pick<RetentionContext, "database" | "clock">): Promise<number> {
  return findReach(database, partitionsJob, clock.now(), reachStepMs);
}

async function eraseAllDue(context: RetentionContext, turns: ClientTurns, stopping?: AbortSignal): Promise<number> {
  const { database, clock, ids, log } = context;
  const change: Change = { actor: "worker", origin: "personal-data", ids, at: new Date(clock.now()).toISOString() };
  const erased = new Map<string, number>();
  const nowMs = await findOldness(context);
  const clients = (await listClients(database)).map(({ clientId, settings }) => {
    const before = new Date(nowMs - settings.personalDataDays * dayMs).toISOString();
    return [clientId, { clientId, batches: eraseDue({ database, change, clientId, before, ordersMax }) }] as const;
  });
  const eraseBatch = async ({ clientId, batches }: (typeof clients)[number][1]): Promise<boolean> => {
    try {
      const { done, value } = await batches.next();
      if (value) erased.set(clientId, (erased.get(clientId) ?? 0) + value);
      return !done;
    } catch (error) {
      // Another transaction holds a lock on one of these orders. The next run retries.
      if (!isContention(error)) throw error;
      log.info({ clientId }, "erasure postponed: an order is in use");
      return false;
    }
  };
  try {
    await turns.run(clients, eraseBatch, () => stopping?.aborted ?? false);
  } finally {
    for (const [clientId, count] of erased)
      log.info({ clientId, erased: count }, "personal data of orders were erased");
  }
  return [...erased.values()].reduce((sum, count) => sum + count, 0);
}

async function keepKeys({ database, clock, secretBox, log }: RetentionContext): Promise<void> {
  const kept = await database.transaction((tx) => keepSigningKeys(tx, { secretBox, nowMs: clock.now() }));
  if (kept.published === undefined && kept.removed === 0) return;
  await notifyChange(database);
  log.info({ keyId: kept.published, removed: kept.removed }, "keys of access tokens were rotated by schedule");
}

async function keepPartitions({ directUrl, database, clock, log }: RetentionContext): Promise<number> {
  const { dropped, stated } = await withSchemaLock(directUrl, async (client) => {
    const nowMs = clock.now();
    await makePartitions(client, nowMs);
    const putOff: string[] = [];
    const longestDays = await findLongestRetention(database);
    const reachedMs = await findOldness({ database, clock: { now: () => nowMs } });
    const dropped = await dropOldPartitions(client, reachedMs, longestDays, (name) => putOff.push(name));
    await keepReach(database, partitionsJob, reachedMs);
    if (dropped.length > 0) log.info({ dropped }, "old monthly partitions were dropped");
    if (nowMs - reachedMs > dayMs) {
      const reachedAt = new Date(reachedMs).toISOString();
      log.warn({ reachedAt }, "old data is deleted by an earlier time: the clock jumped ahead, or no worker ran");
    }
    if (putOff.length > 0) log.warn({ putOff }, "old monthly partitions are in use, and are dropped the next time");
    return { dropped, stated: await stateClientShare(client) };
  });
  await analyzeTables(database, stated);
  return dropped.length;
}
