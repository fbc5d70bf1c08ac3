import type { AttributeValues } from "#/kernel/values/extended-attributes.ts";
import { formatQuantity, storedQuantity } from "#/kernel/values/quantity.ts";
import type { OrderDetails } from "#/modules/facilities/index.ts";
import { withContents } from "#/modules/orders/content.ts";
import { changedKits } from "#/modules/orders/kits.ts";
import type { Hold, Order, OrderLine } from "#/modules/orders/order.ts";
import type { OrderState } from "#/modules/orders/states.ts";
import { salesOrder, salesOrderLine } from "#/modules/orders/tables.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { sql } from "#/store/db/sql.ts";
import { type Answered, selectFrom, updateOf } from "#/store/db/table.ts";

const ordersMax = 20_000;
/** 1 000 orders of 1 000 lines would be too many for one statement; callers request far fewer. */
const linesMax = 200_000;

const findCentres = selectFrom(salesOrder, {
  by: "order_id",
  select: ["order_id", "distribution_centre", "split_facilities"],
  limit: ordersMax,
});

/** The facilities that fulfil the orders. A transaction opens their books before it locks the orders. Takes no lock. */
export async function findFacilities(tx: ClientTx, orderIds: readonly string[]): Promise<Set<string>> {
  const rows = await findCentres.query(tx, orderIds);
  return new Set(rows.flatMap((row) => [row.distribution_centre, ...(row.split_facilities ?? [])]));
}

const headerColumns = [
  "order_id",
  "status",
  "status_reason",
  "holds",
  "distribution_centre",
  "is_routed",
  "routed_by",
  "priority",
  "ship_partial",
  "carrier_code",
  "shipping_method",
  "external_order_reference",
  "revision",
  "feed_token",
  "received_at",
  "despatch_by",
  "ship_after",
  "ship_by",
  "deliver_by",
  "pick_accepted_at",
  "cancel_requested_at",
  "cancel_reason",
  "backordered_since",
  "updated_at",
  "version",
] as const;
type HeaderRow = Answered<Pick<typeof salesOrder.columns, (typeof headerColumns)[number]>>;

const quantities = [
  "qty_ordered",
  "qty_open",
  "qty_backordered",
  "qty_allocated",
  "qty_picked",
  "qty_packed",
  "qty_despatched",
  "qty_cancelled",
  "qty_delivered",
  "qty_returned",
  "qty_cancel_requested",
] as const;
const lineColumns = [
  "order_id",
  "line_number",
  "facility_code",
  "sku",
  "stock_pool",
  "uom",
  "kit_qty",
  "promised_on",
  ...quantities,
] as const;
type LineRow = Answered<Pick<typeof salesOrderLine.columns, (typeof lineColumns)[number]>>;

const byKey = { by: "order_id", select: headerColumns, orderBy: ["order_id"], limit: ordersMax } as const;
const readHeaders = selectFrom(salesOrder, byKey);
const lockHeaders = selectFrom(salesOrder, { ...byKey, lock: "for no key update" });
const listLines = selectFrom(salesOrderLine, {
  by: "order_id",
  select: lineColumns,
  orderBy: ["order_id", "line_number"],
  limit: linesMax,
});

const readHeaderDetails = selectFrom(salesOrder, {
  by: "order_id",
  select: ["order_id", "language", "ship_to_address", "extended_attributes"],
  limit: ordersMax,
});
const listLineDetails = selectFrom(salesOrderLine, {
  by: "order_id",
  select: ["order_id", "line_number", "extended_attributes"],
  limit: linesMax,
});

/** Fields of the feed that are stored with orders and change no state. Empty attributes are undefined. */
export interface StoredDetails {
  ofOrder(orderId: string): Pick<OrderDetails, "language" | "extendedAttributes">;
  shipToOf(orderId: string): object | undefined;
  ofLine(orderId: string, lineNumber: number): AttributeValues | undefined;
}

