import type { ReactNode } from "react";
import type { Role } from "../session.tsx";
import type { PresetKey } from "../time-range.ts";
import type { Field, FieldOption, Values } from "./fields.tsx";

export interface Column<Row> {
  readonly key: string;
  readonly header: string;
  cell(row: Row): ReactNode;
  /** As text, for the CSV export; without it the record's own field of the column's key. */
  text?(row: Row): string;
  /** Pixels; 140 unless told. Room that is left is shared out. */
  readonly width?: number;
  readonly align?: "right";
  readonly isHiddenAtFirst?: boolean;
  /** Name by which the API sorts; only where it does. */
  readonly sort?: string;
  /** Shows how long ago it was: what came last is the youngest, so that the arrow points the other way. */
  readonly isAge?: boolean;
}

export interface Filter {
  /** Of the URL, and of the request. */
  readonly key: string;
  readonly label: string;
  /** `select` where there are options, else `text`; `switch` answers "true". */
  readonly kind?: "select" | "text" | "switch";
  readonly options?: readonly FieldOption[];
  /** A range of time instead of a value. */
  readonly range?: RangeFilter;
  readonly placeholder?: string;
  /** Not offered: it is there while a link has set it. */
  readonly isSetByLink?: boolean;
}

export interface RangeFilter {
  /** Parameters of the API that take the ends. */
  readonly from: string;
  readonly to: string;
  /** `day`: first and last day, both included. `moment`: from the first moment until before the second. */
  readonly unit: "day" | "moment";
  readonly presets: readonly PresetKey[];
  /** Without a choice; no limit without it. */
  readonly initial?: PresetKey;
  /** Both ends are required. */
  readonly isBounded?: boolean;
  /** The top bar shows it; the list has no chip for it. */
  readonly isInTopBar?: boolean;
}

/** What a list asks of the API: cursor, limit, sort, the filters by their keys, and what the top bar says. */
export interface ListRequest {
  readonly cursor?: string;
  readonly limit: number;
  /** `receivedAt`, or `-receivedAt` for the newest first. */
  readonly sort?: string;
  readonly [param: string]: string | number | undefined;
}

export interface ListPage<Row> {
  readonly items: readonly Row[];
  readonly nextCursor?: string | null;
}

export interface BulkAction<Row> {
  /** "Assign to me". */
  readonly verb: string;
  /** Names what will happen to how many. */
  confirm?(rows: readonly Row[]): { readonly title: string; readonly text: ReactNode };
  readonly fields?: readonly Field[];
  run(rows: readonly Row[], values: Values): Promise<unknown>;
  readonly done?: string;
  readonly role?: Role;
  readonly isDestructive?: boolean;
}

export interface DataListProps<Row extends object, Request = ListRequest> {
  /** Names the list in the browser's memory and in saved views: "orders". */
  readonly id: string;
  /** What it holds, for those who hear it: "Orders". */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Give it the API's own type of query to have it typed: `fetchPage={(query: OrderQuery) => …}`. */
  fetchPage(request: Request, signal: AbortSignal): Promise<ListPage<Row>>;
  rowId(row: Row): string;
  /** The page of a row. */
  rowTo?(row: Row): string;
  readonly filters?: readonly Filter[];
  /** Which parts of the top bar the API takes; both unless told. */
  readonly scope?: readonly ("clientId" | "distributionCentre")[];
  /** Parameters that never change here. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** As it is sorted unless the user says otherwise: `-receivedAt`. */
  readonly sort?: string;
  readonly bulkActions?: readonly BulkAction<Row>[];
  /** Why it is empty where no filter is set, and the one action that changes that. */
  readonly empty: { readonly why: ReactNode; readonly action?: ReactNode };
  /** Milliseconds between two looks. */
  readonly live?: 5_000 | 10_000 | 30_000;
  /** Pixels at the most; fills the window unless told. */
  readonly height?: number;
  /** Buttons at the right of the filters. */
  readonly actions?: ReactNode;
  /** Without filters, export and chooser: a list within a tab. */
  readonly isPlain?: boolean;
}
