-- What happens on the floor: receipts, parcels, returns, work orders, and the warehouse's list of work.

alter table sales_order
  -- The warehouse has accepted the pick, or picked first.
  add column taken_at timestamptz,
  add column cancel_requested_at timestamptz,
  -- When an operator was told that the request had no answer: once.
  add column cancel_reported_at timestamptz,
  add column cancel_reason text,
  -- How the facility was found: NAMED by the order, FILLS all lines, or FIRST of the client's.
  add column routed_by text,
  add column backordered_since timestamptz,
  add column ended_at timestamptz;
create index sales_order_backordered on sales_order (client_id, backordered_since) where backordered_since is not null;
create index sales_order_cancel_request on sales_order (client_id, cancel_requested_at) where cancel_requested_at is not null;

-- Of the order, repeated on its lines: allocation reads the waiting lines of a SKU in their order, and no others.
alter table sales_order_line
  add column facility_code text,
  add column priority smallint,
  add column accepted_at timestamptz,
  add column qty_cancel_requested numeric(12, 3) not null default 0 check (qty_cancel_requested >= 0);
update sales_order_line l set facility_code = o.distribution_centre, priority = o.priority, accepted_at = o.received_at
from sales_order o where o.client_id = l.client_id and o.order_id = l.order_id;
create index sales_order_line_waiting on sales_order_line (client_id, facility_code, sku, priority, accepted_at)
  where qty_open + qty_backordered > 0;

alter table purchase_order
  -- When every line was complete; closed by itself a week later.
  add column completed_at timestamptz,
  add column closed_at timestamptz;
create index purchase_order_complete on purchase_order (client_id, completed_at) where status = 'RECEIVED';
alter table purchase_order_line add column discrepancy text not null default 'NONE';

-- citus: distributed
create table goods_receipt (
  client_id text not null,
  facility_code text not null,
  receipt_id text not null,
  po_number text not null,
  vendor_order_id text not null,
  corrects_receipt_id text,
  -- A receipt is corrected by the latest one that names it.
  corrected_by text,
  booked_at timestamptz not null,
  occurred_at timestamptz not null,
  primary key (client_id, facility_code, receipt_id)
);

-- citus: distributed
create table goods_receipt_line (
  client_id text not null,
  facility_code text not null,
  receipt_id text not null,
  entry integer not null,
  -- Null for a SKU that is not on the purchase order.
  line_number integer,
  sku text not null,
  stock_pool text not null,
  batch_ref text not null,
  expiry_date date not null,
  -- As it was booked: the excess over the tolerance is ON_HOLD, an entry of its own.
  condition text not null,
  qty numeric(12, 3) not null check (qty > 0),
  serials text[],
  reason text,
  primary key (client_id, facility_code, receipt_id, entry)
);

alter table return_authorisation add column closed_at timestamptz;
create index return_authorisation_open on return_authorisation (client_id, received_at) where status = 'AUTHORISED';
alter table return_authorisation_line add column discrepancy text not null default 'NONE';

-- citus: distributed
create table return_disposition (
  client_id text not null,
  -- '' where nobody announced the goods.
  rma_number text not null,
  entry_id uuid not null,
  -- The parcel that came back to its sender.
  olpn_id text,
  -- Null for a SKU that was not expected.
  line_number integer,
  sku text not null,
  disposition text not null,
  qty numeric(12, 3) not null check (qty > 0),
  note text,
  booked_at timestamptz not null,
  primary key (client_id, rma_number, entry_id)
);
create index return_disposition_parcel on return_disposition (client_id, olpn_id) where olpn_id is not null;

