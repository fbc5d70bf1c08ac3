import {
  block,
  type Envelope,
  leaf,
  listOf,
  type SchemaVersion,
  writeDocument,
} from "#/delivery/outbound/documents/envelope.ts";

/** GR: a booked receipt, or its correction. Quantities are in stock units. */
export interface GoodsReceiptContent {
  readonly poNumber: string;
  /** Empty or absent: the purchase order has none. */
  readonly vendorOrderId?: string | undefined;
  readonly receiptId: string;
  readonly correction: boolean;
  readonly correctsReceiptId?: string | undefined;
  readonly complete: boolean;
  readonly lines: readonly GoodsReceiptLine[];
}

export interface GoodsReceiptLine {
  /** Absent: the SKU is not on the purchase order. */
  readonly lineNumber?: number | undefined;
  /** 1.2 only, as altSku and qtyOnHold; absent in events of earlier releases. */
  readonly lineId?: string | undefined;
  readonly sku: string;
  readonly altSku?: string | undefined;
  readonly qtyExpected: number;
  /** In this receipt; signed in a correction. */
  readonly qtyReceived: number;
  readonly qtyDamaged: number;
  readonly qtyOnHold?: number | undefined;
  readonly qtyTotal: number;
  readonly batchRef?: string | undefined;
  /** `YYYY-MM-DD` */
  readonly expiryDate?: string | undefined;
  readonly serials?: readonly string[] | undefined;
  readonly discrepancy: string;
}

export function writeGoodsReceipt(envelope: Envelope, content: GoodsReceiptContent, version: SchemaVersion): Buffer {
  const isFirst = version === "1.0";
  const children = [
    leaf("poNumber", content.poNumber),
    leaf("vendorOrderId", content.vendorOrderId || undefined),
    leaf("receiptId", content.receiptId),
    leaf("correction", content.correction),
    leaf("correctsReceiptId", content.correctsReceiptId),
    leaf("complete", content.complete),
    block(
      "lines",
      content.lines.map((line) => lineOf(line, isFirst)),
    ),
  ];
  return writeDocument("goodsReceipt", envelope, children, version);
}

function lineOf(line: GoodsReceiptLine, isFirst: boolean) {
  return block("line", [
    leaf("lineNumber", line.lineNumber),
    leaf("lineId", isFirst ? undefined : line.lineId),
    leaf("sku", line.sku),
    leaf("altSku", isFirst ? undefined : line.altSku),
    leaf("qtyExpected", line.qtyExpected),
    leaf("qtyReceived", line.qtyReceived),
    leaf("qtyDamaged", line.qtyDamaged),
    leaf("qtyOnHold", isFirst ? undefined : (line.qtyOnHold ?? 0)),
    leaf("qtyTotal", line.qtyTotal),
    leaf("batchRef", line.batchRef),
    leaf("expiryDate", line.expiryDate),
    listOf("serials", line.serials, (serial) => leaf("serial", serial)),
    leaf("discrepancy", line.discrepancy),
  ]);
}
