import type { ClientTx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";

export interface PurchaseOrderStatus {
  readonly po_number: string;
  readonly vendor_order_id: string;
  readonly status: string;
  readonly distribution_centre: string;
  /** The document that wrote it last. */
  readonly feed_token: string;
}

/** The states of purchase orders; one number may have several, one for each shipping notice. */
export function findStatuses(tx: ClientTx, poNumbers: readonly string[]): Promise<PurchaseOrderStatus[]> {
  return tx.query(sql`select po_number, vendor_order_id, status, distribution_centre, feed_token from purchase_order
      where client_id = ${tenant} and po_number = any(${poNumbers}::text[])
      order by updated_at limit 10000`);
}
