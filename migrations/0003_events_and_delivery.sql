-- Events, and how they reach clients: outbound documents, webhooks and alert mails.

-- citus: distributed
create table outbox (
  client_id text not null,
  outbox_id uuid not null,
  state text not null default 'PENDING' check (state in ('PENDING', 'FAILED')),
  topic text not null,
  object_type text not null,
  object_id text not null,
  facility_code text,
  feed_token uuid,
  occurred_at timestamptz not null,
  data json not null,
  outbound json,
  weight integer not null default 1,
  attempts smallint not null default 0,
  last_error text,
  primary key (client_id, outbox_id)
) with (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0);
comment on table outbox is
  'Events that a transaction has written and the relay has not published yet. Publishing deletes the row.';
comment on column outbox.state is 'FAILED: the relay has given up, and an operator may have it retried.';
comment on column outbox.feed_token is 'The inbound document that caused the event.';
comment on column outbox.data is 'json, not jsonb: it is written once and passed on unchanged.';
comment on column outbox.outbound is 'The content of the event in an outbound document: {type, objectId, content}.';
comment on column outbox.weight is
  'Work that the event causes: 1, and 1 for each line of its object. The relay takes batches of similar weight '
  '(docs/decisions/0040-fair-turns.md).';
-- Whether more events of an object wait.
create index outbox_object on outbox (client_id, object_id) where state = 'PENDING';
-- Events that the relay has given up, by the document whose outcome waits for them.
create index outbox_failed on outbox (client_id, feed_token) where state = 'FAILED';

-- citus: distributed
create table outbox_due (
  client_id text not null,
  slot uuid not null,
  marked bigint not null,
  primary key (client_id, slot)
) with (fillfactor = 50);
comment on table outbox_due is
  'Which clients have rows in the outbox. Each writer updates its own slot, so that writers do not wait for each other.';
comment on column outbox_due.marked is 'Changes with each mark; the value has no meaning.';

-- citus: distributed
create table outbox_lane (
  client_id text primary key,
  owner uuid,
  lease_until timestamptz,
  fence bigint not null default 0,
  last_position bigint not null default 0,
  outbound_position bigint not null default 0,
  sequence_base bigint not null default 0
);
comment on table outbox_lane is
  'The lane of a client, by which one relay at a time publishes its events. The fence decides who holds it, not the '
  'clock.';
comment on column outbox_lane.fence is 'Grows with each new owner; a write with an older one is refused.';
comment on column outbox_lane.last_position is 'The last position of the client''s event log.';
comment on column outbox_lane.outbound_position is
  'The last position of the client''s list of outbound documents. The row stays locked until the commit, so that a '
  'reader by position misses none, though relay, snapshots and resends write concurrently.';
comment on column outbox_lane.sequence_base is
  'The least sequence number of events from here on. A restore raises it, so that no event gets a number that a '
  'receiver has seen.';

-- citus: distributed
create table event (
  client_id text not null,
  event_id uuid not null,
  position bigint not null,
  topic text not null,
  object_type text not null,
  object_id text not null,
  sequence bigint,
  facility_code text,
  occurred_at timestamptz not null,
  data json not null,
  primary key (client_id, event_id)
) partition by range (event_id);
comment on table event is
  'The event log: what was published, in the order in which every reader sees it. Positions have no gaps within a '
  'client.';
comment on column event.sequence is
  'Counts the events of the object, so that a reader knows which of two is later. Null: published before events were '
  'counted.';
create index event_position on event (client_id, position) where position > 0;
-- What happened to an order. Track-and-trace codes are milestones already.
create index event_of_order on event (client_id, object_id, event_id)
  where object_type = 'order' and topic <> 'carrier:trackAndTrace';
-- Events of a facility, whose personal data are erased with their order.
create index event_of_task on event (client_id, object_id, event_id) where object_type = 'task';

-- citus: distributed
create table event_sequence (
  client_id text not null,
  object_type text not null,
  object_id text not null,
  last_sequence bigint not null,
  primary key (client_id, object_type, object_id)
) with (fillfactor = 70);
comment on table event_sequence is 'The number of the last event of each object.';

