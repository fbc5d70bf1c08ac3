-- Sales orders, parcels, and the choice of carriers.

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
  customer text,
  distribution_centre text not null,
  is_routed boolean not null default false,
  routed_by text,
  carrier_code text,
  extended_attributes jsonb not null default '{}',
  priority smallint not null default 5,
  despatch_by timestamptz,
  at_risk_at timestamptz,
  ship_partial boolean not null default false,
  holds jsonb not null default '[]',
  revision bigint,
  feed_token uuid not null,
  received_at timestamptz not null,
  pick_accepted_at timestamptz,
  backordered_since timestamptz,
  cancel_requested_at timestamptz,
  cancel_escalated_at timestamptz,
  cancel_reason text,
  ended_at timestamptz,
  erased_at timestamptz,
  updated_at timestamptz not null,
  version integer not null default 1,
  primary key (client_id, order_id)
);
comment on table sales_order is 'An order of a client''s customer (NO feed).';
comment on column sales_order.customer is
  'E-mail address by which the hold rules know later orders. Null: no rule of the client asked for first orders.';
comment on column sales_order.distribution_centre is 'The facility, as the feeds call it.';
comment on column sales_order.is_routed is 'Whether the program chose the facility.';
comment on column sales_order.routed_by is
  'How the facility was found: NAMED by the order, FILLS all lines, or FIRST of the client''s.';
comment on column sales_order.despatch_by is 'The facility''s cut-off that the order must meet.';
comment on column sales_order.at_risk_at is
  'When the event that the order is at risk is due. Null: published, or no longer needed.';
comment on column sales_order.ship_partial is 'Whether available lines are despatched before the others.';
comment on column sales_order.holds is 'Order holds, the latest last; each has its `since`.';
comment on column sales_order.revision is 'Number of the document''s revision: an older one does not overwrite a newer one.';
comment on column sales_order.pick_accepted_at is 'When the warehouse accepted the pick, or picked first.';
comment on column sales_order.cancel_escalated_at is
  'When operators were notified that the cancel request has no response; once.';
comment on column sales_order.erased_at is 'When names, addresses and payloads were erased.';
-- Lists go by receipt, also those by status, by facility and by change. These indexes make each change of an order some 10
-- µs slower, of 30, and write a third more of the log. Without them a list of a rare status, or of the last changes, read
-- all of the client's orders: 12 to 20 ms for each 100,000, at every poll. Refused: a BRIN index of updated_at, which reads
-- other clients' pages as well.
create index sales_order_receipt on sales_order (client_id, received_at) where received_at >= '-infinity';
create index sales_order_reference on sales_order (client_id, external_order_reference)
  where external_order_reference is not null;
create index sales_order_customer on sales_order (client_id, customer) where customer is not null;
create index sales_order_backordered on sales_order (client_id, backordered_since) where backordered_since is not null;
create index sales_order_cancel_request on sales_order (client_id, cancel_requested_at)
  where cancel_requested_at is not null;
create index sales_order_at_risk on sales_order (client_id, at_risk_at) where at_risk_at is not null;
-- The condition is not one of status: a look-up of one status would imply it.
create index sales_order_status on sales_order (client_id, status, received_at) where received_at < 'infinity';
create index sales_order_facility on sales_order (client_id, distribution_centre, received_at)
  where distribution_centre > '';
-- The older orders among those that changed since a time, without a look at the rows.
create index sales_order_change on sales_order (client_id, updated_at, received_at, order_id)
  where updated_at >= '-infinity';
-- By the latest hold: a text of one form, which sorts like the time.
create index sales_order_held on sales_order ((holds -> -1 ->> 'since'), client_id)
  where holds <> '[]' and status not in ('CANCELLED', 'DESPATCHED', 'DELIVERED', 'RETURNED_TO_SENDER');
create index sales_order_waiting on sales_order (backordered_since, client_id) where backordered_since is not null;
create index sales_order_cancel_escalated on sales_order (cancel_escalated_at, client_id)
  where cancel_escalated_at is not null and cancel_requested_at is not null;
-- Lists over clients: a page is merged from the newest of each facility and state, by some dozens of look-ups.
create index sales_order_over_clients on sales_order (distribution_centre, status, received_at, client_id, order_id)
  where order_date > '-infinity';
-- By the remaining time: orders that are not despatched, the earliest first. Orders without a despatch time are last.
create index sales_order_due on sales_order ((coalesce(despatch_by, 'infinity'::timestamptz)), client_id, order_id)
  where status in ('RECEIVED', 'ON_HOLD', 'BACKORDERED', 'PARTIALLY_ALLOCATED', 'ALLOCATED', 'PICKING', 'PACKED',
    'PARTIALLY_DESPATCHED');
-- What few orders have: without this index and the next, such a filter reads all orders.
create index sales_order_carrier on sales_order (carrier_code, client_id) where carrier_code is not null;
create index sales_order_priority on sales_order (priority, client_id) where priority <> 5;
-- Users type the beginning of a number, in any case. The collation is named, so that the order does not depend on the
-- database's.
create index sales_order_name on sales_order (client_id, (upper(order_id collate "C"))) where order_id > '';
create index sales_order_reference_name on sales_order (client_id, (upper(external_order_reference collate "C")))
  where external_order_reference > '';
