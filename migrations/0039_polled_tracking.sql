-- Parcels are tracked by requests to label sources that send no webhooks.
-- beside: 0012

alter table label_purchase add column track_due_at timestamptz;
comment on column label_purchase.track_due_at is
  'When the source is asked where the parcel is; null: it is not asked. A request moves it past its end.';
create index label_purchase_track on label_purchase (source_code, track_due_at, client_id) where track_due_at is not null;
