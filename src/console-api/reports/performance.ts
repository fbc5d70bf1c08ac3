import type { Performance } from "#/console-api/reports/contract.ts";
import { type Measure, secondsWithin } from "#/modules/activity/index.ts";
import { type Statement, sql } from "#/store/db/sql.ts";

/** The sum of a figure over days, facilities or clients. */
export interface Summed {
  readonly measure: Measure;
  readonly key: string;
  readonly quantity: number;
}

/** The measures of orders against their despatch times. */
export const serviceLevelMeasures = [
  "ORDERS_RECEIVED",
  "ORDERS_IN_TIME",
  "ORDERS_LATE",
  "ORDERS_UNTIMED",
  "ORDERS_NOT_LEFT",
  "DESPATCH_TIME",
  "DELIVERY_TIME",
] as const satisfies readonly Measure[];

/** The measures that {@link performanceOf} reads; of those that are not given, its sums are 0. */
export const performanceMeasures = [
  ...serviceLevelMeasures,
  "LINES_OF_LEFT",
  "LINES_IN_FULL",
  "PARCELS",
  "PARCELS_PRICED",
  "PARCEL_COST",
  "UNITS_DESPATCHED",
  "RETURN_UNITS",
  "FEEDS",
] as const satisfies readonly Measure[];

/**
 * The key of the row `a` of activity_day as {@link performanceOf} reads it: of despatch times only whether they have
 * passed, because a report could have as many of them as orders that have not left.
 * @param at the moment by which an order is overdue, ISO 8601 UTC
 */
export const keyAt = (at: string): Statement => sql`case when a.measure <> 'ORDERS_NOT_LEFT' then a.key
  when a.key > '' and a.key collate "C" < ${at}::text then 'OVERDUE' else '' end`;

export function performanceOf(rows: readonly Summed[]): Performance {
  const byMeasure = Map.groupBy(rows, ({ measure }) => measure);
  const listed = (measure: Measure) => byMeasure.get(measure) ?? [];
  const sumOf = (some: readonly Summed[]) => rounded(some.reduce((sum, { quantity }) => sum + quantity, 0));
  const sum = (measure: Measure) => sumOf(listed(measure));
  const notLeft = listed("ORDERS_NOT_LEFT");
  const overdue = sumOf(notLeft.filter(({ key }) => key === "OVERDUE"));
  const received = sum("ORDERS_RECEIVED");
  const [inTime, late, untimed] = [sum("ORDERS_IN_TIME"), sum("ORDERS_LATE"), sum("ORDERS_UNTIMED")];
  return {
    received,
    inTime,
    late,
    overdue,
    open: sumOf(notLeft) - overdue,
    untimed,
    // ORDERS_CANCELLED is of a bill, which no longer changes after 60 days. An order may have moved to another facility since.
    cancelled: Math.max(0, received - inTime - late - untimed - sumOf(notLeft)),
    linesLeft: sum("LINES_OF_LEFT"),
    linesInFull: sum("LINES_IN_FULL"),
    despatchTimes: timesOf(listed("DESPATCH_TIME")),
    deliveryTimes: timesOf(listed("DELIVERY_TIME")),
    parcels: sum("PARCELS"),
    costs: costsOf(listed("PARCEL_COST"), listed("PARCELS_PRICED")),
    unitsDespatched: sum("UNITS_DESPATCHED"),
    unitsReturned: sum("RETURN_UNITS"),
    feeds: sum("FEEDS"),
    feedsRejected: sumOf(listed("FEEDS").filter(({ key }) => (JSON.parse(key) as string[])[1] !== "ACCEPTED")),
  };
}

/** Sums of exact decimals with at most four places. */
const rounded = (value: number) => Math.round(value * 10_000) / 10_000;

function timesOf(rows: readonly Summed[]) {
  const steps = new Map<number, number>();
  for (const { key, quantity } of rows) steps.set(Number(key), (steps.get(Number(key)) ?? 0) + quantity);
  const within = (part: number) => secondsWithin(steps, part) ?? null;
  return { median: within(0.5), p90: within(0.9), p95: within(0.95) };
}

/** The currency is the last part of the key. */
function costsOf(amounts: readonly Summed[], parcels: readonly Summed[]): Performance["costs"] {
  const byCurrency = (rows: readonly Summed[]) => {
    const sums = new Map<string, number>();
    for (const { key, quantity } of rows) {
      const currency = (JSON.parse(key) as string[]).at(-1) ?? "";
      sums.set(currency, (sums.get(currency) ?? 0) + quantity);
    }
    return sums;
  };
  const amountOf = byCurrency(amounts);
  return [...byCurrency(parcels)]
    .map(([currency, priced]) => ({ currency, parcels: priced, amount: rounded(amountOf.get(currency) ?? 0) }))
    .toSorted((left, right) => right.parcels - left.parcels);
}
