import { lineRecord, shownLines } from "#/modules/orders/kits.ts";
import { type Buckets, holdRecord, type Order, type OrderLine, stateCodes } from "#/modules/orders/order.ts";
import { contentRecord, type ParcelFacts } from "#/modules/parcels/index.ts";
import type { OutboundDraft } from "#/store/outbox/append.ts";

/** The facts of an order that the OS feed publishes. */
export type StatusFacts = Pick<
  Order,
  "orderId" | "externalOrderReference" | "status" | "statusReason" | "holds" | "lines" | "kits"
>;

/**
 * The OS feed of an order (outbound.md): cumulative at this moment, with all lines, all parcels that are not voided and all
 * holds.
 *
 * @param isOfHolds only the holds have changed: an OS of version 1.0 has no news.
 */
export function statusFeedOf(
  order: StatusFacts,
  parcels: readonly ParcelFacts[],
  at: string,
  isOfHolds = false,
): OutboundDraft {
  return {
    type: "OS",
    objectId: order.orderId,
    content: {
      orderId: order.orderId,
      externalOrderReference: order.externalOrderReference,
      status: order.status,
      statusCode: stateCodes[order.status],
      statusReason: order.statusReason,
      statusTimeStamp: at,
      lines: shownLines(order).map((line) => lineRecord(line, order)),
      shipments: parcels.filter(({ status }) => status !== "VOIDED").map(shipmentOf),
      holds: order.holds.map(holdRecord),
      ...(isOfHolds ? { isOfHolds } : {}),
    },
  };
}

/**
 * Whether the OS feed shows other values than before. Parcels need no comparison: each of their changes that it shows
 * also changes quantities of lines.
 */
export function hasOtherStatus(before: Order, after: Order): boolean {
  return (
    before.status !== after.status ||
    before.statusReason !== after.statusReason ||
    before.externalOrderReference !== after.externalOrderReference ||
    before.distributionCentre !== after.distributionCentre ||
    // A held line has another state.
    before.holds.length > 0 !== after.holds.length > 0 ||
    before.lines.length !== after.lines.length ||
    after.lines.some((line, i) => isOther(before.lines[i] as OrderLine, line))
  );
}

function isOther(before: OrderLine, after: OrderLine): boolean {
  if (before === after) return false;
  return (
    before.lineNumber !== after.lineNumber ||
    before.sku !== after.sku ||
    before.delivered !== after.delivered ||
    before.returned !== after.returned ||
    (Object.keys(after.buckets) as (keyof Buckets)[]).some((bucket) => before.buckets[bucket] !== after.buckets[bucket])
  );
}

function shipmentOf(parcel: ParcelFacts): object {
  return {
    olpnId: parcel.olpnId,
    carrierCode: parcel.carrierCode,
    carrierServiceCode: parcel.carrierServiceCode,
    trackingNumber: parcel.trackingNumber,
    trackingUrl: parcel.trackingUrl,
    weight: parcel.weight,
    weightUomCode: parcel.weightUomCode,
    despatchedAt: parcel.despatchedAt,
    contents: parcel.contents.map(contentRecord),
  };
}
