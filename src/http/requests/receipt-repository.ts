import type { ReceiptPlace, ReceiptSort } from "#/http/requests/paging.ts";
import { type Statement, sql } from "#/store/db/sql.ts";

/** Columns of a table that is listed by receipt: the column of the receipt, and that of the record's id. */
export interface ReceiptColumns {
  readonly receivedAt: Statement;
  readonly id: Statement;
}

/** A record of the list, with its receipt in microseconds: with milliseconds a cursor could step back over rows of one. */
export type Received<Item> = Item & { readonly receivedUs: number };
export const receivedUs = sql`(extract(epoch from received_at) * 1000000)::bigint as "receivedUs"`;

/** Rows after a position in the list. */
export function beyondPlace({ receivedAt, id }: ReceiptColumns, place: ReceiptPlace, sort: ReceiptSort): Statement {
  const at = sql`timestamptz '1970-01-01Z' + ${place.us}::bigint * interval '1 microsecond'`;
  return sort === "receivedAt"
    ? sql`(${receivedAt}, ${id}) > (${at}, ${place.id})`
    : sql`(${receivedAt}, ${id}) < (${at}, ${place.id})`;
}

/** For `order by`. */
export function byReceipt({ receivedAt, id }: ReceiptColumns, sort: ReceiptSort): Statement {
  return sort === "receivedAt" ? sql`${receivedAt}, ${id}` : sql`${receivedAt} desc, ${id} desc`;
}

/**
 * A page of a list by receipt. Records that have changed since a moment are found in two parts. The index of changes
 * finds the records that were received before the moment and changed after it. The order of receipt finds all records
 * that were received since, which have therefore changed since. Neither a poll after minutes nor one after months reads
 * records that it does not answer.
 *
 * @param index the condition of the one index for this filter (docs/decisions/0036-statistics.md).
 * @param select reads records that match a condition, sorted by receipt, at most `limit` of them. The condition is that
 *   of `index`, or that of the index of changes.
 */
export async function readReceiptPage<Row>(
  { receivedAt }: ReceiptColumns,
  page: { readonly sort: ReceiptSort; readonly limit: number; readonly updatedSince: string | undefined },
  index: Statement,
  select: (condition: Statement, by: "RECEIPT" | "CHANGE") => Promise<Row[]>,
): Promise<Row[]> {
  const { sort, limit, updatedSince } = page;
  if (updatedSince === undefined) return select(index, "RECEIPT");
  const changedSince = () =>
    select(
      sql`updated_at >= '-infinity' and updated_at >= ${updatedSince}::timestamptz
      and ${receivedAt} < ${updatedSince}::timestamptz`,
      "CHANGE",
    );
  const receivedSince = () => select(sql`${index} and ${receivedAt} >= ${updatedSince}::timestamptz`, "RECEIPT");
  if (sort === "receivedAt") return (await Promise.all([changedSince(), receivedSince()])).flat().slice(0, limit);
  const newest = await receivedSince();
  return newest.length === limit ? newest : [...newest, ...(await changedSince())].slice(0, limit);
}
