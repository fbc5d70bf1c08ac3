import type { ClientTx } from "#/db/database.ts";
import { allOf, type Statement, sql, tenant } from "#/db/sql.ts";
import type { ReceiptPlace, ReceiptSort } from "#/http/requests/paging.ts";
import { beyondPlace, byReceipt, type ReceiptColumns, readReceiptPage } from "#/http/requests/receipt-repository.ts";
import type { ReturnDiscrepancy } from "#/modules/returns/reports/grading-domain.ts";
import { type GradedRow, gradedColumns } from "#/modules/returns/reports/grading-repository.ts";
import type { ReturnState } from "#/modules/returns/states.ts";

/** The row of a return: times ISO 8601 UTC. */
export interface RmaRow {
  readonly rma_number: string;
  readonly status: ReturnState;
  readonly distribution_centre: string;
  readonly order_reference: string | null;
  readonly order_id: string | null;
  readonly creation_time_stamp: string | null;
  readonly feed_token: string;
  readonly received_at: string;
  readonly received_us: number;
  readonly updated_at: string;
  readonly closed_at: string | null;
  readonly version: number;
}

/** Numerics are exact text. */
export interface RmaLineRow {
  readonly rma_number: string;
  readonly line_number: number;
  readonly sku: string;
  readonly return_reason_code: string | null;
  readonly feed_qty: string;
  readonly feed_uom: string | null;
  readonly qty_expected: string;
  readonly qty_received: string;
  readonly discrepancy: ReturnDiscrepancy;
  readonly attribute_one: string | null;
  readonly attribute_three: string | null;
}

export interface RmaDispositionRow extends GradedRow {
  readonly rma_number: string;
}

// The receipt is also read in microseconds: with milliseconds a cursor could step back over rows of the same
// millisecond.
const columns = sql`rma_number, status, distribution_centre, order_reference, order_id, creation_time_stamp, feed_token,
  received_at, (extract(epoch from received_at) * 1000000)::bigint as received_us, updated_at, closed_at, version`;

export async function findRma(tx: ClientTx, rmaNumber: string): Promise<RmaRow | undefined> {
  const rows = await tx.query<RmaRow>(sql`select ${columns} from return_authorisation
      where client_id = ${tenant} and rma_number = ${rmaNumber} limit 1`);
  return rows[0];
}

export interface RmaFilter {
  readonly status: string | undefined;
  readonly distributionCentre: string | undefined;
  /** Returns of any of these orders; undefined: of any order or none. */
  readonly orderIds: readonly string[] | undefined;
  /** Moments, ISO 8601 UTC. */
  readonly receivedFrom: string | undefined;
  readonly receivedTo: string | undefined;
  readonly updatedSince: string | undefined;
}

export interface RmaPageRequest {
  readonly filter: RmaFilter;
  readonly sort: ReceiptSort;
  readonly after: ReceiptPlace | undefined;
  readonly limit: number;
}

const byRma: ReceiptColumns = { receivedAt: sql`received_at`, id: sql`rma_number` };

/** Returns of one order are few: a filter on their changes can read all of them. */
export function listRmas(tx: ClientTx, page: RmaPageRequest): Promise<RmaRow[]> {
  const { updatedSince, orderIds } = page.filter;
  const select = (condition: Statement) => selectRmas(tx, page, condition);
  const index = indexOf(page.filter);
  return orderIds !== undefined && updatedSince !== undefined
    ? select(sql`${index} and updated_at >= ${updatedSince}::timestamptz`)
    : readReceiptPage(byRma, { ...page, updatedSince }, index, select);
}

/** The condition that matches only the index for this filter (docs/decisions/0036-statistics.md). */
function indexOf({ orderIds, status, distributionCentre }: RmaFilter): Statement {
  if (orderIds !== undefined) return sql`order_id is not null and order_id = any(${orderIds}::text[])`;
  if (status !== undefined) return sql`received_at < 'infinity'`;
  return distributionCentre === undefined ? sql`received_at >= '-infinity'` : sql`distribution_centre > ''`;
}

function selectRmas(tx: ClientTx, { filter, sort, after, limit }: RmaPageRequest, index: Statement): Promise<RmaRow[]> {
  const { status, distributionCentre, receivedFrom, receivedTo } = filter;
  const conditions = allOf([
    index,
    status === undefined ? undefined : sql`status = ${status}`,
    distributionCentre === undefined ? undefined : sql`distribution_centre = ${distributionCentre}`,
    receivedFrom === undefined ? undefined : sql`received_at >= ${receivedFrom}::timestamptz`,
    receivedTo === undefined ? undefined : sql`received_at < ${receivedTo}::timestamptz`,
    after === undefined ? undefined : beyondPlace(byRma, after, sort),
  ]);
  return tx.query(sql`select ${columns} from return_authorisation where client_id = ${tenant} and ${conditions}
      order by ${byReceipt(byRma, sort)} limit ${limit}`);
}

/** Lines of these returns in the given order of the returns, at most `limit`. */
export function listRmaLines(tx: ClientTx, rmaNumbers: readonly string[], limit: number): Promise<RmaLineRow[]> {
  return tx.query(sql`select rma_number, line_number, sku, return_reason_code, feed_qty, feed_uom, qty_expected, qty_received,
        discrepancy, attribute_one, attribute_three
      from return_authorisation_line
      where client_id = ${tenant} and rma_number = any(${rmaNumbers}::text[])
      order by array_position(${rmaNumbers}::text[], rma_number), line_number limit ${limit}`);
}

/** The graded goods of these returns, return by return in order of receipt. */
export function listRmaDispositions(
  tx: ClientTx,
  rmaNumbers: readonly string[],
  limit: number,
): Promise<RmaDispositionRow[]> {
  return tx.query(sql`select rma_number, ${gradedColumns} from return_disposition
      where client_id = ${tenant} and rma_number = any(${rmaNumbers}::text[])
      order by array_position(${rmaNumbers}::text[], rma_number), entry_id limit ${limit}`);
}