-- citus: distributed
create table parcel (
  client_id text not null,
  olpn_id text not null,
  order_id text not null,
  facility_code text not null,
  status text not null,
  carrier_code text,
  carrier_service_code text,
  tracking_number text,
  -- The number was made from the SSCC, because the carrier gave none.
  is_own_tracking_number boolean not null default false,
  weight numeric(18, 6) not null,
  weight_uom_code text not null,
  length numeric(18, 6),
  width numeric(18, 6),
  height numeric(18, 6),
  dimensions_uom_code text,
  -- [{lineNumber, sku, qty, stockPool, batchRef, expiryDate, serials}]
  contents jsonb not null,
  load_id text,
  packed_at timestamptz not null,
  loaded_at timestamptz,
  despatched_at timestamptz,
  -- When that happened which gave the status; null until a carrier's code has led.
  status_at timestamptz,
  -- Once delivered it counts as delivered until it is returned to its sender.
  is_delivered boolean not null default false,
  -- On its way back it stays so through exceptions.
  is_returning boolean not null default false,
  updated_at timestamptz not null,
  version integer not null default 1,
  primary key (client_id, olpn_id)
);
create index parcel_order on parcel (client_id, order_id) where order_id > '';
-- A load may hold parcels of several clients: whose they are is asked before the clients are.
create index parcel_load on parcel (facility_code, load_id, client_id) where load_id is not null;

-- citus: keyed
-- Numbers that name a parcel whoever owns it: SSCC and tracking number. Distributed by the number itself.
create table parcel_key (
  key text not null,
  -- OLPN or TRACKING
  kind text not null,
  client_id text not null,
  olpn_id text not null,
  primary key (key, kind, client_id, olpn_id)
);
-- A tracking number may stand for several parcels, an OLPN is one.
create unique index parcel_key_olpn on parcel_key (key) where kind = 'OLPN';

-- citus: local
create table sscc_counter (
  company_prefix text primary key,
  next_serial bigint not null
);

-- citus: distributed
-- Track-and-trace codes of an order and its parcels. Late and repeated ones are kept with their own time.
create table order_milestone (
  client_id text not null,
  order_id text not null,
  milestone_id uuid not null,
  -- Null where the code is the whole order's.
  olpn_id text,
  code smallint not null,
  at timestamptz not null,
  received_at timestamptz not null,
  location text,
  text text,
  -- The carrier's own word, as it was sent.
  raw_code text,
  primary key (client_id, order_id, milestone_id)
);

-- citus: reference
-- Carriers' own words for what happens to a parcel, by carrier or by the tracking service that speaks for many.
create table carrier_event_word (
  carrier_code text not null,
  word text not null,
  event_code smallint not null,
  primary key (carrier_code, word)
);

-- citus: distributed
create table work_order (
  client_id text not null,
  work_order_id text not null,
  facility_code text not null,
  status text not null,
  finished_good_sku text not null,
  uom text not null,
  qty_ordered numeric(12, 3) not null check (qty_ordered > 0),
  qty_completed numeric(12, 3) not null default 0 check (qty_completed >= 0),
  consumption text not null check (consumption in ('BACKFLUSH', 'REPORTED')),
  due_date timestamptz,
  priority smallint not null default 5,
  notes text,
  received_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1,
  primary key (client_id, work_order_id)
);
create index work_order_receipt on work_order (client_id, received_at) where received_at >= '-infinity';

-- citus: distributed
create table work_order_component (
  client_id text not null,
  work_order_id text not null,
  line_number integer not null,
  sku text not null,
  uom text not null,
  qty_per numeric(12, 3) not null check (qty_per > 0),
  qty_required numeric(15, 3) not null check (qty_required > 0),
  qty_allocated numeric(15, 3) not null default 0 check (qty_allocated >= 0),
  -- All of it, what was scrapped too.
  qty_consumed numeric(15, 3) not null default 0 check (qty_consumed >= 0),
  -- Of what was consumed: it went into no finished good, so as much is required besides.
  qty_scrapped numeric(15, 3) not null default 0 check (qty_scrapped >= 0),
  -- Of the work order, repeated here: allocation reads what waits for a SKU in its order, and nothing else.
  facility_code text not null,
  priority smallint not null,
  received_at timestamptz not null,
  -- The work order is open, and more is required of the component than is consumed and reserved.
  is_waiting boolean not null,
  primary key (client_id, work_order_id, line_number)
);
create index work_order_component_waiting on work_order_component (client_id, facility_code, sku, priority, received_at)
  where is_waiting;
