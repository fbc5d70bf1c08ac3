import type { InboundPurchaseOrderDetail } from "#/console-api/inbound/contract.ts";
import type { HeaderRow, LineRow, ReceiptRow } from "#/console-api/inbound/purchase-order-repository.ts";
import { quantityToNumber, storedQuantity } from "#/kernel/values/quantity.ts";
import { noBatch, noExpiry } from "#/modules/inventory/index.ts";

const number = (text: string) => quantityToNumber(storedQuantity(text));

/** @param receipts their entries, with those of one receipt adjacent. */
export function purchaseOrderDetailOf(
  key: { readonly clientId: string; readonly poNumber: string; readonly vendorOrderId: string },
  header: HeaderRow,
  lines: readonly LineRow[],
  receipts: readonly ReceiptRow[],
): InboundPurchaseOrderDetail {
  return {
    ...key,
    status: header.status as InboundPurchaseOrderDetail["status"],
    distributionCentre: header.distribution_centre,
    messageId: header.message_id,
    extendedAttributes: header.extended_attributes,
    feedToken: header.feed_token,
    receivedAt: header.received_at,
    updatedAt: header.updated_at,
    completedAt: header.completed_at,
    closedAt: header.closed_at,
    lines: lines.map((line) => ({
      lineNumber: line.line_number,
      lineId: line.line_id,
      sku: line.sku,
      productName: line.product_name,
      qty: number(line.qty),
      qtyReceived: number(line.qty_received),
      qtyDamaged: number(line.qty_damaged),
      discrepancy: line.discrepancy,
    })),
    receipts: Array.from(
      Map.groupBy(receipts, (row) => `${row.facility_code}\n${row.receipt_id}`).values(),
      ([first, ...rest]) => receiptOf([first as ReceiptRow, ...rest]),
    ),
  };
}

function receiptOf(rows: readonly [ReceiptRow, ...ReceiptRow[]]): InboundPurchaseOrderDetail["receipts"][number] {
  const [first] = rows;
  return {
    receiptId: first.receipt_id,
    bookedAt: first.booked_at,
    occurredAt: first.occurred_at,
    correctsReceiptId: first.corrects_receipt_id,
    correctedBy: first.corrected_by,
    entries: rows.map((row) => ({
      lineNumber: row.line_number,
      sku: row.sku,
      qty: number(row.qty),
      condition: row.condition,
      stockPool: row.stock_pool,
      batchRef: row.batch_ref === noBatch ? null : row.batch_ref,
      expiryDate: row.expiry_date === noExpiry ? null : row.expiry_date,
      reason: row.reason,
    })),
  };
}
