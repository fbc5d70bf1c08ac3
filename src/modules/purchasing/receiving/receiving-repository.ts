import type { AttributeValues } from "#/kernel/values/extended-attributes.ts";
import { formatQuantity, parseQuantity } from "#/kernel/values/quantity.ts";
import { type Condition, wantOfPurchaseOrders } from "#/modules/inventory/index.ts";
import type {
  Discrepancy,
  ExcessReason,
  Progress,
  ReceiptBooking,
  ReceivingLine,
} from "#/modules/purchasing/receiving/receiving-domain.ts";
import type { PurchaseOrderKey } from "#/modules/purchasing/repository.ts";
import { openPurchaseOrder, type PurchaseOrderState } from "#/modules/purchasing/states.ts";
import { goodsReceiptLine, purchaseOrder, purchaseOrderLine } from "#/modules/purchasing/tables.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { type Statement, sql, tenant } from "#/store/db/sql.ts";
import { type Answered, insertInto, selectFrom, updateOf } from "#/store/db/table.ts";

export interface ReceivingHeader extends PurchaseOrderKey, Progress {
  readonly distributionCentre: string;
  /** Of the goods of a transfer, whose transferId is the poNumber: the facility that shipped them. */
  readonly fromFacility: string | undefined;
}

/** A header with the extended attributes of the purchase order. */
export interface DescribedHeader extends ReceivingHeader {
  readonly messageId: string | undefined;
  readonly extendedAttributes: AttributeValues;
  readonly carrierCode: string | undefined;
  readonly trackingNumber: string | undefined;
  readonly receivedAt: string;
  readonly updatedAt: string;
  readonly version: number;
}

type HeaderRow = Answered<typeof purchaseOrder.columns>;

const byNumber = { by: "po_number", orderBy: ["po_number", "vendor_order_id"] } as const;
const readHeaders = selectFrom(purchaseOrder, { ...byNumber, limit: 10_000 });
const lockHeaders = selectFrom(purchaseOrder, { ...byNumber, lock: "for no key update", limit: 10_000 });
const writeProgress = updateOf(purchaseOrder, {
  set: ["status", "completed_at", "closed_at", "updated_at"],
  also: { version: sql`purchase_order.version + 1` },
});
const readLines = selectFrom(purchaseOrderLine, {
  by: "po_number",
  orderBy: ["po_number", "vendor_order_id", "line_number"],
  limit: 100_000,
});
const markDiscrepancy = updateOf(purchaseOrder, { set: ["has_discrepancy"] });
const writeReceived = updateOf(purchaseOrderLine, { set: ["qty_received", "qty_damaged", "discrepancy"] });

const headerOf = (row: HeaderRow): ReceivingHeader => ({
  poNumber: row.po_number,
  vendorOrderId: row.vendor_order_id,
  status: row.status as PurchaseOrderState,
  distributionCentre: row.distribution_centre,
  completedAt: row.completed_at ?? undefined,
  closedAt: row.closed_at ?? undefined,
  fromFacility: row.from_facility ?? undefined,
});

/** All notices of these purchase orders, locked in key order until the transaction ends. */
export async function lockReceivingHeaders(tx: ClientTx, poNumbers: readonly string[]): Promise<ReceivingHeader[]> {
  return (await lockHeaders.query(tx, poNumbers)).map(headerOf);
}

/** All notices of these purchase orders, without a lock. */
export async function listReceivingHeaders(tx: ClientTx, poNumbers: readonly string[]): Promise<DescribedHeader[]> {
  const rows = await readHeaders.query(tx, poNumbers);
  return rows.map((row) => ({
    ...headerOf(row),
    messageId: row.message_id ?? undefined,
    extendedAttributes: row.extended_attributes as AttributeValues,
    carrierCode: row.carrier_code ?? undefined,
    trackingNumber: row.tracking_number ?? undefined,
    receivedAt: row.received_at,
    updatedAt: row.updated_at,
    version: row.version,
  }));
}

/** Purchase orders that were complete before the moment, locked in key order. */
export async function lockFinishedHeaders(tx: ClientTx, before: string, limit: number): Promise<ReceivingHeader[]> {
  const rows =
    await tx.query<HeaderRow>(sql`select po_number, vendor_order_id, status, distribution_centre, completed_at, closed_at, from_facility from purchase_order
      where client_id = ${tenant} and status = 'RECEIVED' and completed_at < ${before}::timestamptz
      order by po_number, vendor_order_id limit ${limit} for no key update`);
  return rows.map(headerOf);
}

/** Purchase orders that still expect goods and that nothing has changed since the moment, locked in key order. */
export async function lockStaleHeaders(tx: ClientTx, before: string, limit: number): Promise<ReceivingHeader[]> {
  const rows =
    await tx.query<HeaderRow>(sql`select po_number, vendor_order_id, status, distribution_centre, completed_at, closed_at, from_facility from purchase_order
      where client_id = ${tenant} and status in ${openPurchaseOrder} and updated_at < ${before}::timestamptz
      order by po_number, vendor_order_id limit ${limit} for no key update`);
  return rows.map(headerOf);
}

