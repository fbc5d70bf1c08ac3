import type { Clock } from "#/kernel/clock.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import { dayMs, hourMs, minuteMs } from "#/kernel/values/durations.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import { type CarrierSets, createCarrierSets } from "#/modules/carriers/index.ts";
import { listClients } from "#/modules/clients/index.ts";
import { listFacilities, replaceExceptions } from "#/modules/facilities/index.ts";
import {
  checkStock,
  describeBroken,
  facilityToday,
  freeExpired,
  listBooksWithExpired,
  listBooksWithOverduePromises,
  listClientsWithUnpublishedChanges,
  listDueForAbcCount,
  openBook,
  publishChanges,
  wantOverdue,
} from "#/modules/inventory/index.ts";
import {
  cancelExpiredBackorders,
  createRerouting,
  giveUpPartialAllocations,
  type OrderJob,
  publishOrdersAtRisk,
  releaseDatedOrders,
  reportUnansweredCancelRequests,
} from "#/modules/orders/index.ts";
import {
  closeDays,
  closeFinishedPurchaseOrders,
  closeUnfinishedPurchaseOrders,
  listClientsWithFinishedPurchaseOrders,
  listClientsWithUnfinishedPurchaseOrders,
} from "#/modules/purchasing/index.ts";
import {
  closeQuietReturns,
  expireReturns,
  listClientsWithQuietReturns,
  listClientsWithUnusedReturns,
} from "#/modules/returns/index.ts";
import { freeAllocations, releaseAbcCounts } from "#/modules/warehouse/index.ts";
import type { Change } from "#/store/db/audit.ts";
import { type ClientTurns, createClientTurns, namesOf } from "#/store/db/client-turns.ts";
import type { Database, UnitOfWork } from "#/store/db/database.ts";
import { isContention } from "#/store/db/errors.ts";
import { type Job, nightHourUtc } from "#/store/db/jobs/jobs.ts";
import { createOutboxWriter, type EventDraft } from "#/store/outbox/append.ts";

export interface StockJobsContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  /** The compiled carrier data of the database. */
  readonly sets?: CarrierSets;
  /** Called when there are events to publish. */
  onCommit(clientId: string): void;
  /** Called when the task lists of facilities have changed. */
  readonly onTasks?: ((facilityCodes: Iterable<string>) => void) | undefined;
  /** While true after a restore, no order is cancelled for lack of stock, because allocation is on hold. */
  readonly isHeld?: () => boolean;
}

type Work = (tx: UnitOfWork) => Promise<readonly EventDraft[]>;

interface Owner {
  readonly clientId: string;
  /** Where a client has several turns: one of each. */
  readonly name?: string;
  /** One batch. */
  readonly work: Work;
}

const second = 1_000;
const clientsMax = 10_000;
/** A client with more full batches than this continues in the next round. */
const batchesMax = 20;
/** Interval between two `inventory:changed` events (webhooks.md §3). */
const changeDelayMs = 10 * second;
const checkTimeoutMs = 10 * minuteMs;
/** Hours of a facility's local time in which ABC counts are asked for: the first in which a worker runs. */
const nightHours = { from: 2, to: 8 };
/** SKUs whose counts are requested while the book is locked. */
const countsOfBatch = 100;
/** Maximum number of broken places of a client that are shown to operators. The log has all. */
const shownMax = 100;
const clientItself = (clientId: string) => ({ objectType: "client", objectId: clientId });

