-- Work orders, the tasks and reports of warehouses, and the simulated warehouse.

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
comment on table work_order is 'An order to assemble a finished good from components.';
comment on column work_order.consumption is
  'BACKFLUSH: components are booked by the bill of materials. REPORTED: the warehouse reports them.';
create index work_order_receipt on work_order (client_id, received_at) where received_at >= '-infinity';
create index work_order_status on work_order (client_id, status, received_at) where received_at < 'infinity';
create index work_order_facility on work_order (client_id, facility_code, received_at) where facility_code > '';
create index work_order_change on work_order (client_id, updated_at, received_at, work_order_id)
  where updated_at >= '-infinity';
create index work_order_arrival on work_order (received_at, client_id, work_order_id) where received_at > '-infinity';
create index work_order_unfinished on work_order (received_at, client_id, work_order_id)
  where status in ('CREATED', 'WAITING_COMPONENTS', 'RELEASED', 'IN_PROGRESS');

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
  qty_consumed numeric(15, 3) not null default 0 check (qty_consumed >= 0),
  qty_scrapped numeric(15, 3) not null default 0 check (qty_scrapped >= 0),
  facility_code text not null,
  priority smallint not null,
  received_at timestamptz not null,
  is_waiting boolean not null,
  primary key (client_id, work_order_id, line_number)
);
comment on table work_order_component is 'A component of a work order.';
comment on column work_order_component.qty_per is 'For one unit of the finished good.';
comment on column work_order_component.qty_consumed is 'Includes qty_scrapped.';
comment on column work_order_component.qty_scrapped is
  'Part of qty_consumed that went into no finished good; as much is required in addition.';
comment on column work_order_component.facility_code is
  'Copied from the work order, like priority and received_at: allocation reads what waits for a SKU in its order, and '
  'nothing else.';
comment on column work_order_component.is_waiting is
  'The work order is open, and more is required than is consumed and reserved.';
create index work_order_component_waiting on work_order_component (client_id, facility_code, sku, priority, received_at)
  where is_waiting;
create index work_order_component_sku on work_order_component (client_id, sku);

-- citus: distributed
create table work_order_lot (
  client_id text not null,
  work_order_id text not null,
  entry_id uuid not null,
  finished_sku text not null,
  finished_batch_ref text not null,
  finished_expiry_date date not null,
  component_sku text not null,
  component_batch_ref text not null,
  component_expiry_date date not null,
  qty numeric(15, 3) not null,
  booked_at timestamptz not null,
  primary key (client_id, work_order_id, entry_id)
);
comment on table work_order_lot is 'Which lots of components went into which lot of the finished good.';
comment on column work_order_lot.finished_batch_ref is
  'Empty: the components were reported without a finished good, and count for every lot of the work order.';

-- citus: distributed
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
  content jsonb not null,
  position bigint,
  primary key (client_id, type, object_id, facility_code)
);
comment on table warehouse_task is
  'Work released to a facility: one task for each object and type of work. Its version counts the changes.';
comment on column warehouse_task.type is 'The type of work, such as PICK.';
comment on column warehouse_task.facility_code is
  'Part of the key: an object that is routed to another facility leaves a withdrawn task here.';
comment on column warehouse_task.content is '{lines, shipTo, carrierCode}';
comment on column warehouse_task.position is
  'Position in the facility''s task feed. Null: changed since, and it gets one when the feed is next read.';
create index warehouse_task_id on warehouse_task (task_id);
create index warehouse_task_feed on warehouse_task (facility_code, position) where position is not null;
create index warehouse_task_new on warehouse_task (facility_code, task_id) where position is null;

-- citus: local
create table warehouse_feed (
  facility_code text primary key,
  last_position bigint not null default 0
);
comment on table warehouse_feed is
  'The last position of each facility''s task feed, and of the item feed under the empty code: at least the time of '
  'its last writer in microseconds since 1970. A writer of positions locks the row.';

-- citus: distributed
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
comment on table warehouse_report is
  'Accepted reports of a warehouse by their own key, so that a repeated report gets the first response.';
comment on column warehouse_report.answer is 'The response.';
create index warehouse_report_age on warehouse_report (client_id, accepted_at);

-- citus: local
create table warehouse_sim_setting (
  only_row boolean primary key default true check (only_row),
  speed numeric(8, 3) check (speed >= 0),
  faults jsonb,
  manual_client_ids text[] not null default '{}',
  silent_facility_codes text[] not null default '{}',
  changed_at timestamptz not null,
  changed_by text not null
);
comment on table warehouse_sim_setting is 'Settings of the simulated warehouse: one row.';
comment on column warehouse_sim_setting.only_row is 'Its key: the table has one row.';
comment on column warehouse_sim_setting.speed is 'Factor of the usual pace; 0 pauses. Null: as the process is configured.';
comment on column warehouse_sim_setting.faults is
  'Rates from 0 to 1 by the name of the fault. Null: as the process is configured.';
comment on column warehouse_sim_setting.manual_client_ids is 'Clients whose work is done only by steps that a user requests.';
comment on column warehouse_sim_setting.silent_facility_codes is 'Facilities that do no work at all.';

-- citus: local
create table warehouse_sim_facility (
  facility_code text primary key,
  seen_at timestamptz not null,
  state jsonb not null
);
comment on table warehouse_sim_facility is
  'What the simulated warehouse works on in a facility; written at most once a second, when it changed.';
comment on column warehouse_sim_facility.state is '{jobs: […], waiting, reports: […]}';

-- citus: local
create table warehouse_sim_step (
  step_id uuid primary key,
  client_id text,
  facility_code text,
  object_id text,
  known_state jsonb,
  requested_by text not null,
  requested_at timestamptz not null,
  done_at timestamptz,
  outcome jsonb
);
comment on table warehouse_sim_step is
  'A step of the simulated warehouse that a user requested. The process that works the facility takes it and writes the'
  ' result.';
comment on column warehouse_sim_step.known_state is 'State of an order that the simulated warehouse has not followed.';
comment on column warehouse_sim_step.outcome is '{done: […], reason}';
create index warehouse_sim_step_open on warehouse_sim_step (requested_at) where done_at is null;
