import { purgeAnnotations, purgeInvitations, purgeRefusals } from "#/console-api/index.ts";
import { purgeMails } from "#/delivery/mail/index.ts";
import { purgeMessages } from "#/delivery/notifications/index.ts";
import { purgeFeedSequences } from "#/delivery/webhooks/index.ts";
import { purgeAnswers } from "#/http/requests/idempotency.ts";
import { purgeDocuments, purgeIdempotencyKeys } from "#/intake/feeds/repository.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { idBoundary } from "#/kernel/values/ids.ts";
import { keptDays as activityDays, purgeActivity } from "#/modules/activity/index.ts";
import { purgeRates } from "#/modules/carriers/index.ts";
import { type ClientRecord, listClients } from "#/modules/clients/index.ts";
import { purgeProposals } from "#/modules/proposals/index.ts";
import { platformClient } from "#/store/db/audit.ts";
import { type ClientTurns, createClientTurns } from "#/store/db/client-turns.ts";
import type { ClientTx, Database } from "#/store/db/database.ts";
import { facilityOfTenant } from "#/store/db/facility-tenant.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { listTenants } from "#/store/db/tenants.cross-client.ts";
import { purgeFeedCounts } from "#/store/outbox/repository.ts";

/** Retention of documents and events (operations.md §6). */
const longAgoDays = 90;
/** Expired invitations. */
const expiredDays = 30;
/** Default retention of personal data and of snapshot rows. */
const yearDays = 400;
const monthDaysMax = 31;

/** Rows per delete statement, so that locks and replication lag stay short. */
const batchSize = 2_000;
/** Batches per kind and client in one run. The rest is deleted in the next run. */
const batchesMax = 200;

interface PurgeContext {
  readonly database: Database;
  readonly nowMs: number;
  /** Retention of monthly feed partitions in days: the maximum over all clients. */
  readonly feedMonthsDays: number;
}

interface PlatformPurge {
  readonly name: string;
  /** Returns the number of deleted rows. Fewer than `limit` means that none are left. */
  run(limit: number): Promise<number>;
}

interface Purge {
  readonly name: string;
  /** Returns the number of deleted rows. Fewer than `limit` means that none are left. */
  run(client: ClientRecord, limit: number): Promise<number>;
}

/**
 * Data that is deleted row by row and client by client. Monthly partitions are dropped as a whole (db/schema/partitions.ts).
 */
function purgesOf({ database, nowMs, feedMonthsDays }: PurgeContext): readonly Purge[] {
  const isoBefore = (days: number) => new Date(nowMs - days * dayMs).toISOString();
  const idBefore = (days: number) => idBoundary(nowMs - days * dayMs);
  const now = isoBefore(0);
  const longAgo = isoBefore(longAgoDays);
  const longAgoId = idBefore(longAgoDays);
  return [
    { name: "feedKeys", run: ({ clientId }, limit) => purgeIdempotencyKeys(database.of(clientId), now, limit) },
    { name: "restAnswers", run: ({ clientId }, limit) => purgeAnswers(database.of(clientId), now, limit) },
    { name: "feedCounts", run: ({ clientId }, limit) => purgeFeedCounts(database.of(clientId), longAgoId, limit) },
    {
      name: "feedSequences",
      run: ({ clientId }, limit) => purgeFeedSequences(database.of(clientId), longAgoId, limit),
    },
    { name: "mails", run: ({ clientId }, limit) => purgeMails(database.of(clientId), longAgoId, limit) },
    { name: "proposals", run: ({ clientId }, limit) => purgeProposals(database.of(clientId), longAgoId, limit) },
    { name: "rates", run: ({ clientId }, limit) => purgeRates(database.of(clientId), isoBefore(1), limit) },
    { name: "marks", run: ({ clientId }, limit) => purgeAnnotations(database.of(clientId), longAgo, limit) },
    { name: "reports", run: ({ clientId }, limit) => purgeReports(database.of(clientId), longAgo, limit) },
    {
      name: "exceptions",
      run: ({ clientId }, limit) => purgeExceptions(database.of(clientId), isoBefore(yearDays), limit),
    },
    { name: "counts", run: ({ clientId }, limit) => purgeCounts(database.of(clientId), isoBefore(yearDays), limit) },
    {
      name: "activity",
      run: ({ clientId }, limit) => purgeActivity(database.of(clientId), isoBefore(activityDays).slice(0, 10), limit),
    },
    {
      name: "snapshots",
      run: ({ clientId }, limit) => purgeSnapshots(database.of(clientId), idBefore(yearDays + monthDaysMax), limit),
    },
    {
      name: "feeds",
      async run({ clientId, settings }, limit) {
        // For a client with the longest retention, the documents are dropped with their monthly partition.
        if (settings.feedRetentionDays >= feedMonthsDays) return 0;
        const before = idBefore(settings.feedRetentionDays);
        return database.transaction((tx) => purgeDocuments(tx.of(clientId), before, limit));
      },
    },
  ];
}

/** Data of the platform itself, not of a client. */
function platformPurgesOf({ database, nowMs }: PurgeContext): readonly PlatformPurge[] {
  const isoBefore = (days: number) => new Date(nowMs - days * dayMs).toISOString();
  return [
    { name: "restAnswers", run: (limit) => purgeAnswers(database.of(platformClient), isoBefore(0), limit) },
    { name: "invitations", run: (limit) => purgeInvitations(database, isoBefore(expiredDays), limit) },
    { name: "notifications", run: (limit) => purgeMessages(database, idBoundary(nowMs - longAgoDays * dayMs), limit) },
    { name: "signInRefusals", run: (limit) => purgeRefusals(database, isoBefore(longAgoDays), limit) },
  ];
}

