-- Refused sign-ins as counts: a line of the audit log for each would let a guesser fill the store.
-- beside: 0030

-- citus: local
-- One row for each day (UTC), name and reason, however often it was tried.
create table sign_in_refusal (
  day date not null,
  -- '' for all names that nobody has: what was typed may be a password in the wrong field.
  user_name text not null,
  reason text not null check (reason in ('NAME_OR_PASSWORD', 'SUSPENDED')),
  refusals bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- The address that the last one came from.
  last_origin text not null,
  primary key (day, user_name, reason)
);
