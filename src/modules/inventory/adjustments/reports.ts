import type { Book } from "#/modules/inventory/ledger/book.ts";
import type { Condition, Lot, LotFields } from "#/modules/inventory/lot.ts";
import type { UnitOfWork } from "#/store/db/database.ts";
import type { EventDraft } from "#/store/outbox/append.ts";

/**
 * Frees up to `qty` (thousandths) of the unpicked allocations of a lot, lowest priority first, then newest: their
 * buckets, reservations, entries and events. The role provides it, because the orders and work orders modules depend on
 * this one.
 */
export type FreeAllocations = (
  tx: UnitOfWork,
  book: Book,
  lot: { readonly sku: string } & Lot,
  qty: number,
) => Promise<{ readonly freed: number; readonly drafts: EventDraft[] }>;

/**
 * `clientId` and the facility are those of the book; the caller has processed `reportId`. Quantities are JSON numbers
 * in stock units.
 */
interface ReportFields {
  /** ISO 8601; when it happened on the floor. */
  readonly occurredAt?: string | undefined;
  readonly reportId?: string | undefined;
  /** An operator's words, for the audit log. */
  readonly note?: string | undefined;
  /** False: refused where missing units are allocated. A warehouse reports a fact, which takes them. */
  readonly freesAllocations?: boolean | undefined;
}

interface ReportedLot extends LotFields {
  readonly sku: string;
  readonly serials?: readonly string[] | undefined;
}

export interface AdjustmentReport extends ReportFields {
  readonly adjustmentId: string;
  readonly reasonCode: string;
  readonly lines: readonly (ReportedLot & {
    /** Signed. */
    readonly qty: number;
    readonly condition?: Condition | undefined;
  })[];
}

export interface HoldReport extends ReportFields {
  readonly reasonCode: string;
  readonly lines: readonly (ReportedLot & {
    readonly qty: number;
    readonly fromCondition: Condition;
    readonly toCondition: Condition;
  })[];
}

export interface CountReport extends ReportFields {
  readonly countId: string;
  /** The count includes picked and packed units. */
  readonly includesStaged?: boolean | undefined;
  readonly lines: readonly (ReportedLot & {
    readonly countedQty: number;
    readonly condition?: Condition | undefined;
  })[];
}

/** Quantities as JSON numbers in stock units. */
export interface AdjustmentAnswer {
  readonly adjustmentId: string;
  readonly reasonCode: string;
  readonly lines: readonly AdjustedLine[];
}

/** A line of the ADJ feed (outbound.md). */
export interface AdjustedLine {
  readonly sku: string;
  readonly qty: number;
  readonly fromCondition?: Condition | undefined;
  readonly toCondition?: Condition | undefined;
  readonly batchRef?: string | undefined;
  readonly expiryDate?: string | undefined;
  readonly stockPool: string;
  readonly qtyOnHandAfter: number;
}

/** The reasons that a report may name (outbound.md). */
export const reasonCodes = [
  "COUNT",
  "DAMAGE",
  "EXPIRED",
  "FOUND",
  "LOST",
  "CONDITION",
  "DISPOSAL",
  "POOL_TRANSFER",
  "CORRECTION",
  "INITIAL",
  "OPENING",
  "SHORT_PICK",
  "OTHER",
] as const;

/** The reasons of work orders: only ADJ documents have them, because a work order has its own report and its own event. */
export const workOrderReasons = ["CONSUMPTION", "PRODUCTION"] as const;

/** The reason of a shipment to another facility, in ADJ documents only. */
export const transferReason = "TRANSFER";

/** The reasons as text for docs/adjustment-reasons.md. */
export const reasonMeanings: Readonly<
  Record<(typeof reasonCodes)[number] | (typeof workOrderReasons)[number] | typeof transferReason, string>
> = {
  COUNT: "A count found another quantity. The platform uses this reason for the differences of `count/report`.",
  DAMAGE: "Goods are damaged.",
  EXPIRED: "Goods are past their expiry date. Quantities below 0.",
  FOUND: "Goods turned up that the stock did not have. Quantities above 0.",
  LOST: "Goods are missing. Quantities below 0.",
  CONDITION: "Goods change their condition after an inspection.",
  DISPOSAL: "Goods are disposed of. Quantities below 0.",
  POOL_TRANSFER: "Goods move from one stock pool to another: lines of both pools, whose sum is 0.",
  CORRECTION: "An earlier report was wrong.",
  INITIAL: "Opening stock that a warehouse reports. Quantities above 0.",
  OPENING: "Opening stock of a file: `crossdock stock import`, or `stock/import` of the operator service.",
  SHORT_PICK:
    "A pick did not find the goods: they are on hold until a count. The platform uses this reason for short picks.",
  OTHER: "Any other reason.",
  CONSUMPTION: "A work order consumed components, scrap included. Quantities below 0.",
  PRODUCTION: "A work order made the finished product. Quantities above 0.",
  TRANSFER: "Goods were shipped to another facility, whose GR reports them when they come. Quantities below 0.",
};

/**
 * Reasons with one direction: clients book them in accounts of losses or of gains. DAMAGE has none, because goods leave
 * one condition and enter another.
 */
export const reasonSigns: Readonly<Partial<Record<(typeof reasonCodes)[number], "gain" | "loss">>> = {
  FOUND: "gain",
  INITIAL: "gain",
  OPENING: "gain",
  EXPIRED: "loss",
  LOST: "loss",
  DISPOSAL: "loss",
};

/** The reason of imported opening stock. */
export const openingReason = "OPENING";

/** The reason of short-picked quantity: on hold until a count clears it up. */
export const shortPickReason = "SHORT_PICK";
