-- An order that lacks stock moves by itself to a facility that has it, at most once in the hours that the client sets.
-- beside: 0019
alter table sales_order add column reroute_after timestamptz;
comment on column sales_order.reroute_after is
  'An order that lacks stock is not compared with other facilities again before it. Null: it never was.';
comment on column sales_order.routed_by is
  'How the facility was found: NAMED by the order, FILLS all lines, chosen by the RULE of the client, FIRST of the '
  'client''s, or REROUTED because the one before lacked stock.';
