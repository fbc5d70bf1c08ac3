// The one way to write and to read sets of a client's rows (docs/decisions/0035-sets-of-rows.md).
//
//   const line = table("sales_order_line", ["order_id", "line_number"], {
//     order_id: "text", line_number: "integer", sku: "text", feed_uom: "text?", qty_open: "numeric", …
//   });
//   const insertLines = insertInto(line);                                     // all columns of the list
//   const insertNew = insertInto(line, { except: ["qty_open"] });             // what is left out takes its default
//   const setOpen = updateOf(line, { set: ["qty_open"] });                    // by the key
//   const deleteLines = deleteFrom(line, { by: "order_id" });                 // by one column
//   const findLines = selectFrom(line, { by: "order_id", select: ["sku", "qty_open"], orderBy: ["sku"], limit: 1_000 });
//
//   insertLines.send(tx, rows);                          // without waiting: a failure fails the commit
//   deleteLines.send(tx, ["A-1", "A-2"]);                // values of the one column
//   const lines = await findLines.query(tx, ["A-1"]);    // typed by `select`
//
// Rows are objects with the real names of the columns; the compiler checks them against the list. Each statement is built
// once, when the module is loaded, so that it has one text and one name.
//
// Rows are sent as one JSON parameter. Its columns are converted by the types of the list: text[] from a JSON array, jsonb
// from any value, numeric from exact text. A missing, undefined or null value becomes NULL. JSON has no bytes: `with`
// passes them as text, from which `also` computes the column.

import { assert } from "#/kernel/assert.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { named, type RowKeys, type RowSet, type Statement, tenant } from "#/store/db/sql.ts";

/** The value of a column of each type, as written and as read. */
interface ValueTypes {
  readonly text: string;
  readonly uuid: string;
  /** ISO 8601 UTC. */
  readonly timestamptz: string;
  /** `YYYY-MM-DD` or `infinity`. */
  readonly date: string;
  /** Exact text. */
  readonly numeric: string;
  readonly smallint: number;
  readonly integer: number;
  readonly bigint: number;
  readonly boolean: boolean;
  readonly bytea: Buffer;
  readonly jsonb: unknown;
  readonly json: unknown;
  readonly "text[]": readonly string[];
  readonly "integer[]": readonly number[];
}

/** A PostgreSQL type; with a question mark the column may be NULL. */
export type ColumnType = keyof ValueTypes | `${keyof ValueTypes}?`;
export type ColumnTypes = Readonly<Record<string, ColumnType>>;

type ValueOf<Type extends ColumnType> = Type extends `${infer Own extends keyof ValueTypes}?`
  ? ValueTypes[Own] | null | undefined
  : Type extends keyof ValueTypes
    ? ValueTypes[Type]
    : never;
type Name<Columns> = keyof Columns & string;
type IsNullable<Type, Yes, No> = Type extends `${string}?` ? Yes : No;

/** A row to write: nullable columns may be omitted, and bytes must be omitted. */
export type Given<Columns extends ColumnTypes> = {
  readonly [K in Name<Columns> as IsNullable<Columns[K], never, K>]: Exclude<ValueOf<Columns[K]>, Buffer>;
} & { readonly [K in Name<Columns> as IsNullable<Columns[K], K, never>]?: Exclude<ValueOf<Columns[K]>, Buffer> };

/** A row as read. */
export type Answered<Columns extends ColumnTypes> = {
  readonly [K in Name<Columns>]: Exclude<ValueOf<Columns[K]>, undefined>;
};

export interface Table<Columns extends ColumnTypes, Key extends Name<Columns>> {
  readonly name: string;
  /** The primary key without its `client_id`. */
  readonly key: readonly Key[];
  readonly columns: Columns;
}

/** @param columns the columns that sets write or read, all except `client_id` */
export function table<const Columns extends ColumnTypes, const Key extends Name<Columns>>(
  name: string,
  key: readonly Key[],
  columns: Columns,
): Table<Columns, Key> {
  return { name, key, columns };
}

type Sources<From, Columns extends ColumnTypes> = {
  readonly [K in keyof Columns]: readonly [type: Columns[K], from: (from: From) => ValueOf<Columns[K]>];
};

