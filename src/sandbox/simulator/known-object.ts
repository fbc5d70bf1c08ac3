/**
 * Builds jobs from the store's state of an order that the simulated warehouse has not followed from its release. Pure.
 */
import { carrierEventsOf } from "#/sandbox/simulator/carrier.ts";
import type { Content, Job, OrderJob, ParcelJob, World } from "#/sandbox/simulator/job.ts";

/** An order with its parcels, as read by the caller that requests a step. */
export interface KnownObject {
  readonly clientId: string;
  readonly orderId: string;
  readonly facilityCode: string;
  readonly isHeld: boolean;
  readonly picked: readonly Content[];
  readonly parcels: readonly {
    readonly olpnId: string;
    readonly lineNumbers: readonly number[];
    readonly isLoaded: boolean;
    readonly hasLeft: boolean;
    /** The parcel is delivered, back or lost; it has no further event. */
    readonly hasEnded: boolean;
    /** The highest carrier code so far; 0 before the first. */
    readonly lastCode: number;
  }[];
}

/** Returns nothing if another facility works the order. */
export function jobsOfKnown(known: KnownObject, world: World): readonly Job[] {
  if (known.facilityCode !== world.facilityCode) return [];
  const { clientId, orderId, isHeld, picked, parcels } = known;
  const base = { clientId, dueAtMs: 0, refusals: 0 };
  const staying = parcels.filter(({ hasLeft }) => !hasLeft);
  const order: OrderJob = {
    ...base,
    kind: "order",
    objectId: orderId,
    isAccepted: true,
    isHeld,
    toPick: [],
    picked,
    isCancelTooLate: false,
    parcels: staying.map(({ olpnId, isLoaded, lineNumbers }) => ({ olpnId, isLoaded, lineNumbers })),
    parcelsGone: parcels.length - staying.length,
  };
  const despatched = parcels.flatMap(({ olpnId, hasLeft, hasEnded, lastCode }, ordinal): ParcelJob[] => {
    if (!hasLeft || hasEnded) return [];
    const job: ParcelJob = { ...base, kind: "parcel", objectId: olpnId, orderId, ordinal, reported: 0 };
    // The parcel continues after its last code, whatever happened before.
    const reported = carrierEventsOf(job, world).findIndex(({ code }) => code > lastCode);
    return reported < 0 ? [] : [{ ...job, reported }];
  });
  return picked.length + staying.length > 0 ? [order, ...despatched] : despatched;
}
