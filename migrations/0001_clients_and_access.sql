-- Clients, facilities, credentials, and what all parts of the program share: rate limits, job leases, the audit log.
--
-- Each table declares its placement on Citus: distributed by client_id, keyed (distributed by its own key), reference (a copy on
-- every node) or local (on the coordinator only). Tables that only grow are partitioned by month over their UUIDv7 key, which
-- contains the time.
--
-- Some indexes have a condition that is always true. Only statements that repeat it use the index: the planner takes it for no
-- other one (docs/decisions/0036-statistics.md).

-- citus: distributed
create table tenant (
  client_id text primary key
);
comment on table tenant is
  'One row for each client, and one (`facility:DC1`) for each facility that has or had webhooks: bulk inserts select '
  'their client from it, and on Citus all tables of a client are placed by it.';

-- citus: reference
create table facility (
  facility_code text primary key,
  name text not null,
  country text not null,
  timezone text not null,
  address jsonb not null default '{}',
  cut_off_time text,
  operating_days text[] not null default '{MON,TUE,WED,THU,FRI}',
  holidays jsonb not null default '[]',
  capabilities text[] not null default '{}',
  status text not null default 'ACTIVE' check (status in ('ACTIVE', 'CLOSED')),
  version integer not null default 1,
  created_at timestamptz not null
);
comment on table facility is 'A warehouse: what it can do and when it works.';
comment on column facility.timezone is 'IANA name.';
comment on column facility.address is 'Names of the address fields and their values; the country has its own column.';
comment on column facility.cut_off_time is 'HH:MM in the facility''s timezone. Null: orders have no despatch time.';
comment on column facility.holidays is
  '`[{"date": "2026-12-25", "name": "Christmas Day"}]`, in order of the dates; a name may be null.';

