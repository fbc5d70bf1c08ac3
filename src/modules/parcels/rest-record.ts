import { eventName } from "#/kernel/event-codes.ts";
import { quantityToNumber } from "#/kernel/values/quantity.ts";
import type { ParcelFacts } from "#/modules/parcels/domain.ts";
import type { ParcelMilestone } from "#/modules/parcels/milestone-repository.ts";
import type { OlpnRecord } from "#/modules/parcels/rest-contract.ts";

/** The record of a parcel. @param milestones of its order, in order; those of other parcels are left out. */
export function olpnRecord(parcel: ParcelFacts, milestones: readonly ParcelMilestone[]): OlpnRecord {
  const { olpnId, length, width, height, dimensionsUomCode } = parcel;
  return {
    olpnId,
    orderId: parcel.orderId,
    distributionCentre: parcel.facilityCode,
    status: parcel.status,
    carrierCode: parcel.carrierCode ?? null,
    carrierServiceCode: parcel.carrierServiceCode ?? null,
    trackingNumber: parcel.trackingNumber ?? null,
    trackingUrl: parcel.trackingUrl ?? null,
    weight: { value: parcel.weight, uom: parcel.weightUomCode },
    dimensions:
      dimensionsUomCode === undefined
        ? null
        : { length: length ?? null, width: width ?? null, height: height ?? null, uom: dimensionsUomCode },
    contents: parcel.contents.map(({ lineNumber, sku, qty, batchRef, expiryDate, serials }) => ({
      lineNumber,
      sku,
      qty: quantityToNumber(qty),
      batchRef: batchRef === "" ? null : batchRef,
      expiryDate: expiryDate === "infinity" ? null : expiryDate,
      serials: [...serials],
    })),
    events: milestones
      .filter((milestone) => milestone.olpnId === olpnId)
      .map(({ code, at, receivedAt, location, text }) => ({
        code,
        name: eventName(code),
        at,
        receivedAt,
        location: location ?? null,
        text: text ?? null,
      })),
    decisionId: parcel.decisionId ?? null,
  };
}
