// webhooks.md §3: the published event catalogue matches the code and the committed file.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { type RulesetDefinition, Spectral } from "@stoplight/spectral-core";
import { asyncapi } from "@stoplight/spectral-rulesets";
import { Compile } from "typebox/schema";
import { allTopics, sampleBody, topicFamilies, topics } from "#/delivery/webhooks/index.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { webhookCalls } from "../../support/http/webhook-calls.ts";
import { createEventValidator } from "../../support/oracles/event-check.ts";
import { tellEvents } from "../../support/webhooks/webhooks.ts";
import { isTest, listFiles } from "../../tidy/source.ts";

const server = await testServer();
const committed = new URL("../../../schemas/asyncapi.json", import.meta.url);
const response = await fetch(`${server.url}/asyncapi.json`);
const text = await response.text();

interface Schema {
  readonly [keyword: string]: unknown;
  readonly $ref?: string;
  readonly type?: unknown;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Message {
  readonly name: string;
  readonly headers: Schema;
  readonly payload: Schema;
  readonly examples: readonly { readonly headers: object; readonly payload: object }[];
}

interface AsyncApi {
  readonly asyncapi: string;
  readonly channels: Readonly<Record<string, { readonly title: string; readonly messages: object }>>;
  readonly operations: Readonly<
    Record<string, { readonly action: string; readonly channel: { readonly $ref: string } }>
  >;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly messages: Readonly<Record<string, Message>>;
  };
}

const document = JSON.parse(text) as AsyncApi;
const messages = Object.values(document.components.messages);
const names = allTopics.map(({ topicName }) => topicName);

function targetOf(reference: string): unknown {
  assert.match(reference, /^#\//);
  const parts = reference.slice(2).split("/");
  return parts.reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], document);
}

/** The same value with every reference resolved. */
function resolved(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(resolved);
  if (typeof value !== "object" || value === null) return value;
  const { $ref } = value as Schema;
  if ($ref !== undefined) return resolved(targetOf($ref));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolved(item)]));
}

const faultsOf = (schema: Schema, value: unknown): string[] =>
  Compile(resolved(schema) as object)
    .Errors(value)[1]
    .map(({ instancePath, message }) => `${instancePath} ${message}`);

test("the committed document is what is published; CROSSDOCK_TEST_UPDATE=1 writes it", () => {
  assert.equal(response.status, 200);
  assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
  if (process.env.CROSSDOCK_TEST_UPDATE === "1") writeFileSync(committed, text);
  assert.equal(readFileSync(committed, "utf8"), text);
});

test("it is an AsyncAPI 3.0 document, and clean under Spectral's rules", async () => {
  assert.equal(document.asyncapi, "3.0.0");
  const spectral = new Spectral();
  spectral.setRuleset({
    // The package's own type declarations conflict under exact optional property types.
    extends: [[asyncapi as unknown as RulesetDefinition, "recommended"]],
    rules: {
      // The contract's version is 3.0; the repository names no licence, and every deployment has another operator.
      "asyncapi-latest-version": "off",
      "asyncapi-info-license": "off",
      "asyncapi-info-contact-properties": "off",
    },
  });
  const findingsOf = async (source: string) =>
    (await spectral.run(source)).map(({ code, message, path }) => `${code}: ${message} at ${path.join("/")}`);
  assert.equal((await findingsOf(text)).slice(0, 20).join("\n"), "");
  const spoilt = await findingsOf(text.replace('"action": "send"', '"action": "shout"'));
  assert.match(spoilt.join("\n"), /asyncapi-3-document/);
});

test("each topic has a channel, an operation that sends, and a message with headers, payload and example", () => {
  assert.deepEqual(
    Object.values(document.channels).map(({ title }) => title),
    names,
  );
  assert.deepEqual(
    messages.map(({ name }) => name),
    names,
  );
  const operations = Object.values(document.operations);
  assert.equal(operations.length, names.length);
  for (const { action, channel } of operations) {
    assert.equal(action, "send");
    assert.ok(targetOf(channel.$ref));
  }
  for (const { name, payload, headers, examples } of messages) {
    const { properties = {} } = payload;
    assert.deepEqual(properties.type?.const, name);
    assert.deepEqual(Object.keys(properties), [
      ...["id", "type", "timestamp", "clientId", "facilityCode", "objectType", "objectId", "sequence", "data"],
    ]);
    const { required } = resolved(headers) as { required: readonly string[] };
    const signing = ["webhook-id", "webhook-timestamp", "webhook-signature"];
    assert.deepEqual(required, signing);
    assert.equal(examples.length, 1);
    for (const example of examples) {
      assert.deepEqual(faultsOf(payload, example.payload), [], name);
      assert.deepEqual(faultsOf(headers, example.headers), [], name);
    }
  }
});

test("every reference leads somewhere, every field is described, every example is of its schema", () => {
  const visit = (schema: Schema, at: string): void => {
    if (schema.$ref !== undefined) {
      assert.ok(targetOf(schema.$ref), schema.$ref);
      return;
    }
    assert.equal(schema.nullable, undefined, at);
    assert.notEqual(schema.additionalProperties, false, `${at}: fields may be added`);
    for (const example of schema.examples ?? []) assert.deepEqual(faultsOf(schema, example), [], at);
    for (const [name, field] of Object.entries(schema.properties ?? {})) {
      const { description, examples, type, items } = resolved(field) as Schema;
      assert.ok(description, `${at}/${name} has no description`);
      const isLeaf = type !== "object" && items === undefined && !String(type).startsWith("object");
      if (isLeaf) assert.ok(examples?.length, `${at}/${name} has no example`);
      visit(field, `${at}/${name}`);
    }
    if (schema.items !== undefined) visit(schema.items as Schema, `${at}[]`);
  };
  for (const [name, schema] of Object.entries(document.components.schemas)) visit(schema, name);
  for (const { name, payload } of messages) visit(payload, name);
});

