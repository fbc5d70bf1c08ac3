-- The lines of a split order are fulfilled by several facilities. `sales_order_line.facility_code` is that of the line.
-- beside: 0022
alter table sales_order add column split_facilities text[];
comment on column sales_order.split_facilities is
  'The facilities of a split order besides distribution_centre. Null: that one fulfils all lines.';
comment on column sales_order.routed_by is
  'How the facility was found: NAMED by the order, FILLS all lines, chosen by the RULE of the client, SPLIT among '
  'several, FIRST of the client''s, or REROUTED because the one before lacked stock.';
comment on column sales_order_line.facility_code is
  'The facility that fulfils the line: that of the order, or one of split_facilities. Waiting lines are found by it.';
