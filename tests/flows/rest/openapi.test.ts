// rest.md §2: the published OpenAPI documents match the code and the committed files.
import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { topics, topicsNamed, topicsOf } from "#/delivery/webhooks/events/topics.ts";
import { facilityTenant } from "#/store/db/facility-tenant.ts";
import { testServer } from "../../support/app/server.ts";

const server = await testServer();
const folder = new URL("../../../schemas/openapi/", import.meta.url);
const isUpdate = process.env.CROSSDOCK_TEST_UPDATE === "1";

interface Media {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>;
  readonly schema: Schema;
}

interface ProblemExample {
  readonly value: { readonly type: string; readonly status: number; readonly instance: string };
}

interface Schema {
  readonly $ref?: string;
  readonly title?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly example?: unknown;
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Answer {
  readonly $ref?: string;
  readonly description: string;
  readonly headers: Readonly<Record<string, object>>;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly example?: unknown;
}

interface Operation {
  /** Empty: public. */
  readonly security?: readonly unknown[];
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Answer>>;
}

interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters?: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Answer>>;
    readonly examples: Readonly<Record<string, ProblemExample>>;
  };
}

/** The topics and groups of topics in the examples of a part of a document. */
function topicsIn(part: unknown, field = ""): string[] {
  if (typeof part === "string") return ["topicName", "additionalTopicNames"].includes(field) ? [part] : [];
  if (typeof part !== "object" || part === null) return [];
  // The example of a schema is the value of the field that the schema describes.
  return Object.entries(part).flatMap(([key, value]) =>
    topicsIn(value, Array.isArray(part) || ["example", "items"].includes(key) ? field : key),
  );
}

const index = await fetch(`${server.url}/openapi`);
const { items } = (await index.json()) as { items: readonly { name: string; title: string; url: string }[] };
const published = await Promise.all(
  items.map(async ({ name, url }) => {
    const response = await fetch(server.url + url);
    return { name, response, text: await response.text() };
  }),
);

test("the index names every document, each title once, and nothing else is committed", () => {
  assert.equal(index.status, 200);
  const names = items.map(({ name }) => name);
  assert.ok(names.includes("order") && names.includes("work-order") && names.includes("warehouse"));
  assert.equal(new Set(items.map(({ title }) => title)).size, items.length);
  const committed = readdirSync(folder);
  const foreign = committed.filter((file) => !names.includes(file.replace(/\.json$/, "")));
  if (isUpdate) for (const file of foreign) rmSync(new URL(file, folder));
  else assert.deepEqual(foreign, []);
});

