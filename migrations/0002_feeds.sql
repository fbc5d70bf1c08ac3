-- Inbound documents over HTTP and SFTP.

-- citus: distributed
create table feed_document (
  client_id text not null,
  token uuid not null,
  feed_type text not null,
  channel text not null,
  state text not null check (state in ('REJECTED', 'PARKED', 'ACCEPTED', 'PROCESSED', 'FAILED')),
  object_id text,
  received_at timestamptz not null,
  completed_at timestamptz,
  overdue_at timestamptz,
  unparked_at timestamptz,
  body_sha256 bytea not null,
  body_bytes integer not null,
  ack bytea not null,
  findings jsonb,
  primary key (client_id, token)
) partition by range (token);
comment on table feed_document is 'An inbound document and its outcome.';
comment on column feed_document.token is 'UUIDv7 of the document.';
comment on column feed_document.channel is 'How the document came: HTTP, SFTP, CLI or CONSOLE.';
comment on column feed_document.object_id is 'The number of the object that the document is about.';
comment on column feed_document.completed_at is 'When the document got its outcome.';
comment on column feed_document.overdue_at is 'When the deadline of an accepted document passed without an outcome.';
comment on column feed_document.unparked_at is 'When a catalogue supplied the items that a parked document waited for.';
comment on column feed_document.ack is 'The ACK document.';
comment on column feed_document.findings is 'Errors and warnings of the validation.';
-- Open documents: for the deadline watch, and for the catalogue that completes parked ones.
create index feed_document_open on feed_document (client_id, token) where state in ('ACCEPTED', 'PARKED');
create index feed_document_parked on feed_document (client_id, feed_type, object_id) where state = 'PARKED';
create index feed_document_rejected on feed_document (completed_at, client_id) where state = 'REJECTED';
create index feed_document_waiting on feed_document (received_at, client_id) where state = 'PARKED';
create index feed_document_overdue on feed_document (overdue_at, client_id)
  where state = 'ACCEPTED' and overdue_at is not null;
create index feed_document_failed on feed_document (completed_at, client_id) where state = 'FAILED';
-- The feed log of the console by receipt, which a token contains.
create index feed_document_receipt on feed_document (token) where received_at < 'infinity';
-- Refused and failed documents, few among millions.
create index feed_document_refused on feed_document (state, token) where state in ('REJECTED', 'FAILED');
create index feed_document_refused_of_client on feed_document (client_id, state, token)
  where state in ('REJECTED', 'FAILED');
-- By the object, or the beginning of its number, in any collation.
create index feed_document_about on feed_document (object_id text_pattern_ops, token) where object_id > '';

-- citus: distributed
create table feed_payload (
  client_id text not null,
  token uuid not null,
  content_type text not null,
  encoding text not null check (encoding in ('identity', 'zstd')),
  payload bytea not null,
  primary key (client_id, token)
) partition by range (token);
comment on table feed_payload is 'The bytes of an inbound document.';
comment on column feed_payload.encoding is
  'Large documents are compressed by the program (zstd); small ones are stored as they are, and PostgreSQL compresses '
  'them.';

-- citus: distributed
create table feed_idempotency (
  client_id text not null,
  feed_type text not null,
  idempotency_key text not null,
  token uuid not null,
  body_sha256 bytea not null,
  expires_at timestamptz not null,
  primary key (client_id, idempotency_key, feed_type)
);
comment on table feed_idempotency is
  'Idempotency keys of feeds. They are unique over months, so the table has no partitions; rows are deleted after seven'
  ' days.';
create index feed_idempotency_expiry on feed_idempotency (client_id, expires_at) where expires_at > '-infinity';

