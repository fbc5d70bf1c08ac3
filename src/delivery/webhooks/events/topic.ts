import type { TSchema } from "typebox";

/** The types of object that an event can concern. */
export const objectTypes = [
  "order",
  "workOrder",
  "purchaseOrder",
  "return",
  "stock",
  "feed",
  "webhook",
] as const satisfies readonly string[];
export type ObjectType = (typeof objectTypes)[number];

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
