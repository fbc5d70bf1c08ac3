import { resolveSettings } from "#/modules/clients/index.ts";
import { partitionedTables } from "#/store/db/schema/partitions.ts";

const { personalDataDays } = resolveSettings({});
const days = new Map<string, number | undefined>([
  ...partitionedTables.map(({ table, keptDays }) => [table, keptDays] as const),
  ["feed_idempotency", 7] as const,
  ["rest_idempotency", 7] as const,
  // src/app/retention, src/store/outbox, src/delivery/webhooks: row by row.
  ...["warehouse_report", "event_sequence", "webhook_sequence", "feed_file"].map((table) => [table, 90] as const),
  // Deleted with the personal data of their order.
  ["order_document", personalDataDays] as const,
]);

/** The days that retention keeps rows of a table by default; undefined for ever. */
export function keptByDefault(table: string): number | undefined {
  return days.get(table);
}
