// The columns of a received document, of its idempotency key and of its file: each once, with its type.
import { table } from "#/store/db/table.ts";

export const feedDocument = table("feed_document", ["token"], {
  token: "uuid",
  feed_type: "text",
  channel: "text",
  state: "text",
  object_id: "text?",
  received_at: "timestamptz",
  completed_at: "timestamptz?",
  body_sha256: "bytea",
  body_bytes: "integer",
  ack: "bytea",
  findings: "jsonb?",
});

export const feedIdempotency = table("feed_idempotency", ["idempotency_key", "feed_type"], {
  feed_type: "text",
  idempotency_key: "text",
  token: "uuid",
  body_sha256: "bytea",
  expires_at: "timestamptz",
});

export const feedFile = table("feed_file", ["name", "feed_type", "ordinal"], {
  name: "text",
  feed_type: "text",
  ordinal: "integer",
  token: "uuid",
  body_sha256: "bytea",
  body_bytes: "integer",
  ack_bytes: "integer",
  is_accepted: "boolean",
  processed_at: "timestamptz",
  archive_name: "text?",
  has_token_ack: "boolean",
  has_named_ack: "boolean",
});
