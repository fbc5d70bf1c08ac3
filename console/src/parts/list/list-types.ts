import type { ReactNode } from "react";
import type { Role } from "../../session.tsx";
import type { PresetKey } from "../../time-range.ts";
import type { Field, FieldOption, Values } from "../fields.tsx";
import type { Column } from "./columns.tsx";

/** Columns that are often chosen together. */
export interface ColumnSet {
  /** "Despatch". */
  readonly name: string;
  /** Keys of columns. The first column of the list is shown as well. */
  readonly keys: readonly string[];
}

export interface Filter {
  /** Name in the URL and in the request. */
  readonly key: string;
  readonly label: string;
  /**
   * `select` if there are options, else `text`, which offers options as buttons, such as "none"; `switch` yields "true"; `several` takes any number of the options,
   * negated or not, and yields those that rows may have, separated by commas.
   */
  readonly kind?: "select" | "several" | "text" | "switch";
  readonly options?: readonly FieldOption[];
  /** For `several`: frequent combinations, their values separated by commas. */
  readonly groups?: readonly FieldOption[];
  /** For `several`: options that are read when the choices are opened; empty while they load. A hook. */
  useOptions?(): readonly FieldOption[];
  /** For `several`: rows that have one of the values, and no others. */
  readonly isNeverNegated?: boolean;
  /** For `several`: values besides the options may be entered. The request then has their text as in the URL. */
  readonly takesOthers?: boolean;
  /** A range of time instead of a value. */
  readonly range?: RangeFilter;
  readonly placeholder?: string;
  /** Not offered; shown only if a link has set it. */
  readonly isSetByLink?: boolean;
}

export interface RangeFilter {
  /** API parameters for the ends. */
  readonly from: string;
  readonly to: string;
  /** `day`: first and last day, both inclusive. `moment`: from the first time, inclusive, to the second, exclusive. */
  readonly unit: "day" | "moment";
  readonly presets: readonly PresetKey[];
  /** Default range; absent: no limit. */
  readonly initial?: PresetKey;
  /** Both ends are required. */
  readonly isBounded?: boolean;
  /** Shown in the top bar; the list has no chip for it. */
  readonly isInTopBar?: boolean;
}

/** API request of a list: cursor, limit, sort, the filters by key, and the filters of the top bar. */
export interface ListRequest {
  readonly cursor?: string;
  readonly limit: number;
  /** `receivedAt`, or `-receivedAt` for the newest first. */
  readonly sort?: string;
  readonly [param: string]: string | number | readonly string[] | undefined;
}

export interface ListPage<Row> {
  readonly items: readonly Row[];
  readonly nextCursor?: string | null;
}

export interface BulkAction<Row> {
  /** "Assign to me". */
  readonly verb: string;
  /** Names the effect and the number of objects. */
  confirm?(rows: readonly Row[]): { readonly title: string; readonly text: ReactNode };
  readonly fields?: readonly Field[];
  run(rows: readonly Row[], values: Values): Promise<unknown>;
  readonly done?: string;
  readonly role?: Role;
  readonly isDestructive?: boolean;
}

/** Counted up to a limit. */
export interface ListTotal {
  readonly count: number;
  /** There are more than `count`. */
  readonly isMore: boolean;
}

export interface ListViewProps<Row extends object> {
  /** Identifies the list in local storage and in saved views: "orders". */
  readonly id: string;
  /** Content of the list, for screen readers: "Orders". */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly columnSets?: readonly ColumnSet[];
  /** Default: the path of the row's page. */
  rowId?(row: Row): string;
  /** The page of a row; default: that of its first column. */
  rowTo?(row: Row): string;
  readonly filters?: readonly Filter[];
  readonly bulkActions?: readonly BulkAction<Row>[];
  /** One row, for the box that selects it: "order"; default "row". */
  readonly noun?: string;
  /** The actions take thousands of rows: all that match can be chosen, not only the loaded ones. */
  readonly isAllChoosable?: boolean;
  /** Reason why the list is empty without filters, and the one action that adds content. */
  readonly empty: { readonly why: ReactNode; readonly action?: ReactNode };
  /** Maximum height in pixels; default: fills the window. */
  readonly height?: number;
  /** Buttons at the right of the filters. */
  readonly actions?: ReactNode;
  /** Without filters, export and column chooser: a list within a tab. */
  readonly isPlain?: boolean;
}

export interface DataListProps<Row extends object, Request = ListRequest> extends ListViewProps<Row> {
  /** Annotate the query with the API's type to have it checked: `fetchPage={(query: OrderQuery) => …}`. */
  fetchPage(request: Request, signal: AbortSignal): Promise<ListPage<Row>>;
  /** The number of all matching rows; undefined if the filters have none. Requested while the list has more rows. */
  countAll?(request: Request, signal: AbortSignal): Promise<ListTotal | undefined>;
  /** Filters of the top bar that the API supports; default both. */
  readonly scope?: readonly ("clientId" | "distributionCentre")[];
  /** Constant parameters. */
  readonly fixed?: Readonly<Record<string, string>>;
  /** Default sort order: `-receivedAt`. */
  readonly sort?: string;
  /** Polling interval in milliseconds. */
  readonly live?: 5_000 | 10_000 | 30_000;
}
