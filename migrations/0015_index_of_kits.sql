-- no-transaction
-- The kits of a client, of which a snapshot and the check of a catalogue read all.
-- beside: 0008
create index concurrently if not exists item_kit on item (client_id, sku) where components is not null;
