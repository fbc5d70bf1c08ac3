import { hourMs } from "../../../durations.ts";
import type { Column } from "../../../parts/list/data-list.tsx";
import { duration } from "../../../parts/time.tsx";
import { changeOf, type LaneRow, laneName, onTimeOf, serviceName } from "./lane-rows.ts";

/** "+12 %"; "–" where there is nothing to compare with. */
export function signedText(value: number | undefined, unit: string): string {
  if (value === undefined) return "–";
  const rounded = Math.round(value);
  const sign = rounded > 0 ? "+" : rounded < 0 ? "−" : "±";
  return `${sign}${Math.abs(rounded).toLocaleString("en-GB")} ${unit}`;
}

export const amountText = (amount: number | null | undefined): string =>
  amount == null ? "–" : amount.toLocaleString("en-GB", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

const plain = (value: number | null | undefined, digits = 0) =>
  value == null ? "" : String(Number(value.toFixed(digits)));
const differenceOf = (now: number | null | undefined, before: number | null | undefined) =>
  now == null || before == null ? undefined : now - before;

/** With the value by which the rows are sorted. */
type LaneColumn = Column<LaneRow> & { orderOf(row: LaneRow): string | number };

interface NumberOptions {
  readonly exported?: string;
  readonly digits?: number;
}

type Read = (row: LaneRow) => number | null | undefined;
type Say = (value: number | null | undefined) => string;

/** Sorted by its value, exported as a plain number. */
function numeric(key: string, header: string, read: Read, say: Say, options: NumberOptions = {}): LaneColumn {
  const { digits, ...named } = options;
  return {
    key,
    header,
    ...named,
    kind: "number",
    sort: key,
    cell: (row) => say(read(row)),
    text: (row) => plain(read(row), digits),
    orderOf: (row) => read(row) ?? Number.NEGATIVE_INFINITY,
  };
}

const text = (key: string, header: string, width: number, of: (row: LaneRow) => string): LaneColumn => ({
  key,
  header,
  width,
  sort: key,
  isAscendingFirst: true,
  of,
  orderOf: of,
});

const countText: Say = (value) => (value ?? 0).toLocaleString("en-GB");
const hours: Say = (value) => (value == null ? "–" : duration(value * hourMs));
const percent: Say = (value) => (value == null ? "–" : `${Math.round(value)} %`);
const signed =
  (unit: string): Say =>
  (value) =>
    signedText(value ?? undefined, unit);

export const laneColumns: readonly LaneColumn[] = [
  text("lane", "Lane", 190, ({ lane }) => laneName(lane)),
  text("service", "Service", 150, ({ lane }) => serviceName(lane)),
  numeric("parcels", "Parcels", ({ lane }) => lane.current.parcels, countText),
  numeric(
    "parcelsChange",
    "± parcels",
    ({ lane }) => changeOf(lane.current.parcels, lane.before.parcels),
    signed("%"),
    { exported: "Parcels, change in per cent" },
  ),
  numeric("cost", "Cost", ({ cost }) => cost?.amount, amountText, { digits: 4 }),
  text("currency", "Currency", 96, ({ currency }) => currency ?? "no price"),
  numeric("perParcel", "A parcel", ({ cost }) => cost?.perParcel, amountText, {
    exported: "Cost of a parcel",
    digits: 4,
  }),
  numeric(
    "perParcelChange",
    "± a parcel",
    ({ cost, costBefore }) => changeOf(cost?.perParcel, costBefore?.perParcel),
    signed("%"),
    { exported: "Cost of a parcel, change in per cent" },
  ),
  numeric("perKg", "A kg", ({ cost }) => cost?.perKg, amountText, { exported: "Cost of a kilogram", digits: 4 }),
  numeric("median", "Half in", ({ lane }) => lane.current.medianHours, hours, { exported: "Median hours to delivery" }),
  numeric(
    "medianChange",
    "± half in",
    ({ lane }) => differenceOf(lane.current.medianHours, lane.before.medianHours),
    signed("h"),
    { exported: "Median hours to delivery, change" },
  ),
  numeric("p90", "90 % in", ({ lane }) => lane.current.p90Hours, hours, {
    exported: "Hours to delivery of 90 per cent",
  }),
  numeric("onTime", "On time", ({ lane }) => onTimeOf(lane.current), percent, { exported: "On time, per cent" }),
  numeric(
    "onTimeChange",
    "± on time",
    ({ lane }) => differenceOf(onTimeOf(lane.current), onTimeOf(lane.before)),
    signed("pt"),
    { exported: "On time, change in percentage points" },
  ),
];

/** @param sort key of a column, with a minus for the highest first */
export function sortedRows(rows: readonly LaneRow[], sort: string): readonly LaneRow[] {
  const column = laneColumns.find(({ key }) => key === sort.replace("-", ""));
  if (column === undefined) return rows;
  const factor = sort.startsWith("-") ? -1 : 1;
  return rows.toSorted((left, right) => {
    const [a, b] = [column.orderOf(left), column.orderOf(right)];
    return a === b ? 0 : a < b ? -factor : factor;
  });
}
