import { assert } from "#/kernel/assert.ts";
import { dayMs, hourMs } from "#/kernel/values/durations.ts";
import { restateAll } from "#/modules/activity/index.ts";
import { createCarrierSets, findKnownServices, findShippingFacility } from "#/modules/carriers/index.ts";
import { showClient } from "#/modules/clients/index.ts";
import { openBooks } from "#/modules/inventory/index.ts";
import { createSsccMint } from "#/modules/parcels/index.ts";
import type { HistoryContext, HistoryFrame } from "#/sandbox/history/frame.ts";
import { findHistorySkus, insertHistoryItems, itemRow } from "#/sandbox/history/history-rows.ts";
import { historyItem } from "#/sandbox/history/items.ts";
import { type HistoryState, orderMoments } from "#/sandbox/history/order-life.ts";
import { yearOfOrders } from "#/sandbox/history/order-plan.ts";
import { seedOrders } from "#/sandbox/history/orders.ts";
import { bookHistoryStock } from "#/sandbox/history/stock.ts";
import { recordAudit } from "#/store/db/audit.ts";

/** Length of the history in days. */
export const historyDays = 365;
/** Age of the newest order. Next-day orders of that age can be in transit by now. */
const newestMs = 6 * hourMs;
/** Batch sizes. Each batch locks the client's books, and live orders wait for stock that long. */
const itemsAtOnce = 1_000;
const ordersAtOnce = 500;
const itemsMin = 100;
const itemsMax = 50_000;
const limits = { lockTimeoutMs: 30_000, statementTimeoutMs: 60_000 } as const;

interface HistoryRequest {
  readonly clientId: string;
  /** Number of orders. */
  readonly size: number;
  /** Age of the first order in days. Default: `historyDays`. The months must have partitions. */
  readonly days?: number;
  /** Called with a fraction from 0 to 1. */
  readonly onProgress?: (part: number) => void;
}

/** Number of added rows; all zero if everything existed already. */
interface HistoryReport {
  readonly items: number;
  readonly orders: number;
  readonly states: Readonly<Partial<Record<HistoryState, number>>>;
}

/** One item per twenty orders, at least a hundred and at most 50 000. */
const itemsOfSize = (size: number) => Math.min(itemsMax, Math.max(itemsMin, Math.floor(size / 20)));

/**
 * Inserts a catalogue and the orders of a year, batch by batch, each in one transaction. Existing rows stay unchanged,
 * so that an interrupted run continues. It raises no events and writes no documents.
 *
 * @throws if the client, or one of its facilities, does not exist.
 */
export async function seedHistory(context: HistoryContext, request: HistoryRequest): Promise<HistoryReport> {
  const { size, onProgress = () => {} } = request;
  const frame = await frameOf(context, request);
  const all = size + frame.items;
  let items = 0;
  for (let from = 1; from <= frame.items; from += itemsAtOnce) {
    const to = Math.min(frame.items, from + itemsAtOnce - 1);
    items += await seedItems(frame, from, to);
    onProgress(to / all);
  }
  const states: Partial<Record<HistoryState, number>> = {};
  let orders = 0;
  for (let from = 1; from <= size; from += ordersAtOnce) {
    const to = Math.min(size, from + ordersAtOnce - 1);
    const added = await seedOrders(
      frame,
      Array.from({ length: to - from + 1 }, (_, i) => from + i),
    );
    for (const state of added) states[state] = (states[state] ?? 0) + 1;
    orders += added.length;
    onProgress((frame.items + to) / all);
  }
  if (items + orders > 0) await audit(context, request.clientId, { items, orders });
  return { items, orders, states };
}

/** Common values of a run. @throws if the client, or one of its facilities, does not exist. */
export async function frameOf(
  context: HistoryContext,
  request: Pick<HistoryRequest, "clientId" | "size" | "days">,
): Promise<HistoryFrame> {
  const { database, clock, gs1Prefix } = context;
  const { clientId, size, days = historyDays } = request;
  const view = database.of(clientId);
  const client = await showClient(view);
  assert(client.ok, `there is no client ${clientId}`);
  const facilityCodes = client.value.facilities.slice(0, 2);
  assert(facilityCodes.length > 0, `client ${clientId} has no facility`);
  const facilities = new Map<string, NonNullable<Awaited<ReturnType<typeof findShippingFacility>>>>();
  for (const code of facilityCodes) {
    const facility = await findShippingFacility(database, code);
    assert(facility, `there is no facility ${code}`);
    facilities.set(code, facility);
  }
  const sets = createCarrierSets();
  const nowMs = clock.now();
  const fromMs = nowMs - days * dayMs;
  return {
    kind: yearOfOrders,
    context,
    clientId,
    size,
    items: itemsOfSize(size),
    facilityCodes,
    facilities,
    sets,
    limits,
    nowMs,
    fromMs,
    momentOf: orderMoments(fromMs, nowMs - newestMs),
    services: await findKnownServices(view, sets),
    ssccs: createSsccMint(database, gs1Prefix),
  };
}

function audit({ database, clock, ids }: HistoryContext, clientId: string, detail: Record<string, number>) {
  const change = { actor: "seed", origin: "local", at: new Date(clock.now()).toISOString(), ids };
  return database.transaction(async (tx) => {
    restateAll(tx.of(clientId));
    recordAudit(tx.of(clientId, change), { action: "seedHistory", objectType: "client", objectId: clientId, detail });
  });
}

/** Inserts a range of items with their stock, in one transaction. @returns the number of new items. */
function seedItems(frame: HistoryFrame, from: number, to: number): Promise<number> {
  const { context, clientId, facilityCodes, fromMs, nowMs } = frame;
  const { database, ids } = context;
  const items = Array.from({ length: to - from + 1 }, (_, i) => historyItem(from + i));
  const skus = items.map(({ sku }) => sku);
  return database.transaction(async (tx) => {
    const view = tx.of(clientId);
    // If two runs are concurrent, the second sees the rows of the first.
    const books = await openBooks(view, facilityCodes, new Date(nowMs).toISOString());
    const present = await findHistorySkus(view, skus);
    const missing = items.filter(({ sku }) => !present.has(sku));
    if (missing.length === 0) return 0;
    const known = { at: new Date(fromMs).toISOString(), token: ids.next(nowMs) };
    insertHistoryItems.send(
      view,
      missing.map((item) => itemRow(item, known)),
    );
    for (const book of books.values()) bookHistoryStock(tx, book, ids, missing);
    return missing.length;
  }, frame.limits);
}
