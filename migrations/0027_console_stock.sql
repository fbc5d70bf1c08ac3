-- Stock and inbound work as the operators of a warehouse look at them: over all clients, by product, by facility, by what
-- expires first, and by receipt. Like the others, these indexes have a condition that is always true where it does not leave
-- rows out, so that only the statements meant for them take them (migration 0004 says why).

create index stock_balance_product on stock_balance (sku, client_id, facility_code) where sku >= '';
create index stock_balance_place on stock_balance (facility_code, sku, client_id) where facility_code >= '';
-- Without a condition of qty: a change of it would then write anew into every index of the row.
create index stock_balance_expiry on stock_balance (expiry_date, client_id, facility_code, sku)
  where expiry_date < 'infinity';

create index purchase_order_arrival on purchase_order (received_at, client_id, po_number, vendor_order_id)
  where received_at <= 'infinity';
create index purchase_order_open on purchase_order (received_at, client_id, po_number, vendor_order_id)
  where status in ('OPEN', 'RECEIVING');
create index goods_receipt_order on goods_receipt (client_id, po_number, vendor_order_id) where po_number > '';

create index return_authorisation_arrival on return_authorisation (received_at, client_id, rma_number)
  where received_at <= 'infinity';
create index return_authorisation_expected on return_authorisation (received_at, client_id, rma_number)
  where status in ('AUTHORISED', 'RECEIVING');

create index work_order_arrival on work_order (received_at, client_id, work_order_id) where received_at <= 'infinity';
create index work_order_unfinished on work_order (received_at, client_id, work_order_id)
  where status in ('CREATED', 'WAITING_COMPONENTS', 'RELEASED', 'IN_PROGRESS');
