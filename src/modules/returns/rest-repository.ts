import Type from "typebox";
import type { ReceiptPlace, ReceiptSort } from "#/http/requests/paging.ts";
import {
  beyondPlace,
  byReceipt,
  type ReceiptColumns,
  type Received,
  readReceiptPage,
  receivedUs,
} from "#/http/requests/receipt-repository.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import type { ReturnDiscrepancy } from "#/modules/returns/reports/grading-domain.ts";
import { type GradedRow, gradedColumns } from "#/modules/returns/reports/grading-repository.ts";
import { type RmaLine, type RmaRecord, rma, rmaLine } from "#/modules/returns/rest-contract.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { allOf, type Statement, sql, tenant } from "#/store/db/sql.ts";

/** The fields of a return that its row has. */
export type StoredReturn = Omit<RmaRecord, "clientId" | "lines" | "receipts">;
const columns = columnsOf(Type.Omit(rma, ["clientId", "lines"]), "return_authorisation");

/** A line as it is stored. */
export interface StoredLine extends Omit<RmaLine, "dispositions"> {
  readonly rmaNumber: string;
  readonly lineNumber: number;
  readonly discrepancy: ReturnDiscrepancy;
}
const lineColumns = columnsOf(Type.Omit(rmaLine, ["dispositions"]), "return_authorisation_line", {
  qtyUom: sql`feed_uom`,
  quantityReturned: sql`feed_qty`,
});

export async function findRma(tx: ClientTx, rmaNumber: string): Promise<StoredReturn | undefined> {
  const rows = await tx.query<StoredReturn>(sql`select ${columns} from return_authorisation
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
export function listRmas(tx: ClientTx, page: RmaPageRequest): Promise<Received<StoredReturn>[]> {
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

function selectRmas(
  tx: ClientTx,
  { filter, sort, after, limit }: RmaPageRequest,
  index: Statement,
): Promise<Received<StoredReturn>[]> {
  const { status, distributionCentre, receivedFrom, receivedTo } = filter;
  const conditions = allOf([
    index,
    status === undefined ? undefined : sql`status = ${status}`,
    distributionCentre === undefined ? undefined : sql`distribution_centre = ${distributionCentre}`,
    receivedFrom === undefined ? undefined : sql`received_at >= ${receivedFrom}::timestamptz`,
    receivedTo === undefined ? undefined : sql`received_at < ${receivedTo}::timestamptz`,
    after === undefined ? undefined : beyondPlace(byRma, after, sort),
  ]);
  return tx.query(sql`select ${columns}, ${receivedUs} from return_authorisation where client_id = ${tenant} and ${conditions}
      order by ${byReceipt(byRma, sort)} limit ${limit}`);
}

/** Lines of these returns in the given order of the returns, at most `limit`. */
export function listRmaLines(tx: ClientTx, rmaNumbers: readonly string[], limit: number): Promise<StoredLine[]> {
  return tx.query(sql`select rma_number as "rmaNumber", ${lineColumns} from return_authorisation_line
      where client_id = ${tenant} and rma_number = any(${rmaNumbers}::text[])
      order by array_position(${rmaNumbers}::text[], rma_number), line_number limit ${limit}`);
}

export interface ReceivedRow extends GradedRow {
  readonly rmaNumber: string;
  readonly bookedAt: string;
  readonly distributionCentre: string;
}

/** The graded goods of these returns, return by return in order of receipt. */
export function listRmaDispositions(
  tx: ClientTx,
  rmaNumbers: readonly string[],
  limit: number,
): Promise<ReceivedRow[]> {
  return tx.query(sql`select rma_number as "rmaNumber", ${gradedColumns}, booked_at as "bookedAt", facility_code as "distributionCentre"
      from return_disposition
      where client_id = ${tenant} and rma_number = any(${rmaNumbers}::text[])
      order by array_position(${rmaNumbers}::text[], rma_number), entry_id limit ${limit}`);
}

export interface ReturnStatus {
  readonly rma_number: string;
  readonly status: string;
  readonly distribution_centre: string;
  /** The document that wrote it last. */
  readonly feed_token: string;
}

/** The states of returns; unknown returns are absent. */
export function findStatuses(tx: ClientTx, rmaNumbers: readonly string[]): Promise<ReturnStatus[]> {
  return tx.query(sql`select rma_number, status, distribution_centre, feed_token from return_authorisation
      where client_id = ${tenant} and rma_number = any(${rmaNumbers}::text[]) limit 10000`);
}
