import { retentionJobs } from "#/app/retention/retention-jobs.ts";
import { startAllocator } from "#/app/roles/allocator.ts";
import { statusOf } from "#/app/roles/object-status.ts";
import { stockJobs } from "#/app/roles/stock-jobs.ts";
import { findTraceOrigins } from "#/app/telemetry/trace-origins.ts";
import { findConditions } from "#/console-api/index.ts";
import { startAddressChecker } from "#/delivery/addresses/index.ts";
import {
  createManifestRounds,
  createTrackingRounds,
  startLabelBuyer,
  startRateFetcher,
} from "#/delivery/labels/index.ts";
import { startMailer } from "#/delivery/mail/index.ts";
import { createNotificationRounds, startCourier } from "#/delivery/notifications/index.ts";
import {
  createOutboundConsumer,
  readDocuments,
  takeMidnightSnapshots,
  writeSnapshots,
} from "#/delivery/outbound/index.ts";
import {
  type BrokenEvents,
  checkEvents,
  createIncidentTicks,
  eventRules,
  retryDelaysSeconds,
  startWebhooks,
} from "#/delivery/webhooks/index.ts";
import { listClientsWithParked } from "#/intake/feeds/feeds.cross-client.ts";
import type { Receiver } from "#/intake/feeds/intake/receiver.ts";
import { createOutcomeConsumer, reportOverdue } from "#/intake/feeds/outcome.ts";
import { startHealing } from "#/intake/feeds/park/healing.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Config } from "#/kernel/config/config.ts";
import type { SecretBox } from "#/kernel/security/secret-box.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { dayMs, minuteMs } from "#/kernel/values/durations.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import { createActivityRounds } from "#/modules/activity/index.ts";
import type { CarrierSets } from "#/modules/carriers/index.ts";
import { findKnownSkus } from "#/modules/catalogue/index.ts";
import type { ClientProfile } from "#/modules/clients/index.ts";
import { createKeyring } from "#/modules/clients/oauth/index.ts";
import { replaceExceptions } from "#/modules/facilities/index.ts";
import { createAllocationConsumer } from "#/modules/orders/index.ts";
import { createCountConsumer, createReportHandler, createTaskConsumer } from "#/modules/warehouse/index.ts";
import type { Change } from "#/store/db/audit.ts";
import { createClientTurns, namesOf } from "#/store/db/client-turns.ts";
import type { Database } from "#/store/db/database.ts";
import { logLevelOf } from "#/store/db/errors.ts";
import { facilityOfTenant } from "#/store/db/facility-tenant.ts";
import { type Job, nightHourUtc, startJobs } from "#/store/db/jobs/jobs.ts";
import { createAnalysis } from "#/store/db/schema/statistics.ts";
import type { AskHold } from "#/store/db/store/restore-hold.ts";
import { listTenants } from "#/store/db/tenants.cross-client.ts";
import { createOutboxWriter } from "#/store/outbox/append.ts";
import { startRelay } from "#/store/outbox/relay.ts";

interface WorkerContext {
  readonly database: Database;
  /** Connection for DDL and advisory locks, not through a pooler. */
  readonly directUrl: string;
  readonly clock: Clock;
  /** While false, no scheduled work runs: no job, no delivery, no mail. */
  readonly isClockRight: () => boolean;
  /** Until this time, the due time of immediate work may be in the future, because the clock was set back. */
  readonly aheadUntilMs: () => number;
  readonly ids: Ids;
  readonly log: Logger;
  readonly receiver: Receiver;
  findClient(clientId: string): Promise<ClientProfile | undefined>;
  readonly mail: Config["mail"];
  readonly webhooks: Config["webhooks"];
  /** URL at which browsers reach the console, without `/console`. */
  readonly consoleUrl: () => string;
  /** Reports which parts are on hold after a restore. */
  readonly isHeld: AskHold;
  /** The compiled carrier data of the database. */
  readonly sets: CarrierSets;
  /** Called with the facilities whose tasks have changed. */
  readonly onTasks: (facilityCodes: Iterable<string>) => void;
  /** Decrypts the secrets of the clients' webhooks. */
  readonly secretBox: SecretBox;
}

interface WorkerRole {
  /** Called when there are events to publish. @param clientId whose, where that is known. */
  wake(clientId?: string): void;
  /** Called when tasks of a warehouse have changed; without its code, perhaps those of any. */
  wakeTasks(facilityCode?: string): void;
  stop(): Promise<void>;
}

