import { dayMs, hourMs, minuteMs } from "#/kernel/values/durations.ts";
import { nextCutOff, type WorkingCalendar } from "#/kernel/values/working-calendar.ts";
import type { Determined } from "#/modules/carriers/index.ts";
import type { PlannedOrder } from "#/sandbox/history/order-plan.ts";

export type HistoryState = "DELIVERED" | "DESPATCHED" | "RETURNED_TO_SENDER" | "CANCELLED" | "ON_HOLD" | "BACKORDERED";

/** The life of an order. Times are Unix milliseconds. */
export interface OrderLife {
  readonly status: HistoryState;
  readonly despatchBy: string | null;
  /** Reason of a cancellation. */
  readonly reason?: string;
  readonly hold?: { readonly type: "CLIENT_REQUEST"; readonly reason: string };
  readonly parcel?: ParcelLife;
  /** Codes of lifecycle.md §9, in chronological order. */
  readonly milestones: readonly { readonly code: number; readonly atMs: number; readonly isOfParcel: boolean }[];
}

interface ParcelLife {
  readonly status: "DELIVERED" | "DESPATCHED" | "IN_TRANSIT" | "RETURNED_TO_SENDER";
  readonly packedMs: number;
  readonly despatchedMs: number;
  /** Time of the last carrier code; undefined before the first. */
  readonly statusMs: number | undefined;
}

export interface Departure {
  /** ISO 8601 UTC; null if the facility has no cut-off. */
  readonly despatchBy: string | null;
  readonly packedMs: number;
  readonly despatchedMs: number;
}

/**
 * An order leaves at the cut-off that it meets. The newest orders, whose cut-off is in the future, have left earlier.
 */
export function departureOf(order: PlannedOrder, calendar: WorkingCalendar, nowMs: number): Departure {
  const { receivedMs, part } = order;
  const despatchBy = nextCutOff(calendar, new Date(receivedMs).toISOString());
  const dueMs = despatchBy === null ? receivedMs + 5 * hourMs : Date.parse(despatchBy);
  const isStillToCome = dueMs > nowMs - hourMs;
  const despatchedMs = isStillToCome ? receivedMs + 2 * hourMs : Math.max(dueMs, receivedMs + hourMs);
  const packedMs = Math.max(receivedMs + 30 * minuteMs, despatchedMs - Math.floor((0.5 + part("packed") * 4) * hourMs));
  return { despatchBy, packedMs, despatchedMs };
}

/** Life of an order that was never packed. */
export function lifeInside(order: PlannedOrder, despatchBy: string | null): OrderLife {
  const { fate, receivedMs, part } = order;
  const then = (code: number, afterMs: number) => [...received(order), ofOrder(code, receivedMs + afterMs)];
  if (fate === "BACKORDERED") return { status: fate, despatchBy, milestones: then(45, 2_000) };
  if (fate === "ON_HOLD") {
    const hold = { type: "CLIENT_REQUEST", reason: "the customer asked to wait" } as const;
    return { status: fate, despatchBy, hold, milestones: then(30, 5 * minuteMs) };
  }
  const milestones = then(90, Math.floor((0.2 + part("cancelled")) * hourMs));
  return { status: "CANCELLED", reason: "the customer changed their mind", despatchBy, milestones };
}

/** Life of an order that no carrier takes: it was held and then cancelled. */
export function lifeUncarried(order: PlannedOrder, { despatchBy, packedMs }: Departure): OrderLife {
  const milestones = [...received(order), ofOrder(90, packedMs + minuteMs)];
  return { status: "CANCELLED", reason: "no carrier takes the parcel", despatchBy, milestones };
}

const ofOrder = (code: number, atMs: number) => ({ code, atMs, isOfParcel: false });
const scanned = (code: number, atMs: number) => ({ code, atMs, isOfParcel: true });
const received = ({ receivedMs }: PlannedOrder) => [ofOrder(10, receivedMs), ofOrder(20, receivedMs)];

