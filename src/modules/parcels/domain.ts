import { quantityToNumber } from "#/kernel/values/quantity.ts";

/**
 * The life of a parcel (lifecycle.md §5). Codes lead: what a carrier reports decides the status, in a way that depends
 * neither on late nor on repeated reports.
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

/** What the status of a parcel depends on besides the next code. */
export interface ParcelProgress {
  readonly status: ParcelStatus;
  /** When that happened which gave the status, ISO 8601 UTC; undefined while no carrier's code has led. */
  readonly statusAt: string | undefined;
  /** Once delivered it counts as delivered until it is returned to its sender. */
  readonly isDelivered: boolean;
  /** On its way back to the sender: it stays so through exceptions on that way. */
  readonly isReturning: boolean;
}

/** What a parcel holds of a line, by lot. */
export interface ParcelContent {
  readonly lineNumber: number;
  readonly sku: string;
  /** Integer thousandths of the stock unit. */
  readonly qty: number;
  readonly stockPool: string;
  /** `''` where the lot has none. */
  readonly batchRef: string;
  /** `YYYY-MM-DD`, `infinity` where the lot has none. */
  readonly expiryDate: string;
  readonly serials: readonly string[];
}

/** A parcel (OLPN) as the store has it. */
export interface ParcelFacts extends ParcelProgress {
  /** SSCC-18. */
  readonly olpnId: string;
  readonly orderId: string;
  readonly facilityCode: string;
  readonly carrierCode: string | undefined;
  readonly carrierServiceCode: string | undefined;
  readonly trackingNumber: string | undefined;
  /** The decision that chose its service; undefined where the warehouse named it. */
  readonly decisionId: string | undefined;
  /** Where the carrier shows the parcel to people. */
  readonly trackingUrl: string | undefined;
  /** The number was made from the SSCC, because the carrier gave none. */
  readonly isOwnTrackingNumber: boolean;
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

/** What a carrier's code leads a parcel to that goes its way in time. */
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

/** How far each status is. Exceptions are not on the way: they interrupt it wherever it is. */
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

/** What the warehouse does with a parcel; what carriers' codes lead to is `statusAfter`. */
export const parcelSteps: Readonly<Partial<Record<ParcelStatus, readonly ParcelStatus[]>>> = {
  PACKED: ["LOADED", "DESPATCHED", "VOIDED"],
  LOADED: ["PACKED", "DESPATCHED", "VOIDED"],
};

/** Codes of carriers are kept until the parcel is despatched, and take effect then. */
export function isWaitingForDespatch({ status }: Pick<ParcelProgress, "status">): boolean {
  return status === "PACKED" || status === "LOADED";
}

/**
 * The parcel after a carrier's code. A report is *late* when it happened before what gave the parcel its status. Then:
 *
 * 1. Nothing leaves RETURNED_TO_SENDER or VOIDED; DELIVERED is left only by 250–300, and not by a late 250–270: on that
 *    way back it was handed over after all. A parcel that is not despatched keeps its status: the code waits.
 * 2. Between statuses on the way (IN_TRANSIT < OUT_FOR_DELIVERY = AVAILABLE_FOR_COLLECTION < DELIVERED < RETURNING <
 *    RETURNED_TO_SENDER) rank decides: a code that leads further moves the parcel even when it is late, since what
 *    happened has happened; one that leads back does not, however new it is; between equals the newer one wins. One
 *    step back is real: a parcel on its way back that was never delivered may be handed over after all.
 * 3. EXCEPTION and LOST interrupt the way, and time decides: a late one does nothing; what interrupts is left by the next
 *    moving code, but not by a late one, except to an end (DELIVERED, RETURNED_TO_SENDER). LOST is left by moving codes
 *    only, not by an exception.
 * 4. A parcel that has begun its way back stays RETURNING through interruptions: a scan on that way (110–175) leads to
 *    RETURNING again.
 */
export function statusAfter<Parcel extends ParcelProgress>(parcel: Parcel, { code, at }: CarrierCode): Parcel {
  const led = carrierCodeLeads.get(code);
  const { status } = parcel;
  if (led === undefined || status === "VOIDED" || status === "RETURNED_TO_SENDER" || isWaitingForDespatch(parcel)) {
    return parcel;
  }
  // These hold whether or not the status is what shows them.
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

/** The status that the code gives; undefined where the parcel stays as it is. */
function nextStatus(parcel: ParcelProgress, led: LedStatus, late: boolean): ParcelStatus | undefined {
  const { status, isReturning, isDelivered } = parcel;
  if (led === "RETURNED_TO_SENDER") return led;
  if (status === "DELIVERED") return (led === "RETURNING" || led === "DELIVERED") && !late ? led : undefined;
  if (led === "EXCEPTION") return late || status === "LOST" ? undefined : led;
  if (led === "LOST") return late ? undefined : led;
  const isInterrupted = status === "EXCEPTION" || status === "LOST";
  if (led === "DELIVERED") {
    // Of a parcel that was delivered and sent back, a second hand-over is the first one told again.
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

/** The parcel's own clock never goes back. */
function later(statusAt: string | undefined, at: string): string {
  return statusAt !== undefined && Date.parse(statusAt) > Date.parse(at) ? statusAt : at;
}

function keep<Parcel extends ParcelProgress>(parcel: Parcel, isDelivered: boolean, isReturning: boolean): Parcel {
  const isBack = isReturning && parcel.status !== "DELIVERED";
  if (parcel.isDelivered === isDelivered && parcel.isReturning === isBack) return parcel;
  return { ...parcel, isDelivered, isReturning: isBack };
}

/** The parcel leaves the warehouse, and the codes that waited for it take effect, in the order in which they happened. */
export function despatched<Parcel extends ParcelProgress>(parcel: Parcel, waiting: readonly CarrierCode[]): Parcel {
  const inOrder = waiting.toSorted((left, right) => Date.parse(left.at) - Date.parse(right.at));
  return inOrder.reduce<Parcel>(statusAfter, { ...parcel, status: "DESPATCHED", statusAt: undefined });
}

/** How the parcels of an order ended, as far as the order's state needs to know (lifecycle.md §1); voided ones do not count. */
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

/** Delivered quantities of the lines of an order, by line number: what is in its delivered parcels. */
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

/** Contents as events, outbound feeds and REST show them; what is absent is left out. */
export function contentRecord({ lineNumber, sku, qty, batchRef, serials }: ParcelContent) {
  return {
    lineNumber,
    sku,
    qty: quantityToNumber(qty),
    ...(batchRef === "" ? {} : { batchRef }),
    ...(serials.length === 0 ? {} : { serials: [...serials] }),
  };
}
