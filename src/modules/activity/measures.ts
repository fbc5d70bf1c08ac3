/** The measures of a client, facility and day (docs/decisions/0074-activity-by-day.md). */

/** The figures of a bill, which clients see. The day is that of what happened, in the facility's time zone. */
export const billedMeasures = {
  ORDERS_RECEIVED: "Orders received.",
  LINES_RECEIVED: "Lines of these orders.",
  UNITS_RECEIVED: "Ordered units of these orders.",
  ORDERS_CANCELLED: "Of the orders received: cancelled, whenever it was.",
  ORDERS_DESPATCHED: "Orders whose last parcel left.",
  LINES_DESPATCHED: "Lines of which goods left; a line in several parcels of one day counts once.",
  UNITS_DESPATCHED: "Units that left.",
  PARCELS: "Parcels that left, by `carrierCode` and `carrierServiceCode`.",
  PAPERS: "Papers of the parcels that left, and of the orders with the last of them; `key` is their type.",
  RECEIPTS: "Goods receipts; a correction is none.",
  RECEIPT_LINES: "Entries of goods receipts; a correction counts the difference, on its own day.",
  RECEIPT_UNITS: "Received units; a correction counts the difference, on its own day.",
  RETURNS: "Returns of which goods were booked.",
  RETURN_UNITS: "Returned units; `key` is what the warehouse did with them.",
  WORK_ORDERS: "Work orders that ended with finished goods.",
  WORK_ORDER_UNITS: "Units of finished goods of these work orders.",
  STORAGE_UNITS: "Units on hand at the end of each day, added up; `key` is the stock unit.",
} as const;

export type BilledMeasure = keyof typeof billedMeasures;
export const billedMeasureNames = Object.keys(billedMeasures) as BilledMeasure[];

/** The other figures, by day of receipt of the order. */
export const receiptMeasures = [
  "ORDERS_IN_TIME",
  "ORDERS_LATE",
  "ORDERS_UNTIMED",
  // The key is the despatch time, ISO 8601; empty: none. The reader decides which of them are overdue.
  "ORDERS_NOT_LEFT",
  // Names those of ORDERS_LATE with the latest despatch times: [despatch time, order].
  "LATE_ORDER",
  // Orders by time, in the steps of `stepOf`.
  "DESPATCH_TIME",
  "DELIVERY_TIME",
  // Lines of orders that left, and those of them that left in full.
  "LINES_OF_LEFT",
  "LINES_IN_FULL",
] as const;

/** Late orders that a day names, and that a report lists. */
export const lateOrdersOfDay = 200;

/** By day of despatch, as PARCELS; the key begins with the lane: country, zone, carrier, service. */
export const costMeasures = [
  // + currency
  "PARCEL_COST",
  "PARCELS_PRICED",
  // + currency, weight unit
  "PARCEL_WEIGHT",
] as const;

/** The outcomes of these parcels; by lane as well. */
export const deliveryMeasures = [
  // + started hours to delivery
  "PARCEL_HOURS",
  "PARCELS_ON_TIME",
  "PARCELS_LATE",
  // + promised day: not delivered yet. The reader decides which of them are late.
  "PARCELS_PROMISED",
] as const;

/** FEEDS: by day of receipt in UTC, without a facility; the key is [type, ACCEPTED | REJECTED | FAILED]. */
export type Measure =
  | BilledMeasure
  | (typeof receiptMeasures)[number]
  | (typeof costMeasures)[number]
  | (typeof deliveryMeasures)[number]
  | "FEEDS";

/** Steps of a doubling: times are known to a step, which is 4.4 per cent wide. */
export const stepsOfDoubling = 16;

/** Seconds in the middle of a step. */
export const secondsOfStep = (step: number): number => Math.round(2 ** (step / stepsOfDoubling));

/**
 * The seconds within which a part of the orders were done: of the middle of its step. Undefined without orders.
 * @param steps number of orders by step
 * @param part 0.5: the median
 */
export function secondsWithin(steps: ReadonlyMap<number, number>, part: number): number | undefined {
  const wanted = [...steps.values()].reduce((sum, orders) => sum + orders, 0) * part;
  let orders = 0;
  for (const step of [...steps.keys()].toSorted((a, b) => a - b)) {
    orders += steps.get(step) ?? 0;
    if (orders >= wanted) return secondsOfStep(step);
  }
  return undefined;
}
