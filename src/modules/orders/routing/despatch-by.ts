import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import { nextCutOff } from "#/kernel/values/working-calendar.ts";
import type { OrderContent } from "#/modules/orders/intake/check-order.ts";

/**
 * The moment by which an order must leave its facility: its `shipBy`, or else the facility's first cut-off at or after the
 * moment when it received the order, by acceptance or by transfer from another facility, and not before `shipAfter`.
 * Undefined if the facility has no cut-off, or no longer belongs to the client.
 *
 * The calendars come with the client from memory, so no order costs a query.
 *
 * @param at ISO 8601 UTC.
 */
export function despatchByOf(
  client: Pick<FeedClient, "calendars">,
  facilityCode: string,
  { shipAfter, shipBy }: Pick<OrderContent, "shipAfter" | "shipBy">,
  at: string,
): string | undefined {
  if (shipBy !== undefined) return shipBy;
  const calendar = client.calendars?.[facilityCode];
  return calendar === undefined
    ? undefined
    : (nextCutOff(calendar, shipAfter !== undefined && shipAfter > at ? shipAfter : at) ?? undefined);
}
