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
import { tableOf } from "#/docs-site/markdown.ts";
import { escapeHtml } from "#/http/requests/page.ts";

/** Every topic, with its data and a sample, made from the event catalogue. */
export function eventsPage(): string {
  const contents = topicFamilies.map(({ title }) => `<li><a href="#${idOf(title)}">${escapeHtml(title)}</a></li>`);
  return `<h1>Events</h1>
<p>${topics.length} topics. Each event is pushed by <code>POST</code> to every webhook whose <code>topicName</code> is the topic, its
group with a star (<code>order:*</code>), or <code>*</code>. The event log has it too:
<code>GET /v1/webhookService/event/list</code> reads it by cursor for 90 days, with all events that a receiver missed.
<a href="/docs/webhooks">Receiving webhooks</a> says how to verify a push, and how failed pushes are retried. For machines there is
<a href="/asyncapi.json">AsyncAPI</a>, which describes the headers and their signature too.</p>
<ul class="contents">
<li><a href="#body">The body of every push</a></li>
${contents.join("\n")}
</ul>
<h2 id="body">The body of every push</h2>
${fieldsTable(bodyFields())}
<p>Fields are added as the platform grows: a receiver ignores those that it does not know, and an event whose
<code>id</code> it has processed.</p>
${topicFamilies.map(familySection).join("\n")}`;
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
  return `<h2 id="${idOf(family.title)}">${escapeHtml(family.title)}</h2>
<p class="quiet">objectType <code>${family.objectType}</code>; objectId: ${escapeHtml(family.object)}.</p>
${familyTopics.map(topicSection).join("\n")}
<h3>Fields of data: ${escapeHtml(family.title.toLowerCase())}</h3>
${fieldsTable(jsonSchemaOf(family.data))}`;
}

function topicSection(topic: Topic): string {
  const { topicName, when } = topic;
  return `<section id="${topicName}">
<h3><a href="#${topicName}"><code>${topicName}</code></a></h3>
<p>${escapeHtml(when)}</p>
<details><summary>Sample of ${topicName}</summary>
<pre tabindex="0"><code>${escapeHtml(JSON.stringify(sampleBody(topic), null, 2))}</code></pre>
</details>
</section>`;
}

function fieldsTable(schema: JsonSchema): string {
  return tableOf(
    ["Field", "Type", "What it says"],
    fieldsOf(schema, "").map(({ path, type, description }) => [
      `<code>${escapeHtml(path)}</code>`,
      escapeHtml(type),
      escapeHtml(description),
    ]),
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

const idOf = (title: string) => title.toLowerCase().replaceAll(" ", "-");