-- The overview counts what has ended by its time. The column is written once, so that changes of open orders do not write to
-- the index.
create index sales_order_ended on sales_order (ended_at, client_id, distribution_centre, status, received_at)
  where ended_at is not null;
-- Ended orders that are not erased yet, the oldest first. A despatched order whose end no carrier reports counts from its
-- last change.
create index sales_order_erasable on sales_order (client_id, (coalesce(ended_at, updated_at)))
  where erased_at is null and status in ('CANCELLED', 'DESPATCHED', 'DELIVERED', 'RETURNED_TO_SENDER');
-- Orders of one client in one state at one facility. Without it the orders of its other facilities were read and skipped.
create index sales_order_facility_status on sales_order (client_id, distribution_centre, status, received_at, order_id)
  where order_date < 'infinity';

-- citus: distributed
create table sales_order_line (
  client_id text not null,
  order_id text not null,
  line_number integer not null,
  facility_code text,
  priority smallint,
  accepted_at timestamptz,
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
  qty_cancel_requested numeric(12, 3) not null default 0 check (qty_cancel_requested >= 0),
  qty_delivered numeric(12, 3) not null default 0 check (qty_delivered >= 0 and qty_delivered <= qty_despatched),
  qty_returned numeric(12, 3) not null default 0 check (qty_returned >= 0 and qty_returned <= qty_despatched),
  primary key (client_id, order_id, line_number),
  constraint sales_order_line_sum check (
    qty_ordered = qty_open + qty_backordered + qty_allocated + qty_picked + qty_packed + qty_despatched + qty_cancelled)
);
comment on table sales_order_line is
  'A line of a sales order. The quantities are the truth; the order''s status follows from them.';
comment on column sales_order_line.facility_code is
  'Copied from the order, like priority and accepted_at: allocation reads the waiting lines of a SKU in their order, '
  'and no others.';
comment on column sales_order_line.feed_qty is 'As the document states it, in feed_uom.';
comment on column sales_order_line.qty_ordered is
  'In the item''s stock unit; the sum of the buckets from qty_open to qty_cancelled.';
-- Lines that still need goods, by SKU; ended lines, which are most, are not in it.
create index sales_order_line_wanted on sales_order_line (client_id, sku) where qty_despatched + qty_cancelled < qty_ordered;
create index sales_order_line_waiting on sales_order_line (client_id, facility_code, sku, priority, accepted_at)
  where qty_open + qty_backordered > 0;

-- citus: distributed
create table order_milestone (
  client_id text not null,
  order_id text not null,
  milestone_id uuid not null,
  olpn_id text,
  code smallint not null,
  at timestamptz not null,
  received_at timestamptz not null,
  location text,
  text text,
  raw_code text,
  primary key (client_id, order_id, milestone_id)
);
comment on table order_milestone is
  'Track-and-trace codes of an order and its parcels. Late and repeated codes are stored with their own time.';
comment on column order_milestone.olpn_id is 'Null: the code is about the whole order.';
comment on column order_milestone.at is 'When it happened.';
comment on column order_milestone.raw_code is 'The carrier''s own code, as it was sent.';

-- citus: distributed
create table order_document (
  client_id text not null,
  document_id uuid not null,
  order_id text not null,
  olpn_id text not null,
  type text not null check (type in ('PACKING_SLIP', 'SHIPPING_LABEL', 'COMMERCIAL_INVOICE', 'CN22', 'CN23')),
  content_type text not null,
  language text not null,
  created_at timestamptz not null,
  content bytea not null,
  size integer,
  sha256 bytea,
  primary key (client_id, document_id)
);
comment on table order_document is
  'Packing slips, labels and customs papers. They contain personal data and are deleted with that of their order, so the '
  'table has no partitions.';
comment on column order_document.olpn_id is 'Empty: the document is about the whole order.';
comment on column order_document.language is 'Empty: it has none.';
comment on column order_document.content is 'What the paper shows: zstd-compressed JSON. It is printed at each read.';
comment on column order_document.size is 'Bytes of the printed paper; null until its first print. The same holds for sha256.';
-- A document exists once in each form and language; a new one replaces it.
create unique index order_document_paper on order_document (client_id, order_id, olpn_id, type, content_type, language)
  where order_id > '';

-- citus: distributed
create table order_note (
  client_id text not null,
  order_id text not null,
  note_id uuid not null,
  author text not null,
  text text not null,
  primary key (client_id, order_id, note_id)
);
comment on table order_note is
  'Notes of operators about an order, which its client does not see. Its id has the time. A note may contain personal data '
  'and is deleted with that of its order, which the audit log could not do.';

