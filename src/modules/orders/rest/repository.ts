import type { ClientTx } from "#/db/database.ts";
import { byColumn, setOf } from "#/db/row-set.ts";
import { allOf, type Statement, sql, tenant } from "#/db/sql.ts";
import type { ReceiptPlace, ReceiptSort } from "#/http/requests/paging.ts";
import { beyondPlace, byReceipt, type ReceiptColumns, readReceiptPage } from "#/http/requests/receipt-repository.ts";
import type { AddressElement, LineElement, OrderRequest } from "#/modules/orders/intake/contract.ts";
import type { Hold } from "#/modules/orders/order.ts";
import type { OrderState } from "#/modules/orders/states.ts";

/** The row of an order: numerics are exact text, times ISO 8601 UTC. */
export interface OrderRow {
  readonly order_id: string;
  readonly status: OrderState;
  readonly status_reason: string | null;
  readonly external_order_reference: string | null;
  readonly catalog_id: string | null;
  readonly origin: string | null;
  readonly language: string | null;
  readonly order_date: string;
  readonly shipping_method: string | null;
  readonly currency: string | null;
  readonly shipping_cost: string | null;
  readonly subtotal: string | null;
  readonly total_price: string | null;
  readonly taxes: NonNullable<OrderRequest["taxes"]> | null;
  readonly bill_to_address: AddressElement | null;
  readonly ship_to_address: AddressElement;
  readonly payments: NonNullable<OrderRequest["payments"]> | null;
  readonly distribution_centre: string;
  readonly carrier_code: string | null;
  readonly extended_attributes: Readonly<Record<string, string>>;
  readonly priority: number;
  readonly ship_partial: boolean;
  readonly holds: readonly Hold[];
  readonly feed_token: string;
  readonly despatch_by: string | null;
  readonly received_at: string;
  readonly received_us: number;
  readonly updated_at: string;
  readonly erased_at: string | null;
  readonly version: number;
}

export interface OrderLineRow {
  readonly order_id: string;
  readonly line_number: number;
  readonly sku: string;
  readonly stock_pool: string;
  readonly uom: string;
  readonly feed_qty: string;
  readonly feed_uom: string | null;
  readonly line_total: string | null;
  readonly unit_net_price: string | null;
  readonly extended_unit_net_price: string | null;
  readonly unit_gross_price: string | null;
  readonly taxes: NonNullable<LineElement["taxes"]> | null;
  readonly extended_attributes: Readonly<Record<string, string>>;
  readonly qty_ordered: string;
  readonly qty_open: string;
  readonly qty_backordered: string;
  readonly qty_allocated: string;
  readonly qty_picked: string;
  readonly qty_packed: string;
  readonly qty_despatched: string;
  readonly qty_cancelled: string;
  readonly qty_delivered: string;
  readonly qty_returned: string;
}

// The receipt is also read in microseconds: with milliseconds a cursor could step back over rows of the same
// millisecond.
const orderColumns = sql`order_id, status, status_reason, external_order_reference, catalog_id, origin, language, order_date,
  shipping_method, currency, shipping_cost, subtotal, total_price, taxes, bill_to_address, ship_to_address, payments,
  distribution_centre, carrier_code, extended_attributes, priority, ship_partial, holds, despatch_by, feed_token, received_at,
  (extract(epoch from received_at) * 1000000)::bigint as received_us, updated_at, erased_at, version`;

const lineColumns = sql`order_id, line_number, sku, stock_pool, uom, feed_qty, feed_uom, line_total, unit_net_price,
  extended_unit_net_price, unit_gross_price, taxes, extended_attributes, qty_ordered, qty_open, qty_backordered,
  qty_allocated, qty_picked, qty_packed, qty_despatched, qty_cancelled, qty_delivered, qty_returned`;

export async function findOrder(tx: ClientTx, orderId: string): Promise<OrderRow | undefined> {
  const rows = await tx.query<OrderRow>(
    setOf(
      [orderId],
      (ids) => sql`select ${orderColumns} from sales_order
        where client_id = ${tenant} and order_id = any(${ids}::text[]) limit ${ids.length}`,
      { keys: byColumn("order_id") },
    ),
  );
  return rows[0];
}

/** The lines of one order. */
export function linesOfOrder(tx: ClientTx, orderId: string): Promise<OrderLineRow[]> {
  return tx.query(
    setOf(
      [orderId],
      (ids) => sql`select ${lineColumns} from sales_order_line
        where client_id = ${tenant} and order_id = any(${ids}::text[])
        order by order_id, line_number limit 200000`,
      { keys: byColumn("order_id") },
    ),
  );
}

export interface OrderFilter {
  readonly status: string | undefined;
  readonly distributionCentre: string | undefined;
  readonly externalOrderReference: string | undefined;
  /** Moments, ISO 8601 UTC. */
  readonly receivedFrom: string | undefined;
  readonly receivedTo: string | undefined;
  readonly updatedSince: string | undefined;
}

export interface OrderPageRequest {
  readonly filter: OrderFilter;
  readonly sort: ReceiptSort;
  readonly after: ReceiptPlace | undefined;
  readonly limit: number;
}

const byOrder: ReceiptColumns = { receivedAt: sql`received_at`, id: sql`order_id` };

export function listOrders(tx: ClientTx, page: OrderPageRequest): Promise<OrderRow[]> {
  const { updatedSince } = page.filter;
  return readReceiptPage(byOrder, { ...page, updatedSince }, indexOf(page.filter), (condition) =>
    selectOrders(tx, page, condition),
  );
}

/** The condition that matches only the index for this filter (docs/decisions/0036-statistics.md). */
function indexOf({ status, distributionCentre, externalOrderReference }: OrderFilter): Statement {
  if (externalOrderReference !== undefined) return sql`external_order_reference is not null`;
  if (status !== undefined && distributionCentre !== undefined) return sql`order_date < 'infinity'`;
  if (status !== undefined) return sql`received_at < 'infinity'`;
  return distributionCentre === undefined ? sql`received_at >= '-infinity'` : sql`distribution_centre > ''`;
}

function selectOrders(
  tx: ClientTx,
  { filter, sort, after, limit }: OrderPageRequest,
  index: Statement,
): Promise<OrderRow[]> {
  const { status, distributionCentre, externalOrderReference, receivedFrom, receivedTo } = filter;
  const conditions = allOf([
    index,
    status === undefined ? undefined : sql`status = ${status}`,
    distributionCentre === undefined ? undefined : sql`distribution_centre = ${distributionCentre}`,
    externalOrderReference === undefined ? undefined : sql`external_order_reference = ${externalOrderReference}`,
    receivedFrom === undefined ? undefined : sql`received_at >= ${receivedFrom}::timestamptz`,
    receivedTo === undefined ? undefined : sql`received_at < ${receivedTo}::timestamptz`,
    after === undefined ? undefined : beyondPlace(byOrder, after, sort),
  ]);
  return tx.query(sql`select ${orderColumns} from sales_order where client_id = ${tenant} and ${conditions}
      order by ${byReceipt(byOrder, sort)} limit ${limit}`);
}

/** Lines of these orders in the given order of the orders, at most `limit`. */
export function listLines(tx: ClientTx, orderIds: readonly string[], limit: number): Promise<OrderLineRow[]> {
  return tx.query(sql`select ${lineColumns} from sales_order_line
      where client_id = ${tenant} and order_id = any(${orderIds}::text[])
      order by array_position(${orderIds}::text[], order_id), line_number limit ${limit}`);
}
