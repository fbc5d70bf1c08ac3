import { assert } from "#/kernel/assert.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { type Determined, determineAll, type RequestedCarrier } from "#/modules/carriers/index.ts";
import { openBooks } from "#/modules/inventory/index.ts";
import { findParcelOwners, insertParcelKeys } from "#/modules/parcels/index.ts";
import type { HistoryFrame } from "#/sandbox/history/frame.ts";
import * as repository from "#/sandbox/history/history-rows.ts";
import {
  type LivedOrder,
  lineRows,
  milestoneRows,
  orderRow,
  parcelOf,
  parcelRow,
} from "#/sandbox/history/history-rows.ts";
import {
  type Departure,
  departureOf,
  type HistoryState,
  lifeInside,
  lifeOutside,
  lifeUncarried,
} from "#/sandbox/history/order-life.ts";
import { type PlannedOrder, planOrder, pricesOf } from "#/sandbox/history/order-plan.ts";
import { bookHistoryDespatches } from "#/sandbox/history/stock.ts";
import type { Transaction } from "#/store/db/database.ts";

/** Inserts the missing ones of these orders in one transaction. @returns their states. */
export async function seedOrders(frame: HistoryFrame, numbers: readonly number[]): Promise<HistoryState[]> {
  const { context, clientId, facilityCodes, nowMs, limits, kind } = frame;
  const { database, ids } = context;
  const { orderIdOf } = kind;
  // Checks without a lock first, so that a repeated run skips existing orders.
  const seen = await repository.findHistoryOrders(database.of(clientId), numbers.map(orderIdOf));
  if (seen.size === numbers.length) return [];
  return database.transaction(async (tx) => {
    const view = tx.of(clientId);
    // Opened at the latest time, because a book is never opened before its last entry.
    const books = await openBooks(view, facilityCodes, new Date(context.clock.now()).toISOString());
    const present = await repository.findHistoryOrders(view, numbers.map(orderIdOf));
    const planned = numbers.filter((n) => !present.has(orderIdOf(n))).map((n) => planOrder(n, frame));
    if (planned.length === 0) return [];
    const lived = await live(tx, frame, planned, nowMs);
    const parcels = lived.flatMap(parcelRow);
    const rows = lived.map((livedOrder) => orderRow(livedOrder, ids));
    repository.insertHistoryOrders.send(view, rows);
    repository.insertHistoryLines.send(view, lived.flatMap(lineRows));
    repository.insertHistoryParcels.send(view, parcels);
    repository.insertHistoryMilestones.send(
      view,
      lived.flatMap((livedOrder) => milestoneRows(livedOrder, ids)),
    );
    insertParcelKeys(
      tx,
      clientId,
      parcels.flatMap(({ olpn_id: olpnId }) => [
        { kind: "OLPN" as const, key: olpnId, olpnId },
        { kind: "TRACKING" as const, key: olpnId, olpnId },
      ]),
    );
    frame.besides?.(tx, lived, rows);
    if (frame.bookStock) {
      await frame.bookStock(tx, lived);
      return lived.map(({ life }) => life.status);
    }
    for (const book of books.values()) {
      const receiptId = `H-R-${orderIdOf(numbers[0] as number).slice(2)}-${book.facilityCode}`;
      bookHistoryDespatches(tx, book, ids, { receiptId, lived });
    }
    return lived.map(({ life }) => life.status);
  }, limits);
}

export const leaves = ({ fate }: PlannedOrder): boolean => fate === "SHIPPED" || fate === "RETURNED_TO_SENDER";

export function departureIn({ facilities, leftByMs, nowMs }: HistoryFrame, order: PlannedOrder): Departure {
  const calendar = facilities.get(order.facilityCode);
  assert(calendar, `facility ${order.facilityCode} was looked up`);
  return departureOf(order, calendar, leftByMs ?? nowMs);
}

