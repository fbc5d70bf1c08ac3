import type { ClientTransaction, ClientTx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { insertInto } from "#/db/table.ts";
import { formatQuantity, parseQuantity } from "#/kernel/values/quantity.ts";
import type { Condition } from "#/modules/inventory/index.ts";
import type { ExcessReason, ReceiptBooking } from "#/modules/purchasing/receiving/receiving-domain.ts";
import type { PurchaseOrderKey } from "#/modules/purchasing/repository.ts";
import { goodsReceiptLine } from "#/modules/purchasing/tables.ts";

const insertLines = insertInto(goodsReceiptLine);

export interface StoredReceipt extends PurchaseOrderKey {
  readonly receiptId: string;
  readonly correctedBy: string | undefined;
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
  }>(sql`select receipt_id, po_number, vendor_order_id, corrected_by from goods_receipt
      where client_id = ${tenant} and facility_code = ${facilityCode} and receipt_id = any(${receiptIds}::text[]) limit 10`);
  return new Map(
    rows.map((row) => [
      row.receipt_id,
      {
        receiptId: row.receipt_id,
        poNumber: row.po_number,
        vendorOrderId: row.vendor_order_id,
        correctedBy: row.corrected_by ?? undefined,
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
  readonly bookings: readonly ReceiptBooking[];
}

/** The primary key resolves races: if another transaction books the receipt first, this transaction fails. */
export function insertReceipt(tx: ClientTransaction, receipt: ReceiptWrite): void {
  const { facilityCode, receiptId } = receipt;
  tx.send(sql`insert into goods_receipt (client_id, facility_code, receipt_id, po_number, vendor_order_id, corrects_receipt_id,
        booked_at, occurred_at)
      values (${tenant}, ${facilityCode}, ${receiptId}, ${receipt.poNumber}, ${receipt.vendorOrderId},
        ${receipt.correctsReceiptId ?? null}, ${receipt.bookedAt}::timestamptz, ${receipt.occurredAt}::timestamptz)`);
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
