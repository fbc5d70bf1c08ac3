-- Files by SFTP: the names of those that were judged, and what has come of those that are not.

-- citus: distributed
-- A judged file: what its name, its ACK and the folders that show it need. Counted by name and folder, so that of two
-- transactions that judge a file of one name the second fails, is run again, and sees the first one's.
create table feed_file (
  client_id text not null,
  name text not null,
  feed_type text not null,
  ordinal integer not null check (ordinal > 0),
  -- The document whose ACK answered the file; that of an earlier one where the file was that one over again.
  token uuid not null,
  body_sha256 bytea not null,
  body_bytes integer not null,
  ack_bytes integer not null,
  is_accepted boolean not null,
  judged_at timestamptz not null,
  -- Its name in /archive or /rejected; null where its bytes may not be kept.
  filed_as text,
  -- Whether `<name>.<token>.ack.xml` is there, and whether `<name>.ack.xml` is the ACK of this one.
  keeps_own_ack boolean not null,
  keeps_plain_ack boolean not null,
  primary key (client_id, name, feed_type, ordinal)
);
create unique index feed_file_plain_ack on feed_file (client_id, name) where keeps_plain_ack;
create unique index feed_file_filed on feed_file (client_id, is_accepted, filed_as) where filed_as is not null;
create index feed_file_acks on feed_file (client_id, token) where keeps_own_ack or keeps_plain_ack;
create index feed_file_list on feed_file (client_id, is_accepted, token) where ordinal > 0;

-- citus: distributed
-- A file that is not judged. WRITING: its writer's own, and nobody else sees it. PARTIAL: its connection was lost, its bytes
-- are not kept. WAITING: it is whole, and is judged when it is renamed.
create table sftp_upload (
  client_id text not null,
  upload_id uuid not null,
  feed_type text not null,
  name text not null,
  state text not null check (state in ('WRITING', 'PARTIAL', 'WAITING')),
  size_bytes integer not null,
  touched_at timestamptz not null,
  -- Somebody is judging it until then, and says so again before.
  claimed_until timestamptz,
  primary key (client_id, upload_id)
);
create unique index sftp_upload_name on sftp_upload (client_id, feed_type, name) where state <> 'WRITING';

-- citus: distributed
create table sftp_upload_chunk (
  client_id text not null,
  upload_id uuid not null,
  ordinal integer not null,
  bytes bytea not null,
  primary key (client_id, upload_id, ordinal)
);
-- Read once and deleted: compressing them costs more than it saves.
alter table sftp_upload_chunk alter column bytes set storage external;
