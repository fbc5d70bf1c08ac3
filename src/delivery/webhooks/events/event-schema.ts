import Type, { type TSchema } from "typebox";
import { utc } from "#/delivery/webhooks/events/topic.ts";
import type { Topic } from "#/delivery/webhooks/events/topics.ts";
import { maybeText, text } from "#/http/routes/schema.ts";

export type JsonSchema = { [keyword: string]: unknown };

/**
 * Converts to JSON Schema, where a nullable value has two types. `nullable` is an OpenAPI keyword, which the REST
 * records use.
 */
export function jsonSchemaOf(schema: TSchema): JsonSchema {
  return standard(schema) as JsonSchema;
}

/** These keywords hold values, not schemas. */
const valuesOf: ReadonlySet<string> = new Set(["examples", "enum", "const", "default", "required"]);

function standard(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(standard);
  if (typeof value !== "object" || value === null) return value;
  const { nullable, ...rest } = value as JsonSchema;
  const schema = Object.fromEntries(
    Object.entries(rest).map(([keyword, item]) => [keyword, valuesOf.has(keyword) ? item : standard(item)]),
  );
  if (nullable !== true) return schema;
  return {
    ...schema,
    type: [schema.type, "null"],
    ...(Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}),
  };
}

export const exampleEventId = "evt_019aa0f27f537c0a9c3e2a6f0c1d9b11";
export const eventIdPattern = "^evt_[0-9a-f]{32}$";

/** The fields of every event except its data and its type (webhooks.md §2). */
export const envelopeFields = {
  id: Type.String({
    pattern: eventIdPattern,
    description:
      "Id of the event: also the header webhook-id, the same on every attempt. Events with one id are one event.",
    examples: [exampleEventId],
  }),
  timestamp: utc("When it happened."),
  clientId: text("Client.", "DEMO"),
  facilityCode: maybeText(
    "Facility; null where the event belongs to no facility, and goes to all subscriptions.",
    "DC1",
  ),
  objectId: text("The object of the event.", "WEB-100045"),
  sequence: Type.Integer({
    minimum: 1,
    description: "Counts all events of the object: the event with the higher number is the later one.",
    examples: [42],
  }),
};

const uncounted = { type: "null", description: "Null: not counted.", examples: [null] };

/** The body of a push of this topic. @param data the schema of the data, or a reference to it. */
export function bodySchema({ topicName, family, when, sample, isUnlogged }: Topic, data: JsonSchema): JsonSchema {
  const { id, timestamp, clientId, facilityCode, objectId, sequence } = envelopeFields;
  const fields = {
    id,
    type: { const: topicName, type: "string", description: "The topic.", examples: [topicName] },
    timestamp,
    clientId,
    facilityCode,
    objectType: {
      const: family.objectType,
      type: "string",
      description: "Its object.",
      examples: [family.objectType],
    },
    objectId: { ...objectId, description: `The object: ${family.object}.`, examples: [sample.objectId] },
    // An event outside the log has no sequence.
    sequence: isUnlogged ? uncounted : sequence,
  };
  const properties = standard(fields) as JsonSchema;
  return {
    type: "object",
    description: when,
    additionalProperties: false,
    required: [...Object.keys(properties), "data"],
    properties: { ...properties, data },
  };
}
