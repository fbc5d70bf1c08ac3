-- no-transaction
-- What was done for a client on each day, for reports and bills (docs/decisions/0074-activity-by-day.md).
-- beside: 0012

-- citus: distributed
create table if not exists activity_day (
  client_id text not null,
  day date not null,
  facility_code text not null,
  measure text not null,
  key text not null,
  quantity numeric(19, 4) not null,
  primary key (client_id, day, facility_code, measure, key)
);
comment on table activity_day is
  'Figures of a client, facility and local day. A job computes the rows of a day when something of that day has changed.';
comment on column activity_day.facility_code is 'Empty: feeds, which have no facility; their day is that of UTC.';
comment on column activity_day.measure is 'What is counted, such as PARCELS.';
comment on column activity_day.key is
  'What the measure is divided by, such as the carrier service: a JSON array, one text, or empty.';
-- Reports over all clients.
create index if not exists activity_day_measure on activity_day (day, measure, client_id) where quantity <> 0;

-- citus: distributed
create table if not exists activity_due (
  client_id text not null,
  day date not null,
  facility_code text not null,
  primary key (client_id, day, facility_code)
);
comment on table activity_due is 'Days whose figures the job computes again, because something has changed.';

-- citus: distributed
create table if not exists activity_cursor (
  client_id text primary key,
  position bigint not null,
  has_due boolean not null
);
comment on table activity_cursor is
  'The last event of a client whose day the job has noted. Without a row the job computes all days of the client.';
comment on column activity_cursor.position is 'Position in the client''s event log.';
comment on column activity_cursor.has_due is 'Whether the client may have due days.';

-- The receipts, the returned goods and the finished work orders of a day.
create index concurrently if not exists goods_receipt_booked on goods_receipt (client_id, facility_code, booked_at)
  where booked_at > '-infinity';
create index concurrently if not exists return_disposition_booked on return_disposition (client_id, facility_code, booked_at)
  where booked_at > '-infinity';
