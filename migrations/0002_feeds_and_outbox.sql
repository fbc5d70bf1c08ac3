-- What came in, what was answered, and what is to go out because of it.
-- Tables that only grow are partitioned by month over their UUIDv7 key, which carries its own time.

-- citus: distributed
create table feed_document (
  client_id text not null,
  token uuid not null,
  feed_type text not null,
  channel text not null,
  state text not null check (state in ('REJECTED', 'PARKED', 'ACCEPTED', 'PROCESSED', 'FAILED')),
  object_id text,
  received_at timestamptz not null,
  settled_at timestamptz,
  overdue_at timestamptz,
  healed_at timestamptz,
  body_sha256 bytea not null,
  body_bytes integer not null,
  ack bytea not null,
  findings jsonb,
  primary key (client_id, token)
) partition by range (token);
-- The open ones: waited for by the deadline watch, and by the catalogue that heals what is parked.
create index feed_document_open on feed_document (client_id, token) where state in ('ACCEPTED', 'PARKED');
create index feed_document_parked on feed_document (client_id, feed_type, object_id) where state = 'PARKED';

-- citus: distributed
create table feed_payload (
  client_id text not null,
  token uuid not null,
  content_type text not null,
  -- Large documents arrive compressed by us (zstd); small ones as they are, and PostgreSQL compresses them.
  encoding text not null check (encoding in ('identity', 'zstd')),
  payload bytea not null,
  primary key (client_id, token)
) partition by range (token);

-- citus: distributed
-- Keys must be unique over months, so they live in a table without partitions, purged after seven days.
create table feed_idempotency (
  client_id text not null,
  feed_type text not null,
  idempotency_key text not null,
  token uuid not null,
  body_sha256 bytea not null,
  expires_at timestamptz not null,
  primary key (client_id, idempotency_key, feed_type)
);
create index feed_idempotency_expiry on feed_idempotency (client_id, expires_at) where expires_at > '-infinity';

-- citus: distributed
-- What a transaction caused and the relay has not published yet. A row leaves when it is published.
create table outbox (
  client_id text not null,
  outbox_id uuid not null,
  state text not null default 'PENDING' check (state in ('PENDING', 'FAILED')),
  topic text not null,
  object_type text not null,
  object_id text not null,
  facility_code text,
  feed_token uuid,
  occurred_at timestamptz not null,
  -- Written once, handed on as it is: json is not taken apart on the way in.
  data json not null,
  tries smallint not null default 0,
  last_error text,
  primary key (client_id, outbox_id)
) with (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0);

-- citus: distributed
-- Which clients have due work. Each writer marks its own slot, so that writers never wait for each other here.
create table outbox_due (
  client_id text not null,
  slot uuid not null,
  marked bigint not null,
  primary key (client_id, slot)
) with (fillfactor = 50);

-- citus: distributed
-- One lane a client: who publishes it, fenced, and the last position given. The fence decides, not the clock.
create table outbox_lane (
  client_id text primary key,
  owner uuid,
  lease_until timestamptz,
  fence bigint not null default 0,
  last_position bigint not null default 0
);

-- citus: distributed
-- The event log: what was published, in the order that every reader sees. Positions have no gaps within a client.
create table event (
  client_id text not null,
  event_id uuid not null,
  position bigint not null,
  topic text not null,
  object_type text not null,
  object_id text not null,
  facility_code text,
  occurred_at timestamptz not null,
  data json not null,
  primary key (client_id, event_id)
) partition by range (event_id);
create index event_position on event (client_id, position) where position > 0;