-- citus: distributed
create table parcel (
  client_id text not null,
  olpn_id text not null,
  order_id text not null,
  facility_code text not null,
  status text not null,
  carrier_code text,
  carrier_service_code text,
  decision_id uuid,
  tracking_number text,
  is_generated_tracking_number boolean not null default false,
  tracking_url text,
  weight numeric(18, 6) not null,
  weight_uom_code text not null,
  length numeric(18, 6),
  width numeric(18, 6),
  height numeric(18, 6),
  dimensions_uom_code text,
  contents jsonb not null,
  load_id text,
  packed_at timestamptz not null,
  loaded_at timestamptz,
  despatched_at timestamptz,
  status_at timestamptz,
  is_delivered boolean not null default false,
  is_returning boolean not null default false,
  updated_at timestamptz not null,
  version integer not null default 1,
  primary key (client_id, olpn_id)
);
comment on table parcel is 'A packed parcel (OLPN).';
comment on column parcel.decision_id is 'The carrier decision. Null: the warehouse named the service.';
comment on column parcel.is_generated_tracking_number is 'The number was generated from the SSCC, because the carrier gave none.';
comment on column parcel.tracking_url is 'From the carrier data at the time of packing.';
comment on column parcel.contents is '[{lineNumber, sku, qty, stockPool, batchRef, expiryDate, serials}]';
comment on column parcel.status_at is
  'When the event that gave the status happened. Null: no carrier code has given one yet.';
comment on column parcel.is_delivered is 'A delivered parcel counts as delivered until it is returned to its sender.';
comment on column parcel.is_returning is 'A parcel on its way back stays so through exceptions.';
create index parcel_order on parcel (client_id, order_id) where order_id > '';
-- A load may contain parcels of several clients, so the clients are looked up by the load.
create index parcel_load on parcel (facility_code, load_id, client_id) where load_id is not null;
create index parcel_exception on parcel (status_at, client_id) where status in ('EXCEPTION', 'LOST');
-- The overview counts despatched parcels by time; the column is written once.
create index parcel_despatched on parcel (despatched_at, client_id, facility_code, order_id) where despatched_at is not null;
-- The lanes of a client: the index over all clients would read its neighbours' parcels. Statements over all clients do not
-- have the second condition, and keep to that index.
create index parcel_client_despatched on parcel (client_id, despatched_at)
  where despatched_at is not null and facility_code > '';

-- citus: keyed
create table parcel_key (
  key text not null,
  kind text not null,
  client_id text not null,
  olpn_id text not null,
  primary key (key, kind, client_id, olpn_id)
);
comment on table parcel_key is
  'Numbers that identify a parcel over all clients: SSCC and tracking number. Distributed by the number.';
comment on column parcel_key.kind is
  'OLPN or TRACKING. A tracking number may identify several parcels, an OLPN identifies one.';
-- An OLPN identifies one parcel.
create unique index parcel_key_olpn on parcel_key (key) where kind = 'OLPN';

-- citus: local
create table sscc_counter (
  company_prefix text primary key,
  next_serial bigint not null
);
comment on table sscc_counter is 'The next serial number of each GS1 company prefix.';

-- citus: reference
create table carrier_code_map (
  carrier_code text not null,
  raw_code text not null,
  event_code smallint not null,
  primary key (carrier_code, raw_code)
);
comment on table carrier_code_map is
  'Maps a carrier''s own code to an event code, by carrier or by tracking service. A code without a row becomes 399, '
  'Unmapped Carrier Code.';
comment on column carrier_code_map.raw_code is 'In lower case.';
insert into carrier_code_map (carrier_code, raw_code, event_code) values
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

-- citus: reference
create table carrier_data (
  owner text not null,
  version integer not null,
  data jsonb not null,
  note text,
  created_by text not null,
  created_at timestamptz not null,
  activated_at timestamptz,
  primary key (owner, version)
);
comment on table carrier_data is
  'A version of the data that carrier determination uses. A version never changes; a decision names the one that it '
  'used.';
comment on column carrier_data.owner is 'The client that the version belongs to; empty: the operator''s default.';
comment on column carrier_data.activated_at is 'Null: a draft. The highest activated version applies.';

-- citus: distributed
create table carrier_decision (
  client_id text not null,
  decision_id uuid not null,
  order_id text,
  olpn_id text,
  purpose text not null check (purpose in ('SHIPMENT', 'ORDER', 'PARCEL')),
  owner text not null,
  data_version integer not null,
  decided_at timestamptz not null,
  request jsonb not null,
  decision json not null,
  primary key (client_id, decision_id)
) partition by range (decision_id);
comment on table carrier_decision is
  'A decision of carrier determination with its request. It never changes. Its key contains the time.';
comment on column carrier_decision.order_id is 'Null: the shipment belongs to no order.';
comment on column carrier_decision.olpn_id is 'Set for a packed parcel.';
comment on column carrier_decision.owner is 'The owner of the carrier data, and with data_version the version that it used.';
comment on column carrier_decision.request is 'The facts that decisions use: of the address the country and the postcode.';
comment on column carrier_decision.decision is
  'The choice and the alternatives as lists, each reason once. It is read as a whole and never searched: jsonb costs '
  'the server twice as much processor time.';
create index carrier_decision_order on carrier_decision (client_id, order_id, decision_id) where order_id is not null;
