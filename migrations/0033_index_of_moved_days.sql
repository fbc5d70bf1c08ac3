-- no-transaction
-- Items whose AvailableFrom has moved, for the job that compares their pre-orders. Empty most of the time.
-- beside: 0012
create index concurrently if not exists item_available_moved on item (client_id, sku) where available_moved_at is not null;
