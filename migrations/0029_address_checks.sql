-- Addresses of orders are verified by a service that the operator sets up.
-- beside: 0012

-- citus: distributed
create table address_check (
  client_id text not null,
  order_id text not null,
  verdict text not null,
  address_key text,
  reason text,
  correction jsonb,
  source_code text,
  checked_at timestamptz,
  due_at timestamptz,
  deadline_at timestamptz not null,
  primary key (client_id, order_id)
);
comment on table address_check is
  'What a verifier says of the ship-to address of an order; the answers are also the cache for later orders.';
comment on column address_check.address_key is 'Digest of client and normalised address; null once it is erased.';
comment on column address_check.correction is 'Fields of the address that differ from those of the order, which stay.';
comment on column address_check.checked_at is 'When the verifier answered; an answer from the cache keeps its moment.';
comment on column address_check.due_at is 'When the next attempt is due; null: there is none. An attempt moves it past its end.';
comment on column address_check.deadline_at is 'When the order goes on without an answer.';
create index address_check_due on address_check (due_at, client_id) where due_at is not null;
create index address_check_answer on address_check (client_id, address_key, checked_at) where checked_at is not null;
