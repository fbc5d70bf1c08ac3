-- Who may use the console, and how far: limits, suspension and the sessions of those who have signed in.

alter table console_user
  -- Null: all of them.
  add column client_ids text[],
  add column facility_codes text[],
  add column is_suspended boolean not null default false,
  -- Counted up when password, role, limits or suspension change: sessions of an earlier count have ended.
  add column access_version integer not null default 1,
  add column last_sign_in_at timestamptz;
-- Two names that differ by case alone would be mistaken for each other.
create unique index console_user_ignoring_case on console_user (lower(user_name));

-- citus: local
-- The name of a session is 256 random bits: its SHA-256 is enough, and is what a request is looked up by.
create table console_session (
  session_sha256 bytea primary key,
  user_name text not null,
  access_version integer not null,
  started_at timestamptz not null,
  -- Written once a minute at the most.
  seen_at timestamptz not null,
  ends_at timestamptz not null
);
create index console_session_end on console_session (ends_at);
create index console_session_user on console_session (user_name);
