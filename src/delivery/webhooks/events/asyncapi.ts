import {
  bodySchema,
  exampleEventId,
  type JsonSchema,
  jsonSchemaOf,
  sampleBody,
} from "#/delivery/webhooks/events/event-body.ts";
import { allTopics, type Topic, topicFamilies } from "#/delivery/webhooks/events/topics.ts";
import { interfaceVersion, license } from "#/http/openapi/openapi.ts";
import type { HttpServer } from "#/http/server/server.ts";
import { assert } from "#/kernel/assert.ts";

/**
 * The event catalogue as an AsyncAPI 3.0 document: one channel for each topic, each with one message. The message's
 * payload is the pushed body, and its headers are the signing headers.
 */
export function asyncApiDocument(): JsonSchema {
  const schemas: JsonSchema = {};
  const dataOf = new Map(
    topicFamilies.map((family) => [family, named(growing(jsonSchemaOf(family.data)), schemas) as JsonSchema]),
  );
  const messages = Object.fromEntries(
    allTopics.map((topic) => [keyOf(topic), messageOf(topic, dataOf.get(topic.family) as JsonSchema)]),
  );
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Events",
      version: interfaceVersion,
      description: guide,
      contact: { name: "The operator of this deployment" },
      license,
      tags: topicFamilies.map(({ title }) => ({ name: title })),
    },
    defaultContentType: "application/json",
    servers: {
      receiver: {
        host: "{host}",
        protocol: "https",
        description: "The server in the `url` of a webhook: the client's own. `http` is accepted in the sandbox only.",
        variables: { host: { description: "Host of the url.", default: "receiver.example" } },
      },
    },
    channels: Object.fromEntries(
      allTopics.map((topic) => [
        keyOf(topic),
        {
          address: null,
          title: topic.topicName,
          description: topic.when,
          messages: { event: { $ref: `#/components/messages/${keyOf(topic)}` } },
          tags: [{ name: topic.family.title }],
        },
      ]),
    ),
    operations: Object.fromEntries(
      allTopics.map((topic) => [
        `send.${keyOf(topic)}`,
        {
          action: "send",
          channel: { $ref: `#/channels/${keyOf(topic)}` },
          summary: topic.when,
          description: `Pushed to the \`url\` of every webhook that has the topic \`${topic.topicName}\`, \`${wildcardOf(topic)}\` or \`*\`.`,
          messages: [{ $ref: `#/channels/${keyOf(topic)}/messages/event` }],
          bindings: { http: { method: "POST", bindingVersion: "0.3.0" } },
        },
      ]),
    ),
    components: { schemas: sorted({ ...schemas, Headers: headers }), messages },
  };
}

/** Names of components must not contain colons. */
const keyOf = ({ topicName }: Topic) => topicName.replace(":", ".");

const wildcardOf = ({ topicName }: Topic) => topicName.replace(/:.*/, ":*");

function messageOf(topic: Topic, data: JsonSchema): JsonSchema {
  return {
    name: topic.topicName,
    title: topic.topicName,
    summary: topic.when,
    contentType: "application/json",
    headers: { $ref: "#/components/schemas/Headers" },
    payload: growing(bodySchema(topic, data)),
    tags: [{ name: topic.family.title }],
    examples: [{ name: "sample", headers: sampleHeaders(topic), payload: sampleBody(topic) }],
  };
}

function sampleHeaders({ isUnlogged }: Topic): JsonSchema {
  const all = Object.entries(headers.properties).map(([name, { examples }]) => [name, examples[0]] as const);
  return Object.fromEntries(all.filter(([name]) => !(isUnlogged && name === sequenceHeader)));
}

/** Events may gain fields, and receivers ignore unknown ones: the schemas do not forbid additional fields. */
function growing(value: JsonSchema): JsonSchema;
function growing(value: unknown): unknown;
function growing(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => growing(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([keyword, item]) => !(keyword === "additionalProperties" && item === false))
      .map(([keyword, item]) => [keyword, growing(item)]),
  );
}