for (const { name, response, text } of published) {
  const committed = new URL(`${name}.json`, folder);

  test(`${name}: the document in the folder is what is published; CROSSDOCK_TEST_UPDATE=1 writes it`, () => {
    assert.equal(response.status, 200, text);
    assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
    if (isUpdate) writeFileSync(committed, text);
    assert.ok(readFileSync(committed, "utf8") === text, `schemas/openapi/${name}.json is not what is published`);
  });
  if (!response.ok) continue;

  const document = JSON.parse(text) as OpenApi;
  const nameOf = (reference: string) => reference.split("/").at(-1) ?? "";
  const resolved = (answer: Answer) =>
    (answer.$ref ? document.components.responses[nameOf(answer.$ref)] : answer) as Answer;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const answers = Object.entries(operation.responses).map(
        ([status, answer]) => [status, resolved(answer)] as const,
      );
      const parameters = operation.parameters?.map((parameter) =>
        parameter.$ref ? (document.components.parameters?.[nameOf(parameter.$ref)] as Parameter) : parameter,
      );
      return { path, method, operation: { ...operation, parameters, responses: Object.fromEntries(answers) } };
    }),
  );

  test(`${name}: every operation has a full path, a unique id, words, and descriptions of its parts`, () => {
    assert.equal(document.openapi, "3.0.3");
    assert.ok(operations.length > 0);
    const ids = operations.map(({ operation }) => operation.operationId);
    assert.equal(new Set(ids).size, operations.length);
    const titles = operations.map(({ operation }) => operation.summary ?? "");
    assert.deepEqual(
      titles.filter((title, i) => !/^[A-Z][^.]{2,39}$/.test(title) || titles.indexOf(title) !== i),
      [],
      "titles have at most 40 characters and no full stop, and are unique within their service",
    );
    for (const { path, operation } of operations) {
      assert.match(path, /^\/v1\/[a-z][A-Za-z]+Service\//);
      const { operationId, summary, description, tags, parameters = [] } = operation;
      assert.ok(operationId && summary && description && tags?.length, path);
      for (const parameter of parameters) assert.ok(parameter.description, `${path} ${parameter.in} ${parameter.name}`);
      for (const [status, answer] of Object.entries(operation.responses)) {
        assert.ok(answer.description && answer.description !== "Default Response", `${path} ${status}`);
        assert.ok(answer.headers["X-Correlation-Token"], `${path} ${status}`);
      }
    }
  });

  test(`${name}: every operation has an example of its parameters, its body, its answer and each of its problems`, () => {
    for (const { path, operation } of operations) {
      for (const parameter of operation.parameters ?? [])
        assert.notEqual(parameter.example, undefined, `${path} ${parameter.name}`);
      for (const media of Object.values(operation.requestBody?.content ?? {})) assert.ok(media.example, path);
      const answers = Object.entries(operation.responses);
      const successes = answers.filter(([status]) => status.startsWith("2"));
      assert.equal(successes.length, 1, path);
      for (const [type, media] of Object.entries(successes[0]?.[1].content ?? {})) {
        if (type === "application/json") assert.ok(media.example, path);
      }
      const problems = answers.filter(([status]) => Number(status) >= 400);
      const statuses = problems.map(([status]) => status);
      // A public operation refuses no one, except the sign-in itself.
      const isOpen = operation.security?.length === 0;
      // The link of an invitation proves no user.
      const proves = isOpen && path.includes("/invitation/") ? [] : ["401"];
      const refusals = isOpen && !operation.requestBody ? [] : [...proves, "403"];
      for (const status of ["400", ...refusals, "429", "500", "503"]) assert.ok(statuses.includes(status), path);
      for (const [status, answer] of problems) {
        const examples = Object.values(answer.content?.["application/problem+json"]?.examples ?? {});
        assert.ok(examples.length > 0, `${path} ${status}`);
        for (const { $ref } of examples) {
          const { value } = document.components.examples[nameOf($ref)] as ProblemExample;
          assert.equal(value.status, Number(status));
          assert.ok(operations.some(({ path }) => path === value.instance));
        }
      }
    }
  });

  test(`${name}: the topics of its examples are those to which its caller may subscribe`, () => {
    const known = name === "warehouse" ? topicsOf(facilityTenant("DC1")) : topics;
    const wrong = topicsIn(document).filter((topicName) => topicsNamed(topicName, known).length === 0);
    assert.deepEqual(wrong, []);
  });

  test(`${name}: bodies and answers are components with names, so that generators have names for them`, () => {
    const isNamed = (schema: Schema): boolean =>
      schema.$ref !== undefined || [...(schema.anyOf ?? []), ...(schema.allOf ?? [])].some(isNamed);
    for (const { path, operation } of operations) {
      for (const { content = {} } of [operation.requestBody ?? {}, ...Object.values(operation.responses)]) {
        for (const { schema } of Object.values(content)) assert.ok(schema.format === "binary" || isNamed(schema), path);
      }
    }
  });

  test(`${name}: a component has its name for a title, no name takes that of a constructor, and shared words have one type`, () => {
    const { schemas } = document.components;
    for (const [component, { title = component }] of Object.entries(schemas)) {
      assert.equal(title, component);
      // Go generators name the constructor of Order NewOrder.
      assert.ok(!(component.startsWith("New") && component.slice(3) in schemas), component);
    }
    const places = new Map<string, string[]>();
    const visit = (value: unknown, at: string): void => {
      if (typeof value !== "object" || value === null) return;
      const words = (value as Schema).enum ?? [];
      if (words.length > 1) places.set(words.join(), [...(places.get(words.join()) ?? []), at]);
      for (const [key, item] of Object.entries(value)) if (key !== "example") visit(item, `${at}/${key}`);
    };
    visit(schemas, "schemas");
    for (const { operation } of operations) {
      for (const parameter of operation.parameters ?? [])
        visit(parameter, `${operation.operationId} ${parameter.name}`);
    }
    const repeated = [...places.values()].filter((place) => place.length > 1);
    assert.equal(repeated.join("\n"), "");
  });

  test(`${name}: every part of every schema says what it is, and every leaf shows a value`, () => {
    const silent: string[] = [];
    const visit = (schema: Schema, at: string, isSaid = false): void => {
      if (schema.$ref) return;
      if (!isSaid && schema.description === undefined) silent.push(`${at} has no description`);
      const parts = [...(schema.anyOf ?? []), ...(schema.allOf ?? [])];
      for (const [i, part] of parts.entries()) visit(part, `${at}/${i}`, true);
      for (const [field, property] of Object.entries(schema.properties ?? {})) visit(property, `${at}.${field}`);
      if (schema.items) visit(schema.items, `${at}[]`, schema.description !== undefined);
      const isLeaf = !schema.properties && !schema.items && parts.length === 0 && schema.format !== "binary";
      if (isLeaf && schema.example === undefined) silent.push(`${at} has no example`);
    };
    for (const [title, schema] of Object.entries(document.components.schemas)) visit(schema, title);
    for (const { operation } of operations) {
      for (const { content = {} } of [operation.requestBody ?? {}, ...Object.values(operation.responses)]) {
        // The description of a complete body or answer is next to its schema.
        for (const { schema } of Object.values(content)) visit(schema, operation.operationId as string, true);
      }
    }
    assert.equal(silent.join("\n"), "");
  });

  test(`${name}: every reference leads somewhere, and nothing is written that OpenAPI 3.0 does not have`, () => {
    const seen = new Set<string>();
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== "object" || value === null) return;
      for (const [key, item] of Object.entries(value)) {
        const at = `${path}/${key}`;
        // Examples are data; those of the problems are components, which their media type names.
        if (key === "example" || at === "/components/examples") continue;
        if (key === "$ref") seen.add(String(item));
        if (key === "exclusiveMinimum" || key === "exclusiveMaximum") assert.equal(item, true, at);
        const forbidden = ["examples", "const", "$id", "patternProperties", "x-chosen-by", "x-problems"];
        const isOfProblem = key === "examples" && path.includes("problem+json");
        assert.ok((isOfProblem || !forbidden.includes(key)) && key !== "x-body-optional", at);
        if (key === "type") assert.ok(!Array.isArray(item) && item !== "null", at);
        visit(item, at);
      }
    };
    visit(document, "");
    for (const reference of seen) {
      const target = reference
        .slice(2)
        .split("/")
        .reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], document);
      assert.ok(target, reference);
    }
  });
}

test("a body that may be left out is not required, another one is", async () => {
  const document = (await (await fetch(`${server.url}/openapi/work-order.json`)).json()) as OpenApi;
  const bodyOf = (path: string) => document.paths[`/v1/workOrderService/workOrder/${path}`]?.post?.requestBody;
  assert.equal(bodyOf("cancel/{workOrderId}")?.required, false);
  assert.equal(bodyOf("create")?.required, true);
});
