-- Collections that are booked with the carrier when its manifest is made.
-- beside: 0012

alter table label_manifest add column pickup_state text;
alter table label_manifest add column pickup_id text;
alter table label_manifest add column pickup_error text;
comment on column label_manifest.pickup_state is 'PENDING, BOOKED or FAILED; null: the source books no collections.';
comment on column label_manifest.pickup_id is 'The number of the collection that the source gave.';
comment on column label_manifest.pickup_error is 'Why the last attempt to book it failed.';
