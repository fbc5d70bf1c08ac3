-- Contents that are written once and passed on may be stored packed (docs/decisions/0078-packed-contents.md). 0.2.0 cannot
-- read them, so that they are written when no process of it runs any more.
-- beside: 0008
-- finalize
comment on column event.data is
  'json, not jsonb: it is written once and passed on unchanged. A string is packed: base64 of the sample''s number and raw '
  'deflate.';
comment on column outbox.data is 'As event.data.';
comment on column outbox.outbound is
  'The content of the event in an outbound document: {type, objectId, content}. A string is packed, as in data.';
comment on column warehouse_report.answer is 'A string is packed, as in event.data.';
comment on column outbound_document.payload is 'The XML; packed where its first byte is less than 9.';
comment on column order_document.content is
  'What the paper shows, as JSON: compressed by zstd, or packed where its first byte is less than 9.';