test("the catalogue has every topic that is in the source, and no other", () => {
  const word =
    /"((?:order|parcel|carrier|workOrder|transfer|goodsReceipt|unidentifiedReceipt|purchaseOrder|return|inventory|feed|webhook):[A-Za-z]+)"/g;
  const named = listFiles("src/**/*.ts")
    .filter((file) => !isTest(file) && !file.startsWith("src/delivery/webhooks/"))
    .flatMap((file) => [...readFileSync(file, "utf8").matchAll(word)].map(([, topicName]) => topicName as string));
  const logged = topics.filter(({ isUnlogged }) => !isUnlogged).map(({ topicName }) => topicName);
  assert.deepEqual([...new Set(named)].sort(), logged.sort());
});

test("an event that differs from its topic's schema is found", () => {
  const validate = createEventValidator();
  for (const topic of topics) {
    const { facilityCode, objectType, objectId, sequence, data } = sampleBody(topic);
    const event = {
      event_id: "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b11",
      position: 1,
      sequence,
      topic: topic.topicName,
      object_type: objectType,
      object_id: objectId,
      facility_code: facilityCode,
      occurred_at: "2026-11-20T10:00:00.000Z",
      data,
    };
    const faults = (change: object) => validate("DEMO", { ...event, ...change });
    assert.deepEqual(faults({}), [], topic.topicName);
    assert.notDeepEqual(faults({ data: { ...data, extra: 1 } }), [], topic.topicName);
    const [first = ""] = Object.keys(data);
    assert.notDeepEqual(faults({ data: { ...data, [first]: undefined } }), [], topic.topicName);
    assert.notDeepEqual(faults({ sequence: topic.isUnlogged ? 1 : null }), []);
    assert.deepEqual(faults({ sequence: topic.isUnlogged ? null : 7 }), []);
    assert.notDeepEqual(faults({ object_type: "parcel" }), []);
    assert.notDeepEqual(faults({ occurred_at: "2026-11-20T11:00:00+01:00" }), []);
  }
  const unknown = { topic: "order:eaten", object_type: "order", object_id: "1", data: {} };
  const rest = { event_id: "", position: 1, sequence: 1, facility_code: null, occurred_at: "" };
  assert.deepEqual(validate("DEMO", { ...rest, ...unknown }), ["the catalogue does not have the topic"]);
});

test("what is pushed is what is published of it, headers and body: an event, one that was skipped and is sent by hand, and a test", async () => {
  const receiver = await startReceiver();
  atEnd(() => receiver.close());
  const calls = webhookCalls(server.url, await server.onboard("PUSHED"));
  const { webhookId } = await calls.create({ url: receiver.url, topicName: "*", isPaused: 1 });
  await tellEvents(server, "PUSHED", ["O-1"], "parcel:load");
  const listed = async () =>
    (await calls.call("GET", `/webhook/deliveries/${webhookId}`)).body.items as { deliveryId: string }[];
  await until("it is listed", async () => (await listed()).length === 1);
  await calls.call("PATCH", `/webhook/patch/${webhookId}`, { isPaused: 0 });
  for (const { deliveryId } of await listed()) await calls.call("POST", `/webhook/redeliver/${deliveryId}`);
  await receiver.waitFor(1);
  await tellEvents(server, "PUSHED", ["O-2"], "order:delivered");
  await receiver.waitFor(2);
  await calls.call("POST", `/webhook/test/${webhookId}`);
  const pushed = receiver.requests.map(({ headers, body }) => {
    const push = JSON.parse(body.toString()) as { readonly type: string };
    const { headers: signed, payload } = messages.find(({ name }) => name === push.type) as Message;
    assert.deepEqual(faultsOf(payload, push), [], push.type);
    assert.deepEqual(faultsOf(signed, headers), [], push.type);
    return `${push.type} ${headers["crossdock-sequence"]}`;
  });
  assert.deepEqual(pushed, ["parcel:load undefined", "order:delivered 1", "webhook:test undefined"]);
});

test("docs/events.md has each topic with a sample that its schema takes, and the page has the topic as a place", async () => {
  const markdown = readFileSync(new URL("../../../docs/events.md", import.meta.url), "utf8");
  const samples = [...markdown.matchAll(/^### `(\S+)`\n\n.+\n\n```json .+\n([\s\S]*?)\n```$/gm)];
  assert.deepEqual(samples.map(([, name]) => name).sort(), topics.map(({ topicName }) => topicName).sort());
  for (const [, name = "", json = ""] of samples) {
    const { payload } = messages.find((message) => message.name === name) as Message;
    assert.deepEqual(faultsOf(payload, JSON.parse(json)), [], name);
  }
  for (const { title } of topicFamilies) assert.ok(markdown.includes(`\n## ${title}\n`), title);
  assert.ok(markdown.includes("| `lines[].qtyAllocated` |"));
  const html = await (await fetch(`${server.url}/docs/events`)).text();
  for (const { topicName } of topics) assert.ok(html.includes(`<h3 id="${topicName}"`), topicName);
});
