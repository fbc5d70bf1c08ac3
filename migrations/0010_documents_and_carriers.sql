-- Papers of orders, and what carriers offer.

-- Lists of returns go as those of orders do (migration 0009 says how, and what the conditions are for); read from end to
-- end, a hundred thousand returns took 20 to 40 milliseconds for each question. The few of an order are found by the order.
create index return_authorisation_receipt on return_authorisation (client_id, received_at) where received_at >= '-infinity';
create index return_authorisation_status on return_authorisation (client_id, status, received_at)
  where received_at < 'infinity';
create index return_authorisation_facility on return_authorisation (client_id, distribution_centre, received_at)
  where distribution_centre > '';
create index return_authorisation_change on return_authorisation (client_id, updated_at, received_at, rma_number)
  where updated_at >= '-infinity';
create index return_authorisation_order on return_authorisation (client_id, order_id) where order_id is not null;

-- citus: distributed
-- Packing slips, labels and invoices. They name people, so they end with the personal data of their order, whenever its
-- client has that done: no month of them ends at once.
create table order_document (
  client_id text not null,
  document_id uuid not null,
  order_id text not null,
  -- '' where the paper is the whole order's.
  olpn_id text not null,
  type text not null check (type in ('PACKING_SLIP', 'SHIPPING_LABEL', 'COMMERCIAL_INVOICE')),
  content_type text not null,
  -- '' where it has none.
  language text not null,
  created_at timestamptz not null,
  size integer not null,
  sha256 bytea not null,
  bytes bytea not null,
  primary key (client_id, document_id)
);
-- A paper is there once in each form and language: made again, it takes the place of the one before.
create unique index order_document_paper on order_document (client_id, order_id, olpn_id, type, content_type, language)
  where order_id > '';

-- citus: reference
-- All that determination goes by, as one set: services, and whatever belongs to them. A set is never changed: the next
-- version takes its place whole, and decisions keep the one that they were made with.
create table carrier_data (
  -- The client whose own set it is; '' for the operator's default.
  owner text not null,
  version integer not null,
  data jsonb not null,
  note text,
  created_by text not null,
  created_at timestamptz not null,
  -- Null while it is a draft. The highest version that was activated holds.
  activated_at timestamptz,
  primary key (owner, version)
);
