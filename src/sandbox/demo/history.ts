import { hash } from "node:crypto";
import { takeMidnightSnapshots } from "#/delivery/outbound/index.ts";
import { writeAck } from "#/intake/feeds/ack.ts";
import { dayMs, hourMs, minuteMs } from "#/kernel/values/durations.ts";
import { createIds, timeOfId } from "#/kernel/values/ids.ts";
import { restateAll } from "#/modules/activity/index.ts";
import { openBooks, postMovements } from "#/modules/inventory/index.ts";
import { type Brand, brands } from "#/sandbox/demo/brands.ts";
import type { Besides } from "#/sandbox/demo/day.ts";
import { orderXml } from "#/sandbox/demo/documents.ts";
import type { DemoItem } from "#/sandbox/demo/goods.ts";
import { insertPastDocuments } from "#/sandbox/demo/repository.ts";
import type { DemoWorld } from "#/sandbox/demo/world.ts";
import type { HistoryFrame } from "#/sandbox/history/frame.ts";
import type { HistoryOrderRow, LivedOrder } from "#/sandbox/history/history-rows.ts";
import { frameOf } from "#/sandbox/history/index.ts";
import { orderMoments } from "#/sandbox/history/order-life.ts";
import { type Fate, type HistoryKind, planOrder, yearOfOrders } from "#/sandbox/history/order-plan.ts";
import { departureIn, leaves, seedOrders } from "#/sandbox/history/orders.ts";
import { despatchesOf } from "#/sandbox/history/stock.ts";
import type { Transaction } from "#/store/db/database.ts";

/** Length of the history. Every database has partitions for the previous month, so it cannot be longer. */
export const historyDays = 27;
/** Age of the newest order of the history, and of its last despatch, in hours. Later events are played. */
const newestHours = 34;
const leftHours = 31;
/** Number of snapshots. The worker takes the last one. */
const snapshotNights = 6;

/**
 * The orders of the last weeks of all brands, day by day: rows inserted directly, with their despatches in the ledger
 * and their inbound documents; and the snapshots of the last nights. They are played together with the last days,
 * because a book takes no entry that is older than its last one.
 */
export async function pastDays(world: DemoWorld): Promise<Besides[]> {
  const days = (await Promise.all(brands.map((brand) => daysOf(world, brand)))).flat();
  const nights = Array.from({ length: snapshotNights - 1 }, (_, i) => (snapshotNights - 1 - i) * 24);
  return [
    ...[...Map.groupBy(days, ({ day }) => day).values()].map((ofDay): Besides => {
      // The books of all brands are opened for that evening.
      const eveningMs = Math.max(...ofDay.map(({ lastMs }) => lastMs)) + minuteMs;
      return {
        hoursAgo: (world.beganMs - eveningMs) / hourMs,
        run: () => Promise.all(ofDay.map(({ seed }) => seed(iso(eveningMs)))),
      };
    }),
    ...nights.map((hoursAgo): Besides => ({ hoursAgo, run: () => takeMidnightSnapshots(world) })),
  ];
}

interface PastDay {
  /** Days since 1970. */
  readonly day: number;
  readonly lastMs: number;
  seed(evening: string): Promise<unknown>;
}