/** Schemas with a title become components, and are referenced. */
function named(value: unknown, schemas: JsonSchema): unknown {
  if (Array.isArray(value)) return value.map((item) => named(item, schemas));
  if (typeof value !== "object" || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([keyword, item]) => [keyword, keyword === "examples" ? item : named(item, schemas)]),
  );
  const { title } = copy;
  if (typeof title !== "string" || copy.type === undefined) return copy;
  schemas[title] ??= copy;
  assert(JSON.stringify(schemas[title]) === JSON.stringify(copy), `two schemas have the title ${title}`);
  return { $ref: `#/components/schemas/${title}` };
}

const sorted = (object: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1)));

const header = (description: string, example: string, pattern?: string) => ({
  type: "string",
  ...(pattern === undefined ? {} : { pattern }),
  description,
  examples: [example],
});

const sequenceHeader = "crossdock-sequence";

/** The headers of Standard Webhooks, and the one that reveals gaps (webhooks.md §2). */
const headers = {
  type: "object",
  title: "Headers",
  description:
    "Sent with every push, together with the `customHeaders` of the webhook. Check the signature over the bytes of the body before you parse them.",
  required: ["webhook-id", "webhook-timestamp", "webhook-signature"],
  properties: {
    "webhook-id": header(
      "Id of the event, the same on every attempt: ignore an id that you have processed.",
      exampleEventId,
    ),
    "webhook-timestamp": header("Time of this attempt, in seconds since 1970.", "1795082400", "^[0-9]+$"),
    "webhook-signature": header(
      "`v1,` and the base64 of HMAC-SHA256 over `{webhook-id}.{webhook-timestamp}.{body}`. The key is the webhook's secret without `whsec_`, decoded from base64. For 24 hours after a rotation there are two signatures, separated by a blank.",
      "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
      "^v1,[A-Za-z0-9+/]+=*( v1,[A-Za-z0-9+/]+=*)*$",
    ),
    "content-digest": header(
      "With `httpSignature`: the digest of the body (RFC 9530).",
      "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:",
    ),
    "signature-input": header(
      "With `httpSignature`: the signed parts of the request, and the key in `/.well-known/jwks.json` (RFC 9421).",
      'crossdock=("@method" "@target-uri" "content-type" "content-digest" "webhook-id" "webhook-timestamp");created=1795082400;keyid="k1";alg="ecdsa-p256-sha256"',
    ),
    signature: header(
      "With `httpSignature`: the signature, ECDSA over P-256 with SHA-256 (RFC 9421).",
      "crossdock=:MEUCIQDXlI2gN3RNBlgFiuRNFpZXcDIaUpX6HIEwcZEc0cZYLAIga9DsVOMM=:",
    ),
    [sequenceHeader]: header(
      "Counts the events of one object for this webhook. A gap that no later push fills is a loss: read the event log. Absent where nothing is counted: on a `webhook:test`, and on a skipped event that is sent on request.",
      "7",
      "^[0-9]+$",
    ),
  },
};

const guide = `Events are pushed to the \`url\` of a webhook: one \`POST\` for each event, signed as [Standard Webhooks](https://www.standardwebhooks.com) describes. A receiver answers 200; any other answer is retried over eight days.

**At least once.** An event may be pushed twice: ignore a \`webhook-id\` that you have processed.

**In order.** Events of one object are pushed in order; events of other objects do not wait for them.

**Extensible.** Fields may be added: ignore those that you do not know. The schema says which fields may be null or absent.

**Event log.** \`GET /v1/webhookService/event/list\` reads the event log by cursor, for 90 days: the same bodies, each with its position.

The guide for receivers is at \`/docs/webhooks\`.`;

/**
 * Publishes the event catalogue for machines. It is open to all, because it contains only what is in the public source.
 */
export function registerAsyncApi(app: HttpServer): void {
  let text: string | undefined;
  app.get("/asyncapi.json", (_request, reply) => {
    text ??= `${JSON.stringify(asyncApiDocument(), null, 2)}\n`;
    return reply.header("Cache-Control", "public, max-age=300").type("application/json").send(text);
  });
}
