-- Clients choose a rule of routing, and each choice is kept with its reasons.
-- beside: 0017
-- citus: distributed
create table routing_decision (
  client_id text not null,
  order_id text not null,
  decision_id uuid not null,
  rule text not null,
  moved_from text,
  candidates json not null,
  primary key (client_id, order_id, decision_id)
) partition by range (decision_id);
comment on table routing_decision is
  'A choice of a facility for an order by the rule of the client. It never changes, and has no personal data. Its key '
  'contains the time.';
comment on column routing_decision.moved_from is 'The facility that lacked stock, of an order that moved for it.';
comment on column routing_decision.candidates is
  'The facilities of the client in their order, each with the first SKU that it lacks, or with its measure by the rule.';
comment on column sales_order.routed_by is
  'How the facility was found: NAMED by the order, FILLS all lines, chosen by the RULE of the client, or FIRST of the '
  'client''s.';
