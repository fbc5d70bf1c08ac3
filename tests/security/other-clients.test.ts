// Every operation of every published document with other clients' tokens and with broken tokens (contract: rest.md §2).
// One test for each attempt.
import assert from "node:assert/strict";
import { test } from "node:test";
import { testServer } from "../support/app/server.ts";
import { catalogue, order } from "../support/builders/documents.ts";
import { brokenTokens, clientIdentities, type Identity } from "../support/http/identities.ts";
import {
  type ExampleRequest,
  exampleRequest,
  listPublishedOperations,
  type PublishedOperation,
  urlOf,
} from "../support/http/published-operations.ts";
import { warehouseOf } from "../support/warehouse/warehouse-port.ts";

const server = await testServer();
const client = await server.onboard("OWN");
const other = await server.onboard("OTHER");
// Names equal those of the documents' examples, so that the requested objects exist; the data contain a unique word.
const secret = "ONLY-THE-OWNER-KNOWS";
await client.accept(
  "CAT",
  catalogue("OWN", [{ sku: "MUG-BLUE-330", name: secret, weight: 0.4, weightUomCode: "KG" }, "BOX-S"]),
);
const sent = await client.accept(
  "NO",
  order("OWN", "WEB-100045", ["MUG-BLUE-330"], { externalOrderReference: secret }),
);
await client.outcome(sent.token);

const operations = listPublishedOperations();
const clientOperations = operations.filter(({ document }) => document !== "warehouse" && document !== "operator");
const portOperations = operations.filter(({ document }) => document === "warehouse");
const identities = await clientIdentities(server, client, other);
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
  assert.equal(/^Bearer realm="crossdock"/.test(answer.headers.get("www-authenticate") ?? ""), status === 401, why);
}

test("there are operations to walk", () => {
  assert.ok(clientOperations.length >= 30, `only ${clientOperations.length}`);
  assert.ok(portOperations.length >= 17, `only ${portOperations.length}`);
});

for (const operation of clientOperations) {
  const { operationId } = operation;
  const request = exampleRequest(operation, "OWN");
  const bodyNamesClient = JSON.stringify(request.body ?? null).includes('"clientId":"OWN"');

  for (const { name, token, problem } of identities) {
    if (!problem) continue;
    test(`${operationId} answers the token "${name}" with ${problem.status} ${problem.code}`, async () => {
      // A suspended client's token requests its own objects: the request names no other client.
      const example = name === "suspended" ? exampleRequest(operation, undefined) : request;
      assertProblem(await send(operation, example, token), problem.status, problem.code, operationId);
    });
  }

  test(`${operationId} refuses another client's token where the request names the owner`, async () => {
    assert.ok("clientId" in request.query || bodyNamesClient, `${operationId} takes no clientId`);
    const answer = await send(operation, request, stranger.token);
    assertProblem(answer, 403, "client-forbidden", operationId);
    assert.ok(!answer.text.includes(secret), answer.text);
  });

  test(`${operationId} shows another client's token nothing of the owner's where the request names no client`, async () => {
    const answer = await send(operation, exampleRequest(operation, undefined), stranger.token);
    assert.ok(answer.status < 500, answer.text);
    assert.ok(!answer.text.includes(secret), answer.text);
  });

  if (bodyNamesClient) {
    test(`${operationId} refuses a query whose clientId differs from the body's`, async () => {
      assert.ok(
        operation.parameters.some((parameter) => parameter.in === "query" && parameter.name === "clientId"),
        `${operationId} takes clientId in its body only`,
      );
      const differing = { ...request, query: { ...request.query, clientId: "OTHER" } };
      const answer = await send(operation, differing, owner.token);
      assert.ok([400, 403].includes(answer.status), answer.text);
    });
  }
}

test("the owner can call every operation without a server error", async () => {
  const met = new Map<number, number>();
  for (const operation of clientOperations) {
    const answer = await send(operation, exampleRequest(operation, "OWN"), owner.token);
    assert.ok(![400, 401, 403, 405, 413, 415].includes(answer.status), `${operation.operationId}: ${answer.text}`);
    assert.ok(answer.status < 500, `${operation.operationId}: ${answer.text}`);
    assert.ok(operation.statuses.includes(String(answer.status)), `${operation.operationId} answers ${answer.status}`);
    met.set(answer.status, (met.get(answer.status) ?? 0) + 1);
  }
  // The documents of four operations name SKUs that the client does not have.
  assert.ok((met.get(200) ?? 0) >= 30, JSON.stringify([...met]));
});

const dc1 = await warehouseOf(server);
const dc3 = await warehouseOf(server, "DC3");
const brokenPortTokens = await brokenTokens(server, dc1.token);

for (const operation of clientOperations) {
  test(`${operation.operationId} refuses a warehouse's token`, async () => {
    const answer = await send(operation, exampleRequest(operation, "OWN"), dc1.token);
    assertProblem(answer, 403, "token-kind-forbidden", operation.operationId);
  });
}

for (const operation of portOperations) {
  const { operationId } = operation;
  const request = exampleRequest(operation, "OWN");

  test(`${operationId} refuses a client's token`, async () => {
    assertProblem(await send(operation, request, owner.token), 403, "token-kind-forbidden", operationId);
  });

  for (const { name, token, problem } of brokenPortTokens) {
    test(`${operationId} answers the token "${name}" with ${problem?.status} ${problem?.code}`, async () => {
      const answer = await send(operation, request, token);
      assertProblem(answer, problem?.status as number, problem?.code as string, operationId);
    });
  }

  test(`${operationId} shows one facility nothing of another's`, async () => {
    const answer = await send(operation, request, dc3.token);
    assert.ok(answer.status < 500, answer.text);
    // The samples of the topics are the same for all, and the facility's own requests name the samples.
    const isSample = ["listTopics", "listRequests"].includes(operationId);
    assert.ok(isSample || !answer.text.includes("WEB-100045") || answer.status >= 400, answer.text);
  });
}
