-- The overview of the console counts what is open by the indexes that the lists of open things go by, and what has ended, or
-- left, by the time at which that happened. Both columns are written once, and an order or parcel enters the index with that;
-- so a change of what is still on its way costs nothing here. The conditions are repeated only by what is meant to go by the
-- indexes (migration 0004 says why).

create index sales_order_ended on sales_order (ended_at, client_id, distribution_centre, status, received_at)
  where ended_at is not null;
create index parcel_despatched on parcel (despatched_at, client_id, facility_code, order_id) where despatched_at is not null;
