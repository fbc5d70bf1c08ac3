-- Items, and the goods that come in: purchase orders, receipts and returns.

-- citus: distributed
create table item (
  client_id text not null,
  sku text not null,
  alt_sku text,
  ean_code text,
  name text not null,
  weight numeric(18, 6),
  weight_uom_code text,
  height numeric(18, 6),
  length numeric(18, 6),
  width numeric(18, 6),
  dimensions_uom_code text,
  product_type text,
  country_of_origin text,
  image_url text,
  capture_batch_ref boolean not null default false,
  extended_attributes jsonb not null default '{}',
  barcodes text[] not null default '{}',
  stock_uom text not null default 'EA',
  packs jsonb,
  warnings jsonb not null default '[]',
  is_active boolean not null default true,
  dated_at timestamptz not null,
  feed_token uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1,
  feed_position bigint,
  primary key (client_id, sku),
  -- Judged at commit: one document may move an EAN from one SKU to another, whatever the order of its rows. An exclusion
  -- rather than a unique constraint, because it can leave out what has no EAN.
  constraint item_ean_code exclude using btree (client_id with =, ean_code with =) where (ean_code is not null)
    deferrable initially deferred
);
comment on table item is 'A product of a client, as its CAT feed describes it.';
comment on column item.capture_batch_ref is 'The warehouse must report the batch of the item.';
comment on column item.stock_uom is 'The unit in which stock is counted.';
comment on column item.packs is 'Quantity of the stock unit in each other unit, such as CARTON.';
comment on column item.warnings is
  'Warnings of its last catalogue, which did not refuse it: `[{"code": "GTIN", "text": "…"}]`.';
comment on column item.dated_at is 'The date of the catalogue document that last changed the item.';
comment on column item.feed_position is
  'Position in the item feed of the warehouses. Null: changed since, and it gets one when the feed is next read.';
create index item_barcodes on item using gin (barcodes) where barcodes <> '{}';
create index item_feed_position on item (client_id, feed_position) where feed_position is not null;
create index item_without_feed_position on item (client_id, sku) where feed_position is null;
-- Lists by receipt and by change. All items of one catalogue have the same time, so the SKU follows; `is_active` comes last,
-- so that a filter by it reads the index only.
create index item_receipt on item (client_id, created_at, sku, is_active) where created_at >= '-infinity';
create index item_change on item (client_id, updated_at, created_at, sku, is_active) where updated_at >= '-infinity';

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
  completed_at timestamptz,
  closed_at timestamptz,
  has_discrepancy boolean not null default false,
  updated_at timestamptz not null,
  version integer not null default 1,
  primary key (client_id, po_number, vendor_order_id)
);
comment on table purchase_order is 'Goods that a client expects from a vendor (PO feed).';
comment on column purchase_order.revision is
  'Number of the document''s revision: an older one does not overwrite a newer one.';
comment on column purchase_order.completed_at is 'When every line was complete; a week later the order closes itself.';
comment on column purchase_order.has_discrepancy is
  'True as soon as a line was SHORT or DAMAGED, also after a later correction.';
create index purchase_order_complete on purchase_order (client_id, completed_at) where status = 'RECEIVED';
-- What nothing has changed for long ends by itself.
create index purchase_order_quiet on purchase_order (client_id, updated_at) where status in ('OPEN', 'RECEIVING');
create index purchase_order_short on purchase_order (closed_at, client_id) where has_discrepancy and closed_at is not null;
create index purchase_order_arrival on purchase_order (received_at, client_id, po_number, vendor_order_id)
  where received_at > '-infinity';
create index purchase_order_open on purchase_order (received_at, client_id, po_number, vendor_order_id)
  where status in ('OPEN', 'RECEIVING');

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
  discrepancy text not null default 'NONE',
  primary key (client_id, po_number, vendor_order_id, line_number)
);
comment on table purchase_order_line is 'A line of a purchase order.';
comment on column purchase_order_line.qty is 'In the item''s stock unit.';
comment on column purchase_order_line.feed_qty is 'As the document states it, in feed_uom.';
comment on column purchase_order_line.discrepancy is 'Whether more or less was received than expected.';
-- What is still expected, by SKU: few among the lines of the past.
create index purchase_order_line_expected on purchase_order_line (client_id, sku) where qty_received < qty;
create index purchase_order_line_sku on purchase_order_line (client_id, sku);

