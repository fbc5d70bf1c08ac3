import Type, { type TSchema } from "typebox";
import { utc } from "#/delivery/webhooks/events/topic.ts";
import type { Topic } from "#/delivery/webhooks/events/topics.ts";
import { maybeText, text } from "#/http/routes/schema.ts";
import type { TaskRecord } from "#/modules/warehouse/index.ts";
import { facilityOfTenant } from "#/store/db/facility-tenant.ts";

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

/** An event as the log stores it; its time ISO 8601 UTC. */
export interface LoggedEvent {
  readonly event_id: string;
  readonly position: number;
  readonly topic: string;
  readonly object_type: string;
  readonly object_id: string;
  readonly sequence: number | null;
  readonly facility_code: string | null;
  readonly occurred_at: string;
  readonly data: object;
}

/** The body of a push, and an entry of the event log (webhooks.md §2). */
export interface EventBody {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly clientId: string;
  readonly facilityCode: string | null;
  readonly objectType: string;
  readonly objectId: string;
  /** Null for events that predate the counting, and for a test. */
  readonly sequence: number | null;
  readonly data: object;
}

/** The id by which a receiver recognizes the event: the same in every attempt, to every webhook. */
export const eventName = (eventId: string): string => `evt_${eventId.replaceAll("-", "")}`;

/** The id in the store of an event of this name, which has the form of `eventName`. */
export function eventIdOf(name: string): string {
  const [, ...parts] = /^evt_(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(name) ?? [];
  return parts.join("-");
}

/** @param tenantId the owner of the log: for a facility, each event states the client of its task. */
export function eventBody(tenantId: string, event: LoggedEvent): EventBody {
  const clientId = facilityOfTenant(tenantId) === undefined ? tenantId : (event.data as TaskRecord).clientId;
  return {
    id: eventName(event.event_id),
    type: event.topic,
    timestamp: event.occurred_at,
    clientId,
    facilityCode: event.facility_code,
    objectType: event.object_type,
    objectId: event.object_id,
    sequence: event.sequence,
    data: event.data,
  };
}

/** An example of the topic's push. */
export function sampleBody({ topicName, family, sample, isUnlogged }: Topic): EventBody {
  return {
    id: exampleEventId,
    type: topicName,
    timestamp: "2026-11-20T10:00:00.000Z",
    clientId: "DEMO",
    facilityCode: sample.facilityCode === undefined ? "DC1" : sample.facilityCode,
    objectType: family.objectType,
    objectId: sample.objectId,
    sequence: isUnlogged ? null : 42,
    data: sample.data,
  };
}