-- citus: reference
create table client (
  client_id text primary key,
  name text not null,
  status text not null check (status in ('ACTIVE', 'SUSPENDED')),
  settings jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on table client is 'A brand whose goods the warehouses handle.';
comment on column client.settings is 'Settings that differ from the defaults.';
-- Client ids are unique ignoring case.
create unique index client_id_ignoring_case on client (lower(client_id));

-- citus: reference
create table client_facility (
  client_id text not null,
  facility_code text not null references facility,
  position integer not null,
  primary key (client_id, facility_code)
);
comment on table client_facility is 'The facilities that a client''s goods are in.';
comment on column client_facility.position is 'Rank of the facility: routing prefers the lowest.';

-- citus: reference
create table credential (
  credential_id text primary key,
  kind text not null check (kind in ('feed', 'oauth', 'sftp', 'warehouse', 'carrier')),
  client_id text,
  facility_code text references facility,
  carrier_code text,
  environment text not null,
  secret_sha256 bytea,
  username text,
  password_hash text,
  public_key text,
  created_at timestamptz not null,
  revoked_at timestamptz
);
comment on table credential is 'A key or account of a client, a facility or a carrier. Only hashes of secrets are stored.';
comment on column credential.kind is
  'Which interface the credential opens. A carrier credential reports track-and-trace codes and nothing else.';
comment on column credential.secret_sha256 is
  'Feed keys and OAuth secrets have 256 random bits, so their SHA-256 is enough; a request is looked up by it.';
create unique index credential_secret on credential (secret_sha256);
create index credential_client on credential (client_id);
create unique index credential_username on credential (username) where revoked_at is null;

-- citus: local
create table credential_use (
  credential_id text primary key,
  last_used_at timestamptz not null
) with (fillfactor = 50);
comment on table credential_use is
  'When a credential was last used. Separate from the credential, which is copied to every node and rarely written.';

-- citus: local
create table signing_key (
  key_id text primary key,
  public_jwk jsonb not null,
  private_jwk_encrypted text not null,
  created_at timestamptz not null,
  signs_from timestamptz,
  retires_at timestamptz not null
);
comment on table signing_key is
  'Keys that sign access tokens. A public key stays published until the last token that it signed has expired.';
comment on column signing_key.private_jwk_encrypted is 'Encrypted under the master key.';
comment on column signing_key.signs_from is
  'The key signs from then on; it is published earlier, so that every node and cache knows it. Null: from its creation.';
comment on column signing_key.retires_at is 'Until then the public key is published.';

-- citus: local
create table rate_limit_use (
  key text primary key,
  used bigint not null,
  updated_at timestamptz not null
);
comment on table rate_limit_use is 'Use of each rate limit over all nodes. Each node adds its share and reads the total.';
comment on column rate_limit_use.key is 'The limit and the credential, client or address that it limits.';

-- citus: local
create table job_lease (
  job text primary key,
  owner uuid not null,
  lease_until timestamptz not null,
  last_run_at timestamptz
);
comment on table job_lease is 'The lease of a timed job: it runs on one node at a time.';

-- citus: distributed
create table rest_idempotency (
  client_id text not null,
  idempotency_key text not null,
  operation text not null,
  body_sha256 bytea not null,
  status smallint not null,
  answer json not null,
  expires_at timestamptz not null,
  primary key (client_id, idempotency_key)
);
comment on table rest_idempotency is
  'Responses of REST writes by their Idempotency-Key, so that a repeated request gets the first response.';
comment on column rest_idempotency.operation is 'Method and path, such as `POST /v1/workOrderService/workOrder/create`.';
comment on column rest_idempotency.answer is '{headers, body}';
create index rest_idempotency_expiry on rest_idempotency (client_id, expires_at) where expires_at > '-infinity';

-- citus: distributed
create table audit_log (
  client_id text not null,
  audit_id uuid not null,
  actor text not null,
  action text not null,
  object_type text not null,
  object_id text not null,
  origin text not null,
  detail jsonb not null default '{}',
  primary key (client_id, audit_id)
) partition by range (audit_id);
-- The program's role may append and read. Any other privilege needs a deliberate grant.
revoke update, delete, truncate on audit_log from current_user;
comment on table audit_log is
  'Who did what to which object, when and from where. The client is empty for actions on the platform itself.';
comment on column audit_log.origin is 'The address of the caller, or the host of the command line.';
-- The audit log over all clients, the newest first, and all actions on an object. Ids grow with time, so both are written at
-- their right edge.
create index audit_log_newest on audit_log (audit_id) where action > '';
create index audit_log_of_object on audit_log (object_id, audit_id) where object_id > '';

-- citus: distributed
create table request_log (
  client_id text not null,
  request_id uuid not null,
  method text not null,
  route text,
  path text not null,
  query text,
  status smallint,
  duration_ms integer not null,
  credential_id text,
  address text,
  object_id text,
  feed_type text,
  outcome text,
  is_failed boolean not null,
  problem_code text,
  problem_detail text,
  faults json,
  body text,
  body_bytes integer,
  primary key (client_id, request_id)
) partition by range (request_id);
comment on table request_log is 'The requests of a client over HTTP, each with its answer.';
comment on column request_log.request_id is
  'The correlation token of the request: a UUIDv7 of its arrival. Of a feed it is the token of the document too.';
comment on column request_log.route is 'The template of the path. Null: no operation has the path.';
comment on column request_log.query is 'The text after the question mark.';
comment on column request_log.status is 'Null: the sender disconnected before the answer began.';
comment on column request_log.address is 'The address of the sender.';
comment on column request_log.object_id is
  'The first id in the path, or the number of the object that a feed is about: the erasure finds the row by it.';
comment on column request_log.outcome is 'The outcome of a feed document.';
comment on column request_log.is_failed is 'The status is 400 or above, or missing, or the document was rejected.';
comment on column request_log.problem_code is 'The code of the problem details, or of the ACK of a refused feed.';
comment on column request_log.faults is 'The errors of the problem details: [{pointer, message}].';
comment on column request_log.body is
  'The beginning of the body of a failed request, if the setting requestLogBodies of the client allows it.';
comment on column request_log.body_bytes is 'The size of the whole body in UTF-8; null where none is stored.';
create index request_log_failed on request_log (client_id, request_id) where is_failed;
-- The texts of requests about an order, which are erased with its personal data. Texts exist of failed requests only.
create index request_log_about on request_log (client_id, object_id) where is_failed and object_id > '';

-- citus: local
create table restore_hold (
  restored_to text not null,
  part text not null check (part in ('DELIVERIES', 'ALLOCATION', 'TASKS')),
  held_at timestamptz not null,
  released_at timestamptz,
  released_by text,
  primary key (restored_to, part)
);
comment on table restore_hold is 'A part of the work that waits after a restore until an operator releases it.';
comment on column restore_hold.restored_to is 'The moment that was restored, as in CROSSDOCK_RESTORED.';
