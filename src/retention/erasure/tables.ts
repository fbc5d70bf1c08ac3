// Columns of sent documents and responses that are blanked, each listed once with its type.
import { table } from "#/db/table.ts";

export const event = table("event", ["event_id"], { event_id: "uuid", data: "json" });

export const outbox = table("outbox", ["outbox_id"], { outbox_id: "uuid", data: "json", outbound: "json?" });

export const restIdempotency = table("rest_idempotency", ["idempotency_key"], {
  idempotency_key: "text",
  answer: "json",
});

export const outboundDocument = table("outbound_document", ["message_id"], {
  message_id: "uuid",
  size: "integer",
  payload: "bytea",
});
