import type { ReactNode } from "react";
import { productPath } from "../../links.ts";
import { Progress } from "../actions/progress.tsx";
import { ConditionBadge } from "../condition-badge.tsx";
import { Go } from "../go.tsx";
import { Id } from "../id.tsx";
import { Qty } from "../qty.tsx";
import { StateBadge, ToneBadge } from "../state-badge.tsx";
import { Age, Time } from "../time.tsx";
import { type StateKind, wordOf } from "../tones.ts";

type ColumnValue = string | number | null | undefined;

/** A column as a list describes it: the field and its kind, which decides the rest. */
export type Column<Row> = ColumnDescription<Row> &
  ({ readonly key: keyof Row & string } | { of(row: Row): ColumnValue } | { cell(row: Row): ReactNode });

interface ColumnDescription<Row> {
  readonly key: string;
  /** Default: that of the field with this key. */
  readonly kind?: ColumnKind;
  /** The words and colours of a state. */
  readonly states?: StateKind;
  /** Default: that of the kind. */
  readonly header?: string;
  /** Heading in the CSV export, where its values are others than those of the cells. */
  readonly exported?: string;
  /** Default: the record's field with the column's key. */
  of?(row: Row): ColumnValue;
  /** Default: the value as its kind shows it. */
  cell?(row: Row): ReactNode;
  /** Shown instead of an empty value; default: a dash. */
  readonly none?: string;
  /** The page of the value. */
  to?(row: Row): string;
  /** Of a progress. */
  total?(row: Row): number;
  /** Text for the CSV export; default: the value. */
  text?(row: Row): string;
  /** Pixels, for a text; other kinds have a width. */
  readonly width?: number;
  /** Text that takes up to three lines before it is cut off; other values have one. */
  readonly wraps?: boolean;
  readonly isHiddenAtFirst?: boolean;
  /** The API's sort key, if it can sort by this column. */
  readonly sort?: string;
  /** The first click sorts in ascending order: the lowest value is what matters. */
  readonly isAscendingFirst?: boolean;
  /** The column shows an age. The newest row has the lowest age, so the sort arrow points the other way. */
  readonly isAge?: boolean;
}

/** A column with all that its kind says. */
export interface ListColumn<Row> extends Omit<ColumnDescription<Row>, "kind" | "wraps" | "to"> {
  readonly kind: string;
  readonly header: string;
  readonly width: number;
  readonly align: "right" | undefined;
  readonly wraps: boolean;
  readonly to: ((row: Row) => string) | undefined;
  cell(row: Row): ReactNode;
  text(row: Row): string;
}

/** Fields that several kinds of records have. */
interface SharedFields {
  readonly clientId?: string;
  readonly distributionCentre?: string | null;
  readonly timezone?: string;
  readonly lines?: number;
}

interface CellProps {
  /** Not empty. */
  readonly value: string;
  readonly row: SharedFields;
  readonly states?: StateKind | undefined;
  /** The page of the value. */
  readonly to?: string | undefined;
  readonly total?: number | undefined;
}

interface Kind {
  /** Heading, where it is the same on every list. */
  readonly header?: string;
  /** Pixels; a longer heading makes the column wider. */
  readonly width: number;
  readonly align?: "right";
  readonly wraps?: boolean;
  /** The page of a value. */
  to?(value: string, row: SharedFields): string;
  /** Default: the value as text, with a link to its page. */
  cell?(props: CellProps): ReactNode;
}

const number = { width: 64, align: "right" } as const;

