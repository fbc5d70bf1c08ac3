-- A moved AvailableFrom of an item moves its accepted pre-orders.
-- beside: 0012
alter table item add column available_moved_at timestamptz;
comment on column item.available_moved_at is 'When AvailableFrom moved last, until its pre-orders are compared with it. Null: they are.';
