-- Manifests: what a facility gives to the carriers of a label source.
-- beside: 0012

-- citus: distributed
create table label_manifest (
  client_id text not null,
  manifest_id uuid not null,
  facility_code text not null,
  source_code text not null,
  carrier_code text not null,
  cut_off_at timestamptz,
  status text not null,
  is_sent boolean not null,
  tries integer not null check (tries >= 0),
  due_at timestamptz,
  request jsonb not null,
  parcels jsonb not null,
  left_out jsonb not null,
  external_id text,
  content_type text,
  document bytea,
  error text,
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (client_id, manifest_id)
);
comment on table label_manifest is
  'The parcels of a client that a carrier takes from a facility. Its id is the key under which the source makes it once.';
comment on column label_manifest.cut_off_at is 'The cut-off of the facility; null: a person asked for the manifest.';
comment on column label_manifest.is_sent is 'The source may have made a manifest that no answer has reported.';
comment on column label_manifest.due_at is 'When the next attempt is due; null: none. An attempt moves it past its end.';
comment on column label_manifest.request is 'The sender and the day, for the source.';
comment on column label_manifest.parcels is '[{purchaseId, orderId, olpnId, serviceCode, trackingNumber, externalId}]';
comment on column label_manifest.left_out is '[{orderId, olpnId, trackingNumber, reason}]';
comment on column label_manifest.document is 'As the carrier made it; null: the platform lists the parcels.';
create index label_manifest_due on label_manifest (source_code, due_at, client_id) where due_at is not null;
create index label_manifest_cut_off on label_manifest (client_id, facility_code, source_code, cut_off_at);
create index label_manifest_change on label_manifest (updated_at, client_id, manifest_id) where updated_at > '-infinity';

alter table label_purchase add column manifest_id uuid;
comment on column label_purchase.manifest_id is 'The manifest that lists the parcel, or names why it is left out.';
create index label_purchase_to_manifest on label_purchase (facility_code, source_code, client_id, created_at)
  where manifest_id is null;
