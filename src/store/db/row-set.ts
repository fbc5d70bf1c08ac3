import type { RowKeys, RowSet, Statement } from "#/store/db/sql.ts";

type RowSetOptions<Row, Answer> = ({ readonly reads: string } | { readonly writes: string }) & {
  readonly keys?: RowKeys<Row, Answer>;
  readonly combine?: (rows: readonly Row[]) => readonly Row[];
};

/** A statement of these rows that may be joined with others: `build` passes the rows as one parameter. */
export function setOf<Row, Answer = never>(
  rows: readonly Row[],
  build: (rows: readonly Row[]) => Statement,
  sharing: RowSetOptions<Row, Answer>,
): Statement {
  const set: RowSet = { ...sharing, rows, with: (others) => build(others as readonly Row[]) };
  return { ...build(rows), set };
}

/** The keys of statements whose given rows are values of one column. */
export function byColumn<const Column extends string>(
  column: Column,
): RowKeys<string, { readonly [K in Column]: string }> {
  return { given: (value) => value, answered: (answer) => answer[column] };
}

/** One row for each key: rows of one key become one by `join`. */
export function combined<Row>(rows: readonly Row[], keyOf: (row: Row) => string, join: (left: Row, right: Row) => Row) {
  const byKey = new Map<string, Row>();
  for (const row of rows) {
    const key = keyOf(row);
    const before = byKey.get(key);
    byKey.set(key, before === undefined ? row : join(before, row));
  }
  return [...byKey.values()];
}
