import type { AttributeValues } from "#/kernel/values/extended-attributes.ts";

export const workTypes = [
  "PURCHASE_ORDER",
  "PICK",
  "RETURN",
  "WORK_ORDER",
  "TRANSFER",
  "COUNT",
  "CANCEL_REQUEST",
  "HOLD",
] as const;
export type WorkType = (typeof workTypes)[number];

/**
 * The current work of a facility for an object (warehouse.md, task). Each module lists the work for its objects; the
 * warehouse module keeps the tasks.
 */
export interface Work {
  readonly type: WorkType;
  readonly objectId: string;
  readonly facilityCode: string;
  /** False: there is no work (any more); a released task is withdrawn. */
  readonly isWanted: boolean;
  /** 1 highest … 9. */
  readonly priority: number;
  /** ISO 8601 UTC. */
  readonly dueAt?: string | undefined;
  readonly lines: readonly WorkLine[];
  /** For a work order: the product of its lines. */
  readonly finishedGood?: WorkFinishedGood | undefined;
  readonly shipTo?: object | undefined;
  readonly carrierCode?: string | undefined;
  /** For a pick: what the packing station needs to know of the order. */
  readonly order?: OrderDetails | undefined;
  /** For a return: the order that it belongs to, as the client named it. */
  readonly orderReference?: string | undefined;
  /** For a return: the identifier of that order. */
  readonly orderId?: string | undefined;
  /** For a purchase order. */
  readonly purchaseOrder?: ExpectedOrder | undefined;
  /** For a work order, a transfer or a count: its notes. */
  readonly notes?: string | undefined;
  /** For a transfer: the facility that receives the goods. */
  readonly toFacility?: string | undefined;
  /** For a purchase order: its extended attributes; undefined where there are none. */
  readonly extendedAttributes?: AttributeValues | undefined;
}

/** The purchase order of a receiving task. */
interface ExpectedOrder {
  readonly poNumber: string;
  readonly vendorOrderId?: string | undefined;
  readonly carrierCode?: string | undefined;
  readonly trackingNumber?: string | undefined;
  /** Those that have not come, with the fields of the task; undefined: none is announced. */
  readonly cartons?: readonly object[] | undefined;
}

/** Fields of an order that do not decide what is picked. */
export interface OrderDetails {
  readonly externalOrderReference?: string | undefined;
  readonly shippingMethod?: string | undefined;
  /** BCP 47, as received. */
  readonly language?: string | undefined;
  /** Undefined where there are none. */
  readonly extendedAttributes?: AttributeValues | undefined;
}

export interface WorkFinishedGood {
  readonly sku: string;
  /** The quantity still to make, in integer thousandths of the stock unit. */
  readonly qty: number;
  readonly uom: string;
  /** `REPORTED`: the warehouse reports its consumption. `BACKFLUSH`: the recipe determines it. */
  readonly consumption: "BACKFLUSH" | "REPORTED";
}

export interface WorkLine {
  readonly lineNumber: number;
  readonly sku: string;
  /** In integer thousandths of the stock unit. Undefined for a blind count. */
  readonly qty: number | undefined;
  readonly uom: string;
  readonly stockPool: string;
  /** For a count: the condition of the goods to count. */
  readonly condition?: string | undefined;
  /** Omitted if the lot has none. */
  readonly batchRef?: string | undefined;
  /** `YYYY-MM-DD` */
  readonly expiryDate?: string | undefined;
  /** Of an order: the line of a kit that the goods are for. */
  readonly kit?: { readonly lineNumber: number; readonly sku: string } | undefined;
  /** For a pick: the extended attributes of the order's line; undefined where there are none. */
  readonly extendedAttributes?: AttributeValues | undefined;
  /** For a return: why the goods come back, and the free texts of the client. */
  readonly returnReasonCode?: string | undefined;
  readonly attributeOne?: string | undefined;
  readonly attributeThree?: string | undefined;
}