/**
 * Purchase orders in receipt that nothing has changed since the moment and whose lines lack at most the tolerance,
 * locked in key order.
 *
 * @param tolerance per cent of the ordered quantity of a line
 */
export async function lockHeadersWithin(
  tx: ClientTx,
  before: string,
  tolerance: number,
  limit: number,
): Promise<ReceivingHeader[]> {
  const rows =
    await tx.query<HeaderRow>(sql`select p.po_number, p.vendor_order_id, p.status, p.distribution_centre, p.completed_at, p.closed_at, p.from_facility
      from purchase_order p
      where p.client_id = ${tenant} and p.status in ${openPurchaseOrder} and p.status = 'RECEIVING'
        and p.updated_at < ${before}::timestamptz
        and not exists (
          select from purchase_order_line l
          where l.client_id = ${tenant} and l.po_number = p.po_number and l.vendor_order_id = p.vendor_order_id
            and l.qty_received < l.qty * (1 - ${tolerance}::numeric / 100)
        )
      order by p.po_number, p.vendor_order_id limit ${limit} for no key update`);
  return rows.map(headerOf);
}

export interface StoredReceivingLine extends ReceivingLine, PurchaseOrderKey {
  readonly discrepancy: Discrepancy;
  /** The statement of the client about the line. */
  readonly lineId: string | undefined;
  readonly altSku: string | undefined;
  readonly productName: string | undefined;
  /** The ordered quantity as the feed states it, in thousandths of `feedUom`; without it in the stock unit. */
  readonly feedQty: number;
  readonly feedUom: string | undefined;
}

export async function listReceivingLines(tx: ClientTx, poNumbers: readonly string[]): Promise<StoredReceivingLine[]> {
  const rows = await readLines.query(tx, poNumbers);
  return rows.map((row) => ({
    poNumber: row.po_number,
    vendorOrderId: row.vendor_order_id,
    lineNumber: row.line_number,
    sku: row.sku,
    qty: parseQuantity(row.qty) as number,
    received: parseQuantity(row.qty_received) as number,
    damaged: parseQuantity(row.qty_damaged) as number,
    discrepancy: row.discrepancy as Discrepancy,
    lineId: row.line_id ?? undefined,
    altSku: row.alt_sku ?? undefined,
    productName: row.product_name ?? undefined,
    feedQty: parseQuantity(row.feed_qty) as number,
    feedUom: row.feed_uom ?? undefined,
  }));
}

export function writeReceivingHeaders(tx: ClientTransaction, at: string, headers: readonly ReceivingHeader[]): void {
  const rows = headers.map((header) => ({
    po_number: header.poNumber,
    vendor_order_id: header.vendorOrderId,
    status: header.status,
    completed_at: header.completedAt,
    closed_at: header.closedAt,
    updated_at: at,
  }));
  writeProgress.send(tx, rows);
  wantOfPurchaseOrders(
    tx,
    headers.map(({ poNumber }) => poNumber),
  );
}

export function writeReceivingLines(tx: ClientTransaction, lines: readonly StoredReceivingLine[]): void {
  const rows = lines.map((line) => ({
    po_number: line.poNumber,
    vendor_order_id: line.vendorOrderId,
    line_number: line.lineNumber,
    qty_received: formatQuantity(line.received),
    qty_damaged: formatQuantity(line.damaged),
    discrepancy: line.discrepancy,
  }));
  writeReceived.send(tx, rows);
  const affected = lines.filter(({ discrepancy }) => discrepancy === "SHORT" || discrepancy === "DAMAGED");
  if (affected.length === 0) return;
  const headers = new Map(affected.map((line) => [JSON.stringify([line.poNumber, line.vendorOrderId]), line]));
  markDiscrepancy.send(
    tx,
    [...headers.values()].map(({ poNumber, vendorOrderId }) => ({
      po_number: poNumber,
      vendor_order_id: vendorOrderId,
      has_discrepancy: true,
    })),
  );
}

const insertLines = insertInto(goodsReceiptLine);

export interface StoredReceipt extends PurchaseOrderKey {
  readonly receiptId: string;
  readonly correctedBy: string | undefined;
  readonly sscc: string | undefined;
}

