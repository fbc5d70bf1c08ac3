-- no-transaction
-- A customer rings, and the telephone shows a number: orders by its last eight digits, which are the same with the prefix
-- of the country and with that of the area. An order whose personal data are erased is not in the index. It adds 0.6 kB
-- (0.5 %) to the log of an order's life (docs/decisions/0077-telephone-numbers-of-orders.md).
-- beside: 0008
create index concurrently if not exists sales_order_ship_to_phone on sales_order (client_id, (
    nullif(right(regexp_replace(ship_to_address ->> 'phone' collate "C", '[^0-9]', '', 'g'), 8), '')::integer))
  where erased_at is null and ship_to_address ? 'phone';
