-- no-transaction
-- What left a facility by transfers, for the check of stock. Other entries of the ledger are not in it.
-- beside: 0012
create index concurrently if not exists stock_movement_transfer on stock_movement (client_id, reference_id, sku)
  where reference_type = 'transfer' and type = 'DESPATCH';
