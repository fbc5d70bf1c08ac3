-- Second factors of the console's local accounts: TOTP, passkeys, recovery codes, and the second step of a sign-in.
-- beside: 0030

-- citus: local
create table console_factor (
  factor_id uuid primary key,
  user_name text not null,
  kind text not null check (kind in ('TOTP', 'PASSKEY')),
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  -- TOTP: its secret under the master key, the last time step whose code was taken, and the wrong codes since then.
  secret_sealed text,
  last_step bigint not null default 0,
  wrong_codes integer not null default 0,
  -- Passkey: what WebAuthn calls credential id, public key (COSE), signature counter and transports.
  credential_id text,
  public_key bytea,
  sign_count bigint not null default 0,
  transports text[]
);
create index console_factor_user on console_factor (user_name, kind);
create unique index console_factor_credential on console_factor (credential_id);

-- citus: local
create table console_recovery_code (
  user_name text not null,
  -- Of 80 random bits: a slow hash would gain nothing.
  code_sha256 bytea not null,
  used_at timestamptz,
  primary key (user_name, code_sha256)
);

-- harmless: the table holds the open sessions of users, which are checked in a moment.
alter table console_session
  -- What is missing before the session opens anything. Its access_version is negative until then: releases before this one
  -- take such a session for one that has ended.
  add column step text not null default 'DONE' check (step in ('FACTOR', 'ENROLMENT', 'DONE')),
  -- What the second step was proved by; null: there was none.
  add column factor text,
  -- When the user last proved who it is; null: at the start.
  add column proved_at timestamptz,
  -- What a passkey has to sign, once.
  add column challenge text,
  add column challenge_ends_at timestamptz;

-- harmless: it allows more than before
alter table sign_in_refusal drop constraint sign_in_refusal_reason_check,
  add constraint sign_in_refusal_reason_check check (reason in ('NAME_OR_PASSWORD', 'SUSPENDED', 'NO_GROUP', 'SECOND_FACTOR'));
