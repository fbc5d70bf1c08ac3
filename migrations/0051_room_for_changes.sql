-- no-transaction
-- Rows that change with each step of an order get room in their pages for the change, and their indexes have no condition
-- on what changes: such a change writes no index.
-- beside: 0008
-- Allocated goods that expire, which are checked each hour. Only columns of the key.
create index concurrently if not exists stock_reservation_dated on stock_reservation (expiry_date, client_id, facility_code)
  where expiry_date < 'infinity';
-- harmless: older releases find the same lots by stock_balance_expiry, once an hour
drop index concurrently if exists stock_balance_expiring;
-- harmless: says only where new rows go
alter table sales_order_line set (fillfactor = 70);
-- harmless: says only where new rows go
alter table warehouse_task set (fillfactor = 60);
comment on column feed_payload.encoding is
  'identity, or zstd: compressed by the program. A zstd payload whose first byte is less than 32 is packed '
  '(docs/decisions/0078-packed-contents.md).';
comment on column carrier_decision.decision is
  'The choice and the alternatives as lists, each reason once. Packed, the whole is its field packed; beside it are the '
  'first choice and as many zeros as there are other choices and rejected services, which SQL reads.';
comment on column parcel.contents is
  '[{lineNumber, sku, qty, stockPool, batchRef, expiryDate, serials}]. Left out: the pool DEFAULT, no batch, infinity, no '
  'serials.';
comment on column outbound_document.payload is 'The XML; packed where its first byte is less than 32.';
comment on column order_document.content is
  'What the paper shows, as JSON: compressed by zstd, or packed where its first byte is less than 32.';
