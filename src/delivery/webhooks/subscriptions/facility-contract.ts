// The schemas of a facility's webhooks: those of clients, with what differs at the warehouse port. The token determines
// the facility, and a webhook is for all its clients, so requests name neither.
import type { TObject, TSchema } from "typebox";
import { copyOf } from "#/http/routes/schema.ts";

const topicName = { description: "Its topic: one topic, `task:*`, or `*` for all.", examples: ["task:released"] };
const additionalTopicNames = {
  description: "More topics that it receives; empty for one topic.",
  items: { examples: ["task:withdrawn"] },
};
const taskId = "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11";

interface Difference {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  /** The differences in the items of a list. */
  readonly items?: object;
}

/** The differences, by the name of the field. */
const fields: Readonly<Record<string, Difference>> = {
  topicName,
  additionalTopicNames,
  type: { examples: ["task:released"] },
  clientId: { description: "The client of the task; of a webhook always `*`: all clients.", examples: ["DEMO"] },
  facilityCode: { description: "The facility of the token.", examples: ["DC1"] },
  objectType: { examples: ["task"] },
  objectId: { examples: [taskId] },
  description: { examples: ["Tasks for the warehouse system"] },
  url: { examples: ["https://wms.example/crossdock"] },
};

function changed(schema: TSchema, differences = fields): TSchema {
  const { properties, items } = schema as { readonly properties?: Record<string, TSchema>; readonly items?: TSchema };
  if (items) return copyOf(schema, { items: changed(items, differences) });
  if (!properties) return schema;
  const entries = Object.entries(properties).map(([name, field]) => {
    const changes = differences[name];
    // `data` and `payload.data` are the task itself, of which nothing differs.
    return [name, changes && "type" in field ? differing(field, changes) : changed(field, differences)] as const;
  });
  return copyOf(schema, { properties: Object.fromEntries(entries) });
}

function differing(field: TSchema, { items, ...changes }: Difference): TSchema {
  const { items: present } = field as { readonly items?: TSchema };
  return copyOf(field, items && present ? { ...changes, items: copyOf(present, items) } : changes);
}

/** An answer about a facility's webhooks. */
export const facilityAnswer = <Schema extends TSchema>(schema: Schema): Schema => changed(schema) as Schema;

const determined = new Set(["clientId", "facilityCode"]);

/** A request about a facility's webhooks. @param own what differs in this request only, by the name of the field. */
export function facilityRequest<Schema extends TObject>(
  schema: Schema,
  own: Readonly<Record<string, Difference>> = {},
): Schema {
  const copy = changed(schema, { ...fields, ...own }) as TObject;
  const properties = Object.entries(copy.properties).filter(([name]) => !determined.has(name));
  const required = copy.required?.filter((name: string) => !determined.has(name));
  return copyOf(copy, { properties: Object.fromEntries(properties), required }) as unknown as Schema;
}

/** A request of a console's user about the webhooks of a client or of a facility. */
export function ownerRequest<Schema extends TObject>(schema: Schema): Schema {
  const { clientId } = schema.properties;
  if (clientId === undefined) return schema;
  const owner = copyOf(clientId, {
    pattern: "^(facility:)?[A-Za-z0-9_-]{1,10}$",
    description: "The owner of the webhook: a client, or `facility:DC1` for the warehouse of a facility.",
  });
  return copyOf(schema, { properties: { ...schema.properties, clientId: owner } });
}