/** The details of these orders, in their current state. Takes no lock. */
export async function readDetails(tx: ClientTx, orderIds: readonly string[]): Promise<StoredDetails> {
  const [headers, lines] = await Promise.all([
    withContents(tx, orderIds, readHeaderDetails.query(tx, orderIds)),
    listLineDetails.query(tx, orderIds),
  ]);
  const byOrder = new Map(headers.map((row) => [row.order_id, row]));
  const byLine = new Map(lines.map((row) => [`${row.order_id} ${row.line_number}`, row]));
  return {
    ofOrder(orderId) {
      const row = byOrder.get(orderId);
      return { language: row?.language ?? undefined, extendedAttributes: filled(row?.extended_attributes) };
    },
    shipToOf: (orderId) => byOrder.get(orderId)?.ship_to_address as object | undefined,
    ofLine: (orderId, lineNumber) => filled(byLine.get(`${orderId} ${lineNumber}`)?.extended_attributes),
  };
}

function filled(attributes: unknown): AttributeValues | undefined {
  const values = attributes as AttributeValues | undefined;
  return values === undefined || Object.keys(values).length === 0 ? undefined : values;
}

/** Lines as read from the store; a line that was not replaced is not written. */
const unchanged = new WeakSet<OrderLine>();

/** The whole orders, locked in key order until the transaction ends. Unknown orders are absent. */
export async function lockOrders(tx: ClientTx, orderIds: readonly string[]): Promise<Order[]> {
  const headers = lockHeaders.query(tx, orderIds);
  // This query follows the lock on the same connection: it starts when the locks are held, so it reads protected rows.
  return assemble(...(await Promise.all([headers, listLines.query(tx, orderIds)])));
}

/** The orders without a lock, in their current state. */
export async function readOrders(tx: ClientTx, orderIds: readonly string[]): Promise<Order[]> {
  const headers = readHeaders.query(tx, orderIds);
  return assemble(...(await Promise.all([headers, listLines.query(tx, orderIds)])));
}

function assemble(headers: readonly HeaderRow[], rows: readonly LineRow[]): Order[] {
  const linesOf = Map.groupBy(rows, ({ order_id }) => order_id);
  return headers.map((row) => {
    const ofOrder = linesOf.get(row.order_id) ?? [];
    const stocked = ofOrder.filter(({ kit_qty }) => kit_qty === null || Number(kit_qty) > 0);
    const lines = stocked.map((line) => lineOf(line, row));
    return { ...headerOf(row), lines, kits: kitsOf(row, ofOrder, stocked) };
  });
}

const noKits: Order["kits"] = [];

function kitsOf(header: HeaderRow, rows: readonly LineRow[], stocked: readonly LineRow[]): Order["kits"] {
  if (rows.length === stocked.length) return noKits;
  const isStocked = new Set(stocked);
  return rows
    .filter((row) => !isStocked.has(row))
    .map((row) => ({ ...placeOf(row, header), sku: row.sku, stockPool: row.stock_pool, uom: row.uom }));
}

function headerOf(row: HeaderRow): Omit<Order, "lines" | "kits"> {
  return {
    orderId: row.order_id,
    status: row.status as OrderState,
    statusReason: row.status_reason ?? undefined,
    holds: row.holds as readonly Hold[],
    distributionCentre: row.distribution_centre,
    isRouted: row.is_routed,
    routedBy: (row.routed_by as Order["routedBy"] | null) ?? undefined,
    priority: row.priority,
    shipPartial: row.ship_partial,
    carrierCode: row.carrier_code ?? undefined,
    shippingMethod: row.shipping_method ?? undefined,
    externalOrderReference: row.external_order_reference ?? undefined,
    revision: row.revision ?? undefined,
    feedToken: row.feed_token,
    receivedAt: row.received_at,
    despatchBy: row.despatch_by ?? undefined,
    shipAfter: row.ship_after ?? undefined,
    shipBy: row.ship_by ?? undefined,
    deliverBy: row.deliver_by ?? undefined,
    takenAt: row.pick_accepted_at ?? undefined,
    cancelRequestedAt: row.cancel_requested_at ?? undefined,
    cancelReason: row.cancel_reason ?? undefined,
    backorderedSince: row.backordered_since ?? undefined,
    updatedAt: row.updated_at,
    version: row.version,
  };
}

const placeOf = ({ line_number, facility_code }: LineRow, { distribution_centre }: HeaderRow) => ({
  lineNumber: line_number,
  facilityCode: facility_code === null || facility_code === distribution_centre ? undefined : facility_code,
});

