-- no-transaction
-- A recall asks where a lot or a unit came from and went. Goods without a batch or a serial number are in none of these
-- indexes, so that the life of an order of them writes no more.
-- beside: 0012
-- The orders that goods of a lot left with: an entry for each despatched line of a lot, and none for its other movements.
create index concurrently if not exists stock_movement_despatched_lot
  on stock_movement (client_id, sku, batch_ref, reference_id) where type = 'DESPATCH' and batch_ref > '';
create index concurrently if not exists goods_receipt_line_lot on goods_receipt_line (client_id, sku, batch_ref)
  where batch_ref > '';
-- By product, and not by serial number: behind row security the operators of arrays use no index.
create index concurrently if not exists goods_receipt_line_serial on goods_receipt_line (client_id, sku)
  where serials is not null;
create index concurrently if not exists return_disposition_lot on return_disposition (client_id, sku, batch_ref)
  where batch_ref > '';
create index concurrently if not exists return_disposition_serial on return_disposition (client_id, sku)
  where serials is not null;
create index concurrently if not exists work_order_lot_component
  on work_order_lot (client_id, component_sku, component_batch_ref) where component_batch_ref > '';
create index concurrently if not exists work_order_lot_finished
  on work_order_lot (client_id, finished_sku, finished_batch_ref) where finished_batch_ref > '';
