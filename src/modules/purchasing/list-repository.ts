import type { ClientTx } from "#/db/database.ts";
import { allOf, type Statement, sql, tenant } from "#/db/sql.ts";
import type { ReceiptPlace, ReceiptSort } from "#/http/requests/paging.ts";
import { byReceipt, type ReceiptColumns, readReceiptPage } from "#/http/requests/receipt-repository.ts";
import type { PurchaseOrderState } from "#/modules/purchasing/states.ts";

/** The head of a purchase order: times ISO 8601 UTC. */
export interface PurchaseOrderRow {
  readonly po_number: string;
  readonly vendor_order_id: string;
  readonly status: PurchaseOrderState;
  readonly distribution_centre: string;
  readonly message_id: string | null;
  readonly extended_attributes: Record<string, string>;
  readonly feed_token: string;
  readonly received_at: string;
  readonly received_us: number;
  readonly updated_at: string;
  readonly completed_at: string | null;
  readonly closed_at: string | null;
  readonly version: number;
}

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
export const placeIdOf = ({ po_number, vendor_order_id }: Pick<PurchaseOrderRow, "po_number" | "vendor_order_id">) =>
  `${po_number}\n${vendor_order_id}`;

const byNumber: ReceiptColumns = { receivedAt: sql`received_at`, id: sql`po_number` };

function beyondNotice({ us, id }: ReceiptPlace, sort: ReceiptSort): Statement {
  const [poNumber = "", vendorOrderId = ""] = id.split("\n");
  const at = sql`timestamptz '1970-01-01Z' + ${us}::bigint * interval '1 microsecond'`;
  return sort === "receivedAt"
    ? sql`(received_at, po_number, vendor_order_id) > (${at}, ${poNumber}, ${vendorOrderId})`
    : sql`(received_at, po_number, vendor_order_id) < (${at}, ${poNumber}, ${vendorOrderId})`;
}

export function listPurchaseOrders(tx: ClientTx, page: PurchaseOrderPageRequest): Promise<PurchaseOrderRow[]> {
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

function selectPurchaseOrders(
  tx: ClientTx,
  { filter, sort, after, limit }: PurchaseOrderPageRequest,
  index: Statement,
): Promise<PurchaseOrderRow[]> {
  const { status, distributionCentre, receivedFrom, receivedTo } = filter;
  const conditions = allOf([
    index,
    status === undefined ? undefined : sql`status = ${status}`,
    distributionCentre === undefined ? undefined : sql`distribution_centre = ${distributionCentre}`,
    receivedFrom === undefined ? undefined : sql`received_at >= ${receivedFrom}::timestamptz`,
    receivedTo === undefined ? undefined : sql`received_at < ${receivedTo}::timestamptz`,
    after === undefined ? undefined : beyondNotice(after, sort),
  ]);
  return tx.query(sql`select po_number, vendor_order_id, status, distribution_centre, message_id, extended_attributes, feed_token, received_at,
        (extract(epoch from received_at) * 1000000)::bigint as received_us, updated_at, completed_at, closed_at, version
      from purchase_order where client_id = ${tenant} and ${conditions}
      order by ${byReceipt(byNumber, sort)}${sort === "receivedAt" ? sql`, vendor_order_id` : sql`, vendor_order_id desc`} limit ${limit}`);
}