const clientsMax = 10_000;

/** All background work: the relay and the scheduled jobs. */
export function startWorker(context: WorkerContext): WorkerRole {
  const { database, clock, ids, log, receiver } = context;
  const areDeliveriesHeld = () => context.isHeld("DELIVERIES") || !context.isClockRight();
  const isAllocationHeld = () => context.isHeld("ALLOCATION");
  const healing = startHealing({ database, receiver, log, findClient: context.findClient, findKnownSkus });

  const webhooks = startWebhooks({
    database,
    clock,
    ids,
    log,
    secretBox: context.secretBox,
    policy: context.webhooks,
    signingKey: createKeyring({ database, clock, secretBox: context.secretBox }).signing,
    schedule: context.webhooks.retryDelaysSeconds ?? retryDelaysSeconds,
    readDocuments,
    findOrigins: findTraceOrigins,
    isHeld: areDeliveriesHeld,
    aheadUntilMs: context.aheadUntilMs,
    sets: context.sets,
    areTasksHeld: () => context.isHeld("TASKS"),
    onCommit: (clientId) => relay.wake(clientId),
  });
  const asksSources = {
    database,
    clock,
    ids,
    log,
    secretBox: context.secretBox,
    policy: context.webhooks,
    isHeld: areDeliveriesHeld,
    onCommit: (clientId: string) => relay.wake(clientId),
  };
  const labels = startLabelBuyer(asksSources);
  const addresses = startAddressChecker(asksSources);
  const rates = startRateFetcher({ ...asksSources, sets: context.sets });
  const allocator = startAllocator({
    database,
    clock,
    ids,
    log,
    isHeld: isAllocationHeld,
    onCommit: (clientId) => relay.wake(clientId),
  });
  const relay = startRelay({
    database,
    clock,
    ids,
    findOrigins: findTraceOrigins,
    isHeld: isAllocationHeld,
    // The order matters: a document becomes PROCESSED after its follow-up work, and the last consumer sees the results
    // of all others.
    consumers: [
      createAllocationConsumer({ ids }),
      createTaskConsumer(ids, context.onTasks),
      createCountConsumer({ ids, findClient: context.findClient, onChange: context.onTasks }),
      createOutcomeConsumer((clientId) => healing.wake([clientId]), statusOf),
      createOutboundConsumer(ids, () => webhooks.deliver()),
      // Any event may have brought or released stock.
      { consume: async () => [], afterwards: (clientId) => allocator.wake(clientId) },
      { consume: async () => [], afterwards: (clientId) => webhooks.wake(clientId) },
      { consume: async () => [], afterwards: () => labels.wake() },
      {
        consume: async () => [],
        afterwards: (_, rows) => {
          if (rows.some(({ topic }) => topic === "order:held")) addresses.wake();
        },
      },
      rates.consumer,
    ],
    onError: (error, clientId) => log[logLevelOf(error)]({ err: error, clientId }, "publishing was interrupted"),
  });

  const writer = createOutboxWriter(ids, { onCommit: (clientId) => relay.wake(clientId) });
  const overdueTurns = createClientTurns();
  const midnightTurns = createClientTurns();
  const documentTurns = createClientTurns();
  const manifestRound = createManifestRounds({
    database,
    clock,
    ids,
    findClient: context.findClient,
    onStarted: () => labels.wake(),
  });
  const onCommit = (clientId: string) => relay.wake(clientId);
  const handleReport = createReportHandler({ database, clock, ids, findClient: context.findClient, onCommit });
  const tracking = createTrackingRounds({ ...asksSources, handleReport });
  const activity = createActivityRounds(context);
  const courier = startCourier({ ...asksSources, mail: context.mail });
  const notificationRound = createNotificationRounds({
    database,
    clock,
    ids,
    findConditions,
    consoleUrl: context.consoleUrl,
    onWritten: () => courier.wake(),
  });
  const analyze = createAnalysis(database);
  const jobs = startJobs(context, [
    {
      name: "feed-deadline",
      everyMs: minuteMs / 2,
      async run() {
        // Work that is on hold on purpose causes no alert.
        if (isAllocationHeld()) return;
        const overdue = await reportOverdue({ database, clock, writer, turns: overdueTurns });
        if (overdue === 0) return;
        log.warn({ overdue }, "accepted documents have no outcome after their deadline");
      },
    },
    {
      name: "feed-healing",
      everyMs: minuteMs,
      async run() {
        healing.wake(await listClientsWithParked(database.lookUps, clientsMax));
      },
    },
    {
      name: "midnight-snapshots",
      everyMs: minuteMs / 2,
      run: () => takeMidnightSnapshots({ database, clock, ids, turns: midnightTurns }),
    },
    {
      name: "snapshot-documents",
      everyMs: 5_000,
      run: () =>
        writeSnapshots({
          database,
          clock,
          ids,
          turns: documentTurns,
          onPushed: () => webhooks.deliver(),
        }),
    },
    ...eventJobs({ database, clock, ids, log }),
    ...stockJobs({
      database,
      clock,
      ids,
      log,
      sets: context.sets,
      isHeld: isAllocationHeld,
      onCommit: (clientId) => relay.wake(clientId),
      onTasks: context.onTasks,
    }),
    {
      name: "webhook-incidents",
      everyMs: minuteMs / 4,
      run: createIncidentTicks({ database, clock, ids, turns: createClientTurns() }, context.aheadUntilMs),
    },
    {
      name: "manifests",
      everyMs: minuteMs / 2,
      async run() {
        if (!areDeliveriesHeld()) await manifestRound();
      },
    },
    { name: "activity", everyMs: minuteMs / 4, run: (stopping) => activity.run(stopping) },
    {
      name: "notifications",
      everyMs: minuteMs / 2,
      run: async () => (areDeliveriesHeld() ? 0 : notificationRound()),
    },
    { name: "tracking", everyMs: minuteMs, run: (stopping) => tracking.run(stopping) },
    {
      name: "statistics",
      everyMs: 5_000,
      run: async () => (await analyze()).length,
    },
    ...retentionJobs(context),
  ]);

  const mailer = startMailer({ database, clock, log, mail: context.mail, isHeld: areDeliveriesHeld });

  return {
    wake: relay.wake,
    wakeTasks: webhooks.wakeTasks,
    async stop() {
      // Concurrent with the others: a receiver that hangs uses up most of the time limit of a stop.
      const sent = Promise.all([
        webhooks.stop(),
        mailer.stop(),
        courier.stop(),
        labels.stop(),
        addresses.stop(),
        rates.stop(),
        tracking.stop(),
      ]);
      await jobs.stop();
      await healing.stop();
      await allocator.stop();
      await relay.stop();
      await sent;
    },
  };
}

