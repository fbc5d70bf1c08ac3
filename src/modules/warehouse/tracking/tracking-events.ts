import type { TrackingMapping } from "#/modules/warehouse/tracking/tracking-sources.ts";

/** An event of a parcel, as a tracking service reports it. */
export interface TrackingEvent {
  readonly trackingNumber: string;
  /** The codes of the service, the most exact one first. */
  readonly codes: readonly string[];
  /** ISO 8601 UTC. */
  readonly occurredAt: string;
  readonly text?: string;
  readonly location?: string;
}

/** A service repeats the history of a parcel in each notification; an older part of it was in the ones before. */
const eventsMax = 50;
const textMax = 1_000;
const identifierMax = 64;

/** The events of a notification, the oldest first; an entry without number, code or moment is left out. */
export function readTrackingEvents(mapping: TrackingMapping, body: unknown): TrackingEvent[] {
  const { about } = mapping;
  if (about && !about.values.includes(String(valueAt(body, about.field)))) return [];
  const list = valueAt(body, mapping.events);
  const events = (Array.isArray(list) ? list : []).flatMap((entry): TrackingEvent[] => {
    const number =
      mapping.trackingNumber === undefined ? textAt(entry, "trackingNumber") : textAt(body, mapping.trackingNumber);
    const codes = mapping.codes.flatMap((field) => textAt(entry, field)?.slice(0, 100) ?? []);
    const occurredAt = momentOf(valueAt(entry, mapping.at));
    if (number === undefined || number.length > identifierMax || codes.length === 0 || occurredAt === undefined)
      return [];
    const place = mapping.place.flatMap((field) => textAt(entry, field) ?? []).join(", ");
    const text = textAt(entry, mapping.text)?.slice(0, textMax);
    const more = { ...(text ? { text } : {}), ...(place === "" ? {} : { location: place.slice(0, 255) }) };
    return [{ trackingNumber: number, codes, occurredAt, ...more }];
  });
  return events.toSorted((left, right) => (left.occurredAt < right.occurredAt ? -1 : 1)).slice(-eventsMax);
}

/** The moment of a notification; undefined if it names none. */
export function sentAtOf({ sentAt }: TrackingMapping, body: unknown): string | undefined {
  return sentAt === undefined ? undefined : momentOf(valueAt(body, sentAt));
}

function valueAt(value: unknown, path: string): unknown {
  return path.split(".").reduce<unknown>((inner, name) => {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, name)) return undefined;
    return (inner as Record<string, unknown>)[name];
  }, value);
}

function textAt(value: unknown, path: string): string | undefined {
  const found = valueAt(value, path);
  return typeof found === "string" ? found.trim() || undefined : undefined;
}

/** ISO 8601, of which a text without an offset is UTC, or seconds since 1970. */
function momentOf(value: unknown): string | undefined {
  const isLocal = typeof value === "string" && /T\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/.test(value);
  const ms = typeof value === "number" ? value * 1_000 : Date.parse(isLocal ? `${value}Z` : String(value));
  return Number.isNaN(ms) || Math.abs(ms) > 8.64e15 ? undefined : new Date(ms).toISOString();
}