create index work_order_component_sku on work_order_component (client_id, sku) where sku > '';

-- citus: distributed
-- Which component lots went into which finished lot.
create table work_order_lot (
  client_id text not null,
  work_order_id text not null,
  entry_id uuid not null,
  finished_sku text not null,
  -- '' where the components were reported without a finished good: they count for every lot of the work order.
  finished_batch_ref text not null,
  finished_expiry_date date not null,
  component_sku text not null,
  component_batch_ref text not null,
  component_expiry_date date not null,
  qty numeric(15, 3) not null,
  booked_at timestamptz not null,
  primary key (client_id, work_order_id, entry_id)
);

-- citus: distributed
-- Work released to a facility: one task for each object and kind of work there, its version counting what changed.
create table warehouse_task (
  client_id text not null,
  type text not null,
  object_id text not null,
  task_id uuid not null,
  facility_code text not null,
  version integer not null,
  priority smallint not null,
  due_at timestamptz,
  released_at timestamptz not null,
  accepted_at timestamptz,
  withdrawn_at timestamptz,
  -- {lines, shipTo, carrierCode}
  content jsonb not null,
  -- Place in the facility's change feed; given when the task is next read, and anew after each change.
  position bigint,
  -- An object that is routed to another facility leaves a withdrawn task behind.
  primary key (client_id, type, object_id, facility_code)
);
create index warehouse_task_id on warehouse_task (task_id);
create index warehouse_task_feed on warehouse_task (facility_code, position) where position is not null;
create index warehouse_task_new on warehouse_task (facility_code, task_id) where position is null;

-- citus: local
-- Whoever gives positions holds the row: those of tasks by facility, those of items under ''.
create table warehouse_feed (
  facility_code text primary key,
  last_position bigint not null default 0
);

alter table item add column listed_position bigint;
create index item_listed on item (client_id, listed_position) where listed_position is not null;
create index item_unlisted on item (client_id, sku) where listed_position is null;

-- citus: distributed
-- Reports that were accepted, by their own id: a repeat is answered as the first was.
create table warehouse_report (
  client_id text not null,
  facility_code text not null,
  kind text not null,
  report_key text not null,
  body_sha256 bytea not null,
  answer json not null,
  accepted_at timestamptz not null,
  primary key (client_id, facility_code, kind, report_key)
);

-- citus: distributed
-- What needs an operator: a report that was refused, a surplus, a return that nobody announced.
create table operator_exception (
  client_id text not null,
  exception_id uuid not null,
  kind text not null,
  facility_code text,
  object_type text not null,
  object_id text not null,
  state text not null check (state in ('OPEN', 'RESOLVED')),
  summary text not null,
  detail jsonb not null default '{}',
  raised_at timestamptz not null,
  resolved_at timestamptz,
  resolved_by text,
  primary key (client_id, exception_id)
);
create index operator_exception_object on operator_exception (client_id, object_type, object_id) where state = 'OPEN';

-- citus: distributed
-- Answers of REST writes by their Idempotency-Key: a repeat is answered as the first was.
create table rest_idempotency (
  client_id text not null,
  idempotency_key text not null,
  -- Method and path, such as `POST /v1/workOrderService/workOrder/create`.
  operation text not null,
  body_sha256 bytea not null,
  status smallint not null,
  -- {headers, body}
  answer json not null,
  expires_at timestamptz not null,
  primary key (client_id, idempotency_key)
);
create index rest_idempotency_expiry on rest_idempotency (client_id, expires_at) where expires_at > '-infinity';

-- Credentials of a carrier, which reports track-and-trace codes and nothing else.
alter table credential drop constraint credential_kind_check;
alter table credential add constraint credential_kind_check check (kind in ('feed', 'oauth', 'sftp', 'warehouse', 'carrier'));
alter table credential add column carrier_code text;

