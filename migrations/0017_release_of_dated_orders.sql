-- no-transaction
-- The orders whose hold SHIP_AFTER is due to be lifted. Orders without such a date are not in it.
-- beside: 0016
create index concurrently if not exists sales_order_release on sales_order (client_id, release_at)
  where release_at is not null;
