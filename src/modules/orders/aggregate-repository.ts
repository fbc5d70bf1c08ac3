import type { Transaction, Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery, tenantSend } from "#/db/tenant.ts";
import { formatQuantity } from "#/kernel/quantity.ts";
import { type Order, type OrderLine, thousandthsOf } from "#/modules/orders/aggregate.ts";
import type { Hold, OrderState } from "#/modules/orders/domain.ts";

const ordersMax = 20_000;
/** As many as 1 000 orders of 1 000 lines would be too many for one statement: callers ask for far fewer. */
const linesMax = 200_000;

/** Where the orders are fulfilled: which books are to be opened before the orders are locked. Takes no lock. */
export async function findFacilities(
  tx: Tx,
  clientId: string,
  orderIds: readonly string[],
): Promise<Map<string, string>> {
  if (orderIds.length === 0) return new Map();
  const rows = await tenantQuery<{ order_id: string; distribution_centre: string }>(
    tx,
    clientId,
    sql`select order_id, distribution_centre from sales_order
      where client_id = ${tenant} and order_id = any(${orderIds}::text[]) limit ${ordersMax}`,
  );
  return new Map(rows.map(({ order_id, distribution_centre }) => [order_id, distribution_centre]));
}

interface HeaderRow {
  readonly order_id: string;
  readonly status: OrderState;
  readonly status_reason: string | null;
  readonly holds: readonly Hold[];
  readonly distribution_centre: string;
  readonly is_routed: boolean;
  readonly routed_by: "NAMED" | "FILLS" | "FIRST" | null;
  readonly priority: number;
  readonly ship_partial: boolean;
  readonly carrier_code: string | null;
  readonly shipping_method: string | null;
  readonly external_order_reference: string | null;
  readonly ship_to_address: object;
  readonly revision: number | null;
  readonly feed_token: string;
  readonly received_at: string;
  readonly despatch_by: string | null;
  readonly taken_at: string | null;
  readonly cancel_requested_at: string | null;
  readonly cancel_reason: string | null;
  readonly backordered_since: string | null;
  readonly updated_at: string;
  readonly version: number;
}

interface LineRow {
  readonly order_id: string;
  readonly line_number: number;
  readonly sku: string;
  readonly stock_pool: string;
  readonly uom: string;
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
  readonly qty_cancel_requested: string;
}

const headerColumns = sql`order_id, status, status_reason, holds, distribution_centre, is_routed, routed_by, priority,
  ship_partial, carrier_code, shipping_method, external_order_reference, ship_to_address, revision, feed_token, received_at,
  despatch_by, taken_at, cancel_requested_at, cancel_reason, backordered_since, updated_at, version`;

/** Lines as they came from the store: those that nobody replaced need no writing. */
const unchanged = new WeakSet<OrderLine>();

/** The whole orders, locked in key order until the transaction ends. Unknown ones are absent. */
export async function lockOrders(tx: Tx, clientId: string, orderIds: readonly string[]): Promise<Order[]> {
  if (orderIds.length === 0) return [];
  const headers = tenantQuery<HeaderRow>(
    tx,
    clientId,
    sql`select ${headerColumns} from sales_order
      where client_id = ${tenant} and order_id = any(${orderIds}::text[])
      order by order_id limit ${ordersMax} for no key update`,
  );
  // Sent behind it on the same connection: it starts when the locks are held, so it reads what they protect.
  return assemble(...(await Promise.all([headers, listLines(tx, clientId, orderIds)])));
}

/** The same without a lock, as the store stands. */
export async function readOrders(tx: Tx, clientId: string, orderIds: readonly string[]): Promise<Order[]> {
  if (orderIds.length === 0) return [];
  const headers = tenantQuery<HeaderRow>(
    tx,
    clientId,
    sql`select ${headerColumns} from sales_order
      where client_id = ${tenant} and order_id = any(${orderIds}::text[]) order by order_id limit ${ordersMax}`,
  );
  return assemble(...(await Promise.all([headers, listLines(tx, clientId, orderIds)])));
}

function listLines(tx: Tx, clientId: string, orderIds: readonly string[]): Promise<LineRow[]> {
  return tenantQuery(
    tx,
    clientId,
    sql`select order_id, line_number, sku, stock_pool, uom, qty_ordered, qty_open, qty_backordered, qty_allocated,
        qty_picked, qty_packed, qty_despatched, qty_cancelled, qty_delivered, qty_returned, qty_cancel_requested
      from sales_order_line
      where client_id = ${tenant} and order_id = any(${orderIds}::text[])
      order by order_id, line_number limit ${linesMax}`,
  );
}