/** Columns that are filled from one source object: the type of each, and where its value is. */
export function filledFrom<From>() {
  return <const Columns extends ColumnTypes>(sources: Sources<From, Columns>) => {
    const entries = Object.entries(sources) as [Name<Columns>, Sources<From, Columns>[keyof Columns]][];
    return {
      columns: Object.fromEntries(entries.map(([name, [type]]) => [name, type])) as unknown as Columns,
      names: entries.map(([name]) => name) as readonly Name<Columns>[],
      rowOf: (from: From) =>
        Object.fromEntries(entries.map(([name, [, read]]) => [name, read(from)])) as unknown as Given<Columns>,
    };
  };
}

/** A statement for any number of rows; with no rows, nothing is sent. */
export interface SetStatement<Row, Answer> {
  /** Sends without waiting for the answer: a failure fails the transaction. */
  send(tx: ClientTransaction, rows: readonly Row[]): void;
  /** Returns the rows that the statement returns. */
  query(tx: ClientTx, rows: readonly Row[]): Promise<Answer[]>;
}

interface Computed<Columns, With> {
  /** Additional given values that are not columns: `also` and `where` read them as `given.…`. */
  readonly with?: With;
  /** Computed columns: the expression reads the given values and, in an update, the row by the table's name. */
  readonly also?: { readonly [K in Name<Columns>]?: Statement };
}

interface InsertOptions<Columns, Written, LeftOut, With, Returned> extends Computed<Columns, With> {
  /** Joins rows of one key that several pieces of work write in one transaction. */
  readonly combine?: RowSet["combine"];
  /** Columns that take given values; by default all of the list. The others take their defaults. */
  readonly columns?: readonly Written[];
  /** Columns that do not, in the place of `columns`. */
  readonly except?: readonly LeftOut[];
  /** The handling of a row whose key exists: without it the statement fails. `replace` sets all columns but the key. */
  readonly onConflict?: "nothing" | "replace" | { readonly set: readonly Name<Columns>[] };
  readonly returning?: readonly Returned[];
}

/**
 * Rows without `onConflict` and `returning` are an insert of parameters alone, which Citus copies to the client's node:
 * it takes half of the root form's processor time there (docs/decisions/0050-past-the-coordinator.md). All others use
 * the root form, which Citus sends to one node. With `onConflict`, the rows in the answer of `returning` (by default the
 * key) are those that were written: Citus counts them wrongly.
 */
export function insertInto<
  Columns extends ColumnTypes,
  Key extends Name<Columns>,
  Written extends Name<Columns> = Name<Columns>,
  LeftOut extends Name<Columns> = never,
  const With extends ColumnTypes = Record<never, never>,
  Returned extends Name<Columns> = Key,
>(
  { name, key, columns }: Table<Columns, Key>,
  options: InsertOptions<Columns, Written, LeftOut, With, Returned> = {},
): SetStatement<Given<Pick<Columns, Exclude<Written, LeftOut>>> & Given<With>, Answered<Pick<Columns, Returned>>> {
  const { except = [], with: extraColumns, also = {}, onConflict } = options;
  const written = options.columns ?? without(Object.keys(columns), except);
  const returning: readonly string[] | undefined = options.returning ?? (onConflict && key);
  const replaced = typeof onConflict === "object" ? onConflict.set : without(written, key);
  const action = onConflict === "nothing" || !onConflict ? "nothing" : `update set ${excluded(replaced)}`;
  const isCopied = returning === undefined;
  const source = recordset({ ...columns, ...extraColumns }, [...written, ...Object.keys(extraColumns ?? {})]);
  return setStatement(
    `insert into ${name} as target (client_id, ${[...written, ...Object.keys(also)].join(", ")})
      select ${isCopied ? "$1::text" : "t.client_id"}, ${[prefixed("given", written), ...computed(also).map(([, value]) => value)].join(", ")}
      from ${isCopied ? source : `tenant t cross join ${source} where t.client_id = $1`}
      ${onConflict ? `on conflict (client_id, ${key.join(", ")}) do ${action}` : ""}
      ${answering("target", returning)}`,
    { writes: name, combine: options.combine },
  );
}

