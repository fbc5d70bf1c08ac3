import type { FaultRates } from "#/kernel/config/parsers.ts";
import type { FinishedGood, Item, Report, TaskLine } from "#/sandbox/simulator/port.ts";
import type { SerialBook } from "#/sandbox/simulator/serial-book.ts";

interface OfOneObject {
  readonly clientId: string;
  /** Order, purchase order (with its vendor order), RMA, work order, transfer; for a parcel its OLPN. */
  readonly objectId: string;
  /** When the next report is due, in Unix milliseconds. */
  readonly dueAtMs: number;
  /** Number of rejections since the object last changed. */
  readonly refusals: number;
  /** The report that may have reached the port. Until its answer is known, it is sent again unchanged. */
  readonly sending?: Report;
}

/** Picked goods of a line that are in no parcel yet. */
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
  /** Distinguishes a report from the same report on the next version: a short unit, and its later replacement. */
  readonly taskVersion?: number;
  readonly isAccepted: boolean;
  readonly isHeld: boolean;
  /** The carrier's label and tracking number come from the platform. */
  readonly hasBoughtLabel?: boolean;
  readonly toPick: readonly TaskLine[];
  readonly picked: readonly Content[];
  readonly parcels: readonly {
    readonly olpnId: string;
    readonly isLoaded: boolean;
    readonly lineNumbers: readonly number[];
    /** Of items that capture serials. */
    readonly serials?: readonly { readonly sku: string; readonly serials: readonly string[] }[];
  }[];
  /** Number of parcels that have left, so that each parcel has its own number in the draws. */
  readonly parcelsGone: number;
  readonly cancelRequest?: readonly { readonly lineNumber: number; readonly qty: number }[];
  /** The port rejected the answer CANCELLED. */
  readonly isCancelTooLate: boolean;
}

interface OfOneTask extends OfOneObject {
  readonly taskId: string;
  readonly taskVersion: number;
  readonly isAccepted: boolean;
  readonly lines: readonly TaskLine[];
}

/** A purchase order, return, work order or outgoing transfer, from its release until everything is booked. */
export interface IntakeJob extends OfOneTask {
  readonly kind: "PURCHASE_ORDER" | "RETURN" | "WORK_ORDER" | "TRANSFER";
  readonly releasedAt: string;
  /** For a work order: the remaining quantity. Undefined until the task lists it. */
  readonly finishedGood?: FinishedGood;
  /** For a work order: a part is assembled. */
  readonly isBegun?: boolean;
}

/** Goods on the shelf, as the port shows them. */
export interface ShelfLot {
  readonly sku: string;
  readonly stockPool: string;
  readonly condition: string;
  readonly batchRef: string | null;
  readonly expiryDate: string | null;
  readonly qty: number;
  readonly serials: readonly string[];
}

/** A requested count, from its release until its report. */
export interface CountJob extends OfOneTask {
  readonly kind: "COUNT";
  /** SKUs whose shelf was seen, and what was there. */
  readonly seen: readonly string[];
  readonly shelf: readonly ShelfLot[];
  /** The last look, ISO 8601. */
  readonly seenAt?: string;
}

/** A parcel in transit. */
export interface ParcelJob extends OfOneObject {
  readonly kind: "parcel";
  readonly orderId: string;
  /** Index of the parcel within the order. The draws use it, because OLPNs are not known beforehand. */
  readonly ordinal: number;
  /** Number of reported events. */
  readonly reported: number;
}

export type Job = OrderJob | IntakeJob | CountJob | ParcelJob;

/** Everything except the job that determines the next report. */
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

/** Result of an answered report: the updated job, or its end, and the new jobs that follow. */
export interface Outcome {
  readonly job: Job | undefined;
  readonly more?: readonly Job[];
}

/** The steps of the jobs of a kind. Pure. The acceptance of a task is a step of each, and composed elsewhere. */
export interface Life<OfKind extends Job, Step extends string | number> {
  /** Undefined while there is nothing to do. */
  next(job: OfKind, world: World): { readonly step: Step; readonly afterSeconds: number } | undefined;
  /**
   * Undefined if the report is not possible yet.
   * @param atMs the current time
   */
  compose(job: OfKind, step: Exclude<Step, "accept">, world: World, atMs: number): Report | undefined;
  /** @param answer the port's answer to the report */
  settle(job: OfKind, report: Report, answer: Readonly<Record<string, unknown>>, world: World): Outcome;
}
