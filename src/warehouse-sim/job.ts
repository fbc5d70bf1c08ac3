import type { FaultRates } from "#/kernel/config/parsers.ts";
import type { FinishedGood, Item, Report, TaskLine } from "#/warehouse-sim/port.ts";
import type { SerialBook } from "#/warehouse-sim/serial-book.ts";

interface OfOneObject {
  readonly clientId: string;
  /** Order, purchase order (with its vendor order), RMA, work order; of a parcel its OLPN. */
  readonly objectId: string;
  /** When the next report is due, in Unix milliseconds. */
  readonly dueAtMs: number;
  /** Refusals since the object last changed. */
  readonly refusals: number;
  /** The report that may have reached the port: until its answer is known, it is sent again as it is. */
  readonly sending?: Report;
}

/** Goods of a line that were picked and are in no parcel yet. */
export interface Content {
  readonly lineNumber: number;
  readonly sku: string;
  readonly qty: number;
  readonly batchRef?: string;
  readonly serials?: readonly string[];
}

/** An order from its release until its parcels have left. */
export interface OrderJob extends OfOneObject {
  readonly kind: "order";
  readonly taskId?: string;
  /** Tells a report from the same one about the next version: a unit that is short, and the one found for it. */
  readonly taskVersion?: number;
  readonly isAccepted: boolean;
  readonly isHeld: boolean;
  readonly toPick: readonly TaskLine[];
  readonly picked: readonly Content[];
  readonly parcels: readonly {
    readonly olpnId: string;
    readonly isLoaded: boolean;
    readonly lineNumbers: readonly number[];
    /** Of items that capture them. */
    readonly serials?: readonly { readonly sku: string; readonly serials: readonly string[] }[];
  }[];
  /** Parcels that have left, so that each has its own number in the draws. */
  readonly parcelsGone: number;
  readonly cancelRequest?: readonly { readonly lineNumber: number; readonly qty: number }[];
  /** The port did not take CANCELLED for an answer. */
  readonly isCancelTooLate: boolean;
}

/** A purchase order, return or work order from its release until all of it is in. */
export interface IntakeJob extends OfOneObject {
  readonly kind: "PURCHASE_ORDER" | "RETURN" | "WORK_ORDER";
  readonly taskId: string;
  readonly taskVersion: number;
  readonly isAccepted: boolean;
  readonly releasedAt: string;
  readonly lines: readonly TaskLine[];
  /** Of a work order: still to be made. Undefined while the task has to say what is left. */
  readonly finishedGood?: FinishedGood;
  /** Of a work order: a part is made. */
  readonly isBegun?: boolean;
}

/** A parcel on its way. */
export interface ParcelJob extends OfOneObject {
  readonly kind: "parcel";
  readonly orderId: string;
  /** Which of the order's parcels: the draws go by it, because nobody knows OLPNs beforehand. */
  readonly ordinal: number;
  /** Events that were reported. */
  readonly reported: number;
}

export type Job = OrderJob | IntakeJob | ParcelJob;

/** What the next report depends on besides the job itself. */
export interface World {
  readonly facilityCode: string;
  readonly seed: string;
  readonly faults: FaultRates;
  readonly serials: SerialBook;
  findItem(clientId: string, sku: string): Item | undefined;
}

export function keyOf({ kind, clientId, objectId }: Pick<Job, "kind" | "clientId" | "objectId">): string {
  return `${kind} ${clientId} ${objectId}`;
}

/** What an answered report leads to: the job as it is now, or its end, and jobs that come of it. */
export interface Outcome {
  readonly job: Job | undefined;
  readonly more?: readonly Job[];
}
