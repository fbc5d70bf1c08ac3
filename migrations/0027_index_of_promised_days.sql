-- no-transaction
-- Lines that wait for goods whose day is over, for the job that gives them another day. A line without a promised day is
-- not in it.
-- beside: 0019
create index concurrently if not exists sales_order_line_promised on sales_order_line (promised_on, client_id, facility_code, sku)
  where promised_on is not null and qty_open + qty_backordered > 0;
