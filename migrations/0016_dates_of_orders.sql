-- Orders have dates: not to leave before one, to leave by another, and to be delivered by a third.
-- beside: 0015
alter table sales_order add column ship_after timestamptz, add column ship_by timestamptz,
  add column deliver_by timestamptz, add column release_at timestamptz;
comment on column sales_order.ship_after is 'The order must not leave before it.';
comment on column sales_order.ship_by is 'The order must leave by it: its despatch_by.';
comment on column sales_order.deliver_by is 'The order should be delivered by its day.';
comment on column sales_order.release_at is 'When the hold SHIP_AFTER is due to be lifted. Null: lifted, or never set.';
