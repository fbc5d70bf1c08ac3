// rest.md §2: the published OpenAPI documents are what the code does, and what is committed.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { testServer } from "../support/server.ts";

const server = await testServer();
const names = ["warehouse"];
const isUpdate = process.env.CROSSDOCK_TEST_UPDATE === "1";

interface Operation {
  readonly operationId?: string;
  readonly summary?: string;
  readonly tags?: readonly string[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: unknown }>> };
  readonly responses: Readonly<Record<string, object>>;
}

interface OpenApi {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: object; readonly responses: object };
}

for (const name of names) {
  const committed = new URL(`../../schemas/openapi/${name}.json`, import.meta.url);
  const response = await fetch(`${server.url}/openapi/${name}.json`);
  const text = await response.text();
  const document = JSON.parse(text) as OpenApi;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );

  test(`${name}: the committed document is what is published; CROSSDOCK_TEST_UPDATE=1 writes it`, () => {
    assert.equal(response.status, 200);
    assert.match(response.headers.get("content-type") ?? "", /^application\/json/);
    if (isUpdate) writeFileSync(committed, text);
    assert.ok(existsSync(committed));
    assert.equal(readFileSync(committed, "utf8"), text);
  });

  test(`${name}: every operation has a full path, an id of its own, a summary, a 401 and an example of its body`, () => {
    assert.equal(document.openapi, "3.0.3");
    assert.ok(operations.length > 0);
    const ids = operations.map(({ operation }) => operation.operationId);
    assert.equal(new Set(ids).size, operations.length);
    for (const { path, operation } of operations) {
      assert.match(path, /^\/v1\/[a-z][A-Za-z]+Service\//);
      assert.ok(operation.operationId && operation.summary && operation.tags?.length, path);
      assert.deepEqual(operation.responses["401"], { $ref: "#/components/responses/Unauthorised" });
      const media = operation.requestBody?.content["application/json"];
      if (media) assert.ok(media.example, `${path} has no example`);
    }
  });

  test(`${name}: every reference leads somewhere, and nothing is written that OpenAPI 3.0 does not have`, () => {
    const seen = new Set<string>();
    const visit = (value: unknown, path: string): void => {
      if (typeof value !== "object" || value === null) return;
      for (const [key, item] of Object.entries(value)) {
        const at = `${path}/${key}`;
        if (key === "example") continue;
        if (key === "$ref") seen.add(String(item));
        if (key === "exclusiveMinimum" || key === "exclusiveMaximum") assert.equal(item, true, at);
        assert.ok(!["examples", "const", "$id", "patternProperties", "x-chosen-by", "x-problems"].includes(key), at);
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