-- citus: distributed
create table goods_receipt (
  client_id text not null,
  facility_code text not null,
  receipt_id text not null,
  po_number text not null,
  vendor_order_id text not null,
  corrects_receipt_id text,
  corrected_by text,
  booked_at timestamptz not null,
  occurred_at timestamptz not null,
  primary key (client_id, facility_code, receipt_id)
);
comment on table goods_receipt is 'A receipt that a warehouse reported against a purchase order.';
comment on column goods_receipt.corrected_by is 'The latest receipt that corrects this one.';
comment on column goods_receipt.occurred_at is 'When it happened, as the warehouse reports it.';
create index goods_receipt_order on goods_receipt (client_id, po_number, vendor_order_id);

-- citus: distributed
create table goods_receipt_line (
  client_id text not null,
  facility_code text not null,
  receipt_id text not null,
  entry integer not null,
  line_number integer,
  sku text not null,
  stock_pool text not null,
  batch_ref text not null,
  expiry_date date not null,
  condition text not null,
  qty numeric(12, 3) not null check (qty > 0),
  serials text[],
  reason text,
  primary key (client_id, facility_code, receipt_id, entry)
);
comment on table goods_receipt_line is 'A booked entry of a goods receipt.';
comment on column goods_receipt_line.line_number is 'Null: the SKU is not on the purchase order.';
comment on column goods_receipt_line.condition is
  'As it was booked: the excess over the tolerance is ON_HOLD, in an entry by itself.';

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
  closed_at timestamptz,
  updated_at timestamptz not null,
  version integer not null default 1,
  primary key (client_id, rma_number)
);
comment on table return_authorisation is 'A return that a client expects (RMA feed).';
create index return_authorisation_open on return_authorisation (client_id, received_at) where status = 'AUTHORISED';
-- What nothing has changed for long ends by itself.
create index return_authorisation_quiet on return_authorisation (client_id, updated_at)
  where status in ('RECEIVING', 'RECEIVED');
-- Lists of returns like those of orders. Without these indexes a list read all of the client's returns: 20 to 40 ms for
-- 100,000.
create index return_authorisation_receipt on return_authorisation (client_id, received_at) where received_at >= '-infinity';
create index return_authorisation_status on return_authorisation (client_id, status, received_at)
  where received_at < 'infinity';
create index return_authorisation_facility on return_authorisation (client_id, distribution_centre, received_at)
  where distribution_centre > '';
create index return_authorisation_change on return_authorisation (client_id, updated_at, received_at, rma_number)
  where updated_at >= '-infinity';
create index return_authorisation_order on return_authorisation (client_id, order_id) where order_id is not null;
create index return_authorisation_arrival on return_authorisation (received_at, client_id, rma_number)
  where received_at > '-infinity';
create index return_authorisation_expected on return_authorisation (received_at, client_id, rma_number)
  where status in ('AUTHORISED', 'RECEIVING');

-- citus: distributed
create table return_authorisation_line (
  client_id text not null,
  rma_number text not null,
  line_number integer not null,
  sku text not null,
  return_reason_code text,
  qty_expected numeric(12, 3) not null check (qty_expected > 0),
  qty_received numeric(12, 3) not null default 0 check (qty_received >= 0),
  discrepancy text not null default 'NONE',
  feed_qty numeric(12, 3) not null,
  feed_uom text,
  attribute_one text,
  attribute_three text,
  primary key (client_id, rma_number, line_number)
);
comment on table return_authorisation_line is 'A line of a return authorisation.';
comment on column return_authorisation_line.feed_qty is 'As the document states it, in feed_uom.';
create index return_authorisation_line_expected on return_authorisation_line (client_id, sku)
  where qty_received < qty_expected;
create index return_authorisation_line_sku on return_authorisation_line (client_id, sku);

-- citus: distributed
create table return_disposition (
  client_id text not null,
  rma_number text not null,
  entry_id uuid not null,
  olpn_id text,
  facility_code text not null,
  return_id text,
  line_number integer,
  sku text not null,
  disposition text not null,
  qty numeric(12, 3) not null check (qty > 0),
  stock_pool text not null,
  batch_ref text not null,
  expiry_date date not null,
  serials text[],
  return_reason_code text,
  note text,
  booked_at timestamptz not null,
  primary key (client_id, rma_number, entry_id)
);
comment on table return_disposition is 'What a warehouse did with returned goods.';
comment on column return_disposition.rma_number is 'Empty: the return was not announced.';
comment on column return_disposition.olpn_id is 'The parcel that came back to its sender.';
comment on column return_disposition.return_id is 'Identifier of a return with neither authorisation nor parcel; else null.';
comment on column return_disposition.line_number is 'Null: the SKU was not expected.';
comment on column return_disposition.return_reason_code is 'Reported by the warehouse; the authorisation has its own.';
create index return_disposition_parcel on return_disposition (client_id, olpn_id) where olpn_id is not null;
create index return_disposition_blind on return_disposition (client_id, return_id) where return_id is not null;