/** Simulates the orders up to now. Orders that leave get a parcel with a carrier decision. */
async function live(
  tx: Transaction,
  frame: HistoryFrame,
  planned: readonly PlannedOrder[],
  nowMs: number,
): Promise<LivedOrder[]> {
  const ssccs = await mintFree(tx, frame, planned.filter(leaves).length);
  const departing = planned.map((order) => {
    return { order, departure: departureIn(frame, order), olpnId: leaves(order) ? ssccs.pop() : undefined };
  });
  const packed = departing.flatMap(({ olpnId, ...order }) => (olpnId === undefined ? [] : { ...order, olpnId }));
  const decided = await decideHistory(tx, frame, packed);
  return departing.map(({ order, departure, olpnId }): LivedOrder => {
    if (olpnId === undefined) return { order, life: lifeInside(order, departure.despatchBy) };
    const determined = decided.get(olpnId);
    const chosen = determined?.decision.chosen;
    if (!determined || !chosen) return { order, life: lifeUncarried(order, departure) };
    const { carrierCode, serviceCode } = chosen;
    const service = serviceCode === null ? undefined : frame.services.find(serviceCode);
    return {
      order,
      life: lifeOutside(order, departure, chosen, nowMs),
      packed: { olpnId, decisionId: determined.decisionId, carrierCode, service },
    };
  });
}

/** New parcel numbers, without those that a warehouse has already used. */
async function mintFree(tx: Transaction, { ssccs }: HistoryFrame, count: number): Promise<string[]> {
  const minted: string[] = [];
  while (minted.length < count) {
    const taken = await ssccs.take(count - minted.length);
    const used = new Set((await findParcelOwners(tx, "OLPN", taken)).map(({ key }) => key));
    minted.push(...taken.filter((sscc) => !used.has(sscc)));
  }
  return minted;
}

interface PackedOrder {
  readonly order: PlannedOrder;
  readonly departure: Departure;
  readonly olpnId: string;
}

/**
 * Decides the carriers with the current data, each at the time when its parcel was packed, and stores the decisions.
 *
 * @param packed in any order
 * @returns the decision per parcel; undefined if its shipment is invalid.
 */
async function decideHistory(
  tx: Transaction,
  { clientId, sets }: HistoryFrame,
  packed: readonly PackedOrder[],
): Promise<ReadonlyMap<string, Determined | undefined>> {
  if (packed.length === 0) return new Map();
  // The ids of one generator never go back, so parcels are processed in chronological order.
  const inTime = packed.toSorted((left, right) => left.departure.packedMs - right.departure.packedMs);
  let place = 0;
  // The determination reads the time once per shipment, in order.
  const clock = { now: () => inTime[Math.min(place++, inTime.length - 1)]?.departure.packedMs ?? 0 };
  const requests = inTime.map((packedOrder) => askedOf(clientId, packedOrder));
  const answers = await determineAll(tx, { clock, ids: createIds(), sets }, requests);
  return new Map(
    inTime.map(({ olpnId, departure }, i) => {
      const answer = answers[i];
      const determined = answer?.ok ? answer.value : undefined;
      const decidedMs = determined && Date.parse(determined.decision.decidedAt);
      assert(decidedMs === undefined || decidedMs === departure.packedMs, "a decision of the history is of its moment");
      return [olpnId, determined];
    }),
  );
}

function askedOf(clientId: string, { order, olpnId }: PackedOrder): RequestedCarrier {
  const { country, zip, city } = order.address;
  const { subtotal, total } = pricesOf(order);
  const money = (pence: number) => ({ amount: pence / 100, currency: order.currency });
  const parcel = { ...parcelOf(order), declaredValue: money(subtotal) };
  return {
    clientId,
    request: {
      distributionCentre: order.facilityCode,
      shipTo: { country, zip, city },
      parcels: [parcel],
      shippingMethod: order.shippingMethod,
      orderValue: money(total),
      extendedAttributes: {},
    },
    of: { orderId: order.orderId, olpnId },
  };
}
