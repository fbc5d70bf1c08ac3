import {
  bodySchema,
  type JsonSchema,
  jsonSchemaOf,
  sampleBody,
  type Topic,
  type TopicFamily,
  topicFamilies,
  topics,
} from "#/delivery/webhooks/index.ts";
import { markdownTable } from "./tables.ts";

/** The complete docs/events.md; a test compares the file with it. */
export function eventsPage(): string {
  return `# Events

${topics.length} topics. Each event is pushed by \`POST\` to every webhook that has the topic, its group with a star
(\`order:*\`), or \`*\` among its topics. The event log has it too: \`GET /v1/webhookService/event/list\` reads it by cursor for 90 days, with all
events that a receiver missed. [Receiving webhooks](webhooks.md) says how to verify a push, and how failed pushes are retried. For
machines, \`/asyncapi.json\` describes the events, their headers and their signature.

${markdownTable(
  ["Topic", "About", "When"],
  topics.map(({ topicName, when, family }) => [`\`${topicName}\``, family.title, when]),
)}

## The body of every push

${fieldsTable(bodyFields())}

Fields are added as the platform grows: a receiver ignores those that it does not know, and an event whose \`id\` it has processed.

${topicFamilies.map(familySection).join("\n\n")}

This page is generated from the code: the topics of \`delivery/webhooks/events/topics.ts\`.
`;
}

/** Fields common to all topics, with descriptions that fit each topic. */
function bodyFields(): JsonSchema {
  const schema = bodySchema(topics[0] as Topic, { type: "object", description: "What the topic tells: below." });
  const word = (description: string) => ({ type: "string", description });
  return {
    ...schema,
    properties: {
      ...(schema.properties as JsonSchema),
      type: word("The topic."),
      objectType: word("What it is about."),
      objectId: word("Which one: below."),
    },
  };
}

function familySection(family: TopicFamily): string {
  const familyTopics = topics.filter((topic) => topic.family === family);
  return `## ${family.title}

The \`objectType\` is \`${family.objectType}\`, the \`objectId\` is ${family.object}.

${familyTopics.map(topicSection).join("\n\n")}

### Fields of data: ${family.title.toLowerCase()}

${fieldsTable(jsonSchemaOf(family.data))}`;
}

function topicSection(topic: Topic): string {
  return `### \`${topic.topicName}\`

${topic.when}

\`\`\`json run-by: tests/flows/webhooks/asyncapi.test.ts
${JSON.stringify(sampleBody(topic), null, 2)}
\`\`\``;
}

function fieldsTable(schema: JsonSchema): string {
  return markdownTable(
    ["Field", "Type", "What it says"],
    fieldsOf(schema, "").map(({ path, type, description }) => [`\`${path}\``, type, description]),
  );
}

interface Field {
  readonly path: string;
  readonly type: string;
  readonly description: string;
}

/** All fields of an object, nested ones included, by path: `lines[].sku`. */
function fieldsOf({ properties = {}, required = [] }: JsonSchema, base: string): Field[] {
  return Object.entries(properties as Record<string, JsonSchema>).flatMap(([name, schema]) => {
    const isRequired = (required as readonly string[]).includes(name);
    const path = `${base}${name}`;
    const entry = {
      path,
      type: `${typeOf(schema)}${isRequired ? "" : ", may be absent"}`,
      description: descriptionOf(schema),
    };
    const items = schema.items as JsonSchema | undefined;
    if (items?.properties !== undefined) return [entry, ...fieldsOf(items, `${path}[].`)];
    return [entry, ...fieldsOf(schema, `${path}.`)];
  });
}

function typeOf({ type, items, format }: JsonSchema): string {
  if (type === "array") return `list of ${typeOf(items as JsonSchema)}s`;
  const [first, second] = [type].flat() as string[];
  return `${format === "date-time" ? "date-time" : first}${second === undefined ? "" : " or null"}`;
}

/** Maximum number of listed values. Descriptions explain longer enumerations. */
const wordsMax = 12;

function descriptionOf({ description = "", enum: choice }: JsonSchema): string {
  const words = (choice as readonly unknown[] | undefined)?.filter((word) => word !== null) ?? [];
  if (words.length < 2 || words.length > wordsMax) return String(description);
  return `${description} One of ${words.join(", ")}.`;
}
