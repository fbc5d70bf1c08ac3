-- The three documents that refer to items: expected goods, expected returns, and sales orders.
--
-- A second index that starts with client_id has a condition that is always true, here and in every migration: then only
-- statements that repeat the condition can take it. Without that the planner, to whom all indexes of an empty table cost the same,
-- may take it for a look-up by primary key, keep the plan under the statement's name, and read all rows of the client
-- once the table has grown (1 s instead of 5 ms for two thousand SKUs among fifty thousand).

-- citus: distributed
create table purchase_order (
  client_id text not null,
  po_number text not null,
  vendor_order_id text not null,
  status text not null,
  distribution_centre text not null,
  message_id text,
  extended_attributes jsonb not null default '{}',
  revision bigint,
  feed_token uuid not null,
  received_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1,
  primary key (client_id, po_number, vendor_order_id)
);

-- citus: distributed
create table purchase_order_line (
  client_id text not null,
  po_number text not null,
  vendor_order_id text not null,
  line_number integer not null,
  line_id text,
  sku text not null,
  alt_sku text,
  product_name text,
  qty numeric(12, 3) not null check (qty > 0),
  feed_qty numeric(12, 3) not null,
  feed_uom text,
  qty_received numeric(12, 3) not null default 0 check (qty_received >= 0),
  qty_damaged numeric(12, 3) not null default 0 check (qty_damaged >= 0),
  primary key (client_id, po_number, vendor_order_id, line_number)
);

-- citus: distributed
create table return_authorisation (
  client_id text not null,
  rma_number text not null,
  status text not null,
  distribution_centre text not null,
  order_reference text,
  order_id text,
  creation_time_stamp timestamptz,
  feed_token uuid not null,
  received_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1,
  primary key (client_id, rma_number)
);

-- citus: distributed
create table return_authorisation_line (
  client_id text not null,
  rma_number text not null,
  line_number integer not null,
  sku text not null,
  return_reason_code text,
  qty_expected numeric(12, 3) not null check (qty_expected > 0),
  qty_received numeric(12, 3) not null default 0 check (qty_received >= 0),
  feed_qty numeric(12, 3) not null,
  feed_uom text,
  attribute_one text,
  attribute_three text,
  primary key (client_id, rma_number, line_number)
);

-- citus: distributed
create table sales_order (
  client_id text not null,
  order_id text not null,
  status text not null,
  status_reason text,
  external_order_reference text,
  catalog_id text,
  origin text,
  language text,
  order_date timestamptz not null,
  shipping_method text,
  currency text,
  shipping_cost numeric(19, 4),
  subtotal numeric(19, 4),
  total_price numeric(19, 4),
  taxes jsonb,
  bill_to_address jsonb,
  ship_to_address jsonb not null,
  payments jsonb,
  distribution_centre text not null,
  is_routed boolean not null default false,
  carrier_code text,
  extended_attributes jsonb not null default '{}',
  priority smallint not null default 5,
  ship_partial boolean not null default false,
  holds jsonb not null default '[]',
  revision bigint,
  feed_token uuid not null,
  received_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1,
  primary key (client_id, order_id)
);
-- Lists go by receipt.
create index sales_order_receipt on sales_order (client_id, received_at) where received_at >= '-infinity';
create index sales_order_reference on sales_order (client_id, external_order_reference) where external_order_reference is not null;

-- citus: distributed
-- The buckets are the truth, the states are derived (lifecycle of a sales order).
create table sales_order_line (
  client_id text not null,
  order_id text not null,
  line_number integer not null,
  sku text not null,
  stock_pool text not null,
  uom text not null,
  feed_qty numeric(12, 3) not null,
  feed_uom text,
  line_total numeric(19, 4),
  unit_net_price numeric(19, 4),
  extended_unit_net_price numeric(19, 4),
  unit_gross_price numeric(19, 4),
  taxes jsonb,
  extended_attributes jsonb not null default '{}',
  qty_ordered numeric(12, 3) not null check (qty_ordered > 0),
  qty_open numeric(12, 3) not null check (qty_open >= 0),
  qty_backordered numeric(12, 3) not null default 0 check (qty_backordered >= 0),
  qty_allocated numeric(12, 3) not null default 0 check (qty_allocated >= 0),
  qty_picked numeric(12, 3) not null default 0 check (qty_picked >= 0),
  qty_packed numeric(12, 3) not null default 0 check (qty_packed >= 0),
  qty_despatched numeric(12, 3) not null default 0 check (qty_despatched >= 0),
  qty_cancelled numeric(12, 3) not null default 0 check (qty_cancelled >= 0),
  qty_delivered numeric(12, 3) not null default 0 check (qty_delivered >= 0 and qty_delivered <= qty_despatched),
  qty_returned numeric(12, 3) not null default 0 check (qty_returned >= 0 and qty_returned <= qty_despatched),
  primary key (client_id, order_id, line_number),
  constraint sales_order_line_sum check (
    qty_ordered = qty_open + qty_backordered + qty_allocated + qty_picked + qty_packed + qty_despatched + qty_cancelled)
);

create index purchase_order_line_sku on purchase_order_line (client_id, sku) where sku > '';
create index return_authorisation_line_sku on return_authorisation_line (client_id, sku) where sku > '';
-- Lines that still want goods, by SKU: the ended ones, which are most of them, cost nothing here.
create index sales_order_line_wanted on sales_order_line (client_id, sku) where qty_despatched + qty_cancelled < qty_ordered;
