import type { ReceiptPlace, ReceiptSort } from "#/http/requests/paging.ts";
import {
  byReceipt,
  type ReceiptColumns,
  type Received,
  readReceiptPage,
  receivedUs,
} from "#/http/requests/receipt-repository.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import { type PurchaseOrderHead, purchaseOrderHead } from "#/modules/purchasing/rest-contract.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { allOf, type Statement, sql, tenant } from "#/store/db/sql.ts";

export interface PurchaseOrderFilter {
  readonly status: string | undefined;
  readonly distributionCentre: string | undefined;
  /** Moments, ISO 8601 UTC. */
  readonly receivedFrom: string | undefined;
  readonly receivedTo: string | undefined;
  readonly updatedSince: string | undefined;
}

export interface PurchaseOrderPageRequest {
  readonly filter: PurchaseOrderFilter;
  readonly sort: ReceiptSort;
  readonly after: ReceiptPlace | undefined;
  readonly limit: number;
}

/** The id of a place in the list: shipping notices of one number may have one moment of receipt. No identifier has a line break. */
export const placeIdOf = ({ poNumber, vendorOrderId }: PurchaseOrderHead) => `${poNumber}\n${vendorOrderId ?? ""}`;

const byNumber: ReceiptColumns = { receivedAt: sql`received_at`, id: sql`po_number` };

function beyondNotice({ us, id }: ReceiptPlace, sort: ReceiptSort): Statement {
  const [poNumber = "", vendorOrderId = ""] = id.split("\n");
  const at = sql`timestamptz '1970-01-01Z' + ${us}::bigint * interval '1 microsecond'`;
  return sort === "receivedAt"
    ? sql`(received_at, po_number, vendor_order_id) > (${at}, ${poNumber}, ${vendorOrderId})`
    : sql`(received_at, po_number, vendor_order_id) < (${at}, ${poNumber}, ${vendorOrderId})`;
}

export function listPurchaseOrders(
  tx: ClientTx,
  page: PurchaseOrderPageRequest,
): Promise<Received<PurchaseOrderHead>[]> {
  const { updatedSince } = page.filter;
  return readReceiptPage(byNumber, { ...page, updatedSince }, indexOf(page.filter), (condition) =>
    selectPurchaseOrders(tx, page, condition),
  );
}

/** The condition that matches only the index for this filter (docs/decisions/0036-statistics.md). */
function indexOf({ status, distributionCentre }: PurchaseOrderFilter): Statement {
  if (status !== undefined) return sql`received_at < 'infinity'`;
  return distributionCentre === undefined ? sql`received_at >= '-infinity'` : sql`distribution_centre > ''`;
}

/** The day of the extended attribute ExpectedDate, which may be any text; null if it is none. */
export const expectedDateOf = (attributes: Statement): Statement =>
  sql`substring(${attributes} ->> 'ExpectedDate' from '^[12][0-9]{3}-[0-9]{2}-[0-9]{2}$')`;

const headColumns = columnsOf(purchaseOrderHead, "purchase_order", {
  vendorOrderId: sql`nullif(vendor_order_id, '')`,
  expectedDate: expectedDateOf(sql`extended_attributes`),
});

function selectPurchaseOrders(
  tx: ClientTx,
  { filter, sort, after, limit }: PurchaseOrderPageRequest,
  index: Statement,
): Promise<Received<PurchaseOrderHead>[]> {
  const { status, distributionCentre, receivedFrom, receivedTo } = filter;
  const conditions = allOf([
    index,
    status === undefined ? undefined : sql`status = ${status}`,
    distributionCentre === undefined ? undefined : sql`distribution_centre = ${distributionCentre}`,
    receivedFrom === undefined ? undefined : sql`received_at >= ${receivedFrom}::timestamptz`,
    receivedTo === undefined ? undefined : sql`received_at < ${receivedTo}::timestamptz`,
    after === undefined ? undefined : beyondNotice(after, sort),
  ]);
  return tx.query(sql`select ${headColumns}, ${receivedUs} from purchase_order where client_id = ${tenant} and ${conditions}
      order by ${byReceipt(byNumber, sort)}${sort === "receivedAt" ? sql`, vendor_order_id` : sql`, vendor_order_id desc`} limit ${limit}`);
}
