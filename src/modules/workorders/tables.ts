// The columns of work orders with their types, defined once.
import { table } from "#/store/db/table.ts";

export const workOrder = table("work_order", ["work_order_id"], {
  work_order_id: "text",
  status: "text",
  qty_ordered: "numeric",
  qty_completed: "numeric",
  due_date: "timestamptz?",
  priority: "smallint",
  notes: "text?",
  updated_at: "timestamptz",
  version: "integer",
});

export const workOrderComponent = table("work_order_component", ["work_order_id", "line_number"], {
  work_order_id: "text",
  line_number: "integer",
  sku: "text",
  uom: "text",
  qty_per: "numeric",
  qty_required: "numeric",
  qty_allocated: "numeric",
  qty_consumed: "numeric",
  qty_scrapped: "numeric",
  // Copies of the work order's values on its components, for allocation.
  facility_code: "text",
  priority: "smallint",
  received_at: "timestamptz",
  is_waiting: "boolean",
});

export const workOrderLot = table("work_order_lot", ["work_order_id", "entry_id"], {
  work_order_id: "text",
  entry_id: "uuid",
  finished_sku: "text",
  finished_batch_ref: "text",
  finished_expiry_date: "date",
  component_sku: "text",
  component_batch_ref: "text",
  component_expiry_date: "date",
  qty: "numeric",
  booked_at: "timestamptz",
});
