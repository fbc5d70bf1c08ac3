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

const hoursText = (hours: number | null) => (hours === null ? "–" : duration(hours * hourMs));
const plain = (value: number | null | undefined, digits = 0) =>
  value == null ? "" : String(Number(value.toFixed(digits)));
const differenceOf = (now: number | null | undefined, before: number | null | undefined) =>
  now == null || before == null ? undefined : now - before;

interface NumberColumn {
  readonly key: string;
  readonly header: string;
  readonly exported?: string;
  readonly width?: number;
  readonly digits?: number;
  read(row: LaneRow): number | null | undefined;
  sayOf(value: number | null | undefined): string;
}

/** Sorted by its value, exported as a plain number. */
const numeric = ({ key, header, exported, width = 90, digits, read, sayOf }: NumberColumn): LaneColumn => ({
  key,
  header,
  width,
  align: "right",
  sort: key,
  ...(exported === undefined ? {} : { exported }),
  cell: (row) => sayOf(read(row)),
  text: (row) => plain(read(row), digits),
  orderOf: (row) => read(row) ?? Number.NEGATIVE_INFINITY,
});

/** With the value by which the rows are sorted. */
type LaneColumn = Column<LaneRow> & { orderOf(row: LaneRow): string | number };

const text = (key: string, header: string, width: number, of: (row: LaneRow) => string): LaneColumn => ({
  key,
  header,
  width,
  sort: key,
  isAscendingFirst: true,
  cell: of,
  text: of,
  orderOf: of,
});

export const laneColumns: readonly LaneColumn[] = [
  text("lane", "Lane", 190, ({ lane }) => laneName(lane)),
  text("service", "Service", 150, ({ lane }) => serviceName(lane)),
  numeric({
    key: "parcels",
    header: "Parcels",
    read: ({ lane }) => lane.current.parcels,
    sayOf: (value) => (value ?? 0).toLocaleString("en-GB"),
  }),
  numeric({
    key: "parcelsChange",
    header: "± parcels",
    exported: "Parcels, change in per cent",
    read: ({ lane }) => changeOf(lane.current.parcels, lane.before.parcels),
    sayOf: (value) => signedText(value ?? undefined, "%"),
  }),
  numeric({
    key: "cost",
    header: "Cost",
    width: 110,
    digits: 4,
    read: ({ cost }) => cost?.amount,
    sayOf: amountText,
  }),
  text("currency", "Currency", 90, ({ currency }) => currency ?? "no price"),
  numeric({
    key: "perParcel",
    header: "A parcel",
    exported: "Cost of a parcel",
    digits: 4,
    read: ({ cost }) => cost?.perParcel,
    sayOf: amountText,
  }),
  numeric({
    key: "perParcelChange",
    header: "± a parcel",
    exported: "Cost of a parcel, change in per cent",
    read: ({ cost, costBefore }) => changeOf(cost?.perParcel, costBefore?.perParcel),
    sayOf: (value) => signedText(value ?? undefined, "%"),
  }),
  numeric({
    key: "perKg",
    header: "A kg",
    exported: "Cost of a kilogram",
    digits: 4,
    read: ({ cost }) => cost?.perKg,
    sayOf: amountText,
  }),
  numeric({
    key: "median",
    header: "Half in",
    exported: "Median hours to delivery",
    read: ({ lane }) => lane.current.medianHours,
    sayOf: (value) => hoursText(value ?? null),
  }),
  numeric({
    key: "medianChange",
    header: "± half in",
    exported: "Median hours to delivery, change",
    read: ({ lane }) => differenceOf(lane.current.medianHours, lane.before.medianHours),
    sayOf: (value) => signedText(value ?? undefined, "h"),
  }),
  numeric({
    key: "p90",
    header: "90 % in",
    exported: "Hours to delivery of 90 per cent",
    read: ({ lane }) => lane.current.p90Hours,
    sayOf: (value) => hoursText(value ?? null),
  }),
  numeric({
    key: "onTime",
    header: "On time",
    exported: "On time, per cent",
    read: ({ lane }) => onTimeOf(lane.current),
    sayOf: (value) => (value == null ? "–" : `${Math.round(value)} %`),
  }),
  numeric({
    key: "onTimeChange",
    header: "± on time",
    exported: "On time, change in percentage points",
    read: ({ lane }) => differenceOf(onTimeOf(lane.current), onTimeOf(lane.before)),
    sayOf: (value) => signedText(value ?? undefined, "pt"),
  }),
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
