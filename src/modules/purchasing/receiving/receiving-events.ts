import { quantityToNumber } from "#/kernel/values/quantity.ts";
import type { LineDifference } from "#/modules/purchasing/receiving/receipt-differences.ts";
import {
  type Discrepancy,
  discrepancyOf,
  type ReceiptBooking,
} from "#/modules/purchasing/receiving/receiving-domain.ts";
import type { ReceivingHeader, StoredReceivingLine } from "#/modules/purchasing/receiving/receiving-repository.ts";
import type { PurchaseOrderKey } from "#/modules/purchasing/repository.ts";
import type { PurchaseOrderState } from "#/modules/purchasing/states.ts";
import type { TransferReceipt } from "#/modules/transfers/index.ts";
import type { AuditEntry } from "#/store/db/audit.ts";
import { type EventDraft, type OutboundDraft, truncateLines } from "#/store/outbox/append.ts";

/** The id of a purchase order in events, tasks and the audit log: with its shipping notice if it has one. */
export function purchaseOrderId({ poNumber, vendorOrderId }: PurchaseOrderKey): string {
  return vendorOrderId === "" ? poNumber : `${poNumber}/${vendorOrderId}`;
}

export function purchaseOrderEvent(
  topic: `purchaseOrder:${"updated" | "received" | "closed" | "cancelled"}` | "goodsReceipt:received",
  order: PurchaseOrderKey & { readonly facilityCode: string | undefined },
  data: { readonly lines: readonly object[]; readonly [field: string]: unknown },
): EventDraft {
  const { lines, ...rest } = data;
  return {
    topic,
    objectType: "purchaseOrder",
    objectId: purchaseOrderId(order),
    facilityCode: order.facilityCode,
    data: {
      poNumber: order.poNumber,
      vendorOrderId: order.vendorOrderId === "" ? null : order.vendorOrderId,
      ...rest,
      ...truncateLines(lines, { hasLongLines: true }),
    },
  };
}

const verbOf: Readonly<Partial<Record<PurchaseOrderState, string>>> = {
  RECEIVING: "startReceiving",
  RECEIVED: "complete",
  CLOSED: "close",
};

/** The audit entries of the steps of a purchase order. */
export function auditsOfSteps(
  order: PurchaseOrderKey,
  from: PurchaseOrderState,
  steps: readonly PurchaseOrderState[],
): AuditEntry[] {
  return steps.map((to, i) => ({
    action: verbOf[to] ?? "change",
    objectType: "purchaseOrder",
    objectId: purchaseOrderId(order),
    detail: { from: steps[i - 1] ?? from, to },
  }));
}

/** The events of the steps. The event of the receipt covers the start or restart of receiving. */
export function eventsOfSteps(
  header: ReceivingHeader,
  steps: readonly PurchaseOrderState[],
  lines: readonly StoredReceivingLine[],
): EventDraft[] {
  const order = { ...header, facilityCode: header.distributionCentre };
  return steps.flatMap((status) => {
    if (status !== "RECEIVED" && status !== "CLOSED") return [];
    const topic = status === "RECEIVED" ? "purchaseOrder:received" : "purchaseOrder:closed";
    return [purchaseOrderEvent(topic, order, { status, lines: lineRecordsOf(lines, status) })];
  });
}

/**
 * The events of the steps of a close without a report. A GR tells the client of lines that stay short: no receipt does.
 *
 * @param closeId stands for the id of a receipt
 */
export function eventsOfClose(
  header: ReceivingHeader,
  steps: readonly PurchaseOrderState[],
  lines: readonly StoredReceivingLine[],
  closeId: string,
): EventDraft[] {
  const drafts = eventsOfSteps(header, steps, lines);
  if (!lines.some(({ discrepancy }) => discrepancy === "SHORT")) return drafts;
  const facts = { header, receiptId: closeId, correctsReceiptId: undefined, bookings: [], differences: [], lines };
  return drafts.map((draft) => {
    if (draft.topic !== "purchaseOrder:closed") return draft;
    return { ...draft, outbound: receiptFeed(draft.objectId, facts, recordsOf(facts)) };
  });
}

/** The receipts of the transfers among purchase orders. */
export function receiptsOfTransfers(
  orders: readonly { readonly header: ReceivingHeader; readonly lines: readonly StoredReceivingLine[] }[],
): TransferReceipt[] {
  return orders
    .filter(({ header }) => header.fromFacility !== undefined)
    .map(({ header, lines }) => ({ transferId: header.poNumber, status: header.status, lines }));
}

/** The lines of an order in this state for its events. */
export function lineRecordsOf(lines: readonly StoredReceivingLine[], status: PurchaseOrderState): object[] {
  return lines.map((line) => ({
    lineNumber: line.lineNumber,
    sku: line.sku,
    qty: quantityToNumber(line.qty),
    qtyReceived: quantityToNumber(line.received),
    qtyDamaged: quantityToNumber(line.damaged),
    discrepancy: discrepancyOf(line, status === "CLOSED"),
  }));
}

