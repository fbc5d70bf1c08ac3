import type { ClientTx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";

export interface PurchaseOrderKey {
  readonly poNumber: string;
  readonly vendorOrderId: string;
}

/** Maximum number of purchase orders to read for an id: more than one is ambiguous. */
const namesakesMax = 10;

/**
 * The vendor orders of the purchase orders that an id may name, within the facilities: first the order with this
 * `purchaseOrderId`, then orders with this number.
 */
export async function listNamed(
  tx: ClientTx,
  purchaseOrderId: string,
  facilityCodes: readonly string[] | null,
): Promise<NamedRow[]> {
  const numbers = [purchaseOrderId, ...prefixesOf(purchaseOrderId)];
  return tx.query(sql`select po_number, vendor_order_id,
        concat_ws('/', po_number, nullif(vendor_order_id, '')) = ${purchaseOrderId} as is_exact
      from purchase_order
      where client_id = ${tenant} and po_number = any(${numbers}::text[])
        and (po_number = ${purchaseOrderId} or po_number || '/' || vendor_order_id = ${purchaseOrderId})
        and (${facilityCodes}::text[] is null or distribution_centre = any(${facilityCodes}::text[]))
      order by is_exact desc, vendor_order_id limit ${namesakesMax}`);
}

export interface NamedRow {
  readonly po_number: string;
  readonly vendor_order_id: string;
  readonly is_exact: boolean;
}

/** `a/b/c` begins with `a` and `a/b`: either may be the number. */
function prefixesOf(purchaseOrderId: string): readonly string[] {
  const parts = purchaseOrderId.split("/");
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join("/"));
}

export interface HeaderRow {
  readonly status: string;
  readonly distribution_centre: string;
  readonly message_id: string | null;
  readonly extended_attributes: Readonly<Record<string, string>>;
  readonly feed_token: string;
  readonly received_at: string;
  readonly updated_at: string;
  readonly completed_at: string | null;
  readonly closed_at: string | null;
}

export async function findHeader(tx: ClientTx, of: PurchaseOrderKey): Promise<HeaderRow | undefined> {
  const rows =
    await tx.query<HeaderRow>(sql`select status, distribution_centre, message_id, extended_attributes, feed_token, received_at, updated_at,
        completed_at, closed_at
      from purchase_order
      where client_id = ${tenant} and po_number = ${of.poNumber} and vendor_order_id = ${of.vendorOrderId} limit 1`);
  return rows[0];
}

export interface LineRow {
  readonly line_number: number;
  readonly line_id: string | null;
  readonly sku: string;
  readonly product_name: string | null;
  readonly qty: string;
  readonly qty_received: string;
  readonly qty_damaged: string;
  readonly discrepancy: string;
}

export function listLines(tx: ClientTx, of: PurchaseOrderKey, limit: number): Promise<LineRow[]> {
  return tx.query(sql`select line_number, line_id, sku, product_name, qty, qty_received, qty_damaged, discrepancy
      from purchase_order_line
      where client_id = ${tenant} and po_number = ${of.poNumber} and vendor_order_id = ${of.vendorOrderId}
      order by line_number limit ${limit}`);
}

/** An entry of a receipt, with its receipt. */
export interface ReceiptRow {
  readonly receipt_id: string;
  readonly facility_code: string;
  readonly corrects_receipt_id: string | null;
  readonly corrected_by: string | null;
  readonly booked_at: string;
  readonly occurred_at: string;
  readonly line_number: number | null;
  readonly sku: string;
  readonly stock_pool: string;
  readonly batch_ref: string;
  readonly expiry_date: string;
  readonly condition: string;
  readonly qty: string;
  readonly reason: string | null;
}

/** The receipts of a purchase order, the newest first. */
export function listReceipts(tx: ClientTx, of: PurchaseOrderKey, limit: number): Promise<ReceiptRow[]> {
  return tx.query(sql`select r.receipt_id, r.facility_code, r.corrects_receipt_id, r.corrected_by, r.booked_at, r.occurred_at,
        l.line_number, l.sku, l.stock_pool, l.batch_ref, l.expiry_date, l.condition, l.qty, l.reason
      from goods_receipt r
      join goods_receipt_line l on l.client_id = ${tenant} and l.facility_code = r.facility_code
        and l.receipt_id = r.receipt_id
      where r.client_id = ${tenant} and r.po_number = ${of.poNumber}
        and r.vendor_order_id = ${of.vendorOrderId}
      order by r.booked_at desc, r.receipt_id, l.entry limit ${limit}`);
}
