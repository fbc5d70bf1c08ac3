// Item columns that the history fills, each listed once with its type.
import { table } from "#/db/table.ts";

export const item = table("item", ["sku"], {
  sku: "text",
  name: "text",
  ean_code: "text",
  product_type: "text",
  country_of_origin: "text",
  weight: "numeric",
  weight_uom_code: "text",
  length: "numeric",
  width: "numeric",
  height: "numeric",
  dimensions_uom_code: "text",
  dated_at: "timestamptz",
  feed_token: "uuid",
  created_at: "timestamptz",
  updated_at: "timestamptz",
});