-- citus: distributed
create table outbound_channel (
  client_id text not null,
  type text not null,
  is_http boolean not null,
  is_sftp boolean not null,
  updated_at timestamptz not null,
  primary key (client_id, type)
);
comment on table outbound_channel is
  'The channels of an outbound document type. A type without a row is fetched over HTTP. The address of a push is a row'
  ' of webhook.';
comment on column outbound_channel.is_http is 'The client fetches documents over HTTP.';
comment on column outbound_channel.is_sftp is 'The documents are files in the client''s SFTP folder.';

-- citus: distributed
create table outbound_document (
  client_id text not null,
  message_id uuid not null,
  type text not null,
  object_id text not null,
  facility_code text,
  feed_token uuid,
  part integer not null default 1,
  parts integer not null default 1,
  created_at timestamptz not null,
  size integer not null,
  payload bytea not null,
  list_position bigint not null,
  is_http boolean not null default true,
  is_sftp boolean not null default false,
  acknowledged_at timestamptz,
  read_at timestamptz,
  collected_at timestamptz,
  primary key (client_id, message_id)
) partition by range (message_id);
comment on table outbound_document is 'A document for a client: an ACK or an outbound feed.';
comment on column outbound_document.feed_token is 'The inbound document whose outcome it reports.';
comment on column outbound_document.part is 'Number of the document among the parts of one message.';
comment on column outbound_document.list_position is
  'Position in the client''s list of outbound documents. A message id is created earlier and is the same when the '
  'document is sent again; a position is neither.';
comment on column outbound_document.is_http is
  'Its channels are stored with the document: it stays in its channel when the client''s channels change, and taking it '
  'in one channel does not take it in another.';
comment on column outbound_document.acknowledged_at is 'When the client acknowledged it over HTTP.';
comment on column outbound_document.read_at is 'When it was first read by SFTP.';
comment on column outbound_document.collected_at is
  'When it was deleted or renamed into the archive by SFTP, and is delivered by that.';
create index outbound_document_origin on outbound_document (client_id, feed_token) where feed_token is not null;
create index outbound_document_pending on outbound_document (client_id, list_position, type)
  where acknowledged_at is null and is_http;
create index outbound_document_folder on outbound_document (client_id, type, list_position)
  where is_sftp and collected_at is null;
create index outbound_document_archive on outbound_document (client_id, collected_at, message_id) where collected_at is not null;
create index outbound_document_object on outbound_document (object_id, client_id, message_id) where object_id > '';
-- Lists over clients, the newest first: ids contain the time.
create index outbound_document_newest on outbound_document (message_id) where created_at > '-infinity';
-- Documents that wait to be fetched.
create index outbound_document_waiting on outbound_document (message_id)
  where (is_http and acknowledged_at is null) or (is_sftp and collected_at is null);

-- citus: distributed
create table webhook (
  client_id text not null,
  webhook_id uuid not null,
  kind text not null check (kind in ('WEBHOOK', 'OUTBOUND')),
  topic_name text not null,
  additional_topic_names text[] not null default '{}',
  facility_code text not null,
  description text,
  url text not null,
  content_type text not null,
  email_list text[] not null default '{}',
  custom_headers_sealed text,
  status text not null check (status in ('ACTIVE', 'FAILING', 'PAUSED', 'DISABLED')),
  signing_secret_sealed text not null,
  previous_secret_sealed text,
  previous_secret_until timestamptz,
  from_position bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  version integer not null default 1,
  primary key (client_id, webhook_id)
);
comment on table webhook is
  'A subscription of a client or of a facility, or the address that one type of its outbound documents is pushed to.';
comment on column webhook.topic_name is 'A topic, `*` or `order:*`. Of OUTBOUND the type of the document.';
comment on column webhook.additional_topic_names is 'What it receives beside topic_name, in the same notation.';
comment on column webhook.facility_code is 'A facility, or `*`.';
comment on column webhook.description is 'What it is for, in words of the client. Not part of a push.';
comment on column webhook.custom_headers_sealed is 'Name and value of each header, encrypted.';
comment on column webhook.previous_secret_until is 'Until then the previous secret signs as well.';
comment on column webhook.from_position is 'Events up to this position are not delivered.';
-- Each type is pushed to at most one address.
create unique index webhook_outbound on webhook (client_id, topic_name) where kind = 'OUTBOUND';
create index webhook_disabled on webhook (updated_at, client_id) where status = 'DISABLED';

