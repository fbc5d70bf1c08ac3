-- Who uses the platform: tenants, facilities, credentials, and the log of who did what.
-- Every table states how Citus is to place it: distributed by client_id, reference (a copy everywhere), or local.

-- citus: distributed
-- The root that bulk inserts select their client from; one row for each client, and nothing else in it.
create table tenant (
  client_id text primary key
);

-- citus: reference
create table facility (
  facility_code text primary key,
  name text not null,
  country text not null,
  timezone text not null,
  created_at timestamptz not null
);

-- citus: reference
create table client (
  client_id text primary key,
  name text not null,
  status text not null check (status in ('ACTIVE', 'SUSPENDED')),
  settings jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null
);
-- Client identifiers are unique ignoring case, so that no two brands differ by case alone.
create unique index client_id_ignoring_case on client (lower(client_id));

-- citus: reference
create table client_facility (
  client_id text not null,
  facility_code text not null references facility,
  position integer not null,
  primary key (client_id, facility_code)
);

-- citus: reference
-- Feed keys and OAuth secrets are 256 random bits: their SHA-256 is enough, and is what a request is looked up by.
create table credential (
  credential_id text primary key,
  kind text not null check (kind in ('feed', 'oauth', 'sftp', 'warehouse')),
  client_id text,
  facility_code text references facility,
  environment text not null,
  secret_sha256 bytea,
  username text,
  password_hash text,
  public_key text,
  created_at timestamptz not null,
  revoked_at timestamptz
);
create unique index credential_secret on credential (secret_sha256);
create index credential_client on credential (client_id);
create unique index credential_username on credential (username) where revoked_at is null;

-- citus: local
-- Private keys are encrypted under the master key; public ones stay published until the last token signed with them ended.
create table signing_key (
  key_id text primary key,
  public_jwk jsonb not null,
  private_jwk_encrypted text not null,
  created_at timestamptz not null,
  retires_at timestamptz not null
);

-- citus: local
create table console_user (
  user_name text primary key,
  role text not null check (role in ('admin', 'operator', 'viewer')),
  password_hash text not null,
  created_at timestamptz not null
);

-- citus: local
-- How much each credential used, over all nodes; each node adds its share and learns the others'.
create table throttle (
  key text primary key,
  used bigint not null,
  updated_at timestamptz not null
);

-- citus: local
-- Timed jobs run on one node at a time.
create table job_lease (
  job text primary key,
  owner uuid not null,
  lease_until timestamptz not null,
  last_run_at timestamptz
);

-- citus: distributed
-- Who did what to which object, when, from where. Work on the platform itself has the empty client.
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
-- The application's own role may add to the log and read it; taking this back needs a deliberate grant.
revoke update, delete, truncate on audit_log from current_user;
