-- Labels of carriers are bought from label sources that the operator sets up.
-- beside: 0012

-- citus: reference
create table label_source (
  source_code text not null,
  name text not null,
  kind text not null,
  url text not null,
  is_active boolean not null,
  definition jsonb not null,
  headers_sealed text,
  updated_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null,
  primary key (source_code)
);
comment on table label_source is 'A service that sells labels of carriers, and how it is called.';
comment on column label_source.kind is 'HTTP, or the service whose requests the program knows.';
comment on column label_source.is_active is 'False: purchases at the source wait.';
comment on column label_source.definition is 'Time-out, bounds, settings of services, templates of requests and answers.';
comment on column label_source.headers_sealed is 'Request headers with secrets, encrypted under the master key.';

-- citus: distributed
create table label_purchase (
  client_id text not null,
  purchase_id uuid not null,
  order_id text not null,
  olpn_id text not null,
  facility_code text not null,
  carrier_code text not null,
  service_code text not null,
  sources text[] not null,
  rank smallint not null check (rank >= 0),
  source_code text not null,
  status text not null,
  is_sent boolean not null,
  tries integer not null check (tries >= 0),
  due_at timestamptz,
  request jsonb,
  external_id text,
  tracking_number text,
  price numeric(14, 4),
  currency text,
  error text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (client_id, purchase_id)
);
comment on table label_purchase is
  'The purchase of a parcel''s label at one source. Its id is the key under which the source sells it once.';
comment on column label_purchase.sources is 'The sources of the service in their order; rank is the place of source_code.';
comment on column label_purchase.is_sent is 'The source may have sold a label that no answer has reported.';
comment on column label_purchase.due_at is 'When the next attempt is due; null: none. An attempt moves it past its end.';
comment on column label_purchase.request is 'Addresses and goods for the source; null once they are not needed.';
comment on column label_purchase.external_id is 'The id that the source gave.';
-- A parcel has one label, or one that is being bought.
create unique index label_purchase_parcel on label_purchase (client_id, olpn_id)
  where status in ('PENDING', 'BOUGHT', 'FAILED');
create index label_purchase_order on label_purchase (client_id, order_id);
create index label_purchase_due on label_purchase (source_code, due_at, client_id) where due_at is not null;
create index label_purchase_failed on label_purchase (updated_at, client_id, purchase_id)
  where status in ('FAILED', 'VOID_FAILED');
create index label_purchase_change on label_purchase (updated_at, client_id, purchase_id)
  where updated_at > '-infinity';
