-- A kit is an item that consists of other items. A line of a kit has a row of components beside it in the same order,
-- which hold the stock.
-- beside: 0008

alter table item add column components jsonb;
comment on column item.components is 'Null: the item is no kit. Of a kit: `[{"sku": "CUP-RED", "qty": 2}]`, qty for one kit.';

alter table sales_order_line add column kit_qty numeric(12, 3);
comment on column sales_order_line.kit_qty is
  'Null: the line is no part of a kit. 0: it is the kit as the client sees it, and its quantities follow from its '
  'components, whose lineNumber ends with its own in six digits. Above 0: the component, and its quantity in one kit.';
-- A component has nothing to send while stock of the kit itself covers the line.
-- harmless: older nodes write no line without quantity; sales_order_line_sum and the checks of the buckets keep it at 0 or above
alter table sales_order_line drop constraint sales_order_line_qty_ordered_check;
