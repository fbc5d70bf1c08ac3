/** What can wait for somebody (contract lifecycle.md, warehouse.md, feeds.md, webhooks.md, sftp.md); pages go in this order. */
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
  "RECEIPT_DISCREPANCY",
  "BLIND_RETURN",
  "REPORT_REFUSED",
  "CARRIER_EXCEPTION",
  "DELIVERY_FAILED",
  "SUBSCRIPTION_DISABLED",
  "OUTBOUND_FAILED",
  "OUTBOUND_NOT_TAKEN",
  "STOCK_CHECK",
  "EVENT_CHECK",
  "WAREHOUSE_SILENT",
] as const;

export type ExceptionType = (typeof exceptionTypes)[number];

/** What an exception is about, by the words of the search. */
export const exceptionObjects = [
  "feed",
  "order",
  "parcel",
  "sku",
  "purchaseOrder",
  "return",
  "workOrder",
  "webhook",
  "delivery",
  "outbound",
  "client",
  "facility",
] as const;

export type ExceptionObject = (typeof exceptionObjects)[number];

/** Names one exception: what it is about, and since when it is so. What comes anew is another one. */
export interface ExceptionKey {
  readonly type: ExceptionType;
  readonly clientId: string;
  /** What it is about, within its type and client. */
  readonly objectKey: string;
  /** Microseconds since 1970, as finely as the store keeps it. */
  readonly sinceUs: number;
}

const idPattern = /^[A-Za-z0-9_-]{8,1000}$/;

/** As it is told to the console: opaque, and the same as long as it lasts. */
export function exceptionIdOf({ type, clientId, objectKey, sinceUs }: ExceptionKey): string {
  return Buffer.from(JSON.stringify([type, clientId, objectKey, sinceUs])).toString("base64url");
}

/** What an id names; undefined where it is none. */
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
  const known = exceptionTypes.find((each) => each === type);
  const isKey =
    typeof clientId === "string" && typeof objectKey === "string" && !`${clientId}${objectKey}`.includes("\u0000");
  if (known === undefined || !isKey || !Number.isSafeInteger(sinceUs)) return undefined;
  const us = sinceUs as number;
  return us >= 0 && us <= 8_000_000_000_000_000 ? { type: known, clientId, objectKey, sinceUs: us } : undefined;
}