-- citus: distributed
create table webhook_lane (
  client_id text not null,
  webhook_id uuid not null,
  due_at timestamptz,
  owner uuid,
  lease_until timestamptz,
  fence bigint not null default 0,
  breaker jsonb not null default '{}',
  incident jsonb,
  incident_due_at timestamptz,
  primary key (client_id, webhook_id)
) with (fillfactor = 50);
comment on table webhook_lane is 'The lane of a subscription: one worker at a time sends for it, by a lease with a fence.';
comment on column webhook_lane.due_at is 'When there is next something to do. Null: nothing waits.';
comment on column webhook_lane.breaker is 'BreakerState of the circuit breaker.';
comment on column webhook_lane.incident is 'IncidentState of the failures that alert mails report.';
comment on column webhook_lane.incident_due_at is 'When the incident is next evaluated, whether anything is sent or not.';
create index webhook_lane_due on webhook_lane (due_at) where due_at is not null;
create index webhook_lane_incident on webhook_lane (incident_due_at) where incident_due_at is not null;
-- The exceptions of the console: hardly a row.
create index webhook_lane_unreadable on webhook_lane (client_id, webhook_id) where breaker ? 'unreadableSinceMs';

-- citus: distributed
create table webhook_cursor (
  client_id text primary key,
  last_position bigint not null,
  task_position bigint
);
comment on table webhook_cursor is 'The position of the client''s event log up to which deliveries were created.';
comment on column webhook_cursor.task_position is
  'Of a facility with webhooks: the position of its task feed up to which events were written. Null: it has none.';
-- The facilities with webhooks: few.
create index webhook_cursor_tasks on webhook_cursor (client_id) where task_position is not null;

-- citus: distributed
create table webhook_sequence (
  client_id text not null,
  webhook_id uuid not null,
  object_type text not null,
  object_id text not null,
  last_sequence bigint not null,
  primary key (client_id, webhook_id, object_type, object_id)
) with (fillfactor = 70);
comment on table webhook_sequence is
  'The last sequence number of each object in a subscription (`crossdock-sequence`). A transaction that adds or ends a '
  'delivery of the object locks the row, so that the next delivery is never missed.';

-- citus: distributed
create table webhook_delivery (
  client_id text not null,
  delivery_id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  event_position bigint not null,
  topic_name text not null,
  object_type text not null,
  object_id text not null,
  sequence bigint,
  status text not null check (status in ('PENDING', 'RETRYING', 'HELD', 'DELIVERED', 'FAILED', 'SKIPPED')),
  due_at timestamptz,
  blocks_until timestamptz,
  has_unblocked boolean not null default false,
  is_alerted boolean not null default false,
  attempts smallint not null default 0,
  rejections smallint not null default 0,
  attempt_id uuid,
  is_probe boolean not null default false,
  last_error text,
  completed_at timestamptz,
  primary key (client_id, delivery_id)
) partition by range (delivery_id);
comment on table webhook_delivery is 'An event, or an outbound document, on its way to one subscription.';
comment on column webhook_delivery.event_id is 'The event. Of OUTBOUND the document (message id).';
comment on column webhook_delivery.sequence is 'Null: skipped.';
comment on column webhook_delivery.status is 'HELD: it waits for an earlier delivery of its object.';
comment on column webhook_delivery.due_at is
  'When its next attempt starts. Null: it has ended, or waits for an earlier one of its object.';
comment on column webhook_delivery.blocks_until is
  'Until then it blocks later deliveries of its object. Null: no attempt has failed yet.';
comment on column webhook_delivery.has_unblocked is
  'It no longer blocks later deliveries of its object, and is retried by itself.';
comment on column webhook_delivery.is_alerted is
  'An alert about an hour of failures was sent: by its own incident, or by that of the subscription.';
comment on column webhook_delivery.attempts is 'Attempts that have ended; probes do not count.';
comment on column webhook_delivery.rejections is 'Attempts that the receiver answered with a permanent error.';
comment on column webhook_delivery.attempt_id is 'The attempt in progress: only its own result is applied.';
comment on column webhook_delivery.is_probe is 'Whether that attempt is sent while the circuit breaker is open.';
comment on column webhook_delivery.completed_at is 'When it was delivered, failed or skipped.';
create index webhook_delivery_due on webhook_delivery (client_id, webhook_id, due_at) where due_at is not null;
-- Open deliveries in the order of their object.
create index webhook_delivery_object on webhook_delivery (client_id, webhook_id, object_type, object_id, event_position)
  where completed_at is null;
