// The columns of a parcel with their types, defined once.

import { quantityOf, quantityToNumber } from "#/kernel/values/quantity.ts";
import type { ParcelContent, ParcelFacts } from "#/modules/parcels/domain.ts";
import { filledFrom, table } from "#/store/db/table.ts";

/** The lot of goods without batch and expiry date, in the pool of most clients. */
const usualLot = { stockPool: "DEFAULT", batchRef: "", expiryDate: "infinity" };

export type StoredContent = Pick<ParcelContent, "lineNumber" | "sku" | "qty"> & Partial<ParcelContent>;

/** Quantities in stock units, as SQL reads them. */
function storedContents(contents: readonly ParcelContent[]): StoredContent[] {
  return contents.map((content) => ({ ...content, qty: quantityToNumber(content.qty) }));
}

/**
 * The contents without what is usual: each step of a parcel writes its row again. 0.2.0 needs every field, so a
 * transaction says whether it writes this form.
 */
export function shortContents(contents: readonly ParcelContent[]): StoredContent[] {
  return storedContents(contents).map(({ stockPool, batchRef, expiryDate, serials = [], ...content }) => ({
    ...content,
    ...(stockPool === usualLot.stockPool ? {} : { stockPool }),
    ...(batchRef === usualLot.batchRef ? {} : { batchRef }),
    ...(expiryDate === usualLot.expiryDate ? {} : { expiryDate }),
    ...(serials.length === 0 ? {} : { serials }),
  }));
}

/** Reads both forms. */
export function readContents(stored: readonly StoredContent[]): ParcelContent[] {
  return stored.map((content) => ({ ...usualLot, serials: [], ...content, qty: quantityOf(content.qty) }));
}

/** The packed data, which do not change. */
export const packedParcel = filledFrom<ParcelFacts>()({
  olpn_id: ["text", (facts) => facts.olpnId],
  order_id: ["text", (facts) => facts.orderId],
  facility_code: ["text", (facts) => facts.facilityCode],
  carrier_code: ["text?", (facts) => facts.carrierCode],
  carrier_service_code: ["text?", (facts) => facts.carrierServiceCode],
  decision_id: ["uuid?", (facts) => facts.decisionId],
  tracking_number: ["text?", (facts) => facts.trackingNumber],
  tracking_url: ["text?", (facts) => facts.trackingUrl],
  is_generated_tracking_number: ["boolean", (facts) => facts.isGeneratedTrackingNumber],
  weight: ["numeric", (facts) => `${facts.weight}`],
  weight_uom_code: ["text", (facts) => facts.weightUomCode],
  length: ["numeric?", (facts) => facts.length?.toString()],
  width: ["numeric?", (facts) => facts.width?.toString()],
  height: ["numeric?", (facts) => facts.height?.toString()],
  dimensions_uom_code: ["text?", (facts) => facts.dimensionsUomCode],
  contents: ["jsonb", (facts) => storedContents(facts.contents)],
  packed_at: ["timestamptz", (facts) => facts.packedAt],
});

export const parcel = table("parcel", ["olpn_id"], {
  ...packedParcel.columns,
  status: "text",
  status_at: "timestamptz?",
  load_id: "text?",
  loaded_at: "timestamptz?",
  despatched_at: "timestamptz?",
  is_delivered: "boolean",
  is_returning: "boolean",
  updated_at: "timestamptz",
  version: "integer",
});
