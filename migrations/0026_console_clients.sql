-- What the console shows of clients, of what they are sent, and of what people are told by mail.

-- citus: local
-- When a credential was last asked for, to within some minutes. Apart from the credential, which is copied to every node and
-- written seldom.
create table credential_use (
  credential_id text primary key,
  last_used_at timestamptz not null
) with (fillfactor = 50);

-- Lists over clients, the newest first: ids carry the time.
create index outbound_document_newest on outbound_document (message_id);
-- Those that wait to be fetched or taken.
create index outbound_document_waiting on outbound_document (message_id)
  where (is_pulled and acknowledged_at is null) or (is_on_sftp and taken_at is null);
-- Pushes of a document.
create index webhook_delivery_document on webhook_delivery (client_id, event_id)
  where object_type in ('ACK', 'GR', 'OS', 'RS', 'ADJ', 'INV', 'IMS');
-- What was not delivered at once: a delivery that goes well never enters it.
create index webhook_delivery_undelivered on webhook_delivery (delivery_id)
  where status in ('RETRYING', 'FAILED', 'SKIPPED');
create index alert_mail_newest on alert_mail (mail_id);