function assemble(headers: readonly HeaderRow[], rows: readonly LineRow[]): Order[] {
  const linesOf = Map.groupBy(rows, ({ order_id }) => order_id);
  return headers.map((row) => ({
    orderId: row.order_id,
    status: row.status,
    statusReason: row.status_reason ?? undefined,
    holds: row.holds,
    distributionCentre: row.distribution_centre,
    isRouted: row.is_routed,
    routedBy: row.routed_by ?? undefined,
    priority: row.priority,
    shipPartial: row.ship_partial,
    carrierCode: row.carrier_code ?? undefined,
    shippingMethod: row.shipping_method ?? undefined,
    externalOrderReference: row.external_order_reference ?? undefined,
    shipToAddress: row.ship_to_address,
    revision: row.revision ?? undefined,
    feedToken: row.feed_token,
    receivedAt: row.received_at,
    despatchBy: row.despatch_by ?? undefined,
    takenAt: row.taken_at ?? undefined,
    cancelRequestedAt: row.cancel_requested_at ?? undefined,
    cancelReason: row.cancel_reason ?? undefined,
    backorderedSince: row.backordered_since ?? undefined,
    updatedAt: row.updated_at,
    version: row.version,
    lines: (linesOf.get(row.order_id) ?? []).map(lineOf),
  }));
}

function lineOf(row: LineRow): OrderLine {
  const line = {
    lineNumber: row.line_number,
    sku: row.sku,
    stockPool: row.stock_pool,
    uom: row.uom,
    buckets: {
      ordered: thousandthsOf(row.qty_ordered),
      open: thousandthsOf(row.qty_open),
      backordered: thousandthsOf(row.qty_backordered),
      allocated: thousandthsOf(row.qty_allocated),
      picked: thousandthsOf(row.qty_picked),
      packed: thousandthsOf(row.qty_packed),
      despatched: thousandthsOf(row.qty_despatched),
      cancelled: thousandthsOf(row.qty_cancelled),
    },
    delivered: thousandthsOf(row.qty_delivered),
    returned: thousandthsOf(row.qty_returned),
    cancelRequested: thousandthsOf(row.qty_cancel_requested),
  };
  unchanged.add(line);
  return line;
}

export interface HeaderWrite {
  readonly order: Order;
  /** The order came to its end. */
  readonly hasEnded: boolean;
  /** Nothing of it is to leave any more. */
  readonly isDone: boolean;
}

/** The headers as they are to be, each a version on. What the feed alone says of an order is not among it. */
export function writeHeaders(tx: Transaction, clientId: string, at: string, writes: readonly HeaderWrite[]): void {
  const rows = writes.map(({ order, hasEnded, isDone }) => ({
    o: order.orderId,
    s: order.status,
    sr: order.statusReason,
    ho: order.holds,
    ta: order.takenAt,
    cr: order.cancelRequestedAt,
    cn: order.cancelReason,
    bs: order.backorderedSince,
    e: hasEnded,
    l: isDone,
    rv: order.revision,
  }));
  tenantSend(
    tx,
    clientId,
    sql`update sales_order o set status = x.s, status_reason = x.sr, holds = x.ho, taken_at = x.ta,
        cancel_requested_at = x.cr,
        cancel_reported_at = case when o.cancel_requested_at = x.cr then o.cancel_reported_at end,
        cancel_reason = x.cn, backordered_since = x.bs, revision = x.rv,
        at_risk_at = case when x.l then null else o.at_risk_at end,
        ended_at = case when x.e then ${at}::timestamptz else o.ended_at end, updated_at = ${at}::timestamptz,
        version = o.version + 1
      from json_to_recordset(${JSON.stringify(rows)}::json)
        as x(o text, s text, sr text, ho jsonb, ta timestamptz, cr timestamptz, cn text, bs timestamptz, e boolean, l boolean,
          rv bigint)
      where o.client_id = ${tenant} and o.order_id = x.o`,
  );
}

/** The quantities of the lines that are not as they were read. */
export function writeLines(tx: Transaction, clientId: string, orders: readonly Order[]): void {
  const qty = formatQuantity;
  const rows = orders.flatMap(({ orderId, lines }) =>
    lines
      .filter((line) => !unchanged.has(line))
      .map(({ lineNumber, buckets, delivered, returned, cancelRequested }) => ({
        o: orderId,
        n: lineNumber,
        q: qty(buckets.ordered),
        op: qty(buckets.open),
        b: qty(buckets.backordered),
        a: qty(buckets.allocated),
        pi: qty(buckets.picked),
        pa: qty(buckets.packed),
        d: qty(buckets.despatched),
        c: qty(buckets.cancelled),
        de: qty(delivered),
        re: qty(returned),
        cr: qty(cancelRequested),
      })),
  );
  if (rows.length === 0) return;
  tenantSend(
    tx,
    clientId,
    sql`update sales_order_line l set qty_ordered = x.q, qty_open = x.op, qty_backordered = x.b, qty_allocated = x.a,
        qty_picked = x.pi, qty_packed = x.pa, qty_despatched = x.d, qty_cancelled = x.c, qty_delivered = x.de,
        qty_returned = x.re, qty_cancel_requested = x.cr
      from json_to_recordset(${JSON.stringify(rows)}::json) as x(o text, n integer, q numeric, op numeric, b numeric,
        a numeric, pi numeric, pa numeric, d numeric, c numeric, de numeric, re numeric, cr numeric)
      where l.client_id = ${tenant} and l.order_id = x.o and l.line_number = x.n`,
  );
}
