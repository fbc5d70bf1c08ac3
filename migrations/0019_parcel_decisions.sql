-- How the carrier of a parcel was chosen, and where people can follow it.

alter table parcel
  -- Null where the warehouse named the service.
  add column decision_id uuid,
  -- As the carrier data had it when the parcel was packed.
  add column tracking_url text;
