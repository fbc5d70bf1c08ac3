-- no-transaction
-- Orders of one client in one state at one facility, by receipt. Without it those of its other facilities were passed over one
-- by one. The condition is always true and only repeated by what is meant to go by the index (docs/decisions/0036-statistics.md).
-- beside: 0030

create index concurrently if not exists sales_order_place on sales_order
  (client_id, distribution_centre, status, received_at, order_id) where order_date < 'infinity';
