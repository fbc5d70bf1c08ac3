-- The ledger is read by position or SKU, and a movement never by its id: the key was a third of its indexes
-- (docs/decisions/0083-tables-without-a-key.md).
-- beside: 0008
-- harmless: says only what logical replication compares; the months follow at the next start of a node
alter table stock_movement replica identity full;
-- harmless: 0.2.0 reads movements by their positions or SKUs, and its inserts name no key
alter table stock_movement drop constraint stock_movement_pkey;
