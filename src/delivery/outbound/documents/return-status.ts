import {
  block,
  type Envelope,
  leaf,
  listOf,
  type SchemaVersion,
  writeDocument,
} from "#/delivery/outbound/documents/envelope.ts";

/** RS: the received goods of a return, cumulative. Quantities are in stock units. */
export interface ReturnStatusContent {
  /** Absent: the goods came back without an authorisation. */
  readonly rmaNumber?: string | undefined;
  /** Only of a blind return. */
  readonly returnId?: string | undefined;
  /** Only of a parcel that came back to its sender. */
  readonly olpnId?: string | undefined;
  readonly returnType: string;
  readonly orderReference?: string | undefined;
  readonly orderId?: string | undefined;
  readonly status: string;
  readonly lines: readonly ReturnStatusLine[];
}

export interface ReturnStatusLine {
  /** Absent: the SKU was not expected. */
  readonly lineNumber?: number | undefined;
  readonly sku: string;
  readonly returnReasonCode?: string | undefined;
  readonly attributeOne?: string | undefined;
  readonly attributeThree?: string | undefined;
  readonly quantityReturned: number;
  readonly quantityReceived: number;
  readonly discrepancy: string;
  readonly dispositions: readonly GradedQuantity[];
}

export interface GradedQuantity {
  readonly disposition: string;
  readonly qty: number;
  readonly stockPool?: string | undefined;
  readonly batchRef?: string | undefined;
  /** `YYYY-MM-DD` */
  readonly expiryDate?: string | undefined;
  readonly serials?: readonly string[] | undefined;
  readonly returnReasonCode?: string | undefined;
  readonly note?: string | undefined;
}

/** Version 1.0 cannot name goods that came back without an authorisation. */
export function hasReturnStatus(content: ReturnStatusContent, version: SchemaVersion): boolean {
  return version !== "1.0" || content.rmaNumber !== undefined;
}

export function writeReturnStatus(envelope: Envelope, content: ReturnStatusContent, version: SchemaVersion): Buffer {
  return version === "1.0" ? writeFirst(envelope, content) : writeNewest(envelope, content);
}

function writeNewest(envelope: Envelope, content: ReturnStatusContent): Buffer {
  const children = [
    leaf("rmaNumber", content.rmaNumber),
    leaf("returnId", content.returnId),
    leaf("olpnId", content.olpnId),
    leaf("returnType", content.returnType),
    leaf("orderReference", content.orderReference),
    leaf("orderId", content.orderId),
    leaf("status", content.status),
    block("lines", content.lines.map(lineOf)),
  ];
  return writeDocument("returnStatus", envelope, children, "1.1");
}

function lineOf(line: ReturnStatusLine) {
  return block("line", [
    leaf("lineNumber", line.lineNumber),
    leaf("sku", line.sku),
    leaf("returnReasonCode", line.returnReasonCode),
    leaf("attributeOne", line.attributeOne),
    leaf("attributeThree", line.attributeThree),
    leaf("quantityReturned", line.quantityReturned),
    leaf("quantityReceived", line.quantityReceived),
    leaf("discrepancy", line.discrepancy),
    block("dispositions", line.dispositions.map(dispositionOf)),
  ]);
}

function dispositionOf(graded: GradedQuantity) {
  return block("disposition", [
    leaf("disposition", graded.disposition),
    leaf("qty", graded.qty),
    leaf("stockPool", graded.stockPool),
    leaf("batchRef", graded.batchRef),
    leaf("expiryDate", graded.expiryDate),
    listOf("serials", graded.serials, (serial) => leaf("serial", serial)),
    leaf("returnReasonCode", graded.returnReasonCode),
    leaf("note", graded.note),
  ]);
}

/** Version 1.0: without lots and reasons, so one disposition for each grade and remark. */
function writeFirst(envelope: Envelope, content: ReturnStatusContent): Buffer {
  return writeDocument("returnStatus", envelope, [
    leaf("rmaNumber", content.rmaNumber),
    leaf("orderReference", content.orderReference),
    leaf("status", content.status),
    block("lines", content.lines.map(firstLineOf)),
  ]);
}

function firstLineOf(line: ReturnStatusLine) {
  const groups = Map.groupBy(line.dispositions, ({ disposition, note }) => JSON.stringify([disposition, note]));
  const dispositions = [...groups.values()].map((group) => {
    const thousandths = group.reduce((sum, { qty }) => sum + Math.round(qty * 1_000), 0);
    return block("disposition", [
      leaf("disposition", group[0]?.disposition),
      leaf("qty", thousandths / 1_000),
      leaf("note", group[0]?.note),
    ]);
  });
  return block("line", [
    leaf("lineNumber", line.lineNumber),
    leaf("sku", line.sku),
    leaf("quantityReturned", line.quantityReturned),
    leaf("quantityReceived", line.quantityReceived),
    leaf("discrepancy", line.discrepancy),
    block("dispositions", dispositions),
  ]);
}