/** Data of the webhooks of a facility. */
function facilityPurgesOf({ database, nowMs }: PurgeContext, tenantId: string): readonly PlatformPurge[] {
  const isoBefore = (days: number) => new Date(nowMs - days * dayMs).toISOString();
  const longAgoId = idBoundary(nowMs - longAgoDays * dayMs);
  return [
    { name: "restAnswers", run: (limit) => purgeAnswers(database.of(tenantId), isoBefore(0), limit) },
    { name: "mails", run: (limit) => purgeMails(database.of(tenantId), longAgoId, limit) },
    { name: "marks", run: (limit) => purgeAnnotations(database.of(tenantId), isoBefore(longAgoDays), limit) },
    { name: "exceptions", run: (limit) => purgeExceptions(database.of(tenantId), isoBefore(yearDays), limit) },
  ];
}

/**
 * Runs all purges for all clients, batch by batch. A batch is a turn of its client. Returns the number of deleted rows
 * per kind, without kinds of zero rows.
 */
export async function purgeAll(
  context: PurgeContext,
  limits: {
    readonly batchSize?: number;
    readonly batchesMax?: number;
    readonly stopping?: AbortSignal | undefined;
    readonly turns?: ClientTurns;
  } = {},
): Promise<Readonly<Record<string, number>>> {
  const { stopping, turns = createClientTurns(1) } = limits;
  const limit = limits.batchSize ?? batchSize;
  const counts: Record<string, number> = {};
  /** Yields after each batch. */
  async function* purge(name: string, run: () => Promise<number>): AsyncGenerator<void, void> {
    for (let batch = 0; batch < (limits.batchesMax ?? batchesMax); batch++) {
      const gone = await run();
      if (gone > 0) counts[name] = (counts[name] ?? 0) + gone;
      if (gone < limit) return;
      yield;
    }
  }
  async function* purgeAllOf<Kind extends Purge | PlatformPurge>(
    purges: readonly Kind[],
    run: (kind: Kind) => Promise<number>,
  ): AsyncGenerator<void, void> {
    for (const kind of purges) yield* purge(kind.name, () => run(kind));
  }
  const purges = purgesOf(context);
  const owners: [string, AsyncGenerator<void, void>][] = [
    ["the platform", purgeAllOf(platformPurgesOf(context), ({ run }) => run(limit))],
    ...(await listClients(context.database)).map((client): [string, AsyncGenerator<void, void>] => [
      client.clientId,
      purgeAllOf(purges, ({ run }) => run(client, limit)),
    ]),
    ...(await listTenants(context.database.lookUps))
      .filter((tenantId) => facilityOfTenant(tenantId) !== undefined)
      .map((tenantId): [string, AsyncGenerator<void, void>] => [
        tenantId,
        purgeAllOf(facilityPurgesOf(context, tenantId), ({ run }) => run(limit)),
      ]),
  ];
  await turns.run(
    owners,
    async (batches) => !stopping?.aborted && !(await batches.next()).done,
    () => stopping?.aborted ?? false,
  );
  return counts;
}

// Purges rows that expire after a number of days and have no purge in a module.
//
// A purge takes its rows by an array: PostgreSQL expects a tenth of the table behind a limit that is a parameter, and
// joined a million rows for a hundred. Where the key has several columns, the array has the places of the rows (ctid).

/** Warehouse reports by their own id: a retry comes within hours. @param before ISO 8601 */
export async function purgeReports(tx: ClientTx, before: string, limit: number): Promise<number> {
  const rows = await tx.query(sql`delete from warehouse_report r
      where r.client_id = ${tenant} and r.ctid = any(array(
        select o.ctid from warehouse_report o
        where o.client_id = ${tenant} and o.accepted_at < ${before}::timestamptz
        order by o.accepted_at limit ${limit}))
      returning r.kind`);
  return rows.length;
}

/** Exceptions that were resolved. @param before ISO 8601 */
export async function purgeExceptions(tx: ClientTx, before: string, limit: number): Promise<number> {
  const rows = await tx.query(sql`delete from operator_exception e
      where e.client_id = ${tenant} and e.exception_id = any(array(
        select o.exception_id from operator_exception o
        where o.client_id = ${tenant} and o.resolved_at is not null and o.resolved_at < ${before}::timestamptz
        order by o.resolved_at limit ${limit}))
      returning e.exception_id`);
  return rows.length;
}

/** Requested counts that have ended. @param before ISO 8601 */
export async function purgeCounts(tx: ClientTx, before: string, limit: number): Promise<number> {
  const rows = await tx.query(sql`delete from stock_count c
      where c.client_id = ${tenant} and c.count_id = any(array(
        select o.count_id from stock_count o
        where o.client_id = ${tenant} and o.ended_at is not null and o.ended_at < ${before}::timestamptz
        order by o.ended_at limit ${limit}))
      returning c.count_id`);
  return rows.length;
}

/** Snapshot headers whose rows were dropped with their month. @param before an id */
export async function purgeSnapshots(tx: ClientTx, before: string, limit: number): Promise<number> {
  const rows = await tx.query(sql`delete from stock_snapshot s
      where s.client_id = ${tenant} and s.snapshot_id = any(array(
        select o.snapshot_id from stock_snapshot o
        where o.client_id = ${tenant} and o.snapshot_id < ${before}::uuid and o.written_at is not null
        order by o.snapshot_id limit ${limit}))
      returning s.snapshot_id`);
  return rows.length;
}
