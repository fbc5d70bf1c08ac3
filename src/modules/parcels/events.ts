import { contentRecord, type ParcelFacts } from "#/modules/parcels/domain.ts";
import { type EventDraft, truncateLines } from "#/store/outbox/append.ts";

export type ParcelTopic = "parcel:packed" | "parcel:labelled" | "parcel:load" | "parcel:voided";

/** The event of a parcel in the warehouse (webhooks.md §3); its object is the order. */
export function parcelEvent(topic: ParcelTopic, parcel: ParcelFacts): EventDraft {
  const { lines: contents, ...leftOut } = truncateLines(parcel.contents.map(contentRecord), {
    href: `/v1/orderService/olpn/get/${encodeURIComponent(parcel.olpnId)}`,
    hasLongLines: true,
  });
  return {
    topic,
    objectType: "order",
    objectId: parcel.orderId,
    facilityCode: parcel.facilityCode,
    data: {
      orderId: parcel.orderId,
      olpnId: parcel.olpnId,
      trackingNumber: parcel.trackingNumber ?? null,
      trackingUrl: parcel.trackingUrl ?? null,
      carrierCode: parcel.carrierCode ?? null,
      carrierServiceCode: parcel.carrierServiceCode ?? null,
      loadId: parcel.loadId ?? null,
      weight: parcel.weight,
      weightUomCode: parcel.weightUomCode,
      contents,
      ...leftOut,
    },
  };
}
