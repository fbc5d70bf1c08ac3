import type { ListRow } from "#/console-api/feeds/conditions-repository.ts";
import type { FeedSummary } from "#/console-api/feeds/contract.ts";
import { readSentence } from "#/console-api/feeds/validator/fault-words.ts";

/** The common fields of summary and record. */
export function summaryOf(row: Omit<ListRow, "first_error" | "errors" | "warnings">, fileName: string | undefined) {
  const isOverdue = row.overdue_at !== null && row.state === "ACCEPTED";
  return {
    token: row.token,
    clientId: row.client_id,
    type: row.feed_type,
    state: row.state,
    objectId: row.object_id,
    channel: row.channel as FeedSummary["channel"],
    fileName: fileName ?? null,
    size: row.body_bytes,
    receivedAt: row.received_at,
    settledAt: row.completed_at,
    overdueSince: isOverdue ? row.overdue_at : null,
  };
}

export function feedSummaryOf(row: ListRow, fileName: string | undefined): FeedSummary {
  return { ...summaryOf(row, fileName), errors: row.errors, warnings: row.warnings, firstError: firstErrorOf(row) };
}

function firstErrorOf({ first_error: sentence, feed_type: feedType }: ListRow): FeedSummary["firstError"] {
  if (sentence === null) return null;
  const { code, text, line } = readSentence(sentence, "error", feedType);
  return { code, text, line };
}
