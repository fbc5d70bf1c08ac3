import { type Statement, sql } from "#/db/sql.ts";
import type { ReceiptPlace, ReceiptSort } from "#/http/requests/paging.ts";

/** Of a table that is listed by receipt: the column of the receipt, and that of the record's id. */
export interface ReceiptColumns {
  readonly receivedAt: Statement;
  readonly id: Statement;
}

/** What stands behind a place in the list. */
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
 * A page of a list by receipt. What has changed since a moment is found in two parts: of the records that were received
 * before it only those that were changed after it, by the index of changes; and everything that was received since, which
 * has changed since, by receipt. So neither a poll of minutes nor one of months reads records that it does not answer.
 *
 * @param index the condition of the index that is meant for the filter, and for no other (migration 0004 says why it wants
 * to be asked).
 * @param select reads records that fit a condition, sorted by receipt, at most `limit` of them.
 */
export async function readReceiptPage<Row>(
  { receivedAt }: ReceiptColumns,
  page: { readonly sort: ReceiptSort; readonly limit: number; readonly updatedSince: string | undefined },
  index: Statement,
  select: (condition: Statement) => Promise<Row[]>,
): Promise<Row[]> {
  const { sort, limit, updatedSince } = page;
  if (updatedSince === undefined) return select(index);
  const changedSince = () =>
    select(sql`updated_at >= '-infinity' and updated_at >= ${updatedSince}::timestamptz
      and ${receivedAt} < ${updatedSince}::timestamptz`);
  const receivedSince = () => select(sql`${index} and ${receivedAt} >= ${updatedSince}::timestamptz`);
  if (sort === "receivedAt") return (await Promise.all([changedSince(), receivedSince()])).flat().slice(0, limit);
  const newest = await receivedSince();
  return newest.length === limit ? newest : [...newest, ...(await changedSince())].slice(0, limit);
}
