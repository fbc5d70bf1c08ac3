-- Feeds that go out to clients.

-- What the event has to say in an outbound feed, beside what webhooks are told: {type, objectId, content}.
alter table outbox add column outbound json;

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
  acknowledged_at timestamptz,
  primary key (client_id, message_id)
) partition by range (message_id);
create index outbound_document_pending on outbound_document (client_id, message_id) where acknowledged_at is null;
create index outbound_document_origin on outbound_document (client_id, feed_token) where feed_token is not null;
