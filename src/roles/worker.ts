import type { Database } from "#/db/database.ts";
import { withSchemaLock } from "#/db/migrator.ts";
import { dropOldPartitions, makePartitions } from "#/db/partitions.ts";
import { purgeMails, startMailer, tickIncidents } from "#/delivery/mail/index.ts";
import {
  createOutboundConsumer,
  readDocuments,
  takeMidnightSnapshots,
  writeSnapshots,
} from "#/delivery/outbound/index.ts";
import { startWebhooks } from "#/delivery/webhooks/index.ts";
import { findLongestRetention, listClientsWithKeys, listClientsWithParked } from "#/feeds/cross-client-queries.ts";
import type { FeedClient } from "#/feeds/definition.ts";
import { createHealer } from "#/feeds/healing.ts";
import { createOutcomeConsumer, reportOverdue } from "#/feeds/outcome.ts";
import type { Receiver } from "#/feeds/receiver.ts";
import { purgeIdempotencyKeys } from "#/feeds/repository.ts";
import { purgeAnswers } from "#/http/idempotency-repository.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Config } from "#/kernel/config.ts";
import { type Ids, idBoundary } from "#/kernel/ids.ts";
import type { Logger } from "#/kernel/log.ts";
import type { SecretBox } from "#/kernel/secret-box.ts";
import { findKnownSkus } from "#/modules/catalogue/index.ts";
import { listClients } from "#/modules/clients/index.ts";
import { createAllocationConsumer } from "#/modules/orders/index.ts";
import { createTaskConsumer } from "#/modules/warehouse/index.ts";
import { purgeFeedSequences } from "#/modules/webhooks/index.ts";
import { createOutboxWriter } from "#/outbox/append.ts";
import { startRelay } from "#/outbox/relay.ts";
import { purgeFeedCounts } from "#/outbox/repository.ts";
import { startAllocator } from "#/roles/allocator.ts";
import { startJobs } from "#/roles/jobs.ts";
import { statusOf } from "#/roles/object-status.ts";
import { stockJobs } from "#/roles/stock-jobs.ts";
import { purgeExchange } from "#/sftp/index.ts";

export interface WorkerContext {
  readonly database: Database;
  /** Where DDL and advisory locks go: not through a pooler. */
  readonly directUrl: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  readonly receiver: Receiver;
  findClient(clientId: string): Promise<FeedClient | undefined>;
  readonly mail: Config["mail"];
  readonly webhooks: Config["webhooks"];
  /** Opens what is kept encrypted of the clients' webhooks. */
  readonly secretBox: SecretBox;
}

export interface WorkerRole {
  /** There is something to publish. */
  wake(): void;
  stop(): Promise<void>;
}

const clientsMax = 10_000;
/** As long as the documents and the events are kept (operations.md §6). */
const longAgoDays = 90;
const minute = 60_000;

/** Everything that goes on behind the requests: the relay, and what is due by the clock. */
export function startWorker(context: WorkerContext): WorkerRole {
  const { database, clock, ids, log, receiver } = context;
  const healer = createHealer({ database, receiver, findClient: context.findClient, findKnownSkus });
  const heal = (clientId: string) =>
    healer.heal(clientId).then(
      (healed) => healed > 0 && log.info({ clientId, healed }, "parked documents were judged again"),
      (error) => log.warn({ err: error, clientId }, "healing put off"),
    );

  const webhooks = startWebhooks({
    ...{ database, clock, ids, log, secretBox: context.secretBox },
    policy: context.webhooks,
    schedule: context.webhooks.retryDelaysSeconds,
    readDocuments,
  });
  const allocator = startAllocator({ database, clock, ids, log, onCommit: () => relay.wake() });
  const relay = startRelay({
    database,
    clock,
    ids,
    // In this order: a document is PROCESSED when what follows of it is done, and the last one tells of all before it.
    consumers: [
      createAllocationConsumer({ ids }),
      createTaskConsumer(ids),
      createOutcomeConsumer((clientId) => void heal(clientId), statusOf),
      createOutboundConsumer(ids, () => webhooks.deliver()),
      // Whatever was told may have brought stock or freed it.
      { consume: async () => [], afterwards: () => allocator.wake() },
      { consume: async () => [], afterwards: () => webhooks.wake() },
    ],
    onError: (error, clientId) => log.warn({ err: error, clientId }, "publishing was interrupted"),
  });

  const writer = createOutboxWriter(ids);
  const jobs = startJobs(context, [
    {
      name: "feed-deadline",
      everyMs: minute / 2,
      async run() {
        const overdue = await reportOverdue({ database, clock, writer });
        if (overdue > 0) log.warn({ overdue }, "accepted documents have no outcome past their deadline");
      },
    },
    {
      name: "feed-healing",
      everyMs: minute,
      async run() {
        for (const clientId of await listClientsWithParked(database, clientsMax)) await heal(clientId);
      },
    },
    {
      name: "idempotency-purge",
      everyMs: 60 * minute,
      async run() {
        const at = new Date(clock.now()).toISOString();
        for (const clientId of await listClientsWithKeys(database, at, clientsMax))
          await purgeIdempotencyKeys(database, clientId, at);
        const longAgo = idBoundary(clock.now() - longAgoDays * 86_400_000);
        for (const { clientId } of await listClients(database)) {
          await purgeAnswers(database, clientId, at);
          await purgeFeedCounts(database, clientId, longAgo);
          await purgeFeedSequences(database, clientId, longAgo);
          await purgeMails(database, clientId, longAgo);
        }
      },
    },
    {
      name: "sftp-purge",
      everyMs: 60 * minute,
      async run() {
        for (const { clientId } of await listClients(database)) await purgeExchange({ database, clock }, clientId);
      },
    },
    {
      name: "midnight-snapshots",
      everyMs: minute / 2,
      async run() {
        const taken = await takeMidnightSnapshots({ database, clock, ids });
        if (taken > 0) log.info({ taken }, "snapshots of midnight were taken");
      },
    },
    {
      name: "snapshot-documents",
      everyMs: 5_000,
      async run() {
        const written = await writeSnapshots({ database, clock, ids, onPushed: () => webhooks.deliver() });
        if (written > 0) log.info({ written }, "documents of snapshots were written");
      },
    },
    ...stockJobs({ ...{ database, clock, ids, log }, onCommit: () => relay.wake() }),
    {
      name: "webhook-incidents",
      everyMs: minute / 4,
      async run() {
        const told = await tickIncidents({ database, clock, ids });
        if (told > 0) log.info({ told }, "incidents of webhooks went on");
      },
    },
    { name: "partitions", everyMs: 12 * 60 * minute, run: keepPartitions },
  ]);

  const mailer = startMailer({ database, clock, log, mail: context.mail });

  function keepPartitions(): Promise<void> {
    return withSchemaLock(context.directUrl, async (client) => {
      await makePartitions(client, clock.now());
      const dropped = await dropOldPartitions(client, clock.now(), await findLongestRetention(database));
      if (dropped.length > 0) log.info({ dropped }, "old months were dropped");
    });
  }

  return {
    wake: () => relay.wake(),
    async stop() {
      // At the same time as the others: a receiver that hangs takes most of what a stop may take.
      const sent = Promise.all([webhooks.stop(), mailer.stop()]);
      await jobs.stop();
      await allocator.stop();
      await relay.stop();
      await sent;
    },
  };
}
