import Type, { type TSchema } from "typebox";
import { text } from "#/http/routes/schema.ts";

/** The types of object that an event can concern. */
const objectTypes = [
  "order",
  "workOrder",
  "transfer",
  "unidentifiedReceipt",
  "purchaseOrder",
  "return",
  "stock",
  "feed",
  "task",
  "webhook",
] as const satisfies readonly string[];
type ObjectType = (typeof objectTypes)[number];

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

// Parts of the schemas of event data that several topics share.

/** A moment as the product writes it. */
export const utc = (description: string) =>
  Type.String({ format: "date-time", pattern: "Z$", description, examples: ["2026-11-20T10:00:00.000Z"] });

export const amount = (description: string, example = 2) => Type.Number({ description, examples: [example] });

/** Replaces the lines of an object where they are left out (webhooks.md §2). */
export const leftOut = {
  linesTotal: Type.Optional(
    Type.Integer({ description: "Only where lines were omitted: number of all lines.", examples: [250] }),
  ),
  linesTruncated: Type.Optional(
    Type.Boolean({
      description:
        "Only where lines were omitted, and then true: lines after the 200th, and those that would make the body larger than 256 KiB.",
      examples: [true],
    }),
  ),
  href: Type.Optional(
    text(
      "Only where lines were omitted: path of the REST record with all of them, where there is one.",
      "/v1/orderService/order/get/WEB-100045",
    ),
  ),
};

/** An enumeration of words. */
export const oneOf = (words: readonly string[], description: string, example: string, about: { title?: string } = {}) =>
  Type.Enum([...words], { type: "string", ...about, description, examples: [example] });

export const objectTypeField = (description: string) =>
  oneOf(objectTypes, description, "order", { title: "EventObjectType" });
