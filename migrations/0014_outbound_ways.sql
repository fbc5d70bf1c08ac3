-- How each type of a client's outbound feeds reaches it: fetched over HTTP, pushed, by SFTP, or by several of these.

-- citus: distributed
-- Without a row a type is fetched over HTTP. Where it is pushed to stands in webhook, as kind OUTBOUND.
create table outbound_way (
  client_id text not null,
  type text not null,
  is_pulled boolean not null,
  is_on_sftp boolean not null,
  updated_at timestamptz not null,
  primary key (client_id, type)
);
-- Each type is pushed to one address at the most.
create unique index webhook_outbound on webhook (client_id, topic_name) where kind = 'OUTBOUND';

-- The ways that a document took are written down with it: what waits in one is still there when the ways change, and
-- what was taken in one is not taken in another.
alter table outbound_document
  add column is_pulled boolean not null default true,
  add column is_on_sftp boolean not null default false,
  -- By SFTP: first read; deleted or renamed into the archive, and with that delivered.
  add column read_at timestamptz,
  add column taken_at timestamptz;
drop index outbound_document_pending;
create index outbound_document_pending on outbound_document (client_id, list_position, type)
  where acknowledged_at is null and is_pulled;
create index outbound_document_folder on outbound_document (client_id, type, list_position)
  where is_on_sftp and taken_at is null;
create index outbound_document_archive on outbound_document (client_id, taken_at, message_id) where taken_at is not null;
