-- no-transaction
-- The split orders of a client by each of their further facilities, of which there are at most two, for the lists by
-- facility. An order that is not split is in none of them.
-- beside: 0012
create index concurrently if not exists sales_order_split_second on sales_order (client_id, (split_facilities[1]), received_at, order_id)
  where split_facilities[1] is not null;
create index concurrently if not exists sales_order_split_third on sales_order (client_id, (split_facilities[2]), received_at, order_id)
  where split_facilities[2] is not null;
