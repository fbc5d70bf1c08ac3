import type { Static, TObject, TSchema } from "typebox";
import { named, type Statement, sql } from "#/store/db/sql.ts";

/** The table of a field, by its alias in the statement, or an expression. */
type Source = string | Statement;

/**
 * The columns of a record of the API, for `select`. A field `qtyReceived` is the column `qty_received`, and the row has
 * the name and the type of the field: the schema of an answer is all that describes it.
 *
 * @param table alias of the table that has the columns of all other fields.
 * @param sources where fields come from that this table has not, or not under their name.
 */
export function columnsOf<Schema extends TObject>(
  schema: Schema,
  table: string,
  sources: { readonly [Field in keyof Static<Schema>]?: Source } = {},
): Statement {
  const sourceOf: Readonly<Record<string, Source | undefined>> = sources;
  const properties: Readonly<Record<string, TSchema & { readonly type?: string }>> = schema.properties;
  const columns = Object.entries(properties).map(([field, { type }]) => {
    const source = sourceOf[field] ?? table;
    const column = typeof source === "string" ? fragment(`${source}.${columnName(field)}`) : source;
    // PostgreSQL's numeric arrives as text, because it may have more digits than a number; a quantity has twelve.
    return type === "number" ? sql`(${column})::float8 as ${quoted(field)}` : sql`${column} as ${quoted(field)}`;
  });
  return columns.reduce((all, column) => sql`${all}, ${column}`);
}

const columnName = (field: string): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const quoted = (field: string): Statement => fragment(`"${field}"`);
const fragment = (text: string): Statement => ({ ...named(text), values: [], isTenant: false });
