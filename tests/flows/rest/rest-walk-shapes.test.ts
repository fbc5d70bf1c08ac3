// rest.md §2 for every operation of every published document: a wrong value of any field or parameter, in every way
// that its schema knows, is a 400 that names the place. No request causes a server error.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { startCursor } from "#/http/requests/paging.ts";
import { accessTokenOf, testServer } from "../../support/app/server.ts";
import { mutantsOf } from "../../support/builders/mutants.ts";
import {
  type ExampleRequest,
  exampleRequest,
  isDocument,
  type Json,
  listPublishedOperations,
  type Parameter,
  type PublishedOperation,
  type Schema,
  urlOf,
} from "../../support/http/published-operations.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const documents = fileURLToPath(new URL("../../../schemas/openapi", import.meta.url));
const server = await testServer();
const client = await server.onboard("OWN");
const token = await accessTokenOf(server.url, client.credentials.oauth);
const { token: portToken } = await warehouseOf(server);
const operations = listPublishedOperations().filter(({ document }) => document !== "operator");
const withBody = operations.filter(({ body }) => body !== undefined);

interface Problem {
  readonly type: string;
  readonly errors: readonly { readonly pointer: string; readonly message: string }[];
}

async function call(operation: PublishedOperation, url: string, init: RequestInit = {}) {
  const bearer = operation.document === "warehouse" ? portToken : token;
  const response = await fetch(url, {
    method: operation.method,
    ...init,
    headers: { authorization: `Bearer ${bearer}`, ...(init.headers as Record<string, string>) },
  });
  const text = await response.text();
  const isProblem = (response.headers.get("content-type") ?? "").startsWith("application/problem+json");
  return { status: response.status, text, problem: isProblem ? (JSON.parse(text) as Problem) : undefined };
}

const json = { "content-type": "application/json" };
const sendBody = (operation: PublishedOperation, request: ExampleRequest, body: Json) =>
  call(operation, urlOf(server.url, operation, request), { headers: json, body: JSON.stringify(body) });

function assertNames(answer: Awaited<ReturnType<typeof call>>, pointer: string, why: string): void {
  assert.equal(answer.status, 400, `${why}: ${answer.text.slice(0, 500)}`);
  assert.equal(answer.problem?.type, "/problems/invalid-request", why);
  const pointers = answer.problem.errors.map((error) => error.pointer);
  assert.ok(
    pointers.some((name) => name === pointer || name.startsWith(`${pointer}/`)),
    `${why}: ${pointers.join(", ")} do not name ${pointer}`,
  );
}

for (const operation of withBody) {
  const { operationId, document, body, resolve } = operation;
  test(`${document} ${operationId}: each field left out, unknown, of another type or out of its bounds is a 400 that names it`, async () => {
    const request = exampleRequest(operation, document === "warehouse" ? "OWN" : undefined);
    const mutants = mutantsOf(body?.schema as Schema, request.body as Json, resolve).filter(
      // The client is checked before the shape: another client is a 403, and a missing one is a body without a client.
      ({ pointer, why }) => !(pointer === "/clientId" && (document !== "warehouse" || why !== "left out")),
    );
    assert.ok(mutants.length >= 3, `only ${mutants.length}`);
    for (const { pointer, why, value, isAbsence } of mutants) {
      if (pointer === "" && value === null && body?.isRequired === false) continue;
      if (isAbsence && operation.method !== "PATCH") continue;
      const answer = await sendBody(operation, request, value);
      assertNames(answer, `#${pointer}`, `${operationId}, ${pointer} ${why}`);
    }
  });
}

test("a body that is not JSON, empty, of another content type, too large or too deep is refused as such", async () => {
  for (const operation of withBody) {
    const { operationId, body } = operation;
    const request = exampleRequest(operation, "OWN");
    const url = urlOf(server.url, operation, request);
    const statusOf = async (headers: Record<string, string>, text: string) => {
      const { status, text: answer } = await call(operation, url, { headers, body: text });
      assert.ok(status < 500, `${operationId}: ${answer}`);
      return status;
    };
    assert.equal(await statusOf(json, '{"a": '), 400, operationId);
    assert.equal(await statusOf(json, "\u00ff"), 400, operationId);
    assert.equal((await statusOf(json, "")) === 400, body?.isRequired, operationId);
    assert.equal(await statusOf({ "content-type": "text/xml" }, "<a/>"), 415, operationId);
    // With its quotation marks and name, the body is a few bytes above the bound.
    const bound = (operationId === "simulateCarriers" ? 2 : 1) * 1024 * 1024;
    assert.equal(await statusOf(json, JSON.stringify({ x: "y".repeat(bound) })), 413, operationId);
    assert.equal(await statusOf(json, `${"[".repeat(5_000)}${"]".repeat(5_000)}`), 400, operationId);
    assert.equal(await statusOf(json, `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`), 400, operationId);
  }
});

