-- no-transaction
-- What ends by itself: signing keys, personal data, and what is kept for so many days.
-- beside: 0027

-- From then on it signs; published before, so that every node and every cache knows it by then. Null: from its making.
alter table signing_key add column if not exists signs_from timestamptz;

alter table sales_order
  -- When names, addresses and payloads were blanked; null as long as they are there.
  add column if not exists erased_at timestamptz;
-- Orders that have ended and are not blanked yet, the oldest first. One that has left and of which no carrier ever tells the
-- end counts from its last change.
create index concurrently if not exists sales_order_erasable on sales_order (client_id, (coalesce(ended_at, updated_at)))
  where erased_at is null and status in ('CANCELLED', 'DESPATCHED', 'DELIVERED', 'RETURNED_TO_SENDER');
-- Of those as well that are no longer open, which the index of open ones does not find.
create index concurrently if not exists operator_exception_about on operator_exception (client_id, object_id) where object_id > '';
create index concurrently if not exists operator_exception_resolved on operator_exception (client_id, resolved_at) where resolved_at is not null;
create index concurrently if not exists warehouse_report_age on warehouse_report (client_id, accepted_at) where accepted_at > '-infinity';
