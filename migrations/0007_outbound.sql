-- Feeds that go out to clients.

-- What the event has to say in an outbound feed, beside what webhooks are told: {type, objectId, content}.
alter table outbox add column outbound json;
-- Whether more is waiting of an object of which the relay's consumers have something to tell.
create index outbox_object on outbox (client_id, object_id) where state = 'PENDING';
-- Counts what was put into the client's list of outbound documents. Taken with the lane's row, which stays locked to the
-- commit: whoever reads the list by position misses nothing, though relay, snapshots and resends write to it side by side.
alter table outbox_lane add column outbound_position bigint not null default 0;

-- citus: distributed
create table outbound_document (
  client_id text not null,
  message_id uuid not null,
  type text not null,
  object_id text not null,
  facility_code text,
  -- The inbound document whose outcome it tells.
  feed_token uuid,
  part integer not null default 1,
  parts integer not null default 1,
  created_at timestamptz not null,
  size integer not null,
  payload bytea not null,
  -- Where it stands in the list of what is to be fetched. A message id is made before it is seen, and is kept when the
  -- document is sent again; a position is neither.
  list_position bigint not null,
  acknowledged_at timestamptz,
  primary key (client_id, message_id)
) partition by range (message_id);
create index outbound_document_pending on outbound_document (client_id, list_position, type) where acknowledged_at is null;
create index outbound_document_origin on outbound_document (client_id, feed_token) where feed_token is not null;