/** Values of a parameter that its schema refuses, as text of the query. */
function wrongTexts({ schema }: Parameter): string[] {
  const texts: string[] = [];
  const { type, maxLength, minLength = 0 } = schema;
  if (type === "integer" || type === "number") texts.push("x", "1.5e3", "", " ", "1,5");
  if (type === "integer") texts.push("1.5", "0x10");
  if (schema.minimum !== undefined) texts.push(String(schema.minimum - 1));
  if (schema.maximum !== undefined) texts.push(String(schema.maximum + 1));
  if (type === "boolean") texts.push("yes", "1", "");
  if (schema.enum) texts.push("NO_SUCH_WORD");
  if (schema.format === "date-time")
    texts.push("yesterday", "2026-02-30T00:00:00Z", "2026-11-20 10:00", "2026-11-20T10:00:00");
  if (schema.format === "date") texts.push("yesterday", "2026-02-30", "20261120");
  if (type === "string" && maxLength !== undefined) texts.push("x".repeat(maxLength + 1));
  if (type === "string" && minLength > 0) texts.push("");
  if (type === "string") texts.push("a\u0000b");
  return texts;
}

test("each parameter of a query wrong in type, range, length or encoding, given twice or unknown, is a 400 that names it", async () => {
  for (const operation of operations) {
    const request = exampleRequest(operation, operation.document === "warehouse" ? undefined : "OWN");
    const init: RequestInit = request.body === undefined ? {} : { headers: json, body: JSON.stringify(request.body) };
    const ask = (query: Record<string, string>) =>
      call(operation, urlOf(server.url, operation, { ...request, query: { ...request.query, ...query } }), init);
    const { operationId } = operation;
    assertNames(await ask({ noSuchParameter: "1" }), "/query/noSuchParameter", `${operationId}, unknown parameter`);
    for (const parameter of operation.parameters.filter((parameter) => parameter.in === "query")) {
      const { name, required } = parameter;
      // The client is checked before the shape.
      if (name === "clientId") continue;
      for (const text of wrongTexts(parameter)) {
        assertNames(await ask({ [name]: text }), `/query/${name}`, `${operationId}, ${name}=${JSON.stringify(text)}`);
      }
      if (required) {
        const { [name]: _left, ...rest } = request.query;
        const url = urlOf(server.url, operation, { ...request, query: rest });
        assertNames(await call(operation, url, init), `/query/${name}`, `${operationId}, ${name} left out`);
      }
      const marked = urlOf(server.url, operation, { ...request, query: { ...request.query, [name]: "MARK" } });
      for (const text of ["%", "%zz", "%C3"]) {
        const answer = await call(operation, marked.replace("MARK", text), init);
        assertNames(answer, `/query/${name}`, `${operationId}, ${name}=${text}`);
      }
      if (parameter.schema.type === "array") continue;
      const url = urlOf(server.url, operation, { ...request, query: { ...request.query, [name]: "1" } });
      assertNames(await call(operation, `${url}&${name}=1`, init), `/query/${name}`, `${operationId}, ${name} twice`);
    }
  }
});

