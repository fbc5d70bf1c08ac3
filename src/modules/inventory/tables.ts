// The columns of the stock tables with their types, defined once.
import { table } from "#/store/db/table.ts";

export const stockBook = table("stock_book", ["facility_code"], {
  facility_code: "text",
  last_position: "bigint",
  last_booked_at: "timestamptz",
  first_booked_at: "timestamptz?",
});

const lot = { sku: "text", stock_pool: "text", batch_ref: "text", expiry_date: "date" } as const;

export const stockSerial = table("stock_serial", ["sku", "serial"], {
  ...lot,
  serial: "text",
  state: "text",
  facility_code: "text",
  condition: "text",
  owner_type: "text?",
  owner_id: "text?",
  updated_at: "timestamptz",
});

export const stockReservation = table(
  "stock_reservation",
  ["owner_type", "owner_id", "line_number", "stock_pool", "batch_ref", "expiry_date"],
  {
    ...lot,
    owner_type: "text",
    owner_id: "text",
    line_number: "integer",
    facility_code: "text",
    qty_allocated: "numeric",
    qty_picked: "numeric",
    qty_packed: "numeric",
    chosen_by: "text",
    allocated_at: "timestamptz",
  },
);

export const stockChange = table("stock_change", ["facility_code", "sku"], {
  facility_code: "text",
  sku: "text",
  changed_at: "timestamptz?",
  is_low: "boolean",
});

export const stockImport = table("stock_import", ["import_id"], {
  import_id: "text",
  content_sha256: "text",
  imported_at: "timestamptz",
  line_count: "integer",
});

export const stockCount = table("stock_count", ["count_id"], {
  count_id: "text",
  facility_code: "text",
  status: "text",
  cause: "text",
  sku: "text?",
  stock_pool: "text?",
  batch_ref: "text?",
  expiry_date: "date?",
  condition: "text",
  is_blind: "boolean",
  note: "text?",
  requested_at: "timestamptz",
  requested_by: "text",
  lines: "jsonb",
  counted_at: "timestamptz?",
  reported_at: "timestamptz?",
  reported_position: "bigint?",
  ended_at: "timestamptz?",
  ended_by: "text?",
  end_reason: "text?",
});

export const stockLastCount = table("stock_last_count", ["facility_code", "sku"], {
  facility_code: "text",
  sku: "text",
  counted_at: "timestamptz",
});
