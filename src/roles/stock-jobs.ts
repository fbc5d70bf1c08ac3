import type { Change } from "#/db/audit.ts";
import type { Database, Transaction } from "#/db/database.ts";
import { forEachClient } from "#/db/each-client.ts";
import { isContention } from "#/db/errors.ts";
import type { Job } from "#/db/jobs/jobs.ts";
import type { Clock } from "#/kernel/clock.ts";
import type { Logger } from "#/kernel/telemetry/log.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import { listClients } from "#/modules/clients/index.ts";
import { replaceExceptions } from "#/modules/facilities/index.ts";
import {
  checkStock,
  describeBroken,
  freeExpired,
  listBooksWithExpired,
  listClientsWithUntoldChanges,
  openBook,
  tellChanges,
} from "#/modules/inventory/index.ts";
import {
  cancelExpiredBackorders,
  giveUpPartialAllocations,
  type OrderJob,
  reportUnansweredCancelRequests,
  tellOrdersAtRisk,
} from "#/modules/orders/index.ts";
import {
  closeDays,
  closeFinishedPurchaseOrders,
  listClientsWithFinishedPurchaseOrders,
} from "#/modules/purchasing/index.ts";
import { expireReturns, listClientsWithUnusedReturns } from "#/modules/returns/index.ts";
import { freeAllocations } from "#/modules/warehouse/index.ts";
import { createOutboxWriter, type EventDraft } from "#/outbox/append.ts";

export interface StockJobsContext {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Logger;
  /** Called when there are events to publish. */
  onCommit(): void;
  /** While true after a restore, no order is cancelled for lack of stock, because allocation is on hold. */
  readonly isHeld?: () => boolean;
}

type Work = (tx: Transaction, change: Change, clientId: string) => Promise<readonly EventDraft[]>;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const clientsMax = 10_000;
/** A client with more full batches than this continues in the next round, after the others. */
const batchesMax = 20;
/** Interval between two `inventory:changed` events (webhooks.md §3). */
const toldMs = 10 * second;
const checkTimeoutMs = 10 * minute;
/** Maximum number of broken places of a client that are shown to operators. The log has all. */
const shownMax = 100;
const clientItself = (clientId: string) => ({ objectType: "client", objectId: clientId });

/** Scheduled work on goods and orders (lifecycle.md). Each client has its own transactions. */
export function stockJobs(context: StockJobsContext): readonly Job[] {
  const { database, clock, ids, log } = context;
  const writer = createOutboxWriter(ids);
  const isoBefore = (ms: number) => new Date(clock.now() - ms).toISOString();

  async function forClient(job: string, clientId: string, work: Work): Promise<void> {
    for (let batch = 0; batch < batchesMax; batch++) {
      const change: Change = { actor: "worker", origin: job, at: isoBefore(0), ids };
      try {
        const told = await database.transaction(async (tx) => {
          const drafts = await work(tx, change, clientId);
          writer.append(tx, clientId, change.at, drafts);
          return drafts.length;
        });
        if (told === 0) return;
        context.onCommit();
      } catch (error) {
        // Another transaction works on the same stock. The next round retries.
        if (!isContention(error)) throw error;
        return;
      }
    }
  }

  async function forClients(job: string, clientIds: readonly string[], work: Work): Promise<void> {
    await forEachClient(clientIds, (clientId) => forClient(job, clientId, work));
  }

  async function ofOrders(job: (context: OrderJob) => Promise<number>): Promise<void> {
    if (context.isHeld?.()) return;
    const done = await job({ database, clock, ids, writer });
    if (done > 0) context.onCommit();
  }

  async function checkAll(): Promise<void> {
    await forEachClient(await listClients(database), async ({ clientId }) => {
      const broken = await database.transaction((tx) => checkStock(tx, clientId), {
        statementTimeoutMs: checkTimeoutMs,
      });
      for (const one of broken) log.error({ clientId, rule: one.rule }, `stock check: ${describeBroken(one)}`);
      const change: Change = { actor: "worker", origin: "stock-check", at: isoBefore(0), ids };
      const found = broken.slice(0, shownMax).map((one) => ({
        key: `${one.rule} ${one.object}`,
        exception: {
          facilityCode: one.facilityCode,
          ...(one.sku === undefined ? clientItself(clientId) : { objectType: "sku", objectId: one.sku }),
          summary: describeBroken(one),
          detail: { rule: one.rule },
        },
      }));
      await database.transaction((tx) => replaceExceptions(tx, change, clientId, "STOCK_CHECK", found));
    });
  }

  return [
    {
      name: "stock-changes",
      everyMs: toldMs / 2,
      async run() {
        const before = isoBefore(toldMs);
        const clients = await listClientsWithUntoldChanges(database, before, clientsMax);
        await forClients("stock-changes", clients, (tx, change, clientId) => tellChanges(tx, change, clientId, before));
      },
    },
    {
      name: "purchase-order-close",
      everyMs: 10 * minute,
      async run() {
        const before = isoBefore(closeDays * day);
        const clients = await listClientsWithFinishedPurchaseOrders(database, before, clientsMax);
        await forClients("purchase-order-close", clients, (tx, change, clientId) =>
          closeFinishedPurchaseOrders(tx, change, clientId, before),
        );
      },
    },
    {
      name: "return-expiry",
      everyMs: 10 * minute,
      async run() {
        const clients = await listClientsWithUnusedReturns(database, isoBefore(0), clientsMax);
        await forEachClient(clients, ({ clientId, before }) =>
          forClient("return-expiry", clientId, (tx, change) => expireReturns(tx, change, clientId, before)),
        );
      },
    },
    {
      name: "stock-expiry",
      everyMs: hour,
      async run() {
        // In some time zone it is already tomorrow. Each book uses the local date of its facility.
        const tomorrow = new Date(clock.now() + day).toISOString().slice(0, 10);
        const books = await listBooksWithExpired(database, tomorrow, clientsMax);
        await forEachClient(books, ({ clientId, facilityCode }) =>
          forClient("stock-expiry", clientId, async (tx, change) =>
            freeExpired(tx, change, await openBook(tx, clientId, facilityCode, change.at), freeAllocations),
          ),
        );
      },
    },
    { name: "backorder-end", everyMs: 10 * minute, run: () => ofOrders(cancelExpiredBackorders) },
    { name: "partial-allocation-end", everyMs: 10 * minute, run: () => ofOrders(giveUpPartialAllocations) },
    { name: "cancel-unanswered", everyMs: minute, run: () => ofOrders(reportUnansweredCancelRequests) },
    { name: "orders-at-risk", everyMs: minute / 4, run: () => ofOrders(tellOrdersAtRisk) },
    { name: "stock-check", everyMs: day, run: checkAll },
  ];
}
