-- no-transaction
-- Clients list their purchase orders as they list returns. Each index serves one kind of filter.
-- beside: 0009
create index concurrently if not exists purchase_order_receipt on purchase_order (client_id, received_at)
  where received_at >= '-infinity';
create index concurrently if not exists purchase_order_status on purchase_order (client_id, status, received_at)
  where received_at < 'infinity';
create index concurrently if not exists purchase_order_facility on purchase_order (client_id, distribution_centre, received_at)
  where distribution_centre > '';
create index concurrently if not exists purchase_order_change
  on purchase_order (client_id, updated_at, received_at, po_number, vendor_order_id)
  where updated_at >= '-infinity';
