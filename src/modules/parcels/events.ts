import { contentRecord, type ParcelFacts } from "#/modules/parcels/domain.ts";
import type { EventDraft } from "#/outbox/append.ts";

export type ParcelTopic = "parcel:packed" | "parcel:load" | "parcel:voided";

/** What is told of a parcel while it is in the warehouse (webhooks.md §3); its object is the order. */
export function parcelEvent(topic: ParcelTopic, parcel: ParcelFacts): EventDraft {
  return {
    topic,
    objectType: "order",
    objectId: parcel.orderId,
    facilityCode: parcel.facilityCode,
    data: {
      orderId: parcel.orderId,
      olpnId: parcel.olpnId,
      trackingNumber: parcel.trackingNumber ?? null,
      carrierCode: parcel.carrierCode ?? null,
      carrierServiceCode: parcel.carrierServiceCode ?? null,
      loadId: parcel.loadId ?? null,
      weight: parcel.weight,
      contents: parcel.contents.map(contentRecord),
    },
  };
}