export async function findReceipts(
  tx: ClientTx,
  facilityCode: string,
  receiptIds: readonly string[],
): Promise<Map<string, StoredReceipt>> {
  const rows = await tx.query<{
    receipt_id: string;
    po_number: string;
    vendor_order_id: string;
    corrected_by: string | null;
    sscc: string | null;
  }>(sql`select receipt_id, po_number, vendor_order_id, corrected_by, sscc from goods_receipt
      where client_id = ${tenant} and facility_code = ${facilityCode} and receipt_id = any(${receiptIds}::text[]) limit 10`);
  return new Map(
    rows.map((row) => [
      row.receipt_id,
      {
        receiptId: row.receipt_id,
        poNumber: row.po_number,
        vendorOrderId: row.vendor_order_id,
        correctedBy: row.corrected_by ?? undefined,
        sscc: row.sscc ?? undefined,
      },
    ]),
  );
}

/** The bookings of a receipt as it was reported. */
export async function listReceiptBookings(
  tx: ClientTx,
  facilityCode: string,
  receiptId: string,
): Promise<ReceiptBooking[]> {
  const rows = await tx.query<{
    line_number: number | null;
    sku: string;
    stock_pool: string;
    batch_ref: string;
    expiry_date: string;
    condition: Condition;
    qty: string;
    serials: string[] | null;
    reason: ExcessReason | null;
  }>(sql`select line_number, sku, stock_pool, batch_ref, expiry_date, condition, qty, serials, reason
      from goods_receipt_line
      where client_id = ${tenant} and facility_code = ${facilityCode} and receipt_id = ${receiptId}
      order by entry limit 100000`);
  return rows.map((row) => ({
    lineNumber: row.line_number ?? undefined,
    sku: row.sku,
    stockPool: row.stock_pool,
    batchRef: row.batch_ref,
    expiryDate: row.expiry_date,
    condition: row.condition,
    qty: parseQuantity(row.qty) as number,
    ...(row.serials === null ? {} : { serials: row.serials }),
    ...(row.reason === null ? {} : { reason: row.reason }),
  }));
}

export interface ReceiptWrite extends PurchaseOrderKey {
  readonly facilityCode: string;
  readonly receiptId: string;
  readonly correctsReceiptId: string | undefined;
  readonly bookedAt: string;
  readonly occurredAt: string;
  readonly sscc: string | undefined;
  readonly bookings: readonly ReceiptBooking[];
}

/** The primary key resolves races: if another transaction books the receipt first, this transaction fails. */
export function insertReceipt(tx: ClientTransaction, receipt: ReceiptWrite): void {
  const { facilityCode, receiptId } = receipt;
  tx.send(sql`insert into goods_receipt (client_id, facility_code, receipt_id, po_number, vendor_order_id, corrects_receipt_id,
        booked_at, occurred_at, sscc)
      values (${tenant}, ${facilityCode}, ${receiptId}, ${receipt.poNumber}, ${receipt.vendorOrderId},
        ${receipt.correctsReceiptId ?? null}, ${receipt.bookedAt}::timestamptz, ${receipt.occurredAt}::timestamptz,
        ${receipt.sscc ?? null})`);
  const rows = receipt.bookings.map((booking, i) => ({
    facility_code: facilityCode,
    receipt_id: receiptId,
    entry: i + 1,
    line_number: booking.lineNumber,
    sku: booking.sku,
    stock_pool: booking.stockPool,
    batch_ref: booking.batchRef,
    expiry_date: booking.expiryDate,
    condition: booking.condition,
    qty: formatQuantity(booking.qty),
    serials: booking.serials,
    reason: booking.reason,
  }));
  insertLines.send(tx, rows);
  if (receipt.correctsReceiptId === undefined) return;
  tx.send(sql`update goods_receipt set corrected_by = ${receiptId}
      where client_id = ${tenant} and facility_code = ${facilityCode} and receipt_id = ${receipt.correctsReceiptId}`);
}

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

/** The day of the extended attribute ExpectedDate, which is free text; null if it has another form. */
const expectedDay = (attribute: Statement): Statement =>
  // A day that its month has not is a day of the next one: a cast would fail on it.
  sql`case when ${attribute} ~ '^[12][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])($|T)'
          then (left(${attribute}, 8) || '01')::date + (substr(${attribute}, 9, 2)::integer - 1) end`;

/**
 * The goods that open purchase orders still expect at a facility, as rows of `sku`, `day` and `qty`. A purchase order
 * without a day, or whose day is over, expects nothing that can be promised.
 */
export const expectedGoods = (facilityCode: string, skus: readonly string[], today: string): Statement =>
  sql`select sku, day, sum(qty) as qty from (
        select l.sku, l.qty - l.qty_received as qty, ${expectedDay(sql`p.extended_attributes ->> 'ExpectedDate'`)} as day
        from purchase_order_line l
        join purchase_order p on p.client_id = ${tenant} and p.po_number = l.po_number
          and p.vendor_order_id = l.vendor_order_id
        where l.client_id = ${tenant} and l.sku = any(${skus}::text[]) and l.qty_received < l.qty
          and p.distribution_centre = ${facilityCode} and p.status in ${openPurchaseOrder}
      ) open_line where day >= ${today}::date group by sku, day`;
