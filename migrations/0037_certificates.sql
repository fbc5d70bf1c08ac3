-- Before a brand goes live, it shows in the sandbox that it handles the cases of a list.
-- beside: 0012

-- citus: distributed
create table certificate (
  client_id text primary key,
  issued_at timestamptz not null,
  content json not null
);
comment on table certificate is 'The newest certificate of a client: each case, and what the platform saw of it.';
comment on column certificate.content is 'As REST answers it, without its signature: that is made when it is read.';
