// Inserts rows of the history set-wise: the state after a year of work, not the writes of that work.
import type { ClientTx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { insertInto } from "#/db/table.ts";
import { item } from "#/history-generator/tables.ts";
import { orderMilestone, salesOrder, salesOrderLine } from "#/modules/orders/index.ts";
import { packedParcel, parcel } from "#/modules/parcels/index.ts";

export const insertHistoryItems = insertInto(item);
export const insertHistoryOrders = insertInto(salesOrder, {
  columns: [
    ...(["order_id", "status", "status_reason", "cancel_reason", "external_order_reference", "origin"] as const),
    ...(["language", "order_date", "shipping_method", "currency", "shipping_cost", "subtotal", "total_price"] as const),
    ...(["bill_to_address", "ship_to_address", "distribution_centre", "is_routed", "routed_by", "holds"] as const),
    ...(["feed_token", "received_at", "updated_at", "despatch_by", "pick_accepted_at", "backordered_since"] as const),
    "ended_at",
  ],
});
export const insertHistoryLines = insertInto(salesOrderLine, {
  columns: [
    ...(["order_id", "line_number", "sku", "stock_pool", "uom", "feed_qty", "line_total", "unit_net_price"] as const),
    ...(["qty_ordered", "qty_open", "qty_backordered", "qty_despatched", "qty_cancelled", "qty_delivered"] as const),
    ...(["facility_code", "priority", "accepted_at"] as const),
  ],
});
export const insertHistoryParcels = insertInto(parcel, {
  columns: [
    ...packedParcel.names,
    ...(["status", "loaded_at", "despatched_at", "status_at", "is_delivered", "updated_at"] as const),
  ],
});
export const insertHistoryMilestones = insertInto(orderMilestone, {
  columns: ["order_id", "milestone_id", "olpn_id", "code", "at", "received_at"],
});

/** More rows than any batch has. */
const rowsMax = 10_000;

/** Which of these SKUs exist. */
export async function findHistorySkus(tx: ClientTx, skus: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ sku: string }>(sql`select i.sku from item i
      where i.client_id = ${tenant} and i.sku = any(${skus}::text[]) limit ${rowsMax}`);
  return new Set(rows.map(({ sku }) => sku));
}

/** Which of these orders exist. */
export async function findHistoryOrders(tx: ClientTx, orderIds: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ order_id: string }>(sql`select o.order_id from sales_order o
      where o.client_id = ${tenant} and o.order_id = any(${orderIds}::text[]) limit ${rowsMax}`);
  return new Set(rows.map(({ order_id }) => order_id));
}
