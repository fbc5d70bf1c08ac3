import type { Static } from "typebox";
import { purchaseOrderHeader, purchaseOrderLine } from "#/console-api/inbound/contract.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

type Header = Static<typeof purchaseOrderHeader>;
type Line = Static<typeof purchaseOrderLine>;

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
): Promise<NamedPurchaseOrder[]> {
  const numbers = [purchaseOrderId, ...prefixesOf(purchaseOrderId)];
  return tx.query(sql`select po_number as "poNumber", vendor_order_id as "vendorOrderId",
        concat_ws('/', po_number, nullif(vendor_order_id, '')) = ${purchaseOrderId} as "isExact"
      from purchase_order
      where client_id = ${tenant} and po_number = any(${numbers}::text[])
        and (po_number = ${purchaseOrderId} or po_number || '/' || vendor_order_id = ${purchaseOrderId})
        and (${facilityCodes}::text[] is null or distribution_centre = any(${facilityCodes}::text[]))
      order by "isExact" desc, vendor_order_id limit ${namesakesMax}`);
}

export interface NamedPurchaseOrder extends PurchaseOrderKey {
  readonly isExact: boolean;
}

/** `a/b/c` begins with `a` and `a/b`: either may be the number. */
function prefixesOf(purchaseOrderId: string): readonly string[] {
  const parts = purchaseOrderId.split("/");
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join("/"));
}

const headerColumns = columnsOf(purchaseOrderHeader, "purchase_order");

export async function findHeader(tx: ClientTx, of: PurchaseOrderKey): Promise<Header | undefined> {
  const rows = await tx.query<Header>(sql`select ${headerColumns}
      from purchase_order
      where client_id = ${tenant} and po_number = ${of.poNumber} and vendor_order_id = ${of.vendorOrderId} limit 1`);
  return rows[0];
}

const lineColumns = columnsOf(purchaseOrderLine, "purchase_order_line");

export function listLines(tx: ClientTx, of: PurchaseOrderKey, limit: number): Promise<Line[]> {
  return tx.query(sql`select ${lineColumns}
      from purchase_order_line
      where client_id = ${tenant} and po_number = ${of.poNumber} and vendor_order_id = ${of.vendorOrderId}
      order by line_number limit ${limit}`);
}
