// The columns of returns with their types, defined once.
import { table } from "#/store/db/table.ts";

export const returnAuthorisation = table("return_authorisation", ["rma_number"], {
  rma_number: "text",
  status: "text",
  distribution_centre: "text",
  order_reference: "text?",
  order_id: "text?",
  creation_time_stamp: "timestamptz?",
  feed_token: "uuid",
  received_at: "timestamptz",
  closed_at: "timestamptz?",
  updated_at: "timestamptz",
  version: "integer",
});

export const returnAuthorisationLine = table("return_authorisation_line", ["rma_number", "line_number"], {
  rma_number: "text",
  line_number: "integer",
  sku: "text",
  return_reason_code: "text?",
  qty_expected: "numeric",
  qty_received: "numeric",
  discrepancy: "text",
  feed_qty: "numeric",
  feed_uom: "text?",
  attribute_one: "text?",
  attribute_three: "text?",
});

export const returnDisposition = table("return_disposition", ["rma_number", "entry_id"], {
  rma_number: "text",
  entry_id: "uuid",
  olpn_id: "text?",
  facility_code: "text",
  return_id: "text?",
  line_number: "integer?",
  sku: "text",
  disposition: "text",
  qty: "numeric",
  stock_pool: "text",
  batch_ref: "text",
  expiry_date: "date",
  serials: "text[]?",
  return_reason_code: "text?",
  note: "text?",
  booked_at: "timestamptz",
});
