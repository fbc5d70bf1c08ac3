-- Lists of orders and work orders by what clients ask for: a state, a facility, or what has changed since a moment. All of
-- them go by receipt, so that is what follows in the index: a page is read from where it begins to where it ends.
--
-- An index of status or updated_at makes every change of an order write anew into all of its indexes. What it costs was
-- measured on 200 000 orders, with eight changes each for 20 000 more: before, a fifth of the changes were spared that
-- (pages are full of orders, whose next version goes elsewhere anyway); with the three indexes a change takes some 10
-- microseconds more of some 30, and a third more of the log, for this table. A list by a rare status, or by what changed
-- in the last minutes, read all orders of the client instead: 12 to 20 milliseconds for each 100 000, at every poll.
-- Refused: a BRIN index of updated_at, which costs nothing from PostgreSQL 16 on, but reads other clients' pages as well;
-- and a column with the hour of the last change, which is spared only what lies within an hour.
--
-- Each has a condition that is always true, which only the statements meant for it repeat (migration 0004 says why). That of
-- the states is not one of status, or every look for a certain state would imply it.
create index sales_order_status on sales_order (client_id, status, received_at) where received_at < 'infinity';
create index sales_order_facility on sales_order (client_id, distribution_centre, received_at) where distribution_centre > '';
-- What was received since a moment has changed since it: this finds the older ones, and those of a following page among
-- them, without a look at the rows.
create index sales_order_change on sales_order (client_id, updated_at, received_at, order_id) where updated_at >= '-infinity';

create index work_order_status on work_order (client_id, status, received_at) where received_at < 'infinity';
create index work_order_facility on work_order (client_id, facility_code, received_at) where facility_code > '';
create index work_order_change on work_order (client_id, updated_at, received_at, work_order_id)
  where updated_at >= '-infinity';