interface UpdateOptions<Columns, Changed, With, Returned> extends Computed<Columns, With> {
  /** Columns that take given values. */
  readonly set?: readonly Changed[];
  /** Restricts the update among the rows with these keys. */
  readonly where?: Statement;
  readonly returning?: readonly Returned[];
  /** As for an insert. */
  readonly combine?: RowSet["combine"];
}

/** Updates the rows with the given keys. Not for tables partitioned by month: the decision explains why. */
export function updateOf<
  Columns extends ColumnTypes,
  Key extends Name<Columns>,
  Changed extends Name<Columns> = never,
  const With extends ColumnTypes = Record<never, never>,
  Returned extends Name<Columns> = never,
>(
  { name, key, columns }: Table<Columns, Key>,
  {
    set = [],
    with: extraColumns,
    also = {},
    where,
    returning,
    combine,
  }: UpdateOptions<Columns, Changed, With, Returned>,
): SetStatement<Given<Pick<Columns, Key | Changed>> & Given<With>, Answered<Pick<Columns, Returned>>> {
  const names = [...new Set<string>([...key, ...set, ...Object.keys(extraColumns ?? {})])];
  const changes = [
    ...set.map((column) => `${column} = given.${column}`),
    ...computed(also).map(([column, value]) => `${column} = ${value}`),
  ];
  return setStatement(
    `update ${name} set ${changes.join(", ")}
      from ${boundedSet({ ...columns, ...extraColumns }, names)}
      where ${filtered(matched(name, key), where)} ${answering(name, returning)}`,
    { writes: name, combine },
  );
}

/** By one column, whose values are given; by several columns; or by the whole key. */
type By<Columns> = Name<Columns> | readonly Name<Columns>[] | undefined;
type Sought<Columns extends ColumnTypes, Key extends Name<Columns>, Compared> =
  Compared extends Name<Columns>
    ? ValueOf<Columns[Compared]>
    : Given<Pick<Columns, Compared extends readonly (infer Each extends Name<Columns>)[] ? Each : Key>>;

interface DeleteOptions<Compared, Returned> {
  readonly by?: Compared;
  readonly where?: Statement;
  readonly returning?: readonly Returned[];
}

/** Deletes the rows with the given keys. */
export function deleteFrom<
  Columns extends ColumnTypes,
  Key extends Name<Columns>,
  const Compared extends By<Columns> = undefined,
  Returned extends Name<Columns> = never,
>(
  { name, key, columns }: Table<Columns, Key>,
  { by, where, returning }: DeleteOptions<Compared, Returned> = {},
): SetStatement<Sought<Columns, Key, Compared>, Answered<Pick<Columns, Returned>>> {
  const { source, condition } = sought(name, columns, by ?? key);
  return setStatement(
    `delete from ${name} ${source && `using ${source}`}
      where ${filtered(condition, where)} ${answering(name, returning)}`,
    { writes: name },
  );
}

interface SelectOptions<Compared, Selected> {
  /** The given keys must be distinct. */
  readonly by?: Compared;
  /** By default all columns of the list. */
  readonly select?: readonly Selected[];
  readonly where?: Statement;
  readonly orderBy?: readonly NoInfer<Selected>[];
  /** Locks the rows until the transaction ends; `orderBy` must be the order in which all others lock them. */
  readonly lock?: "for update" | "for no key update" | "for share";
  readonly limit: number;
}

/** Reads the rows with the given keys. */
export function selectFrom<
  Columns extends ColumnTypes,
  Key extends Name<Columns>,
  Selected extends Name<Columns> = Name<Columns>,
  const Compared extends By<Columns> = undefined,
>(
  { name, key, columns }: Table<Columns, Key>,
  { by, select: selected, where, orderBy, lock, limit }: SelectOptions<Compared, Selected>,
): SetStatement<Sought<Columns, Key, Compared>, Answered<Pick<Columns, Selected>>> {
  const { source, condition } = sought(name, columns, by ?? key);
  const select: readonly string[] = selected ?? Object.keys(columns);
  return setStatement(
    `select ${prefixed(name, select)} from ${source && `${source} cross join `}${name}
      where ${filtered(condition, where)}
      ${orderBy ? `order by ${prefixed(name, orderBy)}` : ""} limit ${limit} ${lock ? `${lock} of ${name}` : ""}`,
    { reads: name, keys: keysOf(by ?? key, select) },
  );
}

