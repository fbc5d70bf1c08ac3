import { lineNumberOf } from "#/kernel/values/kit-lines.ts";
import { quantityToNumber } from "#/kernel/values/quantity.ts";

/**
 * The life of a parcel (lifecycle.md §5). Carrier codes determine the status, independently of late or repeated
 * reports.
 */
export const parcelStatuses = [
  "PACKED",
  "LOADED",
  "DESPATCHED",
  "IN_TRANSIT",
  "OUT_FOR_DELIVERY",
  "AVAILABLE_FOR_COLLECTION",
  "DELIVERED",
  "EXCEPTION",
  "LOST",
  "RETURNING",
  "RETURNED_TO_SENDER",
  "VOIDED",
] as const;

export type ParcelStatus = (typeof parcelStatuses)[number];

/** The input of the status besides the next code. */
export interface ParcelProgress {
  readonly status: ParcelStatus;
  /** When the event that set the status happened, ISO 8601 UTC; undefined while no carrier code has set it. */
  readonly statusAt: string | undefined;
  /** A delivered parcel counts as delivered until it is returned to its sender. */
  readonly isDelivered: boolean;
  /** On its way back to the sender; exceptions on that way do not change it. */
  readonly isReturning: boolean;
}

/** The contents of a parcel for a line, by lot. */
export interface ParcelContent {
  readonly lineNumber: number;
  readonly sku: string;
  /** Integer thousandths of the stock unit. */
  readonly qty: number;
  readonly stockPool: string;
  /** `''` if the lot has none. */
  readonly batchRef: string;
  /** `YYYY-MM-DD`, `infinity` if the lot has none. */
  readonly expiryDate: string;
  readonly serials: readonly string[];
}

/** A stored parcel (OLPN). */
export interface ParcelFacts extends ParcelProgress {
  /** SSCC-18. */
  readonly olpnId: string;
  readonly orderId: string;
  readonly facilityCode: string;
  readonly carrierCode: string | undefined;
  readonly carrierServiceCode: string | undefined;
  readonly trackingNumber: string | undefined;
  /** The decision that chose its service; undefined if the warehouse named the service. */
  readonly decisionId: string | undefined;
  /** The carrier's tracking page of the parcel. */
  readonly trackingUrl: string | undefined;
  /** The number was derived from the SSCC, because the carrier gave none. */
  readonly isGeneratedTrackingNumber: boolean;
  readonly weight: number;
  readonly weightUomCode: string;
  readonly length: number | undefined;
  readonly width: number | undefined;
  readonly height: number | undefined;
  readonly dimensionsUomCode: string | undefined;
  readonly contents: readonly ParcelContent[];
  readonly loadId: string | undefined;
  readonly packedAt: string;
  readonly loadedAt: string | undefined;
  readonly despatchedAt: string | undefined;
  readonly version: number;
}

/** A carrier's code with its own time. */
export interface CarrierCode {
  readonly code: number;
  /** When it happened, ISO 8601 UTC. */
  readonly at: string;
}

type LedStatus = Exclude<ParcelStatus, "PACKED" | "LOADED" | "DESPATCHED" | "VOIDED">;

/** The status that a carrier code sets in the regular case. */
export const carrierCodeLeads: ReadonlyMap<number, LedStatus> = new Map(
  Object.entries({
    IN_TRANSIT: [110, 120, 125, 130, 140, 145, 150, 155],
    OUT_FOR_DELIVERY: [160],
    AVAILABLE_FOR_COLLECTION: [175],
    DELIVERED: [200, 205, 210],
    EXCEPTION: [148, 165, 170, 180, 185, 190, 220, 230, 390],
    LOST: [195],
    RETURNING: [250, 260, 270],
    RETURNED_TO_SENDER: [300],
  }).flatMap(([status, codes]) => codes.map((code) => [code, status as LedStatus] as const)),
);

/** The rank of each status. EXCEPTION has none: it interrupts the way anywhere. */
const ranks: Readonly<Partial<Record<ParcelStatus, number>>> = {
  PACKED: 0,
  LOADED: 1,
  DESPATCHED: 2,
  IN_TRANSIT: 3,
  OUT_FOR_DELIVERY: 4,
  AVAILABLE_FOR_COLLECTION: 4,
  DELIVERED: 5,
  RETURNING: 6,
  RETURNED_TO_SENDER: 7,
};

const rankOf = (status: ParcelStatus) => ranks[status] ?? 0;

/** The warehouse's steps of a parcel; `statusAfter` applies carrier codes. */
export const parcelSteps: Readonly<Partial<Record<ParcelStatus, readonly ParcelStatus[]>>> = {
  PACKED: ["LOADED", "DESPATCHED", "VOIDED"],
  LOADED: ["PACKED", "DESPATCHED", "VOIDED"],
};

/** Carrier codes are stored until the parcel is despatched, and take effect then. */
export function isWaitingForDespatch({ status }: Pick<ParcelProgress, "status">): boolean {
  return status === "PACKED" || status === "LOADED";
}

/**
 * The parcel after a carrier's code. A report is *late* if it happened before the event that set the parcel's status. Then:
 *
 * 1. No code leaves RETURNED_TO_SENDER or VOIDED. Only 250–300 leave DELIVERED, but not a late 250–270: then the parcel was
 *    handed over on its way back. A parcel that is not despatched keeps its status: the code waits.
 * 2. Between statuses on the way (IN_TRANSIT < OUT_FOR_DELIVERY = AVAILABLE_FOR_COLLECTION < DELIVERED < RETURNING <
 *    RETURNED_TO_SENDER) rank decides. A code with a higher rank moves the parcel even if it is late, because the event has
 *    happened. A code with a lower rank does not, however new it is. Between equal ranks the newer one wins. One step back
 *    is real: a parcel on its way back that was never delivered may be handed over after all.
 * 3. EXCEPTION and LOST interrupt the way, and time decides: a late one has no effect. The next moving code ends the
 *    interruption, but a late one does so only for an end (DELIVERED, RETURNED_TO_SENDER). Only moving codes leave LOST, not
 *    an exception.
 * 4. A parcel that has begun its way back stays RETURNING through interruptions: a scan on that way (110–175) leads to
 *    RETURNING again.
 */
