import { dayMs, hourMs } from "#/kernel/values/durations.ts";
import { raiseException } from "#/modules/facilities/index.ts";
import { type Book, listReservations, openBook, openBooks, poolsOf } from "#/modules/inventory/index.ts";
import {
  listClientsWithBackorders,
  listClientsWithCancelRequests,
} from "#/modules/orders/allocation/allocation.cross-client.ts";
import { allocateAll } from "#/modules/orders/allocation/allocation.ts";
import * as repository from "#/modules/orders/allocation/backorder-repository.ts";
import { findPolicy } from "#/modules/orders/allocation/backorder-repository.ts";
import { type Release, releaseStock } from "#/modules/orders/allocation/deallocation.ts";
import { ago, batch, inTransaction, type OrderJob, workThroughClients } from "#/modules/orders/allocation/order-job.ts";
import { withoutOrphans } from "#/modules/orders/commands/cancel-order.ts";
import { facilityOfLine, moved, type Order, type OrderLine, withLines } from "#/modules/orders/order.ts";
import { lockOrders, readOrders } from "#/modules/orders/order-repository.ts";
import { listFreeStock } from "#/modules/orders/routing/free-stock.ts";
import { settleOrders } from "#/modules/orders/settle.ts";
import { createClientTurns } from "#/store/db/client-turns.ts";
import type { UnitOfWork } from "#/store/db/database.ts";
import type { EventDraft } from "#/store/outbox/append.ts";

const partialMs = 72 * hourMs;
const unansweredMs = 2 * hourMs;
/** Orders that are searched for one that could be completed. */
const candidatesMax = 200;

/** Cancels quantity that has been backordered for longer than the client's `backorderDays`. */
export async function cancelExpiredBackorders(job: OrderJob): Promise<number> {
  // Every client's limit is at least one day.
  const clientIds = await listClientsWithBackorders(job.database.lookUps, ago(job, dayMs));
  return workThroughClients(job, clientIds, async (tx) => {
    const { backorderDays } = await findPolicy(tx);
    const before = new Date(Date.parse(tx.change.at) - backorderDays * dayMs).toISOString();
    const due = await repository.listBackordered(tx, before, batch);
    if (due.length === 0) return { done: 0, drafts: [] };
    const books = await openBooks(tx, [...new Set(due.flatMap(({ facilities }) => facilities))], tx.change.at);
    const orders = await lockOrders(
      tx,
      due.map(({ order_id }) => order_id),
    );
    const reason = `not in stock for ${backorderDays} days`;
    const releases: Release[] = [];
    const changes = orders
      .filter(({ backorderedSince }) => backorderedSince !== undefined && backorderedSince < before)
      .map((order) => {
        const cancelled = withoutOrphans(
          withLines(order, (line) => moved(line, "backordered", "cancelled", line.buckets.backordered)),
        );
        releases.push(...cancelled.releases);
        return { order: cancelled.order, before: order, action: "cancel", statusReason: reason };
      });
    await releaseStock(tx, books, releases);
    return { done: changes.length, drafts: await settleOrders(tx, changes) };
  });
}

/** An order that has held a part for 72 h and waits for the rest releases that part if it completes another order. */
export async function giveUpPartialAllocations(job: OrderJob): Promise<number> {
  const { database, turns = createClientTurns() } = job;
  const before = ago(job, partialMs);
  let releasedOrders = 0;
  /** Yields after each order. */
  async function* ordersOf(clientId: string): AsyncGenerator<void, void> {
    const view = database.of(clientId);
    if ((await findPolicy(view)).backorder !== "WAIT") return;
    const due = await repository.listPartlyAllocated(view, before, batch);
    for (const { orderId, facilityCode } of due.flatMap(partsOf)) {
      releasedOrders += await inTransaction(job, clientId, async (tx) => {
        const book = await openBook(tx, facilityCode, tx.change.at);
        const drafts = await giveUp(tx, book, orderId, before);
        return { done: drafts.length > 0 ? 1 : 0, drafts };
      });
      yield;
    }
  }
  const clientIds = await listClientsWithBackorders(database.lookUps, before);
  await turns.run(
    clientIds.map((clientId) => [clientId, ordersOf(clientId)]),
    async (orders) => !(await orders.next()).done,
  );
  return releasedOrders;
}

const partsOf = ({ order_id, facilities }: { readonly order_id: string; readonly facilities: readonly string[] }) =>
  facilities.map((facilityCode) => ({ orderId: order_id, facilityCode }));

