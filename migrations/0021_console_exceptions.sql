-- What waits for somebody in the console. The list is read from what is so at this moment: each of its sources has an index of
-- those rows alone, in the order in which they came to it over all clients.

-- citus: distributed
-- What people have said of an exception: whose it is, a remark, that it is put aside. An exception that comes anew has another
-- `since`, so that nobody owns it yet and nothing hides it.
create table exception_mark (
  client_id text not null,
  type text not null,
  -- What it is about: a token, an order, a parcel.
  object_key text not null,
  since timestamptz not null,
  owner text,
  note text,
  resolved_at timestamptz,
  resolved_by text,
  reason text,
  updated_at timestamptz not null,
  primary key (client_id, type, object_key, since)
);
create index exception_mark_age on exception_mark (client_id, updated_at) where updated_at >= '-infinity';
-- Of one person, over all clients.
create index exception_mark_owner on exception_mark (owner, client_id) where owner is not null and resolved_at is null;

alter table operator_exception
  -- How often it was met again since it was raised, and when last.
  add column repeats integer not null default 0,
  add column repeated_at timestamptz;
create index operator_exception_open on operator_exception (kind, raised_at, client_id) where state = 'OPEN';

create index feed_document_rejected on feed_document (settled_at, client_id) where state = 'REJECTED';
create index feed_document_waiting on feed_document (received_at, client_id) where state = 'PARKED';
create index feed_document_overdue on feed_document (overdue_at, client_id) where state = 'ACCEPTED' and overdue_at is not null;
create index feed_document_failed on feed_document (settled_at, client_id) where state = 'FAILED';

-- By the hold that was set last: a text of one form, which sorts as the moment does.
create index sales_order_held on sales_order ((holds -> -1 ->> 'since'), client_id)
  where holds <> '[]' and status not in ('CANCELLED', 'DESPATCHED', 'DELIVERED', 'RETURNED_TO_SENDER');
create index sales_order_waiting on sales_order (backordered_since, client_id) where backordered_since is not null;
create index sales_order_unanswered on sales_order (cancel_reported_at, client_id)
  where cancel_reported_at is not null and cancel_requested_at is not null;

create index parcel_exception on parcel (status_at, client_id) where status in ('EXCEPTION', 'LOST');
create index purchase_order_closed on purchase_order (closed_at, client_id) where closed_at is not null;
-- Columns of the key alone, so that a change of a quantity is spared the indexes as before.
create index stock_balance_on_hold on stock_balance (client_id, facility_code, sku) where condition = 'ON_HOLD';

create index webhook_delivery_failed on webhook_delivery (settled_at, client_id) where status = 'FAILED';
create index webhook_disabled on webhook (updated_at, client_id) where status = 'DISABLED';
