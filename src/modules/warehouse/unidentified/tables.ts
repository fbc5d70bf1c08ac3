// The columns of goods without a purchase order with their types, defined once.
import { table } from "#/store/db/table.ts";

export const unidentifiedReceipt = table("unidentified_receipt", ["unidentified_id"], {
  unidentified_id: "text",
  distribution_centre: "text",
  receipt_id: "text",
  status: "text",
  sscc: "text?",
  carrier_code: "text?",
  tracking_number: "text?",
  marks: "text?",
  packages: "integer",
  lines: "jsonb",
  occurred_at: "timestamptz",
  po_number: "text?",
  vendor_order_id: "text?",
  reason: "text?",
  received_at: "timestamptz",
  settled_at: "timestamptz?",
  updated_at: "timestamptz",
  version: "integer",
});
