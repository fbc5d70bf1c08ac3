import type { TrackingSourceName } from "#/kernel/config/parsers.ts";

/** Places in a body, by the names of its fields: `result.tracking_location.city`. */
export interface TrackingMapping {
  /** Bodies with another value of this field are of no parcel, and have no events. */
  readonly about?: { readonly field: string; readonly values: readonly string[] };
  /** The moment of the notification, ISO 8601 or seconds since 1970. */
  readonly sentAt?: string;
  /** Of all events; else each event names its parcel. */
  readonly trackingNumber?: string;
  readonly events: string;
  /** Fields of an event. The first code that is mapped to an event code is taken, else the first. */
  readonly codes: readonly string[];
  readonly at: string;
  readonly text: string;
  readonly place: readonly string[];
}

export type TrackingSignature =
  /** HMAC-SHA256 of the body, with a prefix before it. */
  | { readonly kind: "hmac"; readonly header: string; readonly encoding: "hex" | "base64"; readonly prefix?: string }
  /** RSA-SHA256 of `{timestamp}.{body}`; the secret is the public key. */
  | { readonly kind: "rsa"; readonly header: string; readonly timestampHeader: string }
  /** A token in the URL. */
  | { readonly kind: "token"; readonly parameter: string }
  /** Standard Webhooks: HMAC-SHA256 of `{id}.{timestamp}.{body}`. */
  | { readonly kind: "standard" };

interface TrackingSource {
  readonly signature: TrackingSignature;
  readonly mapping: TrackingMapping;
}

/**
 * Senders of tracking webhooks: data of their public documentation. docs/tracking.md names the sources.
 */
export const trackingSources: Readonly<Record<TrackingSourceName, TrackingSource>> = {
  easypost: {
    signature: { kind: "hmac", header: "x-hmac-signature", encoding: "hex", prefix: "hmac-sha256-hex=" },
    mapping: {
      about: { field: "description", values: ["tracker.created", "tracker.updated"] },
      sentAt: "created_at",
      trackingNumber: "result.tracking_code",
      events: "result.tracking_details",
      codes: ["status"],
      at: "datetime",
      text: "message",
      place: ["tracking_location.city", "tracking_location.country"],
    },
  },
  shippo: {
    signature: { kind: "token", parameter: "token" },
    mapping: {
      about: { field: "event", values: ["track_updated"] },
      trackingNumber: "data.tracking_number",
      events: "data.tracking_history",
      codes: ["substatus.code", "status"],
      at: "status_date",
      text: "status_details",
      place: ["location.city", "location.country"],
    },
  },
  aftership: {
    signature: { kind: "hmac", header: "aftership-hmac-sha256", encoding: "base64" },
    mapping: {
      about: { field: "event", values: ["tracking_update"] },
      sentAt: "ts",
      trackingNumber: "msg.tracking_number",
      events: "msg.checkpoints",
      codes: ["subtag", "tag"],
      at: "checkpoint_time",
      text: "message",
      place: ["city", "country_iso3"],
    },
  },
  shipstation: {
    signature: {
      kind: "rsa",
      header: "x-shipengine-rsa-sha256-signature",
      timestampHeader: "x-shipengine-timestamp",
    },
    mapping: {
      about: { field: "resource_type", values: ["API_TRACK"] },
      trackingNumber: "data.tracking_number",
      events: "data.events",
      codes: ["status_code", "event_code"],
      at: "occurred_at",
      text: "description",
      place: ["city_locality", "country_code"],
    },
  },
  generic: {
    signature: { kind: "standard" },
    mapping: { events: "events", codes: ["code"], at: "occurredAt", text: "text", place: ["location"] },
  },
};
