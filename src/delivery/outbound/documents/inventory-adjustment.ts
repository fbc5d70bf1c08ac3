import { block, type Envelope, leaf, writeDocument } from "#/delivery/outbound/documents/envelope.ts";

/** ADJ: an adjustment, a count difference or a change of condition. Quantities are in stock units. */
export interface InventoryAdjustmentContent {
  readonly adjustmentId: string;
  readonly reasonCode: string;
  readonly lines: readonly InventoryAdjustmentLine[];
}

export interface InventoryAdjustmentLine {
  readonly sku: string;
  /** Signed. */
  readonly qty: number;
  readonly fromCondition?: string | undefined;
  readonly toCondition?: string | undefined;
  readonly batchRef?: string | undefined;
  /** `YYYY-MM-DD` */
  readonly expiryDate?: string | undefined;
  readonly stockPool: string;
  readonly qtyOnHandAfter: number;
}

export function writeInventoryAdjustment(envelope: Envelope, content: InventoryAdjustmentContent): Buffer {
  return writeDocument("inventoryAdjustment", envelope, [
    leaf("adjustmentId", content.adjustmentId),
    leaf("reasonCode", content.reasonCode),
    block("lines", content.lines.map(lineOf)),
  ]);
}

function lineOf(line: InventoryAdjustmentLine) {
  return block("line", [
    leaf("sku", line.sku),
    leaf("qty", line.qty),
    leaf("fromCondition", line.fromCondition),
    leaf("toCondition", line.toCondition),
    leaf("batchRef", line.batchRef),
    leaf("expiryDate", line.expiryDate),
    leaf("stockPool", line.stockPool),
    leaf("qtyOnHandAfter", line.qtyOnHandAfter),
  ]);
}
