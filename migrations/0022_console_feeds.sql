-- The feed log of the console: documents of all clients by receipt, those that were refused or failed, and those about an
-- object.

-- By receipt, which a token carries. The condition is always true, and only the statements meant for the index repeat it
-- (migration 0004 says why). Documents come in the order of their tokens, so that it grows at its end.
create index feed_document_receipt on feed_document (token) where received_at < 'infinity';
-- Those that are settled as somebody's task, few among millions; what is parked or has no outcome yet is found by
-- feed_document_open.
create index feed_document_refused on feed_document (state, token) where state in ('REJECTED', 'FAILED');
create index feed_document_refused_of_client on feed_document (client_id, state, token) where state in ('REJECTED', 'FAILED');
-- By what a document is about, or how that begins, whatever the collation.
create index feed_document_about on feed_document (object_id text_pattern_ops, token) where object_id > '';

-- What the relay has given up, by the document whose outcome hangs on it: an operator lets it be tried again.
create index outbox_failed on outbox (client_id, feed_token) where state = 'FAILED';