export function statusAfter<Parcel extends ParcelProgress>(parcel: Parcel, { code, at }: CarrierCode): Parcel {
  const led = carrierCodeLeads.get(code);
  const { status } = parcel;
  if (led === undefined || status === "VOIDED" || status === "RETURNED_TO_SENDER" || isWaitingForDespatch(parcel)) {
    return parcel;
  }
  // These hold even if the status does not show them.
  const isReturning = parcel.isReturning || led === "RETURNING";
  const isDelivered = parcel.isDelivered || led === "DELIVERED";
  const next = nextStatus(parcel, led, isLate(parcel, at));
  if (next === undefined) return keep(parcel, isDelivered, isReturning);
  return {
    ...parcel,
    status: next,
    statusAt: later(parcel.statusAt, at),
    isDelivered: isDelivered && next !== "RETURNED_TO_SENDER",
    isReturning: isReturning && next !== "DELIVERED" && next !== "RETURNED_TO_SENDER",
  };
}

/** The new status by the code; undefined if the parcel keeps its status. */
function nextStatus(parcel: ParcelProgress, led: LedStatus, late: boolean): ParcelStatus | undefined {
  const { status, isReturning, isDelivered } = parcel;
  if (led === "RETURNED_TO_SENDER") return led;
  if (status === "DELIVERED") return (led === "RETURNING" || led === "DELIVERED") && !late ? led : undefined;
  if (led === "EXCEPTION") return late || status === "LOST" ? undefined : led;
  if (led === "LOST") return late ? undefined : led;
  const isInterrupted = status === "EXCEPTION" || status === "LOST";
  if (led === "DELIVERED") {
    // For a parcel that was delivered and sent back, a second delivery code repeats the first.
    if (isReturning) return late || isDelivered ? undefined : led;
    return led;
  }
  const target = isReturning ? "RETURNING" : led;
  if (isInterrupted) return late ? undefined : target;
  const step = rankOf(target) - rankOf(status);
  return step > 0 || (step === 0 && !late) ? target : undefined;
}

function isLate({ statusAt }: ParcelProgress, at: string): boolean {
  return statusAt !== undefined && Date.parse(at) < Date.parse(statusAt);
}

/** The time of the parcel's status never goes back. */
function later(statusAt: string | undefined, at: string): string {
  return statusAt !== undefined && Date.parse(statusAt) > Date.parse(at) ? statusAt : at;
}

function keep<Parcel extends ParcelProgress>(parcel: Parcel, isDelivered: boolean, isReturning: boolean): Parcel {
  const isBack = isReturning && parcel.status !== "DELIVERED";
  if (parcel.isDelivered === isDelivered && parcel.isReturning === isBack) return parcel;
  return { ...parcel, isDelivered, isReturning: isBack };
}

/** The parcel leaves the warehouse, and its waiting codes take effect in the order of their events. */
export function despatched<Parcel extends ParcelProgress>(parcel: Parcel, waiting: readonly CarrierCode[]): Parcel {
  const inOrder = waiting.toSorted((left, right) => Date.parse(left.at) - Date.parse(right.at));
  return inOrder.reduce<Parcel>(statusAfter, { ...parcel, status: "DESPATCHED", statusAt: undefined });
}

/**
 * The ends of an order's parcels, as far as the order's state depends on them (lifecycle.md §1); voided parcels do not
 * count.
 */
export function parcelEnds(parcels: readonly Pick<ParcelProgress, "status" | "isDelivered">[]): {
  readonly parcels: number;
  readonly delivered: number;
  readonly returnedToSender: number;
  readonly lost: number;
} {
  const ends = { parcels: 0, delivered: 0, returnedToSender: 0, lost: 0 };
  for (const { status, isDelivered } of parcels) {
    if (status === "VOIDED") continue;
    ends.parcels++;
    if (status === "RETURNED_TO_SENDER") ends.returnedToSender++;
    else if (isDelivered) ends.delivered++;
    else if (status === "LOST") ends.lost++;
  }
  return ends;
}

/** Delivered quantities of an order's lines, by line number: the contents of its delivered parcels. */
export function deliveredByLine(
  parcels: readonly Pick<ParcelFacts, "status" | "isDelivered" | "contents">[],
): Map<number, number> {
  const delivered = new Map<number, number>();
  for (const { status, isDelivered, contents } of parcels) {
    if (!isDelivered || status === "RETURNED_TO_SENDER" || status === "VOIDED") continue;
    for (const { lineNumber, qty } of contents) delivered.set(lineNumber, (delivered.get(lineNumber) ?? 0) + qty);
  }
  return delivered;
}

/** Contents for events, outbound feeds and REST; absent values are left out. */
export function contentRecord({ lineNumber, sku, qty, batchRef, serials }: ParcelContent) {
  return {
    lineNumber: lineNumberOf(lineNumber),
    sku,
    qty: quantityToNumber(qty),
    ...(batchRef === "" ? {} : { batchRef }),
    ...(serials.length === 0 ? {} : { serials: [...serials] }),
  };
}
