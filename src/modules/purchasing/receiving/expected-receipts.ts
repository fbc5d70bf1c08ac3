import { openPurchaseOrder } from "#/modules/purchasing/states.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

/** Goods that an open purchase order still expects. */
export interface ExpectedReceipt {
  readonly sku: string;
  readonly poNumber: string;
  readonly vendorOrderId: string;
  /** Integer thousandths of the stock unit. */
  readonly qty: number;
  /** When the purchase order was received, ISO 8601 UTC. */
  readonly announcedAt: string;
  /** The extended attribute ExpectedDate; null without one. */
  readonly expectedDate: string | null;
}

/**
 * The open purchase-order lines of these SKUs at a facility: at most `perSku` of each, the purchase order first that was
 * received first.
 */
export async function listExpectedReceipts(
  tx: ClientTx,
  facilityCode: string,
  skus: readonly string[],
  perSku: number,
): Promise<ExpectedReceipt[]> {
  if (skus.length === 0) return [];
  return tx.query(sql`select q.sku, q.po_number as "poNumber", q.vendor_order_id as "vendorOrderId",
        (q.qty * 1000)::bigint as qty, q.received_at as "announcedAt", nullif(q.expected_date, '') as "expectedDate"
      from (
        select l.sku, l.po_number, l.vendor_order_id, l.qty - l.qty_received as qty, p.received_at,
          p.extended_attributes ->> 'ExpectedDate' as expected_date,
          row_number() over (partition by l.sku order by p.received_at, l.po_number, l.vendor_order_id, l.line_number) as place
        from purchase_order_line l
        join purchase_order p on p.client_id = ${tenant} and p.po_number = l.po_number
          and p.vendor_order_id = l.vendor_order_id
        where l.client_id = ${tenant} and l.sku = any(${skus}::text[]) and l.qty_received < l.qty
          and p.distribution_centre = ${facilityCode} and p.status in ${openPurchaseOrder}
      ) q
      where q.place <= ${perSku} order by q.sku, q.place limit ${skus.length * perSku}`);
}
