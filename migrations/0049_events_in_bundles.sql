-- The events of a transaction may be one row of the outbox (docs/decisions/0080-events-in-bundles.md): an order then has
-- 1.2 rows in the place of 17.7. 0.2.0 cannot read such a row, so that it is written when no process of it runs any more.
-- beside: 0008
-- finalize
alter table outbox add column events smallint not null default 1;
comment on table outbox is
  'Events that a transaction has written and the relay has not published yet, in one row or in one each. Publishing '
  'deletes the row.';
comment on column outbox.events is 'The number of events in the row.';
comment on column outbox.object_id is 'Empty: the row is a bundle, and data has all its events.';
comment on column outbox.data is
  'As event.data. Of a bundle the array of its events: topic, object_type, object_id, facility_code, feed_token, '
  'occurred_at, data, outbound.';
