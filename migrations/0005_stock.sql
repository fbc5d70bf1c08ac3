-- Stock: an append-only ledger, the balances that are kept with it, and what orders and work orders hold of them.
-- All quantities are in the item's stock unit. Of a lot, what is absent is '' and infinity.

-- citus: distributed
-- One book for each client and facility. Its row is locked by every transaction that changes stock or reservations and held
-- to the commit: it gives the positions, so that visible order is position order, and lets nobody allocate beside another.
create table stock_book (
  client_id text not null,
  facility_code text not null,
  last_position bigint not null default 0,
  -- Of the last entry; no entry is booked at an earlier moment than the one before it.
  last_at timestamptz not null default '-infinity',
  -- Of the first entry; null while there is none. A book has a snapshot of each midnight behind it.
  first_at timestamptz,
  primary key (client_id, facility_code)
) with (fillfactor = 50);

-- citus: distributed
create table stock_balance (
  client_id text not null,
  facility_code text not null,
  sku text not null,
  stock_pool text not null,
  -- GOOD, ON_HOLD, DAMAGED or QUARANTINE
  condition text not null,
  batch_ref text not null,
  expiry_date date not null,
  qty numeric(15, 3) not null check (qty >= 0),
  allocated numeric(15, 3) not null default 0 check (allocated >= 0),
  -- Since when the lot has had stock without a break: first in, first out goes by it.
  received_at timestamptz not null,
  last_position bigint not null,
  last_moved_at timestamptz not null,
  primary key (client_id, facility_code, sku, stock_pool, condition, batch_ref, expiry_date),
  constraint stock_balance_allocated check (allocated <= qty)
) with (fillfactor = 80);
create index stock_balance_sku on stock_balance (client_id, sku) where sku > '';
-- What is allocated of goods that expire: looked at each hour for those that have.
create index stock_balance_expiring on stock_balance (client_id, facility_code, expiry_date)
  where expiry_date < 'infinity' and allocated > 0;

-- citus: distributed
create table stock_movement (
  client_id text not null,
  movement_id uuid not null,
  facility_code text not null,
  position bigint not null,
  type text not null,
  sku text not null,
  stock_pool text not null,
  condition text not null,
  batch_ref text not null,
  expiry_date date not null,
  -- Signed, as it is listed. It counts towards the balance only where affects_on_hand says so.
  qty numeric(15, 3) not null,
  affects_on_hand boolean not null,
  -- What the entry adds to `allocated` of its lot.
  allocated_change numeric(15, 3) not null default 0,
  serials text[],
  reason text,
  reference_type text not null,
  reference_id text not null,
  booked_at timestamptz not null,
  -- When it happened on the floor, as the warehouse says: information only.
  occurred_at timestamptz not null,
  primary key (client_id, movement_id)
) partition by range (movement_id);
create index stock_movement_position on stock_movement (client_id, facility_code, position) where position > 0;
create index stock_movement_sku on stock_movement (client_id, facility_code, sku, position) where sku > '';
-- What is on hold because a pick did not find it, until a count says where it is.
create index stock_movement_short_pick on stock_movement (client_id, facility_code, sku) where reason = 'SHORT_PICK';

-- citus: distributed
-- A serial number is one unit with one place: a lot, or gone.
create table stock_serial (
  client_id text not null,
  sku text not null,
  serial text not null,
  state text not null check (state in ('IN_STOCK', 'GONE')),
  facility_code text not null,
  stock_pool text not null,
  condition text not null,
  batch_ref text not null,
  expiry_date date not null,
  -- The order or work order that took it, from pick on.
  owner_type text,
  owner_id text,
  updated_at timestamptz not null,
  primary key (client_id, sku, serial)
);
create index stock_serial_place on stock_serial (client_id, facility_code, sku) where state = 'IN_STOCK';

-- citus: distributed
-- What an order line or a work-order component holds of a lot of GOOD stock. Goes when nothing is left of it.
create table stock_reservation (
  client_id text not null,
  -- ORDER or WORK_ORDER
  owner_type text not null,
  owner_id text not null,
  line_number integer not null,
  facility_code text not null,
  sku text not null,
  stock_pool text not null,
  batch_ref text not null,
  expiry_date date not null,
  qty_allocated numeric(15, 3) not null default 0 check (qty_allocated >= 0),
  qty_picked numeric(15, 3) not null default 0 check (qty_picked >= 0),
  qty_packed numeric(15, 3) not null default 0 check (qty_packed >= 0),
  -- Why this lot: FEFO, FIFO, or PICK where the warehouse named another one.
  chosen_by text not null,
  allocated_at timestamptz not null,
  primary key (client_id, owner_type, owner_id, line_number, stock_pool, batch_ref, expiry_date)
) with (fillfactor = 80);
create index stock_reservation_sku on stock_reservation (client_id, facility_code, sku) where sku > '';

-- citus: distributed
-- SKUs whose stock changed: clients are to be told once in ten seconds, and waiting lines may want what arrived.
create table stock_touched (
  client_id text not null,
  facility_code text not null,
  sku text not null,
  -- Null when all was told.
  changed_at timestamptz,
  wants_allocation boolean not null default false,
  -- The client was told that it is low; it is told again only when it has been above its threshold since.
  is_low boolean not null default false,
  primary key (client_id, facility_code, sku)
) with (fillfactor = 50);
create index stock_touched_wanted on stock_touched (client_id, facility_code) where wants_allocation;
create index stock_touched_untold on stock_touched (client_id, changed_at) where changed_at is not null;

-- citus: distributed
create table stock_snapshot (
  client_id text not null,
  snapshot_id uuid not null,
  facility_code text not null,
  -- MIDNIGHT or REQUEST
  kind text not null,
  -- The facility's own day that ended with a midnight; of a request its day.
  snapshot_date date not null,
  position bigint not null,
  taken_at timestamptz not null,
  -- The last one before it: the opening of its movement statement.
  previous_id uuid,
  -- First messages that were promised for it; null where that feed was not asked for.
  inv_message_id uuid,
  ims_message_id uuid,
  written_at timestamptz,
  primary key (client_id, snapshot_id)
);
create unique index stock_snapshot_midnight on stock_snapshot (client_id, facility_code, snapshot_date) where kind = 'MIDNIGHT';
create index stock_snapshot_facility on stock_snapshot (client_id, facility_code, snapshot_id) where facility_code > '';
create index stock_snapshot_unwritten on stock_snapshot (client_id, snapshot_id) where written_at is null;

-- citus: distributed
create table stock_snapshot_row (
  client_id text not null,
  snapshot_id uuid not null,
  sku text not null,
  stock_pool text not null,
  uom text not null,
  on_hand numeric(15, 3) not null,
  allocated numeric(15, 3) not null,
  on_hold numeric(15, 3) not null,
  damaged numeric(15, 3) not null,
  available numeric(15, 3) not null,
  expected numeric(15, 3) not null,
  in_return numeric(15, 3) not null,
  backordered numeric(15, 3) not null,
  primary key (client_id, snapshot_id, sku, stock_pool)
) partition by range (snapshot_id);

-- What is still to come, by SKU: of all the lines of the past these are few.
create index purchase_order_line_expected on purchase_order_line (client_id, sku) where qty_received < qty;
create index return_authorisation_line_expected on return_authorisation_line (client_id, sku) where qty_received < qty_expected;
