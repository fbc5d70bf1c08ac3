// The columns of a parcel with their types, defined once.

import { quantityToNumber } from "#/kernel/values/quantity.ts";
import type { ParcelFacts } from "#/modules/parcels/domain.ts";
import { filledFrom, table } from "#/store/db/table.ts";

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
  contents: ["jsonb", (facts) => facts.contents.map((content) => ({ ...content, qty: quantityToNumber(content.qty) }))],
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
