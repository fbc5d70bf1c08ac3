-- Stock: an append-only ledger, the balances that are kept with it, and the reservations of orders and work orders.
-- All quantities are in the item's stock unit. A lot without a batch or an expiry date has '' and infinity.

-- citus: distributed
create table stock_book (
  client_id text not null,
  facility_code text not null,
  last_position bigint not null default 0,
  last_booked_at timestamptz not null default '-infinity',
  first_booked_at timestamptz,
  skipped_positions bigint not null default 0,
  primary key (client_id, facility_code)
) with (fillfactor = 50);
comment on table stock_book is
  'One book for each client and facility. A transaction that changes stock or reservations locks the row until it '
  'commits, so that positions are visible in their order and allocations do not run concurrently.';
comment on column stock_book.last_position is 'Position of the last movement.';
comment on column stock_book.last_booked_at is
  'Time of the last movement. No movement is booked at an earlier time than its predecessor.';
comment on column stock_book.first_booked_at is
  'Time of the first movement; null: none. The book has a snapshot of each midnight after it.';
comment on column stock_book.skipped_positions is 'Positions that restores left out, and that no movement will ever have.';

-- citus: distributed
create table stock_balance (
  client_id text not null,
  facility_code text not null,
  sku text not null,
  stock_pool text not null,
  condition text not null,
  batch_ref text not null,
  expiry_date date not null,
  qty numeric(15, 3) not null check (qty >= 0),
  allocated numeric(15, 3) not null default 0 check (allocated >= 0),
  received_at timestamptz not null,
  last_position bigint not null,
  last_moved_at timestamptz not null,
  primary key (client_id, facility_code, sku, stock_pool, condition, batch_ref, expiry_date),
  constraint stock_balance_allocated check (allocated <= qty)
) with (fillfactor = 80);
comment on table stock_balance is 'Stock of a lot, kept with the ledger.';
comment on column stock_balance.condition is 'GOOD, ON_HOLD, DAMAGED or QUARANTINE';
comment on column stock_balance.batch_ref is 'Empty: none, here and in all tables of lots.';
comment on column stock_balance.expiry_date is 'infinity: none, here and in all tables of lots.';
comment on column stock_balance.received_at is
  'Since when the lot has had stock without a break. First in, first out uses it.';
comment on column stock_balance.last_position is 'Position of the lot''s last movement.';
create index stock_balance_sku on stock_balance (client_id, sku) where sku > '';
-- Allocated goods that expire, which are checked each hour.
create index stock_balance_expiring on stock_balance (client_id, facility_code, expiry_date)
  where expiry_date < 'infinity' and allocated > 0;
-- Only columns of the key, so that a change of a quantity does not write to the index.
create index stock_balance_on_hold on stock_balance (client_id, facility_code, sku) where condition = 'ON_HOLD';
create index stock_balance_product on stock_balance (sku, client_id, facility_code) where sku >= '';
create index stock_balance_facility on stock_balance (facility_code, sku, client_id) where facility_code >= '';
-- Without a condition on qty, which would make each change of it write to all indexes of the row.
create index stock_balance_expiry on stock_balance (expiry_date, client_id, facility_code, sku)
  where expiry_date < 'infinity';
-- Lots by their batch, for the search. Only columns of the key.
create index stock_balance_batch on stock_balance (batch_ref, client_id, sku) where batch_ref > '';

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
  qty numeric(15, 3) not null,
  affects_on_hand boolean not null,
  allocated_change numeric(15, 3) not null default 0,
  serials text[],
  reason text,
  reference_type text not null,
  reference_id text not null,
  booked_at timestamptz not null,
  occurred_at timestamptz not null,
  primary key (client_id, movement_id)
) partition by range (movement_id);
comment on table stock_movement is 'The ledger: append-only.';
comment on column stock_movement.position is 'Counts the movements of the book.';
comment on column stock_movement.qty is 'Signed. It changes the balance only with affects_on_hand.';
comment on column stock_movement.allocated_change is 'What the movement adds to `allocated` of its lot.';
comment on column stock_movement.occurred_at is 'When it happened, as the warehouse reports it: information only.';
create index stock_movement_position on stock_movement (client_id, facility_code, position) where position > 0;
create index stock_movement_sku on stock_movement (client_id, facility_code, sku, position) where sku > '';
-- Goods on hold because a pick did not find them, until a count says where they are.
create index stock_movement_short_pick on stock_movement (client_id, facility_code, sku) where reason = 'SHORT_PICK';