/** The texts of all statements that this module creates, for the tests that check each against the rules. */
export const setStatements: { readonly text: string; readonly name: string }[] = [];

/** Becomes text when the statement is sent: the rows of a statement that is joined with others are never text alone. */
class LazyJson {
  readonly #rows: readonly unknown[];

  constructor(rows: readonly unknown[]) {
    this.#rows = rows;
  }

  /** Called by `pg`. */
  toPostgres(): string {
    return JSON.stringify(this.#rows);
  }

  /** For comparisons of statements. */
  toJSON(): readonly unknown[] {
    return this.#rows;
  }
}

function setStatement<Row, Answer>(spaced: string, sharing: Omit<RowSet, "rows" | "with">): SetStatement<Row, Answer> {
  const made = named(spaced.replace(/\s+/g, " ").trim());
  setStatements.push(made);
  const isBounded = made.text.includes("limit $3) given");
  const isArray = made.text.includes("= any($2");
  const statement = (rows: readonly Row[]): Statement => {
    const parameter = isArray ? rows : new LazyJson(rows);
    const set: RowSet = { ...sharing, rows, with: (others) => statement(others as readonly Row[]) };
    return { ...made, values: isBounded ? [tenant, parameter, rows.length] : [tenant, parameter], isTenant: true, set };
  };
  return {
    send(tx, rows) {
      if (rows.length > 0) tx.send(statement(rows));
    },
    async query(tx, rows) {
      return rows.length === 0 ? [] : tx.query<Answer>(statement(rows));
    },
  };
}

/** The keys of a read that selects the columns by which it seeks. */
function keysOf(by: string | readonly string[], select: readonly string[]): RowKeys | undefined {
  const columns = typeof by === "string" ? [by] : by;
  if (!columns.every((column) => select.includes(column))) return undefined;
  const keyOf = (row: Readonly<Record<string, unknown>>) => JSON.stringify(columns.map((column) => row[column]));
  return typeof by === "string"
    ? { given: (value) => JSON.stringify([value]), answered: keyOf }
    : { given: keyOf, answered: keyOf };
}

const without = (names: readonly string[], leftOut: readonly string[]) =>
  names.filter((name) => !leftOut.includes(name));
const prefixed = (alias: string, names: readonly string[]) => names.map((name) => `${alias}.${name}`).join(", ");
const excluded = (names: readonly string[]) => names.map((name) => `${name} = excluded.${name}`).join(", ");
const answering = (alias: string, names: readonly string[] | undefined) =>
  names ? `returning ${prefixed(alias, names)}` : "";
const filtered = (condition: string, where: Statement | undefined) =>
  `client_id = $1 and ${condition}${where ? ` and ${fixed(where)}` : ""}`;
const matched = (name: string, by: readonly string[]) =>
  by.map((column) => `${name}.${column} = given.${column}`).join(" and ");

const typeOf = (columns: ColumnTypes, name: string) => columns[name]?.replace("?", "");
const recordset = (columns: ColumnTypes, names: readonly string[]) =>
  `json_to_recordset($2::json) as given(${names.map((name) => `${name} ${typeOf(columns, name)}`).join(", ")})`;

/**
 * The planner estimates a recordset at 100 rows. For that many it reads a whole table of some hundred rows, and keeps
 * that plan while the table grows. With a limit of unknown value it expects a tenth of them, and looks each up by its
 * key.
 */
function boundedSet(columns: ColumnTypes, names: readonly string[]): string {
  return `(select ${names.join(", ")} from ${recordset(columns, names)} limit $3) given`;
}

/**
 * The source of the keys, and the condition that compares them. The keys of one column are an array, which may contain
 * a key twice.
 */
function sought(name: string, columns: ColumnTypes, by: string | readonly string[]) {
  if (typeof by !== "string") return { source: boundedSet(columns, by), condition: matched(name, by) };
  return { source: "", condition: `${name}.${by} = any($2::${typeOf(columns, by)}[])` };
}

/** A part of a statement without values: the statement is built once for all calls. */
function fixed({ text, values }: Statement): string {
  assert(values.length === 0, `a value in ${text}: give it with each row`);
  return text;
}

const computed = (also: object) =>
  Object.entries<Statement>({ ...also }).map(([column, value]) => [column, fixed(value)] as const);
