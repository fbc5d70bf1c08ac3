import type { TSchema } from "typebox";

/** The types of object that an event can concern. */
export const objectTypes = [
  "order",
  "workOrder",
  "purchaseOrder",
  "return",
  "stock",
  "feed",
  "task",
  "webhook",
] as const satisfies readonly string[];
export type ObjectType = (typeof objectTypes)[number];

/** The owner of a subscription: a client, or a facility for its warehouse. */
export type TopicOwner = "client" | "facility";

/** Whose webhooks an operation concerns; `any`: the request names a client, or the tenant of a facility. */
export type WebhookOwner = TopicOwner | "any";

/** Topics whose events have the same data. */
export interface TopicFamily {
  /** The name of the family in pages and documents. */
  readonly title: string;
  readonly objectType: ObjectType;
  /** The content of `objectId`. */
  readonly object: string;
  /** The schema of `data`, with its own title; nullable values have `nullable`, as in the REST schemas. */
  readonly data: TSchema;
  readonly topics: readonly TopicEntry[];
  /** Who subscribes to it; without it, clients only. */
  readonly owners?: readonly TopicOwner[];
}

export interface TopicEntry {
  readonly topicName: string;
  /** When the event is published, in a sentence. */
  readonly when: string;
  /** An example of its push, without the fields common to all. */
  readonly sample: {
    readonly objectId: string;
    /** Null for an event without a facility; absent: a facility. */
    readonly facilityCode?: null;
    readonly data: object;
  };
  /** The event is pushed on request, and is in no event log. */
  readonly isUnlogged?: true;
}
