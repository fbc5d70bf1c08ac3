-- The console: users, sessions and second factors, saved views, exceptions, and the demo.

-- citus: local
create table console_user (
  user_name text primary key,
  role text not null check (role in ('admin', 'operator', 'viewer')),
  password_hash text not null,
  identity_issuer text,
  identity_subject text,
  client_ids text[],
  facility_codes text[],
  is_suspended boolean not null default false,
  access_version integer not null default 1,
  last_sign_in_at timestamptz,
  created_at timestamptz not null
);
comment on table console_user is 'A user of the console.';
comment on column console_user.identity_issuer is
  'The identity provider of the user, who is known by issuer and subject and never by name. Null: a local account with '
  'a password.';
comment on column console_user.client_ids is 'Limits the user to these clients. Null: all.';
comment on column console_user.facility_codes is 'Limits the user to these facilities. Null: all.';
comment on column console_user.access_version is
  'Counts changes of password, role, limits and suspension. Sessions of an earlier version are invalid.';
-- User names are unique ignoring case.
create unique index console_user_ignoring_case on console_user (lower(user_name));
create unique index console_user_identity on console_user (identity_issuer, identity_subject);

-- citus: local
create table console_session (
  session_sha256 bytea primary key,
  user_name text not null,
  access_version integer not null,
  origin text,
  started_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  step text not null default 'DONE' check (step in ('FACTOR', 'ENROLMENT', 'DONE')),
  factor text,
  authenticated_at timestamptz,
  challenge text,
  challenge_expires_at timestamptz
);
comment on table console_session is
  'A session of the console. Its token has 256 random bits, and only the SHA-256 is stored.';
comment on column console_session.access_version is
  'The user''s version at the sign-in. Negative until the second step is complete.';
comment on column console_session.origin is 'The address that the session was opened from.';
comment on column console_session.last_used_at is 'Written at most once a minute.';
comment on column console_session.step is 'What is missing before the session opens anything.';
comment on column console_session.factor is 'The factor of the second step. Null: none.';
comment on column console_session.authenticated_at is 'When the user last proved its identity. Null: at the start.';
comment on column console_session.challenge is 'What a passkey must sign, once.';
create index console_session_expiry on console_session (expires_at);
create index console_session_user on console_session (user_name);

-- citus: local
create table console_factor (
  factor_id uuid primary key,
  user_name text not null,
  kind text not null check (kind in ('TOTP', 'PASSKEY')),
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  secret_sealed text,
  last_step bigint not null default 0,
  wrong_codes integer not null default 0,
  credential_id text,
  public_key bytea,
  sign_count bigint not null default 0,
  transports text[]
);
comment on table console_factor is 'A second factor of a local account: TOTP or passkey.';
comment on column console_factor.secret_sealed is 'TOTP: the secret, encrypted under the master key.';
comment on column console_factor.last_step is 'TOTP: the last time step whose code was accepted.';
comment on column console_factor.wrong_codes is 'TOTP: wrong codes since the last accepted one.';
comment on column console_factor.credential_id is
  'Passkey: credential id of WebAuthn, like public_key (COSE), sign_count and transports.';
create index console_factor_user on console_factor (user_name, kind);
create unique index console_factor_credential on console_factor (credential_id);

-- citus: local
create table console_recovery_code (
  user_name text not null,
  code_sha256 bytea not null,
  used_at timestamptz,
  primary key (user_name, code_sha256)
);
comment on table console_recovery_code is 'A recovery code of a local account.';
comment on column console_recovery_code.code_sha256 is 'The code has 80 random bits: a slow hash would gain nothing.';

-- citus: local
create table sign_in_refusal (
  day date not null,
  user_name text not null,
  reason text not null check (reason in ('NAME_OR_PASSWORD', 'SUSPENDED', 'NO_GROUP', 'SECOND_FACTOR')),
  refusals bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  last_origin text not null,
  primary key (day, user_name, reason)
);
comment on table sign_in_refusal is
  'Refused sign-ins by day (UTC), name and reason. They are counted: an audit line for each would let an attacker fill '
  'the store.';
comment on column sign_in_refusal.user_name is
  'Empty: names that no user has. What was typed may be a password in the wrong field.';
comment on column sign_in_refusal.last_origin is 'The address of the last one.';

-- citus: local
create table console_view (
  view_id uuid primary key,
  screen text not null,
  user_name text not null,
  name text not null,
  query text not null,
  is_shared boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
comment on table console_view is 'A saved view of a list: its filters, sort order and columns.';
comment on column console_view.query is 'The query string of the screen.';
comment on column console_view.is_shared is 'All users see it; its owner or an administrator deletes it.';
create unique index console_view_name on console_view (user_name, screen, lower(name));
create index console_view_shared on console_view (screen, view_id) where is_shared;

-- citus: distributed
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
  repeats integer not null default 0,
  repeated_at timestamptz,
  resolved_at timestamptz,
  resolved_by text,
  primary key (client_id, exception_id)
);
comment on table operator_exception is 'A case that needs an operator: a refused report, a surplus, an unannounced return.';
comment on column operator_exception.repeats is 'How often it occurred again.';
create index operator_exception_object on operator_exception (client_id, object_type, object_id) where state = 'OPEN';
create index operator_exception_open on operator_exception (kind, raised_at, client_id) where state = 'OPEN';
create index operator_exception_resolved on operator_exception (client_id, resolved_at) where resolved_at is not null;
-- Also the resolved ones, which the index of open ones does not contain.
create index operator_exception_any_of_object on operator_exception (client_id, object_id);

-- citus: distributed
create table exception_annotation (
  client_id text not null,
  type text not null,
  object_key text not null,
  since timestamptz not null,
  owner text,
  note text,
  resolved_at timestamptz,
  resolved_by text,
  reason text,
  snoozed_until timestamptz,
  snoozed_by text,
  updated_at timestamptz not null,
  primary key (client_id, type, object_key, since)
);
comment on table exception_annotation is
  'What users noted about an exception: its owner, a note, that it is snoozed or put aside. A recurring exception has a new '
  '`since`, so that it has no owner and is visible.';
comment on column exception_annotation.type is 'The type of the exception.';
comment on column exception_annotation.object_key is 'What it is about: a token, an order, a parcel.';
comment on column exception_annotation.since is 'Since when the exception is open.';
comment on column exception_annotation.snoozed_until is
  'Until then the exception is not listed as open. The last snooze stays after its end, for the history.';
-- The exceptions of one user over all clients.
create index exception_annotation_owner on exception_annotation (owner, client_id) where owner is not null and resolved_at is null;
-- The snoozed exceptions over all clients.
create index exception_annotation_snoozed on exception_annotation (snoozed_until, client_id)
  where snoozed_until is not null and resolved_at is null;
create index exception_annotation_age on exception_annotation (client_id, updated_at);

-- citus: local
create table demo_stage (
  stage text primary key,
  started_at timestamptz not null,
  done_at timestamptz
);
comment on table demo_stage is
  'The stages in which the demo is created. An interrupted start continues after the last completed stage.';
