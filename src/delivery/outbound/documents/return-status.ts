import { type Envelope, writeDocument } from "#/delivery/outbound/documents/envelope.ts";
import { block, leaf } from "#/delivery/outbound/documents/xml-lines.ts";

/** RS: the received goods of a return, cumulative. Quantities are in stock units. */
export interface ReturnStatusContent {
  readonly rmaNumber: string;
  readonly orderReference?: string | undefined;
  readonly status: string;
  readonly lines: readonly ReturnStatusLine[];
}

export interface ReturnStatusLine {
  /** Absent: the SKU was not expected. */
  readonly lineNumber?: number | undefined;
  readonly sku: string;
  readonly quantityReturned: number;
  readonly quantityReceived: number;
  readonly discrepancy: string;
  readonly dispositions: readonly GradedQuantity[];
}

export interface GradedQuantity {
  readonly disposition: string;
  readonly qty: number;
  readonly note?: string | undefined;
}

export function writeReturnStatus(envelope: Envelope, content: ReturnStatusContent): Buffer {
  return writeDocument("returnStatus", envelope, [
    leaf("rmaNumber", content.rmaNumber),
    leaf("orderReference", content.orderReference),
    leaf("status", content.status),
    block("lines", content.lines.map(lineOf)),
  ]);
}

function lineOf(line: ReturnStatusLine) {
  return block("line", [
    leaf("lineNumber", line.lineNumber),
    leaf("sku", line.sku),
    leaf("quantityReturned", line.quantityReturned),
    leaf("quantityReceived", line.quantityReceived),
    leaf("discrepancy", line.discrepancy),
    block("dispositions", line.dispositions.map(dispositionOf)),
  ]);
}

function dispositionOf({ disposition, qty, note }: GradedQuantity) {
  return block("disposition", [leaf("disposition", disposition), leaf("qty", qty), leaf("note", note)]);
}
