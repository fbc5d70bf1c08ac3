// rest.md §2 for every operation of every published document: who is let in, who is not, and what strangers are told.
import assert from "node:assert/strict";
import { test } from "node:test";
import { catalogue, order } from "../support/documents.ts";
import { brokenTokens, clientIdentities, type Identity } from "../support/identities.ts";
import {
  type ExampleRequest,
  exampleRequest,
  listPublishedOperations,
  type PublishedOperation,
  urlOf,
} from "../support/published-operations.ts";
import { testServer } from "../support/server.ts";
import { warehouseOf } from "../support/warehouse-port.ts";

const server = await testServer();
const own = await server.onboard("OWN");
const other = await server.onboard("OTHER");
// Named as the documents' examples are, so that what is asked for is there; and with a word that nobody else has.
const secret = "ONLY-THE-OWNER-KNOWS";
await own.accept(
  "CAT",
  catalogue("OWN", [{ sku: "MUG-BLUE-330", name: secret, weight: 0.4, weightUomCode: "KG" }, "BOX-S"]),
);
const sent = await own.accept("NO", order("OWN", "WEB-100045", ["MUG-BLUE-330"], { externalOrderReference: secret }));
await own.outcome(sent.token);

const operations = listPublishedOperations();
const clientOperations = operations.filter(({ document }) => document !== "warehouse" && document !== "operator");
const portOperations = operations.filter(({ document }) => document === "warehouse");
const identities = await clientIdentities(server, own, other);
const [owner, stranger] = identities as [Identity, Identity];

async function send(operation: PublishedOperation, request: ExampleRequest, token: string | undefined) {
  const response = await fetch(urlOf(server.url, operation, request), {
    method: operation.method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(request.body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

type Answer = Awaited<ReturnType<typeof send>>;

function assertProblem(answer: Answer, status: number, code: string, why: string): void {
  assert.equal(answer.status, status, `${why}: ${answer.text}`);
  assert.match(answer.headers.get("content-type") ?? "", /^application\/problem\+json/, why);
  const body = JSON.parse(answer.text) as { type: string; status: number; correlationToken: string };
  assert.equal(body.type, `/problems/${code}`, why);
  assert.equal(body.status, status, why);
  assert.equal(answer.headers.get("x-correlation-token"), body.correlationToken, why);
  assert.equal(/^Bearer error="/.test(answer.headers.get("www-authenticate") ?? ""), status === 401, why);
}

test("there are operations to walk", () => {
  assert.ok(clientOperations.length >= 30, `only ${clientOperations.length}`);
  assert.ok(portOperations.length >= 17, `only ${portOperations.length}`);
});

for (const { name, token, problem } of identities) {
  if (!problem) continue;
  test(`every operation answers ${name} with ${problem.status} ${problem.code}`, async () => {
    for (const operation of clientOperations) {
      // A suspended client asks for what is its own: it names nobody else.
      const answer = await send(operation, exampleRequest(operation, name === "suspended" ? undefined : "OWN"), token);
      assertProblem(answer, problem.status, problem.code, `${operation.operationId} to ${name}`);
    }
  });
}

test("another client's token is refused where the owner is named, and finds nothing of the owner's where nobody is", async () => {
  for (const operation of clientOperations) {
    const request = exampleRequest(operation, "OWN");
    const namesClient =
      "clientId" in request.query || JSON.stringify(request.body ?? null).includes('"clientId":"OWN"');
    assert.ok(namesClient, `${operation.operationId} takes no clientId`);
    const named = await send(operation, request, stranger.token);
    assertProblem(named, 403, "client-forbidden", operation.operationId);
    const unnamed = await send(operation, exampleRequest(operation, undefined), stranger.token);
    assert.ok(unnamed.status < 500, `${operation.operationId}: ${unnamed.text}`);
    for (const answer of [named, unnamed]) {
      assert.ok(!answer.text.includes(secret), `${operation.operationId} tells a stranger: ${answer.text}`);
    }
  }
});

test("clientId in query and body must be the same", async () => {
  for (const operation of clientOperations) {
    const request = exampleRequest(operation, "OWN");
    if (!JSON.stringify(request.body ?? null).includes('"clientId":"OWN"')) continue;
    assert.ok(
      operation.parameters.some((parameter) => parameter.in === "query" && parameter.name === "clientId"),
      `${operation.operationId} takes clientId in its body only`,
    );
    const differing = await send(
      operation,
      { ...request, query: { ...request.query, clientId: "OTHER" } },
      owner.token,
    );
    assert.ok([400, 403].includes(differing.status), `${operation.operationId}: ${differing.text}`);
  }
});

test("the owner is let in everywhere, and never meets a failure", async () => {
  const met = new Map<number, number>();
  for (const operation of clientOperations) {
    const answer = await send(operation, exampleRequest(operation, "OWN"), owner.token);
    assert.ok(![400, 401, 403, 405, 413, 415].includes(answer.status), `${operation.operationId}: ${answer.text}`);
    assert.ok(answer.status < 500, `${operation.operationId}: ${answer.text}`);
    assert.ok(operation.statuses.includes(String(answer.status)), `${operation.operationId} answers ${answer.status}`);
    met.set(answer.status, (met.get(answer.status) ?? 0) + 1);
  }
  assert.ok((met.get(200) ?? 0) >= clientOperations.length / 2, JSON.stringify([...met]));
});

test("a warehouse's token opens no client's service, and a client's not the port", async () => {
  const { token } = await warehouseOf(server);
  for (const operation of clientOperations) {
    const answer = await send(operation, exampleRequest(operation, "OWN"), token);
    assertProblem(answer, 403, "token-kind-forbidden", operation.operationId);
  }
  for (const operation of portOperations) {
    const answer = await send(operation, exampleRequest(operation, "OWN"), owner.token);
    assertProblem(answer, 403, "token-kind-forbidden", operation.operationId);
  }
});

test("the port answers every broken token with its 401, and one facility learns nothing of another's", async () => {
  const dc1 = await warehouseOf(server);
  for (const { name, token, problem } of await brokenTokens(server, dc1.token)) {
    for (const operation of portOperations) {
      const answer = await send(operation, exampleRequest(operation, "OWN"), token);
      assertProblem(answer, problem?.status as number, problem?.code as string, `${operation.operationId} to ${name}`);
    }
  }
  const dc3 = await warehouseOf(server, "DC3");
  for (const operation of portOperations) {
    const answer = await send(operation, exampleRequest(operation, "OWN"), dc3.token);
    assert.ok(answer.status < 500, `${operation.operationId}: ${answer.text}`);
    assert.ok(!answer.text.includes("WEB-100045") || answer.status >= 400, `${operation.operationId}: ${answer.text}`);
  }
});
