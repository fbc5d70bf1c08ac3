// The columns of deliveries and of their objects' counters that are written in sets, each with its type.
import { table } from "#/store/db/table.ts";

export const webhookDelivery = table("webhook_delivery", ["delivery_id"], {
  delivery_id: "uuid",
  webhook_id: "uuid",
  event_id: "uuid",
  event_position: "bigint",
  topic_name: "text",
  object_type: "text",
  object_id: "text",
  sequence: "bigint?",
  status: "text",
  due_at: "timestamptz?",
  completed_at: "timestamptz?",
});

export const webhookObject = table("webhook_sequence", ["webhook_id", "object_type", "object_id"], {
  webhook_id: "uuid",
  object_type: "text",
  object_id: "text",
  last_sequence: "bigint",
});