/** Scheduled work on goods and orders (lifecycle.md). Each client has its own transactions. */
export function stockJobs(context: StockJobsContext): readonly Job[] {
  const { database, clock, ids, log } = context;
  const writer = createOutboxWriter(ids, context);
  const rerouteOrders = createRerouting(context.sets ?? createCarrierSets());
  const isoBefore = (ms: number) => new Date(clock.now() - ms).toISOString();

  const turnsOf = new Map<string, ClientTurns>();
  function turns(job: string): ClientTurns {
    const clientTurns = turnsOf.get(job) ?? createClientTurns();
    turnsOf.set(job, clientTurns);
    return clientTurns;
  }

  /** A batch is a turn of its owner. */
  async function inTurns(job: string, owners: readonly Owner[]): Promise<void> {
    await turns(job).run(
      owners.map(({ clientId, name = clientId, work }) => [name, { clientId, work, left: batchesMax }]),
      async (owner) => (await publishBatch(job, owner.clientId, owner.work)) > 0 && --owner.left > 0,
    );
  }

  async function publishBatch(job: string, clientId: string, work: Work): Promise<number> {
    const change: Change = { actor: "worker", origin: job, at: isoBefore(0), ids };
    try {
      const published = await database.transaction(async (tx) => {
        const view = tx.of(clientId, change);
        const drafts = await work(view);
        writer.append(view, change.at, drafts);
        return drafts.length;
      });
      return published;
    } catch (error) {
      // Another transaction works on the same stock. The next round retries.
      if (!isContention(error)) throw error;
      return 0;
    }
  }

  async function ofOrders(name: string, job: (context: OrderJob) => Promise<number>): Promise<void> {
    if (context.isHeld?.()) return;
    await job({ database, clock, ids, writer, turns: turns(name) });
  }

  async function checkAll(): Promise<void> {
    const clientIds = (await listClients(database)).map(({ clientId }) => clientId);
    await turns("stock-check").run(namesOf(clientIds), async (clientId) => {
      const broken = await database.transaction((tx) => checkStock(tx.of(clientId)), {
        statementTimeoutMs: checkTimeoutMs,
      });
      for (const brokenRule of broken)
        log.error({ clientId, rule: brokenRule.rule }, `stock check: ${describeBroken(brokenRule)}`);
      const change: Change = { actor: "worker", origin: "stock-check", at: isoBefore(0), ids };
      const found = broken.slice(0, shownMax).map((brokenRule) => ({
        key: `${brokenRule.rule} ${brokenRule.object}`,
        exception: {
          facilityCode: brokenRule.facilityCode,
          ...(brokenRule.sku === undefined ? clientItself(clientId) : { objectType: "sku", objectId: brokenRule.sku }),
          summary: describeBroken(brokenRule),
          detail: { rule: brokenRule.rule },
        },
      }));
      await database.transaction((tx) => replaceExceptions(tx.of(clientId, change), "STOCK_CHECK", found));
      return false;
    });
  }

  /** The local date of the night for which this process has asked for counts, by book. */
  const askedOn = new Map<string, string>();

  /** Each facility in its night: people count in the morning what they find on their list. */
  async function countAbc(): Promise<void> {
    if (context.isHeld?.()) return;
    const nights = new Map<string, string>();
    for (const { facilityCode, timezone } of await listFacilities(database)) {
      const local = Temporal.Instant.fromEpochMilliseconds(clock.now()).toZonedDateTimeISO(timezone);
      if (local.hour >= nightHours.from && local.hour < nightHours.to)
        nights.set(facilityCode, local.toPlainDate().toString());
    }
    const clients = (await listClients(database)).filter(({ settings }) => settings.countAbc);
    const books = clients.flatMap(({ clientId, facilities }) =>
      facilities
        .filter((code) => nights.has(code) && askedOn.get(`${clientId} ${code}`) !== nights.get(code))
        .map((facilityCode) => [`${clientId} ${facilityCode}`, { clientId, facilityCode }] as const),
    );
    await turns("abc-counts").run(books, async ({ clientId, facilityCode }) => {
      const change: Change = { actor: "worker", origin: "abc-counts", at: isoBefore(0), ids };
      const skus = await listDueForAbcCount(database, change, clientId, facilityCode);
      for (let i = 0; i < skus.length; i += countsOfBatch) {
        const batch = skus.slice(i, i + countsOfBatch);
        await publishBatch("abc-counts", clientId, async (tx) => {
          const facilityCodes = await releaseAbcCounts(tx, facilityCode, batch);
          tx.afterCommit(() => context.onTasks?.(facilityCodes));
          return [];
        });
      }
      askedOn.set(`${clientId} ${facilityCode}`, nights.get(facilityCode) ?? "");
      return false;
    });
  }

  return [
    {
      name: "stock-changes",
      everyMs: changeDelayMs / 2,
      async run() {
        const before = isoBefore(changeDelayMs);
        const clients = await listClientsWithUnpublishedChanges(database.lookUps, before, clientsMax);
        await inTurns(
          "stock-changes",
          clients.map((clientId) => ({
            clientId,
            work: (tx) => publishChanges(tx, before),
          })),
        );
      },
    },
    {
      name: "purchase-order-close",
      everyMs: 10 * minuteMs,
      async run() {
        const before = isoBefore(closeDays * dayMs);
        const clients = await listClientsWithFinishedPurchaseOrders(database.lookUps, before, clientsMax);
        await inTurns(
          "purchase-order-close",
          clients.map((clientId) => ({
            clientId,
            work: (tx) => closeFinishedPurchaseOrders(tx, before),
          })),
        );
        const unfinished = await listClientsWithUnfinishedPurchaseOrders(
          database.lookUps,
          isoBefore(0),
          before,
          clientsMax,
        );
        await inTurns(
          "purchase-order-close",
          unfinished.map(({ clientId, ...terms }) => ({
            clientId,
            work: (tx) => closeUnfinishedPurchaseOrders(tx, terms),
          })),
        );
      },
    },
    {
      name: "return-expiry",
      everyMs: 10 * minuteMs,
      async run() {
        const clients = await listClientsWithUnusedReturns(database.lookUps, isoBefore(0), clientsMax);
        await inTurns(
          "return-expiry",
          clients.map(({ clientId, before }) => ({
            clientId,
            work: (tx) => expireReturns(tx, before),
          })),
        );
        const completeBefore = isoBefore(closeDays * dayMs);
        const quiet = await listClientsWithQuietReturns(database.lookUps, isoBefore(0), completeBefore, clientsMax);
        await inTurns(
          "return-close",
          quiet.map(({ clientId, shortBefore }) => ({
            clientId,
            work: (tx) => closeQuietReturns(tx, { completeBefore, shortBefore }),
          })),
        );
      },
    },
    {
      name: "stock-expiry",
      everyMs: hourMs,
      async run() {
        // In some time zone it is already tomorrow. Each book uses the local date of its facility.
        const tomorrow = new Date(clock.now() + dayMs).toISOString().slice(0, 10);
        const books = await listBooksWithExpired(database.lookUps, tomorrow, clientsMax);
        await inTurns(
          "stock-expiry",
          books.map(({ clientId, facilityCode }) => ({
            clientId,
            name: `${clientId} ${facilityCode}`,
            work: async (tx) => freeExpired(tx, await openBook(tx, facilityCode, tx.change.at), freeAllocations),
          })),
        );
      },
    },
    {
      name: "overdue-promises",
      everyMs: hourMs,
      async run() {
        if (context.isHeld?.()) return;
        // The purchase orders of the day did not come: the allocator gives the lines another day, or none.
        const tomorrow = new Date(clock.now() + dayMs).toISOString().slice(0, 10);
        const books = await listBooksWithOverduePromises(database.lookUps, tomorrow, clientsMax);
        await inTurns(
          "overdue-promises",
          books.map(({ clientId, facilityCode }) => ({
            clientId,
            name: `${clientId} ${facilityCode}`,
            async work(tx) {
              wantOverdue(tx, facilityCode, await facilityToday(tx.plain, facilityCode, tx.change.at));
              return [];
            },
          })),
        );
      },
    },
    { name: "backorder-end", everyMs: 10 * minuteMs, run: () => ofOrders("backorder-end", cancelExpiredBackorders) },
    {
      name: "partial-allocation-end",
      everyMs: 10 * minuteMs,
      run: () => ofOrders("partial-allocation-end", giveUpPartialAllocations),
    },
    {
      name: "cancel-unanswered",
      everyMs: minuteMs,
      run: () => ofOrders("cancel-unanswered", reportUnansweredCancelRequests),
    },
    { name: "order-rerouting", everyMs: 10 * minuteMs, run: () => ofOrders("order-rerouting", rerouteOrders) },
    { name: "orders-at-risk", everyMs: minuteMs / 4, run: () => ofOrders("orders-at-risk", publishOrdersAtRisk) },
    { name: "dated-orders", everyMs: minuteMs / 4, run: () => ofOrders("dated-orders", releaseDatedOrders) },
    { name: "abc-counts", everyMs: hourMs, run: countAbc },
    { name: "stock-check", everyMs: dayMs, hourUtc: nightHourUtc, run: checkAll },
  ];
}
