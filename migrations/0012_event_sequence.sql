-- Counts the events of each object: of two events of one, whoever reads them can tell which came later.

-- citus: distributed
create table event_object (
  client_id text not null,
  object_type text not null,
  object_id text not null,
  last_sequence bigint not null,
  primary key (client_id, object_type, object_id)
) with (fillfactor = 70);
-- Null of what was published before events were counted.
alter table event add column sequence bigint;
