-- Goods that move from one facility of a client to another. They leave the sender's book when they ship and come into the
-- receiver's as receipts of a purchase order, which the shipment creates: what it still expects is in transit.
-- beside: 0012

-- citus: distributed
create table transfer (
  client_id text not null,
  transfer_id text not null,
  from_facility text not null,
  to_facility text not null check (to_facility <> from_facility),
  status text not null,
  notes text,
  carrier_code text,
  tracking_number text,
  shipped_at timestamptz,
  received_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (client_id, transfer_id)
);
comment on table transfer is 'Goods that one facility sends to another.';
comment on column transfer.received_at is 'When the transfer was created.';
create index transfer_receipt on transfer (client_id, received_at) where received_at >= '-infinity';
create index transfer_status on transfer (client_id, status, received_at) where received_at < 'infinity';
create index transfer_facility on transfer (client_id, from_facility, received_at) where from_facility > '';
create index transfer_change on transfer (client_id, updated_at, received_at, transfer_id)
  where updated_at >= '-infinity';
create index transfer_arrival on transfer (received_at, client_id, transfer_id) where received_at > '-infinity';
create index transfer_unfinished on transfer (received_at, client_id, transfer_id)
  where status in ('RELEASED', 'SHIPPED', 'RECEIVING');

-- citus: distributed
create table transfer_line (
  client_id text not null,
  transfer_id text not null,
  line_number integer not null,
  sku text not null,
  uom text not null,
  qty_ordered numeric(12, 3) not null check (qty_ordered > 0),
  qty_allocated numeric(12, 3) not null check (qty_allocated >= 0),
  qty_shipped numeric(12, 3) not null check (qty_shipped >= 0),
  qty_received numeric(15, 3) not null check (qty_received >= 0),
  qty_damaged numeric(15, 3) not null check (qty_damaged >= 0),
  primary key (client_id, transfer_id, line_number)
);
comment on table transfer_line is 'A product of a transfer; each once.';
comment on column transfer_line.qty_received is
  'Includes qty_damaged, and what came beyond qty_shipped. The same as of the line of the purchase order.';

alter table purchase_order add column from_facility text;
comment on column purchase_order.from_facility is
  'Null: the goods come from a vendor. Else the facility that shipped them, and po_number is the transfer_id.';
