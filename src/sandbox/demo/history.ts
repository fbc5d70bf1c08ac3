import { hash } from "node:crypto";
import { takeMidnightSnapshots } from "#/delivery/outbound/index.ts";
import { writeAck } from "#/intake/feeds/ack.ts";
import { dayMs, hourMs, minuteMs } from "#/kernel/values/durations.ts";
import { createIds, timeOfId } from "#/kernel/values/ids.ts";
import { restateAll } from "#/modules/activity/index.ts";
import { openBooks, postMovements } from "#/modules/inventory/index.ts";
import { type Brand, brands } from "#/sandbox/demo/brands.ts";
import { orderXml } from "#/sandbox/demo/documents.ts";
import type { DemoItem } from "#/sandbox/demo/goods.ts";
import { insertPastDocuments } from "#/sandbox/demo/repository.ts";
import type { DemoWorld } from "#/sandbox/demo/world.ts";
import type { HistoryFrame } from "#/sandbox/history/frame.ts";
import type { HistoryOrderRow, LivedOrder } from "#/sandbox/history/history-rows.ts";
import { frameOf } from "#/sandbox/history/index.ts";
import { orderMoments } from "#/sandbox/history/order-life.ts";
import { type Fate, type HistoryKind, yearOfOrders } from "#/sandbox/history/order-plan.ts";
import { seedOrders } from "#/sandbox/history/orders.ts";
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
 * Creates the orders of the last weeks for all brands: rows inserted directly, day by day in the ledger, with their
 * inbound documents.
 */
export async function playHistory(world: DemoWorld): Promise<void> {
  await Promise.all(brands.map((brand) => historyOf(world, brand)));
  // The snapshots that a worker takes in these nights.
  for (let nights = snapshotNights; nights > 1; nights--) {
    const clock = { now: () => world.beganMs - (nights - 1) * dayMs };
    await takeMidnightSnapshots({ database: world.database, clock, ids: createIds() });
  }
}

async function historyOf(world: DemoWorld, brand: Brand): Promise<void> {
  const { database, beganMs, gs1Prefix } = world;
  const { clientId, history } = brand;
  const ids = createIds();
  // Orders sent the day before may have arrived by now, so the history uses the present time.
  const clock = { now: () => beganMs };
  const context = { database, clock, ids, gs1Prefix };
  const base = await frameOf(context, { clientId, size: history.size, days: historyDays - 1 });
  const kind = kindOf(brand);
  const fromMs = beganMs - (historyDays - 1) * dayMs;
  const frame: HistoryFrame = {
    ...base,
    kind,
    items: pastGoods(brand).length,
    fromMs,
    leftByMs: beganMs - leftHours * hourMs,
    momentOf: orderMoments(fromMs, beganMs - newestHours * hourMs),
    besides: (tx, lived, rows) => insertPastDocuments(tx.of(clientId), documentsOf(brand, lived, rows)),
    bookStock: (tx, lived) => bookDays(tx, brand, base.facilityCodes, lived),
  };
  await seedOrders(frame, 1, history.size);
  // The rows raised no events.
  await database.transaction(async (tx) => restateAll(tx.of(clientId)));
}

const pastGoods = ({ goods }: Brand) => goods.filter(({ isOfHistory }) => isOfHistory);

/** Books the despatches day by day. Each book is opened for that evening. */
async function bookDays(
  tx: Transaction,
  { clientId }: Brand,
  facilityCodes: readonly string[],
  lived: readonly LivedOrder[],
): Promise<void> {
  const left = lived.filter(({ life }) => life.parcel);
  const leftMs = ({ life }: LivedOrder) => life.parcel?.despatchedMs ?? 0;
  const days = Map.groupBy(left, (order) => Math.floor(leftMs(order) / dayMs));
  const ids = createIds();
  for (const [, ofDay] of [...days].toSorted(([before], [after]) => before - after)) {
    const evening = new Date(Math.max(...ofDay.map(leftMs)) + minuteMs).toISOString();
    for (const book of (await openBooks(tx.of(clientId), facilityCodes, evening)).values())
      postMovements(tx.of(clientId), book, ids, despatchesOf(book.facilityCode, ofDay), { isPublished: false });
  }
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