test("a path that is too long, empty or wrongly encoded is a 400 or a 404, and odd characters are only characters", async () => {
  for (const operation of operations.filter(({ parameters }) =>
    parameters.some((parameter) => parameter.in === "path"),
  )) {
    const { operationId } = operation;
    const request = exampleRequest(operation, "OWN");
    const init: RequestInit = request.body === undefined ? {} : { headers: json, body: JSON.stringify(request.body) };
    for (const { name, schema } of operation.parameters.filter((parameter) => parameter.in === "path")) {
      const ask = (text: string) =>
        call(operation, urlOf(server.url, operation, { ...request, path: { ...request.path, [name]: text } }), init);
      const raw = (text: string) => {
        const marked = urlOf(server.url, operation, { ...request, path: { ...request.path, [name]: "MARK" } });
        return call(operation, marked.replace("MARK", text), init);
      };
      const why = `${operationId}, ${name}`;
      if (schema.maxLength !== undefined) {
        assertNames(await ask("x".repeat(schema.maxLength + 1)), `/path/${name}`, why);
      }
      assertNames(await ask("a\u0000b"), `/path/${name}`, why);
      for (const text of ["%", "%zz", "%C3", "%ED%A0%80"])
        assert.equal((await raw(text)).status, 400, `${why} ${text}`);
      for (const text of ["a/b", "100%", "ü 日本 🙂", "..", "'; drop table x; --", '"', "a?b#c"]) {
        const { status, text: answer } = await ask(text);
        assert.ok([400, 404].includes(status), `${why} ${text}: ${status} ${answer}`);
      }
    }
  }
});

test("a cursor that was not handed out for this list is a 400 that names it", async () => {
  const lists = operations.filter(({ parameters }) => parameters.some(({ name }) => name === "cursor"));
  assert.ok(lists.length >= 8);
  const cursors = [
    "x",
    "=",
    Buffer.from("{}").toString("base64url"),
    Buffer.from('{"v":1,"k":"x","p":{}}').toString("base64url"),
  ];
  for (const operation of lists) {
    const request = exampleRequest(operation, operation.document === "warehouse" ? undefined : "OWN");
    for (const cursor of cursors) {
      const url = urlOf(server.url, operation, { ...request, query: { ...request.query, cursor } });
      assertNames(await call(operation, url), "/query/cursor", `${operation.operationId}, ${cursor}`);
    }
  }
});

test("every documented example of a cursor is answered, as the start of its list", async () => {
  const lists = operations.filter(({ parameters }) => parameters.some(({ name }) => name === "cursor"));
  for (const operation of lists) {
    const request = exampleRequest(operation, operation.document === "warehouse" ? undefined : "OWN");
    const { example } = operation.parameters.find(({ name }) => name === "cursor") as Parameter;
    const url = urlOf(server.url, operation, { ...request, query: { ...request.query, cursor: String(example) } });
    const { status, problem } = await call(operation, url);
    // Some lists require a parameter, or one of two, that is optional in their schema.
    const isOther = [400, 422].includes(status) && problem?.errors.every(({ pointer }) => pointer !== "/query/cursor");
    assert.ok([200, 404].includes(status) || isOther, `${operation.operationId}: ${JSON.stringify(problem)}`);
  }
  for (const document of readdirSync(documents)) {
    const examples = readFileSync(path.join(documents, document), "utf8").match(/"eyJ2Ijox[^"]*"/g) ?? [];
    assert.deepEqual([...new Set(examples)], examples.length === 0 ? [] : [`"${startCursor}"`], document);
  }
});

test("a method that a path does not take is a 405 that names those it takes", async () => {
  for (const operation of operations) {
    const url = urlOf(server.url, operation, exampleRequest(operation, undefined));
    const { status } = await call({ ...operation, method: "PUT" }, url, { headers: json, body: "{}" });
    assert.equal(status, 405, operation.operationId);
  }
});

test("a key that was used for another request is a 409 for every write", async () => {
  const headers = { ...json, "idempotency-key": "used before" };
  const webhook = operations.find(
    ({ document, operationId }) => document === "webhook" && operationId === "createWebhook",
  ) as PublishedOperation;
  const create = exampleRequest(webhook, "OWN");
  const body = JSON.stringify({ ...(create.body as object), clientId: "OWN" });
  const first = await call(webhook, urlOf(server.url, webhook, create), { headers, body });
  assert.equal(first.status, 201, first.text);
  const writes = operations.filter(
    (operation) =>
      operation.document !== "warehouse" &&
      operation.operationId !== "createWebhook" &&
      !isDocument(operation) &&
      operation.parameters.some((parameter) => parameter.name === "idempotency-key"),
  );
  assert.ok(writes.length >= 15, String(writes.length));
  for (const operation of writes) {
    const request = exampleRequest(operation, "OWN");
    const init =
      request.body === undefined
        ? { headers: { "idempotency-key": "used before" } }
        : { headers, body: JSON.stringify(request.body) };
    const answer = await call(operation, urlOf(server.url, operation, request), init);
    assert.equal(answer.status, 409, `${operation.operationId}: ${answer.text}`);
  }
});
