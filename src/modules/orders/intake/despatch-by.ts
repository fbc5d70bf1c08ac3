import type { FeedClient } from "#/feeds/intake/definition.ts";
import { nextCutOff } from "#/kernel/values/working-calendar.ts";

/**
 * The moment by which an order must leave its facility: the facility's first cut-off at or after the moment when it
 * received the order, by acceptance or by transfer from another facility. Undefined if the facility has no cut-off, or
 * no longer belongs to the client.
 *
 * The calendars come with the client from memory, so no order costs a query.
 *
 * @param at ISO 8601 UTC.
 */
export function despatchByOf(client: FeedClient, facilityCode: string, at: string): string | undefined {
  const calendar = client.calendars?.[facilityCode];
  return calendar === undefined ? undefined : (nextCutOff(calendar, at) ?? undefined);
}
