-- no-transaction
-- The stock in the pools of a client is counted before a pool is taken away. Nearly all stock is in the default pool.
-- beside: 0010
-- Only columns of the key, so that a change of a quantity does not write to the index.
create index concurrently if not exists stock_balance_pool on stock_balance (client_id, stock_pool)
  where stock_pool <> 'DEFAULT';
