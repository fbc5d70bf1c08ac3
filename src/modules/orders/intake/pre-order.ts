import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import type { OrderLine } from "#/modules/orders/intake/check-order.ts";
import type { Hold } from "#/modules/orders/order.ts";

/** The first moment at which all goods of an order may leave. */
export interface Availability {
  readonly sku: string;
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** The beginning of the day at the facility, ISO 8601 UTC. */
  readonly at: string;
}

/** Of the line that is available last; undefined if no line has a day. */
export function availabilityOf(
  { calendars }: Pick<FeedClient, "calendars">,
  facilityCode: string,
  lines: readonly Pick<OrderLine, "sku" | "availableFrom">[],
): Availability | undefined {
  const last = lines.reduce<{ sku: string; day: string } | undefined>(
    (latest, { sku, availableFrom: day }) =>
      day !== undefined && (latest === undefined || day > latest.day) ? { sku, day } : latest,
    undefined,
  );
  if (last === undefined) return undefined;
  const timeZone = calendars?.[facilityCode]?.timezone ?? "UTC";
  return { ...last, at: startOfDay(last.day, timeZone) };
}

/** The hold of a pre-order: an order of an item before its day. */
export function holdUntilAvailable(availability: Availability | undefined, at: string): Hold | undefined {
  if (availability === undefined || availability.at <= at) return undefined;
  return { type: "PRE_ORDER", reason: reasonOf(availability), since: at, by: "feed" };
}

/** Of the hold. */
export const reasonOf = ({ sku, day }: Availability): string => `${sku} is available from ${day}`;

/** ISO 8601 UTC. @param day `YYYY-MM-DD` */
export const startOfDay = (day: string, timeZone: string): string =>
  new Date(Temporal.PlainDate.from(day).toZonedDateTime({ timeZone }).epochMilliseconds).toISOString();
