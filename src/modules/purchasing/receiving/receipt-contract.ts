import { type Refusal, unprocessable } from "#/kernel/refusal.ts";
import { parseQuantity } from "#/kernel/values/quantity.ts";
import { type Condition, type Lot, lotOf } from "#/modules/inventory/index.ts";
import type { Discrepancy, ExcessReason, ReceivedGoods } from "#/modules/purchasing/receiving/receiving-domain.ts";

/** The body of goodsReceipt/report (warehouse.md); the route has validated its shape. */
export interface GoodsReceiptBody {
  readonly clientId: string;
  /** May be omitted where the report names a carton. */
  readonly poNumber?: string | undefined;
  /** May be omitted while the order has one shipping notice. */
  readonly vendorOrderId?: string | undefined;
  readonly receiptId: string;
  /** The receipt that this one replaces. */
  readonly correctsReceiptId?: string | undefined;
  /** ISO 8601; information only. */
  readonly occurredAt?: string | undefined;
  /** The carton that came; without lines with the goods that were announced. */
  readonly sscc?: string | undefined;
  /** May be empty in a correction to nothing, in a report that only closes the order, and beside a carton. */
  readonly lines?: readonly GoodsReceiptLine[] | undefined;
  readonly closeOrder?: boolean | undefined;
}

/** A report with its purchase order and its goods. */
export interface NamedReceipt extends GoodsReceiptBody {
  readonly poNumber: string;
  readonly lines: readonly GoodsReceiptLine[];
}

export interface GoodsReceiptLine {
  readonly lineNumber?: number | undefined;
  readonly sku: string;
  /** In stock units, at most three decimals. */
  readonly qty: number;
  readonly condition?: Condition | undefined;
  readonly stockPool?: string | undefined;
  readonly batchRef?: string | undefined;
  /** `YYYY-MM-DD` */
  readonly expiryDate?: string | undefined;
  readonly serials?: readonly string[] | undefined;
}

/** The result of a receipt; quantities as JSON numbers. */
export interface GoodsReceiptAnswer {
  readonly poNumber: string;
  readonly vendorOrderId: string | null;
  readonly receiptId: string;
  readonly status: string;
  readonly lines: readonly GoodsReceiptAnswerLine[];
}

export interface GoodsReceiptAnswerLine {
  /** Null for a SKU that is not on the order. */
  readonly lineNumber: number | null;
  readonly sku: string;
  /** Of this receipt; for a correction the signed difference. */
  readonly qtyReceived: number;
  readonly qtyTotal: number;
  readonly discrepancy: Discrepancy | "UNPLANNED";
  /** The current bookings of the receipt. */
  readonly booked: readonly { condition: Condition; qty: number; reason?: ExcessReason }[];
}

/** The lines in integer thousandths, and a refusal for each invalid quantity. */
export function readGoods(lines: readonly GoodsReceiptLine[]): { goods: ReceivedGoods[]; faults: Refusal[] } {
  const faults: Refusal[] = [];
  const goods = lines.map((line, i): ReceivedGoods => {
    const qty = readReportedQuantity(line.qty);
    if (qty === undefined) faults.push(faultOfQuantity(i, line.qty));
    const lot: Lot = lotOf(line);
    const { lineNumber, sku, serials, condition = "GOOD" } = line;
    return { ...lot, lineNumber, sku, condition, qty: qty ?? 0, serials };
  });
  return { goods, faults };
}

/** A reported quantity in integer thousandths; undefined if it is not above 0 or has too many decimals. */
function readReportedQuantity(qty: number): number | undefined {
  const thousandths = parseQuantity(String(qty));
  return thousandths !== undefined && thousandths > 0 ? thousandths : undefined;
}

function faultOfQuantity(index: number, qty: number): Refusal {
  return unprocessable(`lines[${index}]: the quantity ${qty} is not above 0 with at most 3 fraction digits.`);
}
