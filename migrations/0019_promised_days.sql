-- A line that waits has the day on which purchase orders bring its goods.
-- beside: 0018
alter table sales_order_line add column promised_on date;
comment on column sales_order_line.promised_on is
  'The day on which purchase orders bring what the line waits for. It is written while it waits, and stays afterwards.';
