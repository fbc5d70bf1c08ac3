// The columns of purchase orders and their receipts with their types, defined once.
import { table } from "#/store/db/table.ts";

export const purchaseOrder = table("purchase_order", ["po_number", "vendor_order_id"], {
  po_number: "text",
  vendor_order_id: "text",
  status: "text",
  distribution_centre: "text",
  message_id: "text?",
  extended_attributes: "jsonb",
  revision: "bigint?",
  feed_token: "uuid",
  received_at: "timestamptz",
  completed_at: "timestamptz?",
  closed_at: "timestamptz?",
  has_discrepancy: "boolean",
  from_facility: "text?",
  carrier_code: "text?",
  tracking_number: "text?",
  updated_at: "timestamptz",
  version: "integer",
});

export const purchaseOrderLine = table("purchase_order_line", ["po_number", "vendor_order_id", "line_number"], {
  po_number: "text",
  vendor_order_id: "text",
  line_number: "integer",
  line_id: "text?",
  sku: "text",
  alt_sku: "text?",
  product_name: "text?",
  qty: "numeric",
  feed_qty: "numeric",
  feed_uom: "text?",
  qty_received: "numeric",
  qty_damaged: "numeric",
  discrepancy: "text",
});

export const purchaseOrderCarton = table("purchase_order_carton", ["po_number", "vendor_order_id", "sscc"], {
  po_number: "text",
  vendor_order_id: "text",
  sscc: "text",
  tracking_number: "text?",
  lines: "jsonb",
});

export const goodsReceiptLine = table("goods_receipt_line", ["facility_code", "receipt_id", "entry"], {
  facility_code: "text",
  receipt_id: "text",
  entry: "integer",
  line_number: "integer?",
  sku: "text",
  stock_pool: "text",
  batch_ref: "text",
  expiry_date: "date",
  condition: "text",
  qty: "numeric",
  serials: "text[]?",
  reason: "text?",
});