interface EventJobsContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
}

/** Two days, so that a run that is delayed by a day leaves no event unchecked. */
const checkedMs = 2 * dayMs;
/** Maximum number of exceptions per client. The log has every finding. */
const shownMax = 100;

/**
 * Verifies every night that no event was lost or numbered twice (webhooks.md §2). A finding is an exception until it is
 * fixed.
 */
export function eventJobs({ database, clock, ids, log }: EventJobsContext): readonly Job[] {
  const turns = createClientTurns();

  async function checkAll(): Promise<void> {
    const clientIds = await listTenants(database.lookUps);
    await turns.run(namesOf(clientIds), async (clientId) => {
      const nowMs = clock.now();
      const facilityCode = facilityOfTenant(clientId);
      const broken = await checkEvents({ database, clientId, sinceMs: nowMs - checkedMs });
      for (const brokenEvents of broken)
        log.error({ clientId, rule: brokenEvents.rule }, `events check: ${describe(brokenEvents)}`);
      const change: Change = { actor: "worker", origin: "events-check", at: new Date(nowMs).toISOString(), ids };
      const found = broken.slice(0, shownMax).map((brokenEvents) => ({
        key: `${brokenEvents.rule} ${brokenEvents.key ?? brokenEvents.object}`,
        exception: {
          facilityCode,
          objectType: facilityCode === undefined ? "client" : "facility",
          objectId: facilityCode ?? clientId,
          summary: describe(brokenEvents),
          detail: { rule: brokenEvents.rule },
        },
      }));
      await database.transaction((tx) => replaceExceptions(tx.of(clientId, change), "EVENT_CHECK", found));
      return false;
    });
  }
  return [{ name: "events-check", everyMs: dayMs, hourUtc: nightHourUtc, run: checkAll }];
}

const describe = ({ rule, object, found, expected }: BrokenEvents) =>
  `${object}: ${eventRules[rule]} (${found}, expected ${expected}).`;