-- Words are kept in small letters. Those that say nothing of a parcel (unknown, pending, error) stand in no row: they are
-- kept as 399, Unmapped Carrier Code.
insert into carrier_event_word (carrier_code, word, event_code) values
  -- Status of a tracker.
  ('EASYPOST', 'pre_transit', 105),
  ('EASYPOST', 'in_transit', 120),
  ('EASYPOST', 'out_for_delivery', 160),
  ('EASYPOST', 'available_for_pickup', 175),
  ('EASYPOST', 'delivered', 200),
  ('EASYPOST', 'return_to_sender', 250),
  ('EASYPOST', 'failure', 230),
  ('EASYPOST', 'cancelled', 230),
  -- Tag of a tracking.
  ('AFTERSHIP', 'inforeceived', 105),
  ('AFTERSHIP', 'intransit', 120),
  ('AFTERSHIP', 'outfordelivery', 160),
  ('AFTERSHIP', 'attemptfail', 170),
  ('AFTERSHIP', 'availableforpickup', 175),
  ('AFTERSHIP', 'delivered', 200),
  ('AFTERSHIP', 'exception', 180),
  ('AFTERSHIP', 'expired', 390),
  -- Its subtag, which says it more exactly.
  ('AFTERSHIP', 'inforeceived_001', 105),
  ('AFTERSHIP', 'intransit_001', 120),
  ('AFTERSHIP', 'intransit_002', 110),
  ('AFTERSHIP', 'intransit_003', 125),
  ('AFTERSHIP', 'intransit_004', 120),
  ('AFTERSHIP', 'intransit_005', 145),
  ('AFTERSHIP', 'intransit_006', 140),
  ('AFTERSHIP', 'intransit_007', 130),
  ('AFTERSHIP', 'intransit_008', 120),
  ('AFTERSHIP', 'intransit_009', 120),
  ('AFTERSHIP', 'outfordelivery_001', 160),
  ('AFTERSHIP', 'outfordelivery_003', 160),
  ('AFTERSHIP', 'outfordelivery_004', 155),
  ('AFTERSHIP', 'attemptfail_001', 170),
  ('AFTERSHIP', 'attemptfail_002', 170),
  ('AFTERSHIP', 'attemptfail_003', 170),
  ('AFTERSHIP', 'availableforpickup_001', 175),
  ('AFTERSHIP', 'delivered_001', 200),
  ('AFTERSHIP', 'delivered_002', 210),
  ('AFTERSHIP', 'delivered_003', 200),
  ('AFTERSHIP', 'delivered_004', 200),
  ('AFTERSHIP', 'delivered_005', 205),
  ('AFTERSHIP', 'exception_001', 180),
  ('AFTERSHIP', 'exception_002', 185),
  ('AFTERSHIP', 'exception_003', 220),
  ('AFTERSHIP', 'exception_004', 148),
  ('AFTERSHIP', 'exception_005', 165),
  ('AFTERSHIP', 'exception_006', 180),
  ('AFTERSHIP', 'exception_007', 185),
  ('AFTERSHIP', 'exception_008', 230),
  ('AFTERSHIP', 'exception_009', 230),
  ('AFTERSHIP', 'exception_010', 250),
  ('AFTERSHIP', 'exception_011', 300),
  ('AFTERSHIP', 'exception_012', 190),
  ('AFTERSHIP', 'exception_013', 195),
  ('AFTERSHIP', 'exception_016', 165),
  ('AFTERSHIP', 'exception_017', 165),
  ('AFTERSHIP', 'exception_018', 180),
  ('AFTERSHIP', 'expired_001', 390),
  -- Status of a tracker.
  ('KARRIO', 'picked_up', 110),
  ('KARRIO', 'in_transit', 120),
  ('KARRIO', 'out_for_delivery', 160),
  ('KARRIO', 'ready_for_pickup', 175),
  ('KARRIO', 'delivered', 200),
  ('KARRIO', 'on_hold', 180),
  ('KARRIO', 'delivery_delayed', 165),
  ('KARRIO', 'delivery_failed', 170),
  ('KARRIO', 'return_to_sender', 250);
