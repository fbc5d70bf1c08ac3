import { withNulls } from "#/http/routes/schema.ts";
import { eventName } from "#/kernel/event-codes.ts";
import { lineNumberOf } from "#/kernel/values/kit-lines.ts";
import { quantityToNumber } from "#/kernel/values/quantity.ts";
import type { ParcelFacts } from "#/modules/parcels/domain.ts";
import type { ParcelMilestone } from "#/modules/parcels/milestone-repository.ts";
import { type OlpnRecord, olpn, olpnEvent } from "#/modules/parcels/rest-contract.ts";

/** The record of a parcel. @param milestones of its order, in order; those of other parcels are left out. */
export function olpnRecord(parcel: ParcelFacts, milestones: readonly ParcelMilestone[]): OlpnRecord {
  const { length, width, height, dimensionsUomCode: uom } = parcel;
  return withNulls(olpn, {
    ...parcel,
    distributionCentre: parcel.facilityCode,
    weight: { value: parcel.weight, uom: parcel.weightUomCode },
    dimensions:
      uom === undefined ? null : { length: length ?? null, width: width ?? null, height: height ?? null, uom },
    contents: parcel.contents.map(({ lineNumber, sku, qty, batchRef, expiryDate, serials }) => ({
      lineNumber: lineNumberOf(lineNumber),
      sku,
      qty: quantityToNumber(qty),
      batchRef: batchRef === "" ? null : batchRef,
      expiryDate: expiryDate === "infinity" ? null : expiryDate,
      serials: [...serials],
    })),
    events: milestones
      .filter(({ olpnId }) => olpnId === parcel.olpnId)
      .map((milestone) => withNulls(olpnEvent, { ...milestone, name: eventName(milestone.code) })),
  });
}