function lineOf(row: LineRow, header: HeaderRow): OrderLine {
  const line = {
    ...placeOf(row, header),
    sku: row.sku,
    stockPool: row.stock_pool,
    uom: row.uom,
    promisedOn: row.promised_on ?? undefined,
    kitQty: row.kit_qty === null ? undefined : storedQuantity(row.kit_qty),
    buckets: {
      ordered: storedQuantity(row.qty_ordered),
      open: storedQuantity(row.qty_open),
      backordered: storedQuantity(row.qty_backordered),
      allocated: storedQuantity(row.qty_allocated),
      picked: storedQuantity(row.qty_picked),
      packed: storedQuantity(row.qty_packed),
      despatched: storedQuantity(row.qty_despatched),
      cancelled: storedQuantity(row.qty_cancelled),
    },
    delivered: storedQuantity(row.qty_delivered),
    returned: storedQuantity(row.qty_returned),
    cancelRequested: storedQuantity(row.qty_cancel_requested),
  };
  unchanged.add(line);
  return line;
}

export interface HeaderWrite {
  readonly order: Order;
  /** The order has reached an end state. */
  readonly hasEnded: boolean;
  /** No part of the order will leave any more. */
  readonly isDone: boolean;
}

const writeSettled = updateOf(salesOrder, {
  set: [
    "status",
    "status_reason",
    "holds",
    "pick_accepted_at",
    "cancel_requested_at",
    "cancel_reason",
    "backordered_since",
    "revision",
    "updated_at",
  ],
  with: { has_ended: "boolean", is_done: "boolean" },
  also: {
    cancel_escalated_at: sql`case when sales_order.cancel_requested_at = given.cancel_requested_at
      then sales_order.cancel_escalated_at end`,
    at_risk_at: sql`case when given.is_done then null else sales_order.at_risk_at end`,
    ended_at: sql`case when given.has_ended then given.updated_at else sales_order.ended_at end`,
    version: sql`sales_order.version + 1`,
  },
});

/** Writes the headers and raises their versions. Fields that only the feed sets are not written. */
export function writeHeaders(tx: ClientTransaction, at: string, writes: readonly HeaderWrite[]): void {
  const rows = writes.map(({ order, hasEnded, isDone }) => ({
    order_id: order.orderId,
    status: order.status,
    status_reason: order.statusReason,
    holds: order.holds,
    pick_accepted_at: order.takenAt,
    cancel_requested_at: order.cancelRequestedAt,
    cancel_reason: order.cancelReason,
    backordered_since: order.backorderedSince,
    revision: order.revision,
    updated_at: at,
    has_ended: hasEnded,
    is_done: isDone,
  }));
  writeSettled.send(tx, rows);
}

const writeQuantities = updateOf(salesOrderLine, { set: quantities });

/** Writes the quantities of changed lines. */
export function writeLines(tx: ClientTransaction, orders: readonly Order[]): void {
  const qty = formatQuantity;
  const isChanged = (line: OrderLine) => !unchanged.has(line);
  const rows = orders.flatMap((order) => {
    const { orderId } = order;
    const changed = order.lines.filter(isChanged);
    if (order.kits.length > 0) changed.push(...changedKits(order, isChanged));
    return changed.map(({ lineNumber, buckets, delivered, returned, cancelRequested }) => ({
      order_id: orderId,
      line_number: lineNumber,
      qty_ordered: qty(buckets.ordered),
      qty_open: qty(buckets.open),
      qty_backordered: qty(buckets.backordered),
      qty_allocated: qty(buckets.allocated),
      qty_picked: qty(buckets.picked),
      qty_packed: qty(buckets.packed),
      qty_despatched: qty(buckets.despatched),
      qty_cancelled: qty(buckets.cancelled),
      qty_delivered: qty(delivered),
      qty_returned: qty(returned),
      qty_cancel_requested: qty(cancelRequested),
    }));
  });
  writeQuantities.send(tx, rows);
}

const statusColumns = ["order_id", "status", "distribution_centre", "feed_token"] as const;

/** The state of an order, and the document that wrote it last. */
type OrderStatus = Answered<Pick<typeof salesOrder.columns, (typeof statusColumns)[number]>>;

const find = selectFrom(salesOrder, { by: "order_id", select: statusColumns, limit: 10_000 });

/** The states of orders; unknown orders are absent. */
export function findStatuses(tx: ClientTx, orderIds: readonly string[]): Promise<OrderStatus[]> {
  return find.query(tx, orderIds);
}