/** The order gives up what it holds in the facility of the book. */
async function giveUp(tx: UnitOfWork, book: Book, orderId: string, before: string): Promise<EventDraft[]> {
  const { facilityCode } = book;
  const [[order], all] = await Promise.all([lockOrders(tx, [orderId]), listReservations(tx, "ORDER", [orderId])]);
  const held = all.filter((reservation) => reservation.facilityCode === facilityCode);
  const isOld = held.some(({ allocatedAt }) => allocatedAt < before);
  if (order?.status !== "PARTIALLY_ALLOCATED" || order.takenAt !== undefined || !isOld) return [];
  const skus = [...new Set(held.map(({ sku }) => sku))];
  const other = await findCompletable(tx, facilityCode, order, skus);
  if (other === undefined) return [];
  const ofLine = (line: OrderLine) => (facilityOfLine(order, line) === facilityCode ? line.buckets.allocated : 0);
  const releases = order.lines.map((line) => ({ orderId, lineNumber: line.lineNumber, qty: ofLine(line) }));
  await releaseStock(tx, new Map([[facilityCode, book]]), releases);
  const freed = withLines(order, (line) => moved(line, "allocated", "backordered", ofLine(line)));
  const settled = await settleOrders(tx, [{ order: freed, before: order, action: "giveUp" }]);
  return [
    ...settled,
    ...(await allocateAll(tx, book, { orderIds: [other], isForThemAlone: true })),
    ...(await allocateAll(tx, book, { skus })),
  ];
}

/** The first waiting order that the stock held by `giver`, together with free stock, would complete. */
async function findCompletable(
  tx: UnitOfWork,
  facilityCode: string,
  giver: Order,
  skus: readonly string[],
): Promise<string | undefined> {
  const waiting = await repository.listWaitingOrders(tx, facilityCode, skus, candidatesMax);
  const candidates = await readOrders(
    tx,
    waiting.filter((orderId) => orderId !== giver.orderId),
  );
  const wanted = [...new Set(candidates.flatMap(({ lines }) => lines.map(({ sku }) => sku)))];
  const [held, stock] = await Promise.all([
    listReservations(tx, "ORDER", [giver.orderId]),
    listFreeStock(tx, { facilityCodes: [facilityCode], skus: wanted, at: tx.change.at }),
  ]);
  const free = new Map<string, number>();
  const add = (sku: string, stockPool: string, qty: number) =>
    free.set(`${stockPool} ${sku}`, (free.get(`${stockPool} ${sku}`) ?? 0) + qty);
  for (const { sku, stockPool, free: qty } of stock) add(sku, stockPool, qty);
  for (const { sku, stockPool, allocated, facilityCode: at } of held) {
    if (at === facilityCode) add(sku, stockPool, allocated);
  }
  return waiting.find((orderId) => {
    const order = candidates.find((candidate) => candidate.orderId === orderId);
    return order !== undefined && completes(order, facilityCode, new Map(free));
  });
}

function completes(order: Order, facilityCode: string, free: Map<string, number>): boolean {
  return order.lines.every((line) => {
    const { sku, stockPool, buckets } = line;
    let wanted = buckets.open + buckets.backordered;
    if (facilityOfLine(order, line) !== facilityCode) return wanted === 0;
    for (const pool of poolsOf(stockPool)) {
      const there = free.get(`${pool} ${sku}`) ?? 0;
      const taken = Math.min(wanted, there);
      free.set(`${pool} ${sku}`, there - taken);
      wanted -= taken;
    }
    return wanted === 0;
  });
}

/** Raises an exception for an operator, once, if the warehouse has not answered a cancel request for two hours. */
export async function reportUnansweredCancelRequests(job: OrderJob): Promise<number> {
  const clientIds = await listClientsWithCancelRequests(job.database.lookUps, ago(job, unansweredMs));
  return workThroughClients(job, clientIds, async (tx) => {
    const before = new Date(Date.parse(tx.change.at) - unansweredMs).toISOString();
    const due = await repository.markUnanswered(tx, before, tx.change.at, batch);
    for (const { order_id, distribution_centre, cancel_requested_at } of due) {
      raiseException(tx, {
        kind: "CANCEL_UNANSWERED",
        facilityCode: distribution_centre,
        objectType: "order",
        objectId: order_id,
        summary: `Order ${order_id}: the warehouse has not answered the cancel request of ${cancel_requested_at}; contact it, or answer the request for it.`,
        detail: { cancelRequestedAt: cancel_requested_at },
      });
    }
    return { done: due.length, drafts: [] };
  });
}
