-- Goods that a warehouse received and knows no purchase order for. They are outside the stock until they are bound to one: then the
-- receipt of that purchase order is booked under their receipt_id.
-- beside: 0012

-- citus: distributed
create table unidentified_receipt (
  client_id text not null,
  unidentified_id text not null,
  distribution_centre text not null,
  receipt_id text not null,
  status text not null,
  sscc text,
  carrier_code text,
  tracking_number text,
  marks text,
  packages integer not null check (packages > 0),
  lines jsonb not null,
  occurred_at timestamptz not null,
  po_number text,
  vendor_order_id text,
  reason text,
  received_at timestamptz not null,
  settled_at timestamptz,
  updated_at timestamptz not null,
  version integer not null,
  primary key (client_id, unidentified_id)
);
comment on table unidentified_receipt is 'Goods that a warehouse received without a purchase order.';
comment on column unidentified_receipt.receipt_id is 'The warehouse''s identifier; the id of the goods receipt once they are bound.';
comment on column unidentified_receipt.marks is 'What is written on the goods.';
comment on column unidentified_receipt.lines is 'The goods as far as they are known, as the warehouse reported them; empty: not counted.';
comment on column unidentified_receipt.occurred_at is 'When they came; received_at is when the warehouse reported them.';
comment on column unidentified_receipt.po_number is 'The purchase order that they were bound to.';
comment on column unidentified_receipt.settled_at is 'When they were bound or closed.';
create unique index unidentified_receipt_receipt on unidentified_receipt (client_id, distribution_centre, receipt_id)
  where receipt_id > '';
create index unidentified_receipt_list on unidentified_receipt (client_id, received_at) where received_at >= '-infinity';
create index unidentified_receipt_status on unidentified_receipt (client_id, status, received_at)
  where received_at < 'infinity';
create index unidentified_receipt_facility on unidentified_receipt (client_id, distribution_centre, received_at)
  where distribution_centre > '';
create index unidentified_receipt_change on unidentified_receipt (client_id, updated_at, received_at, unidentified_id)
  where updated_at >= '-infinity';
create index unidentified_receipt_arrival on unidentified_receipt (received_at, client_id, unidentified_id)
  where received_at > '-infinity';
create index unidentified_receipt_waiting on unidentified_receipt (received_at, client_id, unidentified_id)
  where status = 'WAITING';
