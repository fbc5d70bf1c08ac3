// The columns of an order and its lines with their types, defined once.

import { formatQuantity } from "#/kernel/values/quantity.ts";
import type { OrderContent, OrderLine } from "#/modules/orders/intake/check-order.ts";
import { filledFrom, table } from "#/store/db/table.ts";

/** Order fields of the feed that are stored unchanged beside the state of the order. */
export const orderFields = filledFrom<OrderContent>()({
  external_order_reference: ["text?", (content) => content.externalOrderReference],
  catalog_id: ["text?", (content) => content.catalogId],
  origin: ["text?", (content) => content.origin],
  language: ["text?", (content) => content.language],
  order_date: ["timestamptz", (content) => content.orderDate as string],
  shipping_method: ["text?", (content) => content.shippingMethod],
  currency: ["text?", (content) => content.currency],
  shipping_cost: ["numeric?", (content) => content.shippingCost],
  subtotal: ["numeric?", (content) => content.subtotal],
  total_price: ["numeric?", (content) => content.totalPrice],
  carrier_code: ["text?", (content) => content.carrierCode],
  ship_after: ["timestamptz?", (content) => content.shipAfter],
  ship_by: ["timestamptz?", (content) => content.shipBy],
  deliver_by: ["timestamptz?", (content) => content.deliverBy],
  priority: ["smallint", (content) => content.priority],
  ship_partial: ["boolean", (content) => content.shipPartial],
});

/** Order fields of the feed that are stored unchanged in order_content, or in the order's own row (`content.ts`). */
export const orderContent = filledFrom<OrderContent>()({
  taxes: ["jsonb?", (content) => content.taxes],
  bill_to_address: ["jsonb?", (content) => content.billToAddress],
  ship_to_address: ["jsonb", (content) => content.shipToAddress],
  payments: ["jsonb?", (content) => content.payments],
  extended_attributes: ["jsonb", (content) => content.extendedAttributes],
});

export const contentOfOrder = table("order_content", ["order_id"], { ...orderContent.columns, order_id: "text" });

export const salesOrder = table("sales_order", ["order_id"], {
  ...orderFields.columns,
  ...orderContent.columns,
  order_id: "text",
  status: "text",
  status_reason: "text?",
  customer: "text?",
  distribution_centre: "text",
  is_routed: "boolean",
  routed_by: "text?",
  split_facilities: "text[]?",
  holds: "jsonb",
  revision: "bigint?",
  feed_token: "uuid",
  received_at: "timestamptz",
  despatch_by: "timestamptz?",
  at_risk_at: "timestamptz?",
  release_at: "timestamptz?",
  pick_accepted_at: "timestamptz?",
  cancel_requested_at: "timestamptz?",
  cancel_escalated_at: "timestamptz?",
  cancel_reason: "text?",
  backordered_since: "timestamptz?",
  reroute_after: "timestamptz?",
  ended_at: "timestamptz?",
  updated_at: "timestamptz",
  version: "integer",
});

/** Line fields of the feed that are stored unchanged. */
export const lineContent = filledFrom<OrderLine>()({
  line_number: ["integer", (line) => line.lineNumber],
  sku: ["text", (line) => line.sku],
  stock_pool: ["text", (line) => line.stockPool],
  uom: ["text", (line) => line.uom],
  feed_qty: ["numeric", (line) => formatQuantity(line.feedQty)],
  feed_uom: ["text?", (line) => line.feedUom],
  line_total: ["numeric?", (line) => line.lineTotal],
  unit_net_price: ["numeric?", (line) => line.unitNetPrice],
  extended_unit_net_price: ["numeric?", (line) => line.extendedUnitNetPrice],
  unit_gross_price: ["numeric?", (line) => line.unitGrossPrice],
  taxes: ["jsonb?", (line) => line.taxes],
  extended_attributes: ["jsonb", (line) => line.extendedAttributes],
});

export const salesOrderLine = table("sales_order_line", ["order_id", "line_number"], {
  ...lineContent.columns,
  order_id: "text",
  kit_qty: "numeric?",
  qty_ordered: "numeric",
  qty_open: "numeric",
  qty_backordered: "numeric",
  qty_allocated: "numeric",
  qty_picked: "numeric",
  qty_packed: "numeric",
  qty_despatched: "numeric",
  qty_cancelled: "numeric",
  qty_delivered: "numeric",
  qty_returned: "numeric",
  qty_cancel_requested: "numeric",
  promised_on: "date?",
  // The facility that fulfils the line: the order's, or another one in a split order.
  facility_code: "text?",
  // Copies of the order's values on its lines, for allocation.
  priority: "smallint",
  accepted_at: "timestamptz",
});

export const orderMilestone = table("order_milestone", ["order_id", "milestone_id"], {
  order_id: "text",
  milestone_id: "uuid",
  olpn_id: "text?",
  code: "smallint",
  at: "timestamptz",
  received_at: "timestamptz",
  location: "text?",
  text: "text?",
  raw_code: "text?",
});