/** The orders by the day on which they left; one that was cancelled, by that of its receipt. */
async function daysOf({ database, beganMs, gs1Prefix }: DemoWorld, brand: Brand): Promise<PastDay[]> {
  const { clientId, history } = brand;
  // Orders sent the day before may have arrived by now, so the history uses the present time.
  const clock = { now: () => beganMs };
  // Of each day its own: the ids of one generator never go back, but an order may leave before an older one.
  const contextOf = () => ({ database, clock, ids: createIds(), gs1Prefix });
  const base = await frameOf(contextOf(), { clientId, size: history.size, days: historyDays - 1 });
  const fromMs = beganMs - (historyDays - 1) * dayMs;
  const frame: HistoryFrame = {
    ...base,
    kind: kindOf(brand),
    items: pastGoods(brand).length,
    fromMs,
    leftByMs: beganMs - leftHours * hourMs,
    momentOf: orderMoments(fromMs, beganMs - newestHours * hourMs),
    besides(tx, lived, rows) {
      insertPastDocuments(tx.of(clientId), documentsOf(brand, lived, rows));
      // The rows raise no events.
      restateAll(tx.of(clientId));
    },
  };
  const orders = Array.from({ length: history.size }, (_, i) => ({ number: i + 1, atMs: leftMs(frame, i + 1) }));
  return [...Map.groupBy(orders, ({ atMs }) => Math.floor(atMs / dayMs))].map(([day, ofDay]) => ({
    day,
    lastMs: Math.max(...ofDay.map(({ atMs }) => atMs)),
    seed: (evening) =>
      seedOrders(
        { ...frame, context: contextOf(), bookStock: (tx, lived) => bookDay(tx, frame, evening, lived) },
        ofDay.map(({ number }) => number),
      ),
  }));
}

function leftMs(frame: HistoryFrame, number: number): number {
  const order = planOrder(number, frame);
  return leaves(order) ? departureIn(frame, order).despatchedMs : order.receivedMs;
}

const iso = (ms: number) => new Date(ms).toISOString();

const pastGoods = ({ goods }: Brand) => goods.filter(({ isOfHistory }) => isOfHistory);

async function bookDay(
  tx: Transaction,
  { clientId, facilityCodes }: HistoryFrame,
  evening: string,
  lived: readonly LivedOrder[],
): Promise<void> {
  const ids = createIds();
  for (const book of (await openBooks(tx.of(clientId), facilityCodes, evening)).values())
    postMovements(tx.of(clientId), book, ids, despatchesOf(book.facilityCode, lived), { isPublished: false });
}

function kindOf(brand: Brand): HistoryKind {
  const goods = pastGoods(brand);
  return {
    ...yearOfOrders,
    name: `demo ${brand.clientId}`,
    orderIdOf: (number) => `${brand.history.prefix}${10_000 + number}`,
    itemOf: (number) => goods[(number - 1) % goods.length] as DemoItem,
    fateOf: pastFate,
  };
}

/** No order of the past is open. Waiting and held orders come from the last days. */
function pastFate(number: number): Fate {
  if (number % 29 === 7) return "CANCELLED";
  return number % 41 === 17 ? "RETURNED_TO_SENDER" : "SHIPPED";
}

/** The document of each order as received, with its ACK. */
function documentsOf({ clientId }: Brand, lived: readonly LivedOrder[], rows: readonly HistoryOrderRow[]) {
  return lived.map(({ order }, i) => {
    const token = (rows[i] as HistoryOrderRow).feed_token;
    const { orderId, address, language, currency, shippingMethod, lines } = order;
    const xml = orderXml({
      orderId,
      clientId,
      reference: `EXT-${orderId}`,
      language,
      currency,
      shippingMethod,
      address,
      orderDate: new Date(order.receivedMs - minuteMs).toISOString(),
      lines: lines.map(({ item, pieces }) => ({ sku: item.sku, qty: pieces, price: item.price })),
    });
    const payload = Buffer.from(xml);
    return {
      token,
      type: "NO",
      objectId: orderId,
      payload,
      sha256: hash("sha256", payload, "buffer"),
      channel: i % 9 === 4 ? ("SFTP" as const) : ("HTTP" as const),
      receivedAt: new Date(timeOfId(token)).toISOString(),
      settledAt: new Date(timeOfId(token) + 900 + (i % 7) * 140).toISOString(),
      ack: writeAck({
        token,
        success: true,
        feedType: "NO" as const,
        errors: [],
        errorsOmitted: 0,
        missingSkus: [],
        objectId: orderId,
      }),
    };
  });
}
