import { purgeMarks, purgeRefusals } from "#/console-api/index.ts";
import { platformClient } from "#/db/audit.ts";
import type { Database } from "#/db/database.ts";
import { forEachClient } from "#/db/each-client.ts";
import { purgeMails } from "#/delivery/mail/index.ts";
import { purgeFeedSequences } from "#/delivery/webhooks/index.ts";
import { purgeDocuments, purgeIdempotencyKeys } from "#/feeds/repository.ts";
import { purgeAnswers } from "#/http/requests/idempotency-repository.ts";
import { idBoundary } from "#/kernel/values/ids.ts";
import { type ClientRecord, listClients } from "#/modules/clients/index.ts";
import { purgeFeedCounts } from "#/outbox/repository.ts";
import { purgeExceptions, purgeReports, purgeSnapshots } from "#/retention/purge-repository.ts";

const dayMs = 86_400_000;
/** As long as documents and events are kept (operations.md §6). */
const longAgoDays = 90;
/** As personal data are by default, and the rows of snapshots. */
const yearDays = 400;
const monthDaysMax = 31;

/** One statement deletes so many rows: none holds its locks, or the log of its replicas, for long. */
const batchSize = 2_000;
/** Of one kind and client in one run; what is left goes in the next. */
const batchesMax = 200;

export interface PurgeContext {
  readonly database: Database;
  readonly nowMs: number;
  /** Days that months of feeds are kept for the client that keeps them longest. */
  readonly feedMonthsDays: number;
}

interface PlatformPurge {
  readonly name: string;
  /** Answers how many rows went; fewer than `limit`: no more are there. */
  run(limit: number): Promise<number>;
}

interface Purge {
  readonly name: string;
  /** Answers how many rows went; fewer than `limit`: no more are there. */
  run(client: ClientRecord, limit: number): Promise<number>;
}

/** What is deleted row by row, client by client; what is kept by the month goes with its month (db/partitions.ts). */
export function purgesOf({ database, nowMs, feedMonthsDays }: PurgeContext): readonly Purge[] {
  const isoBefore = (days: number) => new Date(nowMs - days * dayMs).toISOString();
  const idBefore = (days: number) => idBoundary(nowMs - days * dayMs);
  const now = isoBefore(0);
  const longAgo = isoBefore(longAgoDays);
  const longAgoId = idBefore(longAgoDays);
  return [
    { name: "feedKeys", run: ({ clientId }, limit) => purgeIdempotencyKeys(database, clientId, now, limit) },
    { name: "restAnswers", run: ({ clientId }, limit) => purgeAnswers(database, clientId, now, limit) },
    { name: "feedCounts", run: ({ clientId }, limit) => purgeFeedCounts(database, clientId, longAgoId, limit) },
    { name: "feedSequences", run: ({ clientId }, limit) => purgeFeedSequences(database, clientId, longAgoId, limit) },
    { name: "mails", run: ({ clientId }, limit) => purgeMails(database, clientId, longAgoId, limit) },
    { name: "marks", run: ({ clientId }, limit) => purgeMarks(database, clientId, longAgo, limit) },
    { name: "reports", run: ({ clientId }, limit) => purgeReports(database, clientId, longAgo, limit) },
    {
      name: "exceptions",
      run: ({ clientId }, limit) => purgeExceptions(database, clientId, isoBefore(yearDays), limit),
    },
    {
      name: "snapshots",
      run: ({ clientId }, limit) => purgeSnapshots(database, clientId, idBefore(yearDays + monthDaysMax), limit),
    },
    {
      name: "feeds",
      async run({ clientId, settings }, limit) {
        // Who keeps them as long as the months are kept has them go with their month.
        if (settings.feedRetentionDays >= feedMonthsDays) return 0;
        const before = idBefore(settings.feedRetentionDays);
        return database.transaction((tx) => purgeDocuments(tx, clientId, before, limit));
      },
    },
  ];
}

/** What the platform keeps of itself, and not of a client. */
export function platformPurgesOf({ database, nowMs }: PurgeContext): readonly PlatformPurge[] {
  const isoBefore = (days: number) => new Date(nowMs - days * dayMs).toISOString();
  return [
    { name: "restAnswers", run: (limit) => purgeAnswers(database, platformClient, isoBefore(0), limit) },
    { name: "signInRefusals", run: (limit) => purgeRefusals(database, isoBefore(longAgoDays), limit) },
  ];
}

/** Runs all of them for all clients, batch by batch. Answers how many rows of each kind went, those of which none did left out. */
export async function purgeAll(
  context: PurgeContext,
  limits: {
    readonly batchSize?: number;
    readonly batchesMax?: number;
    readonly stopping?: AbortSignal | undefined;
  } = {},
): Promise<Readonly<Record<string, number>>> {
  const limit = limits.batchSize ?? batchSize;
  const counts: Record<string, number> = {};
  const purge = async (name: string, run: () => Promise<number>) => {
    for (let batch = 0; batch < (limits.batchesMax ?? batchesMax); batch++) {
      if (limits.stopping?.aborted) return;
      const gone = await run();
      if (gone > 0) counts[name] = (counts[name] ?? 0) + gone;
      if (gone < limit) return;
    }
  };
  for (const { name, run } of platformPurgesOf(context)) await purge(name, () => run(limit));
  const purges = purgesOf(context);
  await forEachClient(await listClients(context.database), async (client) => {
    for (const { name, run } of purges) await purge(name, () => run(client, limit));
  });
  return counts;
}
