/**
 * The types of exceptions (contract lifecycle.md, warehouse.md, feeds.md, webhooks.md, sftp.md); pages use this order.
 */
export const exceptionTypes = [
  "FEED_REJECTED",
  "FEED_PARKED",
  "FEED_OVERDUE",
  "FEED_FAILED",
  "ORDER_HELD",
  "ORDER_BACKORDERED",
  "ORDER_AT_RISK",
  "ORDER_LATE",
  "CANCEL_UNANSWERED",
  "SHORT_PICK",
  "COUNT_DIFFERENCE",
  "RECEIPT_DISCREPANCY",
  "RECEIPT_UNIDENTIFIED",
  "BLIND_RETURN",
  "REPORT_REFUSED",
  "CARRIER_EXCEPTION",
  "LABEL_FAILED",
  "DELIVERY_FAILED",
  "SUBSCRIPTION_UNREADABLE",
  "SUBSCRIPTION_DISABLED",
  "OUTBOUND_FAILED",
  "OUTBOUND_NOT_TAKEN",
  "STOCK_CHECK",
  "EVENT_CHECK",
  "WAREHOUSE_SILENT",
] as const;

export type ExceptionType = (typeof exceptionTypes)[number];

/** Types of something that failed or is late; the others wait for a person. The console shows them in red. */
export const severeTypes: ReadonlySet<ExceptionType> = new Set([
  "FEED_REJECTED",
  "FEED_OVERDUE",
  "FEED_FAILED",
  "ORDER_LATE",
  "CANCEL_UNANSWERED",
  "REPORT_REFUSED",
  "CARRIER_EXCEPTION",
  "LABEL_FAILED",
  "DELIVERY_FAILED",
  "SUBSCRIPTION_UNREADABLE",
  "SUBSCRIPTION_DISABLED",
  "OUTBOUND_FAILED",
  "STOCK_CHECK",
  "EVENT_CHECK",
  "WAREHOUSE_SILENT",
]);

/** The object types of exceptions, in the terms of the search. */
export const exceptionObjects = [
  "feed",
  "order",
  "parcel",
  "sku",
  "count",
  "purchaseOrder",
  "return",
  "workOrder",
  "transfer",
  "unidentifiedReceipt",
  "webhook",
  "delivery",
  "outbound",
  "client",
  "facility",
] as const;

export type ExceptionObject = (typeof exceptionObjects)[number];

/** Identifies one exception: its object, and the moment since when it exists. A new occurrence is another exception. */
export interface ExceptionKey {
  readonly type: ExceptionType;
  readonly clientId: string;
  /** The object, within its type and client. */
  readonly objectKey: string;
  /** Microseconds since 1970, with the precision of the store. */
  readonly sinceUs: number;
}

const idPattern = /^[A-Za-z0-9_-]{8,1000}$/;

/** The id that the console sees: opaque, and constant as long as the exception exists. */
export function exceptionIdOf({ type, clientId, objectKey, sinceUs }: ExceptionKey): string {
  return Buffer.from(JSON.stringify([type, clientId, objectKey, sinceUs])).toString("base64url");
}

/** The key that an id encodes; undefined for an invalid id. */
export function readExceptionId(id: string): ExceptionKey | undefined {
  if (!idPattern.test(id)) return undefined;
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(id, "base64url").toString());
  } catch {
    return undefined;
  }
  if (!Array.isArray(parts) || parts.length !== 4) return undefined;
  const [type, clientId, objectKey, sinceUs] = parts as unknown[];
  const known = exceptionTypes.find((exceptionType) => exceptionType === type);
  const isKey =
    typeof clientId === "string" && typeof objectKey === "string" && !`${clientId}${objectKey}`.includes("\u0000");
  if (known === undefined || !isKey || !Number.isSafeInteger(sinceUs)) return undefined;
  const us = sinceUs as number;
  return us >= 0 && us <= 8_000_000_000_000_000 ? { type: known, clientId, objectKey, sinceUs: us } : undefined;
}
