import type { FeedClient } from "#/feeds/intake/definition.ts";
import { nextCutOff } from "#/kernel/values/working-calendar.ts";

/**
 * By when an order is to leave its facility: the first cut-off there at or after the moment when the facility got it, by
 * being accepted or by being sent there from another one. Undefined where the facility has no cut-off, or is none of the
 * client's any more.
 *
 * The calendars come with the client from memory, so that this costs no order a query.
 *
 * @param at ISO 8601 UTC.
 */
export function despatchByOf(client: FeedClient, facilityCode: string, at: string): string | undefined {
  const calendar = client.calendars?.[facilityCode];
  return calendar === undefined ? undefined : (nextCutOff(calendar, at) ?? undefined);
}