export interface ReceiptFacts {
  readonly header: ReceivingHeader;
  readonly receiptId: string;
  readonly correctsReceiptId: string | undefined;
  /** The current bookings of the receipt. */
  readonly bookings: readonly ReceiptBooking[];
  readonly differences: readonly LineDifference[];
  /** All lines of the order in their current state. */
  readonly lines: readonly StoredReceivingLine[];
}

/** goodsReceipt:received with the GR for the client: exactly one for each receipt. */
export function receiptEvent(facts: ReceiptFacts): EventDraft {
  const { header, receiptId, correctsReceiptId } = facts;
  const isCorrection = correctsReceiptId !== undefined;
  const records = recordsOf(facts);
  const draft = purchaseOrderEvent(
    "goodsReceipt:received",
    { ...header, facilityCode: header.distributionCentre },
    { receiptId, correction: isCorrection, status: header.status, lines: records },
  );
  return { ...draft, outbound: receiptFeed(draft.objectId, facts, records) };
}

function receiptFeed(
  objectId: string,
  { header, receiptId, correctsReceiptId }: ReceiptFacts,
  records: readonly ReceiptRecord[],
): OutboundDraft {
  const isCorrection = correctsReceiptId !== undefined;
  return {
    type: "GR",
    objectId,
    content: {
      poNumber: header.poNumber,
      ...(header.vendorOrderId === "" ? {} : { vendorOrderId: header.vendorOrderId }),
      receiptId,
      correction: isCorrection,
      ...(isCorrection ? { correctsReceiptId } : {}),
      // No more goods are expected.
      complete: header.status === "RECEIVED" || header.status === "CLOSED" || header.status === "CANCELLED",
      lines: records,
    },
  };
}

interface ReceiptRecord {
  readonly lineNumber?: number;
  readonly lineId?: string;
  readonly sku: string;
  readonly altSku?: string;
  readonly qtyExpected: number;
  readonly qtyReceived: number;
  readonly qtyDamaged: number;
  readonly qtyOnHold: number;
  readonly qtyTotal: number;
  readonly batchRef?: string;
  readonly expiryDate?: string;
  readonly serials?: readonly string[];
  readonly discrepancy: ReceiptDiscrepancy;
}

/** UNPLANNED: the SKU is not on the order. */
export type ReceiptDiscrepancy = Discrepancy | "UNPLANNED";

function recordsOf({ bookings, differences, lines }: ReceiptFacts): ReceiptRecord[] {
  // A SKU that is not on the order has no line with a sum: its total is its quantity in this receipt.
  const unplanned = (sku: string) =>
    bookings
      .filter((booking) => booking.lineNumber === undefined && booking.sku === sku)
      .reduce((sum, { qty }) => sum + qty, 0);
  const byNumber = new Map(lines.map((line) => [line.lineNumber, line]));
  const reported = new Set<number>();
  const records = differences.map((difference): ReceiptRecord => {
    const line = difference.lineNumber === undefined ? undefined : byNumber.get(difference.lineNumber);
    if (line) reported.add(line.lineNumber);
    return {
      ...(line ? namesOf(line) : {}),
      sku: difference.sku,
      qtyExpected: quantityToNumber(line?.qty ?? 0),
      qtyReceived: quantityToNumber(difference.qty),
      qtyDamaged: quantityToNumber(difference.damaged),
      qtyOnHold: quantityToNumber(difference.onHold),
      qtyTotal: quantityToNumber(line?.received ?? unplanned(difference.sku)),
      ...(difference.batchRef === "" ? {} : { batchRef: difference.batchRef }),
      ...(difference.expiryDate === "infinity" ? {} : { expiryDate: difference.expiryDate }),
      ...(difference.serials.length === 0 ? {} : { serials: difference.serials }),
      discrepancy: line?.discrepancy ?? "UNPLANNED",
    };
  });
  // A short line is reported even if this receipt has nothing of it.
  const short = lines.filter(({ discrepancy, lineNumber }) => discrepancy === "SHORT" && !reported.has(lineNumber));
  return [
    ...records,
    ...short.map((line) => ({
      ...namesOf(line),
      sku: line.sku,
      qtyExpected: quantityToNumber(line.qty),
      qtyReceived: 0,
      qtyDamaged: 0,
      qtyOnHold: 0,
      qtyTotal: quantityToNumber(line.received),
      discrepancy: line.discrepancy,
    })),
  ];
}

/** By what the client knows a line. */
function namesOf({
  lineNumber,
  lineId,
  altSku,
}: StoredReceivingLine): Pick<ReceiptRecord, "lineNumber" | "lineId" | "altSku"> {
  return {
    lineNumber,
    ...(lineId === undefined ? {} : { lineId }),
    ...(altSku === undefined ? {} : { altSku }),
  };
}
