-- no-transaction
-- A milestone is found by its order, never by its id: entries of an index that differ in nothing but the row are stored
-- as one (docs/decisions/0083-tables-without-a-key.md).
-- beside: 0008
create index concurrently if not exists order_milestone_order on order_milestone (client_id, order_id);
-- harmless: says only what logical replication compares, as Citus does when it moves a shard
alter table order_milestone replica identity full;
-- harmless: 0.2.0 reads milestones by their order, and its inserts name no key
alter table order_milestone drop constraint if exists order_milestone_pkey;
