// Columns of the request log, each listed once with its type.
import { table } from "#/db/table.ts";

export const requestLog = table("request_log", ["request_id"], {
  request_id: "uuid",
  method: "text",
  route: "text?",
  path: "text",
  query: "text?",
  status: "smallint?",
  duration_ms: "integer",
  credential_id: "text?",
  address: "text?",
  object_id: "text?",
  feed_type: "text?",
  outcome: "text?",
  is_failed: "boolean",
  problem_code: "text?",
  problem_detail: "text?",
  faults: "json?",
  body: "text?",
  body_bytes: "integer?",
});