-- citus: distributed
create table feed_file (
  client_id text not null,
  name text not null,
  feed_type text not null,
  ordinal integer not null check (ordinal > 0),
  token uuid not null,
  body_sha256 bytea not null,
  body_bytes integer not null,
  ack_bytes integer not null,
  is_accepted boolean not null,
  processed_at timestamptz not null,
  archive_name text,
  has_token_ack boolean not null,
  has_named_ack boolean not null,
  primary key (client_id, name, feed_type, ordinal)
);
comment on table feed_file is
  'A file that came by SFTP and was processed: what its name, its ACK and the folders that list it need.';
comment on column feed_file.ordinal is
  'Counts files of one name and folder. Of two transactions that process files of one name the second fails, is '
  'retried, and sees the first.';
comment on column feed_file.token is 'The document whose ACK answered the file. A repeated file has the token of the first.';
comment on column feed_file.archive_name is 'Its name in /archive or /rejected. Null: its bytes may not be kept.';
comment on column feed_file.has_token_ack is 'Whether `<name>.<token>.ack.xml` exists.';
comment on column feed_file.has_named_ack is 'Whether `<name>.ack.xml` is the ACK of this file.';
create unique index feed_file_plain_ack on feed_file (client_id, name) where has_named_ack;
create unique index feed_file_archive on feed_file (client_id, is_accepted, archive_name) where archive_name is not null;
create index feed_file_acks on feed_file (client_id, token) where has_token_ack or has_named_ack;
create index feed_file_list on feed_file (client_id, is_accepted, token) where ordinal > 0;

-- citus: distributed
create table sftp_upload (
  client_id text not null,
  upload_id uuid not null,
  feed_type text not null,
  name text not null,
  state text not null check (state in ('WRITING', 'PARTIAL', 'WAITING')),
  size_bytes integer not null,
  last_written_at timestamptz not null,
  claimed_until timestamptz,
  primary key (client_id, upload_id)
);
comment on table sftp_upload is 'A file that came by SFTP and is not processed yet.';
comment on column sftp_upload.state is
  'WRITING: only its writer sees it. PARTIAL: the connection was lost, and the bytes are not kept. WAITING: it is '
  'complete, and is processed when it is renamed.';
comment on column sftp_upload.claimed_until is 'Until then a worker processes the file; it extends the claim.';
create unique index sftp_upload_name on sftp_upload (client_id, feed_type, name) where state <> 'WRITING';

-- citus: distributed
create table sftp_upload_chunk (
  client_id text not null,
  upload_id uuid not null,
  ordinal integer not null,
  bytes bytea not null,
  primary key (client_id, upload_id, ordinal)
);
-- The bytes are read once and deleted: compression costs more than it saves.
alter table sftp_upload_chunk alter column bytes set storage external;
comment on table sftp_upload_chunk is 'The bytes of an upload, in pieces.';

-- citus: local
create table sftp_host_key (
  algorithm text primary key,
  public_key text not null,
  private_key_sealed text not null,
  created_at timestamptz not null
);
comment on table sftp_host_key is
  'The keys by which clients recognise the SFTP server; the same on all nodes. The first node creates them.';
comment on column sftp_host_key.private_key_sealed is 'Encrypted under the master key.';

-- citus: local
create table sftp_login_failure (
  address text primary key,
  failures integer not null check (failures > 0),
  last_failed_at timestamptz not null,
  locked_until timestamptz
);
comment on table sftp_login_failure is 'Consecutive failed log-ins from an address. A successful log-in deletes the row.';
create index sftp_login_failure_last on sftp_login_failure (last_failed_at);

-- citus: local
create table sftp_session (
  client_id text not null,
  slot smallint not null,
  session_id uuid not null,
  node_id uuid not null,
  credential_id text not null,
  started_at timestamptz not null,
  lease_until timestamptz not null,
  primary key (client_id, slot)
) with (fillfactor = 50);
comment on table sftp_session is
  'Open SFTP sessions. A client has a fixed number of slots over all nodes; a session holds one by a lease.';
create index sftp_session_node on sftp_session (node_id);
create index sftp_session_lease on sftp_session (lease_until);
