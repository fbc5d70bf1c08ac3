// The columns of transfers with their types, defined once.
import { table } from "#/store/db/table.ts";

export const transfer = table("transfer", ["transfer_id"], {
  transfer_id: "text",
  from_facility: "text",
  to_facility: "text",
  status: "text",
  notes: "text?",
  carrier_code: "text?",
  tracking_number: "text?",
  shipped_at: "timestamptz?",
  received_at: "timestamptz",
  updated_at: "timestamptz",
  version: "integer",
});

export const transferLine = table("transfer_line", ["transfer_id", "line_number"], {
  transfer_id: "text",
  line_number: "integer",
  sku: "text",
  uom: "text",
  qty_ordered: "numeric",
  qty_allocated: "numeric",
  qty_shipped: "numeric",
  qty_received: "numeric",
  qty_damaged: "numeric",
});
