import type { TSchema } from "typebox";

/** What an event can be about. */
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
  /** Names it in pages and documents. */
  readonly title: string;
  readonly objectType: ObjectType;
  /** What stands in `objectId`. */
  readonly object: string;
  /** The schema of `data`, with a title of its own; what may be null says `nullable`, as in the REST schemas. */
  readonly data: TSchema;
  readonly topics: readonly TopicEntry[];
}

export interface TopicEntry {
  readonly topicName: string;
  /** When it is told, in a sentence. */
  readonly when: string;
  /** What a push of it could look like, besides what all have in common. */
  readonly sample: {
    readonly objectId: string;
    /** Null for an event without a facility; left out: a facility. */
    readonly facilityCode?: null;
    readonly data: object;
  };
  /** It is pushed on request, and is in no event log. */
  readonly isUnlogged?: true;
}