-- citus: distributed
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
  owner_type text,
  owner_id text,
  updated_at timestamptz not null,
  primary key (client_id, sku, serial)
);
comment on table stock_serial is 'A serial number is one unit: in one lot, or gone.';
comment on column stock_serial.owner_type is 'The order or work order that took it, from pick on.';
-- Units by their serial number, for the search.
create index stock_serial_serial on stock_serial (client_id, serial);
create index stock_serial_facility on stock_serial (client_id, facility_code, sku) where state = 'IN_STOCK';

-- citus: distributed
create table stock_reservation (
  client_id text not null,
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
  chosen_by text not null,
  allocated_at timestamptz not null,
  primary key (client_id, owner_type, owner_id, line_number, stock_pool, batch_ref, expiry_date)
) with (fillfactor = 80);
comment on table stock_reservation is
  'The quantity of a GOOD lot that an order line or a work-order component holds. The row is deleted when nothing is '
  'left.';
comment on column stock_reservation.owner_type is 'ORDER or WORK_ORDER';
comment on column stock_reservation.chosen_by is 'Why this lot: FEFO, FIFO, or PICK where the warehouse named another one.';
create index stock_reservation_sku on stock_reservation (client_id, facility_code, sku) where sku > '';

-- citus: distributed
create table stock_change (
  client_id text not null,
  facility_code text not null,
  sku text not null,
  changed_at timestamptz,
  needs_allocation boolean not null default false,
  is_low boolean not null default false,
  primary key (client_id, facility_code, sku)
) with (fillfactor = 50);
comment on table stock_change is
  'SKUs whose stock changed. The client is notified once in ten seconds, and allocation looks at the lines that wait.';
comment on column stock_change.changed_at is 'Time of the first change that the client was not notified of. Null: none.';
comment on column stock_change.needs_allocation is 'Lines may wait for the stock that arrived.';
comment on column stock_change.is_low is
  'The client was notified that the stock is low. It is notified again only after the stock was above its threshold.';
create index stock_change_wanted on stock_change (client_id, facility_code) where needs_allocation;
create index stock_change_unnotified on stock_change (client_id, changed_at) where changed_at is not null;

-- citus: distributed
create table stock_reconciliation (
  client_id text not null,
  facility_code text not null,
  sku text not null,
  position bigint not null,
  qty numeric(15, 3) not null,
  reconciled_at timestamptz not null,
  later_movements_from timestamptz not null,
  primary key (client_id, facility_code, sku)
) with (fillfactor = 80);
comment on table stock_reconciliation is
  'The last position at which a client''s own count of a SKU equalled the ledger. Movements after it explain the next '
  'difference.';
comment on column stock_reconciliation.position is 'Position of the ledger.';
comment on column stock_reconciliation.qty is 'On hand at the position.';
comment on column stock_reconciliation.later_movements_from is
  'Movements after the position were booked at this time or later, so that earlier months need not be read.';

