-- The sandbox: how the simulated warehouse works, what it is asked to do by hand, and how far the demo is made.

-- citus: local
-- One row: settings reach the simulated warehouse, in whatever process it works, by a notice and by its next look.
create table warehouse_sim_setting (
  only_row boolean primary key default true check (only_row),
  -- Times the usual pace; 0 stands still; null: as the process was configured.
  speed numeric(8, 3) check (speed >= 0),
  -- Rates from 0 to 1 by the name of the fault; null: as the process was configured.
  faults jsonb,
  -- Clients whose work is done when it is stepped, and not before.
  by_hand text[] not null default '{}',
  -- Facilities that are not worked at all: a silent warehouse.
  silent text[] not null default '{}',
  changed_at timestamptz not null,
  changed_by text not null
);

-- citus: local
-- What each facility of the simulated warehouse has in hand, as it says itself once in a second in which something changed.
create table warehouse_sim_facility (
  facility_code text primary key,
  seen_at timestamptz not null,
  -- {jobs: […], waiting, reports: […]}
  shown jsonb not null
);

-- citus: local
-- Asked for by hand; whoever works the facility takes it, and writes what came of it.
create table warehouse_sim_step (
  step_id uuid primary key,
  client_id text,
  facility_code text,
  object_id text,
  -- What stands in the store of an order that the simulated warehouse has not followed.
  known jsonb,
  asked_by text not null,
  asked_at timestamptz not null,
  done_at timestamptz,
  -- {done: […], reason}
  outcome jsonb
);
create index warehouse_sim_step_open on warehouse_sim_step (asked_at) where done_at is null;

-- citus: local
-- The demo is made stage by stage; a start that was killed goes on behind the last one that was done.
create table demo_stage (
  stage text primary key,
  begun_at timestamptz not null,
  done_at timestamptz
);
-- An installation that has its demo keeps it as it is.
insert into demo_stage (stage, begun_at, done_at)
select s.stage, c.created_at, c.created_at
from client c cross join (values ('begin'), ('whole')) as s(stage)
where c.client_id = 'DEMO';

-- The audit log over all clients, the newest first, and all that happened to one object. Its id grows with time, so both
-- are written at their right edges, or nearly.
create index audit_log_newest on audit_log (audit_id);
create index audit_log_of_object on audit_log (object_id, audit_id) where object_id > '';