-- Failed deliveries that block later ones.
create index webhook_delivery_blocking on webhook_delivery (client_id, webhook_id, blocks_until)
  where completed_at is null and not has_unblocked and blocks_until is not null;
create index webhook_delivery_list on webhook_delivery (client_id, webhook_id, delivery_id) where attempts >= 0;
-- Deliveries that are retried by themselves, by the time at which they will have failed for an hour.
create index webhook_delivery_unblocked on webhook_delivery (client_id, webhook_id, blocks_until)
  where completed_at is null and has_unblocked and not is_alerted;
create index webhook_delivery_failed on webhook_delivery (completed_at, client_id) where status = 'FAILED';
create index webhook_delivery_of_object on webhook_delivery (client_id, object_id, delivery_id) where object_id > '';
-- Pushes of an outbound document.
create index webhook_delivery_document on webhook_delivery (client_id, event_id)
  where object_type in ('ACK', 'GR', 'OS', 'RS', 'ADJ', 'INV', 'IMS');
-- Deliveries whose first attempt failed; a delivery that succeeds at once never enters the index.
create index webhook_delivery_undelivered on webhook_delivery (delivery_id)
  where status in ('RETRYING', 'FAILED', 'SKIPPED');

-- citus: distributed
create table webhook_attempt (
  client_id text not null,
  attempt_id uuid not null,
  delivery_id uuid not null,
  webhook_id uuid not null,
  state text not null check (state in ('ENDED', 'UNKNOWN')),
  is_probe boolean not null default false,
  started_at timestamptz not null,
  ended_at timestamptz,
  address text,
  phases jsonb,
  status smallint,
  headers jsonb,
  body bytea,
  error_class text,
  primary key (client_id, attempt_id)
) partition by range (attempt_id);
comment on table webhook_attempt is
  'A request of a delivery, written when it has ended. Until then the delivery names it, so that an attempt of a dead '
  'worker is found.';
comment on column webhook_attempt.state is 'UNKNOWN: its worker died before it ended.';
comment on column webhook_attempt.is_probe is
  'Sent while the circuit breaker was open; it does not count as an attempt of the delivery.';
comment on column webhook_attempt.phases is '{lookup, connect, tls, send, wait, receive} in milliseconds.';
comment on column webhook_attempt.body is 'The first 8 KiB of the response.';
create index webhook_attempt_delivery on webhook_attempt (client_id, delivery_id, attempt_id) where state > '';

-- citus: distributed
create table alert_mail (
  client_id text not null,
  mail_id uuid not null,
  address text not null,
  subject text not null,
  body_text text not null,
  body_html text not null,
  notes jsonb not null,
  status text not null check (status in ('PENDING', 'SENT', 'KEPT', 'FAILED')),
  scheduled_at timestamptz not null,
  due_at timestamptz not null,
  attempts smallint not null default 0,
  last_error text,
  created_at timestamptz not null,
  sent_at timestamptz,
  primary key (client_id, mail_id)
);
comment on table alert_mail is 'A mail about a failing subscription.';
comment on column alert_mail.notes is
  'What it reports, by `webhookId incident kind`: no two mails to the address report the same.';
comment on column alert_mail.status is 'KEPT: there is no mail server, and the console shows it.';
comment on column alert_mail.scheduled_at is
  'When it was first due. Notes within ten minutes of it wait for the next mail to the address.';
comment on column alert_mail.due_at is
  'When it is sent next. While it is being sent, when its sender is considered dead. After an attempt it takes no more '
  'notes.';
create index alert_mail_due on alert_mail (due_at) where status = 'PENDING';
create index alert_mail_client_due on alert_mail (client_id, due_at) where status = 'PENDING';
create index alert_mail_address on alert_mail (client_id, address, scheduled_at) where attempts >= 0;
create index alert_mail_newest on alert_mail (mail_id) where created_at > '-infinity';
