-- Codes of carriers and tracking services that no event code is known for.
-- beside: 0012

-- citus: distributed
create table tracking_code (
  client_id text not null,
  carrier_code text not null,
  raw_code text not null,
  events bigint not null check (events > 0),
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (client_id, carrier_code, raw_code)
);
comment on table tracking_code is 'A code that events of the client''s parcels had, and that was not mapped then.';
comment on column tracking_code.carrier_code is 'The reporting tracking service or carrier, in capitals.';
comment on column tracking_code.raw_code is 'In lower case.';
comment on column tracking_code.events is 'Events with the code while it was not mapped.';
create index tracking_code_seen on tracking_code (last_seen_at);