/** Look of a column, the same on every list. */
const kinds = {
  text: { width: 140 },
  word: { width: 120, cell: ({ value }) => wordOf(value) },
  id: { width: 148, cell: ({ value, to }) => <Id text={value} to={to} /> },
  token: { header: "Id", width: 120, cell: ({ value }) => <Id text={value} length={9} isSmall /> },
  client: { header: "Client", width: 80 },
  facility: { header: "Facility", width: 80 },
  owner: { header: "Owner", width: 84 },
  state: {
    header: "State",
    width: 120,
    cell: ({ value, states }) => (states === undefined ? wordOf(value) : <StateBadge kind={states} state={value} />),
  },
  moment: {
    width: 112,
    cell: ({ value, row }) => (
      <Time at={value} facility={row.distributionCentre ?? undefined} timezone={row.timezone} />
    ),
  },
  exact: { width: 208, cell: ({ value }) => <Time at={value} isExact /> },
  country: { width: 64 },
  age: { width: 104, cell: ({ value }) => <Age since={value} /> },
  day: { width: 115 },
  number,
  count: { ...number, cell: ({ value }) => Number(value).toLocaleString("en-GB") },
  lines: { ...number, header: "Lines" },
  attempts: { ...number, header: "Attempts" },
  priority: { ...number, header: "Priority" },
  quantity: { width: 88, align: "right", cell: ({ value }) => <Qty value={Number(value)} /> },
  change: { width: 88, align: "right", cell: ({ value }) => <Qty value={Number(value)} isSigned /> },
  progress: { width: 166, cell: ({ value, total = 0 }) => <Progress done={Number(value)} of={total} /> },
  discrepancies: {
    header: "Discrepancies",
    width: 126,
    cell: ({ value, row }) =>
      value === "0" ? "none" : <ToneBadge tone="waiting" text={`${value} of ${row.lines} lines`} />,
  },
  discrepancy: {
    header: "Discrepancy",
    width: 140,
    cell: ({ value }) => (value === "NONE" ? "none" : <ToneBadge tone="waiting" text={wordOf(value)} />),
  },
  sku: {
    header: "SKU",
    width: 192,
    to: (value, { clientId = "", distributionCentre }) => productPath(clientId, value, distributionCentre ?? undefined),
    cell: ({ value, to }) => <Id text={value} to={to} />,
  },
  product: { header: "Product", width: 150, wraps: true },
  batch: { header: "Batch", width: 104 },
  expiry: { header: "Expires", width: 115 },
  condition: { header: "Condition", width: 114, cell: ({ value }) => <ConditionBadge condition={value} /> },
  pool: { header: "Stock pool", width: 104 },
  unit: { header: "Unit", width: 72 },
} satisfies Record<string, Kind>;

type ColumnKind = keyof typeof kinds;

/** Fields of the API whose columns have the same kind on every list; a field that ends in "At" is a moment. */
const kindsByField: Readonly<Record<string, ColumnKind>> = {
  clientId: "client",
  owner: "owner",
  distributionCentre: "facility",
  facilityCode: "facility",
  sku: "sku",
  batchRef: "batch",
  expiryDate: "expiry",
  condition: "condition",
  stockPool: "pool",
  uom: "unit",
  lines: "lines",
  country: "country",
  tries: "attempts",
  priority: "priority",
  discrepancies: "discrepancies",
  discrepancy: "discrepancy",
};

/** States with long words. */
const stateWidths: Partial<Record<StateKind, number>> = { order: 160, workOrder: 190, return: 132, outbound: 136 };

const headFont = "600 13px";
/** With some pixels for the letters of the font that loads after the first list. */
const paddingPixels = 30;
const pen = new OffscreenCanvas(1, 1).getContext("2d");

/** Pixels in which a heading shows all its letters, in the font of this machine. */
function headPixels(header: string, isSorted: boolean): number {
  if (pen === null) return 0;
  pen.font = `${headFont} ${getComputedStyle(document.body).fontFamily}`;
  return Math.ceil(pen.measureText(isSorted ? `${header} ↓` : header).width) + paddingPixels;
}

/** The column with all that its kind says. */
export function listColumn<Row>(column: Column<Row>): ListColumn<Row> {
  const { key, states, none = "–" } = column;
  const kind = column.kind ?? (states ? "state" : (kindsByField[key] ?? (key.endsWith("At") ? "moment" : "text")));
  const look: Kind = kinds[kind];
  const header = column.header ?? look.header ?? key;
  const width = column.width ?? (states && stateWidths[states]) ?? look.width;
  const valueIn = (row: Row): ColumnValue =>
    column.of ? column.of(row) : (row as Readonly<Record<string, ColumnValue>>)[key];
  const kindTo = look.to?.bind(look);
  const to = column.to ?? (kindTo && ((row: Row) => kindTo(String(valueIn(row)), row as SharedFields)));
  const cell = (row: Row): ReactNode => {
    const value = String(valueIn(row) ?? "");
    if (value === "") return none;
    const path = to?.(row);
    if (look.cell) return look.cell({ value, row: row as SharedFields, states, to: path, total: column.total?.(row) });
    return path === undefined ? value : <Go to={path}>{value}</Go>;
  };
  return {
    align: look.align,
    wraps: look.wraps === true,
    cell,
    text: (row) => textOf(valueIn(row)),
    ...column,
    to,
    kind: states === undefined ? kind : `${states} state`,
    header,
    width: Math.max(width, headPixels(header, column.sort !== undefined)),
  };
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? "" : typeof value === "object" ? JSON.stringify(value) : String(value);
}