/** Life of an order with a carrier. Events after now have not happened yet. */
export function lifeOutside(
  order: PlannedOrder,
  departure: Departure,
  chosen: NonNullable<Determined["decision"]["chosen"]>,
  nowMs: number,
): OrderLife {
  const { receivedMs, fate, part } = order;
  const { despatchBy, packedMs, despatchedMs } = departure;
  const promised = chosen.estimatedDelivery;
  const late = part("late") < 0.07 ? dayMs : 0;
  const dueMs = promised === null ? despatchedMs + 2 * dayMs : Date.parse(promised);
  const arrivedMs = Math.max(despatchedMs + 8 * hourMs, Math.floor(dueMs + late + (9 + part("hour") * 9) * hourMs));
  const isBack = fate === "RETURNED_TO_SENDER";
  const scans = [
    scanned(120, despatchedMs + 5 * hourMs),
    scanned(160, arrivedMs - 2 * hourMs),
    scanned(isBack ? 170 : 200, arrivedMs),
    ...(isBack ? [scanned(250, arrivedMs + 2 * dayMs), scanned(300, arrivedMs + 5 * dayMs)] : []),
  ];
  const isOver = (scans.at(-1)?.atMs ?? nowMs) < nowMs;
  // A return to sender is reported when the parcel is back. Until then, its last event is in transit.
  const seen = isOver ? scans : scans.filter(({ code, atMs }) => code === 120 && atMs < nowMs);
  const status = isOver ? (isBack ? "RETURNED_TO_SENDER" : "DELIVERED") : "DESPATCHED";
  return {
    status,
    despatchBy,
    parcel: {
      status: status === "DESPATCHED" && seen.length > 0 ? "IN_TRANSIT" : status,
      packedMs,
      despatchedMs,
      statusMs: seen.at(-1)?.atMs,
    },
    milestones: [
      ...received(order),
      ofOrder(50, receivedMs + 2_000),
      ofOrder(52, packedMs - 20 * minuteMs),
      ofOrder(60, packedMs),
      ofOrder(100, despatchedMs),
      ...seen,
    ],
  };
}

/** Relative load of each hour of a day (UTC), and of each day of a week from Sunday on. */
const hours = [2, 1, 1, 1, 1, 2, 4, 7, 9, 11, 12, 12, 13, 12, 11, 11, 12, 13, 15, 18, 20, 17, 11, 5];
const weekdays = [1.25, 1.15, 1, 0.95, 0.95, 0.9, 0.8];
/** The months before Christmas have a higher load. */
const seasonal: Readonly<Record<number, number>> = { 10: 1.5, 11: 1.35, 6: 0.9, 7: 0.85 };

/**
 * Order times of a shop, with more orders in the evening, at the weekend and before Christmas.
 *
 * @param fromMs Unix milliseconds
 * @param toMs exclusive
 * @returns the time at a fraction (0 to 1) of all orders; it never decreases as the fraction grows.
 */
export function orderMoments(fromMs: number, toMs: number): (part: number) => number {
  const ends: number[] = [];
  let sum = 0;
  for (let at = fromMs; at < toMs; at += hourMs) {
    const date = new Date(at);
    const ofDay = (weekdays[date.getUTCDay()] ?? 1) * (seasonal[date.getUTCMonth()] ?? 1);
    sum += (hours[date.getUTCHours()] ?? 1) * ofDay;
    ends.push(sum);
  }
  return (part) => {
    const wanted = Math.min(1, Math.max(0, part)) * sum;
    const place = placeOf(ends, wanted);
    const [begin, end] = [ends[place - 1] ?? 0, ends[place] as number];
    return Math.min(toMs, Math.floor(fromMs + (place + (wanted - begin) / (end - begin)) * hourMs));
  };
}

/** Index of the first number in the ascending list that is not less than the wanted one. */
function placeOf(ends: readonly number[], wanted: number): number {
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