-- citus: distributed
create table stock_snapshot (
  client_id text not null,
  snapshot_id uuid not null,
  facility_code text not null,
  kind text not null,
  snapshot_date date not null,
  position bigint not null,
  taken_at timestamptz not null,
  previous_id uuid,
  inv_message_id uuid,
  ims_message_id uuid,
  written_at timestamptz,
  primary key (client_id, snapshot_id)
);
comment on table stock_snapshot is 'Stock of a facility at one position, for INV and IMS.';
comment on column stock_snapshot.kind is 'MIDNIGHT or REQUEST';
comment on column stock_snapshot.snapshot_date is 'The facility''s day that ended with the midnight; of a request its day.';
comment on column stock_snapshot.position is 'Position of the ledger.';
comment on column stock_snapshot.previous_id is 'The snapshot before it: the opening of the movement statement (IMS).';
comment on column stock_snapshot.inv_message_id is 'The first message of the INV, as announced. Null: not requested.';
comment on column stock_snapshot.ims_message_id is 'The first message of the IMS, as announced. Null: not requested.';
comment on column stock_snapshot.written_at is 'When its documents were written.';
create unique index stock_snapshot_midnight on stock_snapshot (client_id, facility_code, snapshot_date)
  where kind = 'MIDNIGHT';
create index stock_snapshot_unwritten on stock_snapshot (client_id, snapshot_id) where written_at is null;
create index stock_snapshot_facility on stock_snapshot (client_id, facility_code, snapshot_id);

-- citus: distributed
create table stock_import (
  client_id text not null,
  import_id text not null,
  content_sha256 text not null,
  imported_at timestamptz not null,
  line_count integer not null,
  primary key (client_id, import_id)
);
comment on table stock_import is 'An imported file of opening stock: a repeat books nothing.';

-- citus: distributed
create table stock_count (
  client_id text not null,
  count_id text not null,
  facility_code text not null,
  status text not null,
  cause text not null,
  sku text,
  stock_pool text,
  batch_ref text,
  expiry_date date,
  condition text not null,
  is_blind boolean not null,
  note text,
  requested_at timestamptz not null,
  requested_by text not null,
  lines jsonb not null,
  counted_at timestamptz,
  reported_at timestamptz,
  reported_position bigint,
  ended_at timestamptz,
  ended_by text,
  end_reason text,
  primary key (client_id, count_id)
) with (fillfactor = 80);
comment on table stock_count is
  'A count that an operator or a rule requested: the lots, what was counted, and the differences that wait '
  'for approval.';
comment on column stock_count.cause is 'OPERATOR, SHORT_PICK, ZERO_BALANCE, ABC, RECOUNT after a rejected difference, or ADJUSTMENT of an operator.';
comment on column stock_count.sku is
  'Null: every product of the pool. Null in stock_pool, batch_ref or expiry_date: any.';
comment on column stock_count.is_blind is 'The task does not name the expected quantities.';
comment on column stock_count.lines is
  'Each lot with its expected and counted quantity in thousandths, its state, and the changes that wait.';
comment on column stock_count.counted_at is 'When the goods were counted, as the warehouse reports it.';
comment on column stock_count.reported_position is
  'Position of the book after the report: later adjustments of the lot may contain the same difference.';
comment on column stock_count.ended_at is 'Since when it needs neither the warehouse nor an operator.';
create index stock_count_open on stock_count (client_id, facility_code) where ended_at is null;
create index stock_count_waiting on stock_count (reported_at, client_id, count_id) where status = 'WAITING';
create index stock_count_request on stock_count (requested_at, client_id, count_id) where requested_at > '-infinity';
create index stock_count_zero_balance on stock_count (client_id, facility_code, sku, requested_at) where cause = 'ZERO_BALANCE';
create index stock_count_end on stock_count (client_id, ended_at) where ended_at is not null;

-- citus: distributed
create table stock_last_count (
  client_id text not null,
  facility_code text not null,
  sku text not null,
  counted_at timestamptz not null,
  primary key (client_id, facility_code, sku)
) with (fillfactor = 80);
comment on table stock_last_count is
  'When all lots of a SKU were last counted in a facility: the interval of its ABC class begins there.';
comment on column stock_last_count.counted_at is
  'Time of the last report that named all GOOD lots in stock. Before the first one, the night that first found stock.';

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
comment on table stock_snapshot_row is 'Stock of a SKU and pool in a snapshot.';
comment on column stock_snapshot_row.expected is 'Open quantity of purchase orders; in_return that of returns.';
