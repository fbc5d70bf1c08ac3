import type { components } from "#operator";
import type { Tone } from "../../parts/tones.ts";

export type Exception = components["schemas"]["Exception"];
export type ExceptionType = Exception["type"];

interface Words {
  readonly label: string;
  /** Red: something failed. Amber: waits for a person. */
  readonly tone: Extract<Tone, "failed" | "waiting">;
}

/** Labels of the types, in display order. */
export const typeWords: Readonly<Record<ExceptionType, Words>> = {
  FEED_REJECTED: { label: "Feed rejected", tone: "failed" },
  FEED_PARKED: { label: "Feed parked", tone: "waiting" },
  FEED_OVERDUE: { label: "Feed overdue", tone: "failed" },
  FEED_FAILED: { label: "Feed failed", tone: "failed" },
  ORDER_HELD: { label: "Order held", tone: "waiting" },
  ORDER_BACKORDERED: { label: "Backorder", tone: "waiting" },
  ORDER_AT_RISK: { label: "Order at risk", tone: "waiting" },
  ORDER_LATE: { label: "Order late", tone: "failed" },
  CANCEL_UNANSWERED: { label: "Cancel unanswered", tone: "failed" },
  SHORT_PICK: { label: "Short pick", tone: "waiting" },
  COUNT_DIFFERENCE: { label: "Count difference", tone: "waiting" },
  RECEIPT_DISCREPANCY: { label: "Receipt discrepancy", tone: "waiting" },
  RECEIPT_UNIDENTIFIED: { label: "Unidentified goods", tone: "waiting" },
  BLIND_RETURN: { label: "Blind return", tone: "waiting" },
  REPORT_REFUSED: { label: "Report refused", tone: "failed" },
  CARRIER_EXCEPTION: { label: "Carrier exception", tone: "failed" },
  LABEL_FAILED: { label: "Label not bought", tone: "failed" },
  DELIVERY_FAILED: { label: "Delivery given up", tone: "failed" },
  SUBSCRIPTION_UNREADABLE: { label: "Webhook unreadable", tone: "failed" },
  SUBSCRIPTION_DISABLED: { label: "Webhook disabled", tone: "failed" },
  OUTBOUND_FAILED: { label: "Outbound given up", tone: "failed" },
  OUTBOUND_NOT_TAKEN: { label: "Outbound not collected", tone: "waiting" },
  STOCK_CHECK: { label: "Stock check", tone: "failed" },
  EVENT_CHECK: { label: "Event check", tone: "failed" },
  WAREHOUSE_SILENT: { label: "Warehouse silent", tone: "failed" },
};

export const exceptionTypes = Object.keys(typeWords) as ExceptionType[];

/** "Feed rejected: Order WEB-100045": one of them in a title. */
export const nameOf = ({ type, objectName }: Exception): string => `${typeWords[type].label}: ${objectName}`;

/** Whether it is not open now. */
export const isSnoozed = ({ snoozedUntil }: Pick<Exception, "snoozedUntil">): boolean =>
  snoozedUntil !== null && Date.parse(snoozedUntil) > Date.now();

/** "3 exceptions", "1 exception". */
export const countOf = (rows: readonly unknown[]): string =>
  rows.length === 1 ? "1 exception" : `${rows.length} exceptions`;

/** Upper limit of the count of a type, over all clients. */
export const countMax = 1_000;
