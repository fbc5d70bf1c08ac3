-- no-transaction
-- The events of an order in one entry of the index: without the event's id they are stored as one
-- (docs/decisions/0083-tables-without-a-key.md).
-- beside: 0008
create index concurrently if not exists event_about_order on event (client_id, object_id)
  where object_type = 'order' and topic <> 'carrier:trackAndTrace';
-- harmless: 0.2.0 finds the events of an order by the new index, and sorts them
drop index if exists event_of_order;
comment on column warehouse_task.content is
  '{lines, shipTo, carrierCode}; a string where it is packed (docs/decisions/0078-packed-contents.md).';
