-- no-transaction
-- Open purchase orders by the day on which they are expected, for the figures of the console. A purchase order that is
-- not open is not in it.
-- beside: 0012
create index concurrently if not exists purchase_order_expected on purchase_order (
    (substring(extended_attributes ->> 'ExpectedDate' from '^[12][0-9]{3}-[0-9]{2}-[0-9]{2}$')), client_id)
  where status in ('OPEN', 'RECEIVING');
