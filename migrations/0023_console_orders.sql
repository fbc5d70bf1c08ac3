-- Orders as operators look for them: over all clients, by what waits at a facility, by the time that is left, by the
-- beginning of a name; and everything that happened to one of them.

-- Lists over clients go by receipt, whatever the states that are asked for: a page is merged from the newest of each
-- facility and state, some dozens of look-ups of a page each. One index with the state in front does for all of these
-- lists what one by receipt does only for the list without a filter. With a client the index of its states does the same
-- (migration 0009). The condition is always true and only repeated by what is meant to go by the index (decision 0011): one of
-- received_at would imply that of the index of receipts.
create index sales_order_floor on sales_order (distribution_centre, status, received_at, client_id, order_id)
  where order_date > '-infinity';
-- By the time left: of what has not left yet, which is little, and first what is due first. What is due at no time is last.
create index sales_order_due on sales_order ((coalesce(despatch_by, 'infinity'::timestamptz)), client_id, order_id)
  where status in ('RECEIVED', 'ON_HOLD', 'BACKORDERED', 'PARTIALLY_ALLOCATED', 'ALLOCATED', 'PICKING', 'PACKED',
    'PARTIALLY_DESPATCHED');
-- What few orders have: without these, asking for one that hardly any has would read all orders.
create index sales_order_carrier on sales_order (carrier_code, client_id) where carrier_code is not null;
create index sales_order_priority on sales_order (priority, client_id) where priority <> 5;
-- People type the beginning of a name, and small letters for capitals. The collation is named, so that the names with one
-- beginning stand side by side whatever the database's own order is.
create index sales_order_name on sales_order (client_id, (upper(order_id collate "C"))) where order_id > '';
create index sales_order_reference_name on sales_order (client_id, (upper(external_order_reference collate "C")))
  where external_order_reference > '';

-- What happened to one object; documents and lines of the audit log are found by the indexes of their own lists. What
-- carriers and the floor report stands with the order's milestones already.
create index event_of_order on event (client_id, object_id, event_id)
  where object_type = 'order' and topic <> 'carrier:trackAndTrace';
create index webhook_delivery_of_object on webhook_delivery (client_id, object_id, delivery_id) where object_id > '';
create index outbound_document_object on outbound_document (client_id, object_id, message_id) where object_id > '';

-- citus: local
-- A list as a user wants to find it again: its filters, sort and columns, as they stand in the address of the screen.
create table console_view (
  view_id uuid primary key,
  screen text not null,
  user_name text not null,
  name text not null,
  query text not null,
  -- Everybody sees it; only who made it, or an administrator, deletes it.
  is_shared boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create unique index console_view_name on console_view (user_name, screen, lower(name));
create index console_view_shared on console_view (screen, view_id) where is_shared;
