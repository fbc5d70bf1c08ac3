// contract operations.md §5 for every operation of the console: who has access, who has none, and what a user with
// limits sees.
import assert from "node:assert/strict";
import { test } from "node:test";
import { operatorRoles } from "#/http/access/operator-role.ts";
import { type ConsoleUser, type Limits, signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { catalogue, order } from "../../support/builders/documents.ts";
import {
  type ExampleRequest,
  exampleRequest,
  type Json,
  listPublishedOperations,
  type PublishedOperation,
  urlOf,
} from "../../support/http/published-operations.ts";

const server = await testServer();
// Words that occur only in another client's data, and only in another facility's data.
const foreignWord = "ONLY-BETA-KNOWS";
const elsewhereWord = "ONLY-DC2-KNOWS";
const alpha = await server.onboard("ALPHA");
const beta = await server.onboard("BETA");
// Names equal those of the documents' examples, so that the requested objects exist.
await alpha.accept("CAT", catalogue("ALPHA", ["MUG-BLUE-330", "BOX-S"]));
const feedOfBeta = await beta.accept("CAT", catalogue("BETA", [{ sku: "MUG-BLUE-330", name: foreignWord }, "BOX-S"]));
for (const orderId of ["WEB-100045", elsewhereWord]) {
  const more = { externalOrderReference: elsewhereWord, distributionCentre: "DC2" };
  const { token } = await alpha.accept("NO", order("ALPHA", orderId, ["MUG-BLUE-330"], more));
  await alpha.outcome(token);
}
for (const orderId of ["WEB-100045", foreignWord]) {
  const more = { externalOrderReference: foreignWord, distributionCentre: "DC1" };
  const { token } = await beta.accept("NO", order("BETA", orderId, ["MUG-BLUE-330"], more));
  await beta.outcome(token);
}

const operations = listPublishedOperations().filter(({ document }) => document === "operator");
const guarded = operations.filter(({ leastRole }) => leastRole !== undefined);
/** Operations that end the session that sends them, or change the password of its user. */
const endsSession = ["deleteSession", "changeOwnPassword"];

interface Sent {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

async function send(
  user: ConsoleUser | undefined,
  operation: PublishedOperation,
  request: ExampleRequest,
  headers: Record<string, string> = user ? { "x-csrf-token": user.csrfToken } : {},
): Promise<Sent> {
  const response = await fetch(urlOf(server.url, operation, request), {
    method: operation.method,
    headers: {
      ...(user ? { cookie: user.cookie } : {}),
      ...headers,
      ...(request.body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

function assertProblem({ status, text }: Sent, wanted: number, code: string, why: string): void {
  assert.equal(status, wanted, `${why}: ${text.slice(0, 500)}`);
  assert.equal((JSON.parse(text) as { type: string }).type, `/problems/${code}`, why);
}

/** The example request, for this client where the operation names a client; otherwise unchanged. */
function about(operation: PublishedOperation, clientId = "ALPHA"): ExampleRequest {
  const request = exampleRequest(operation, clientId);
  return request.path.clientId !== undefined ? { ...request, path: { ...request.path, clientId } } : request;
}

/** Waits until the consequences of earlier tests are processed. */
const atRest = () =>
  until("the platform comes to rest", async () => {
    const [row] = await server.rows<{ due: boolean }>(
      `select exists (select from outbox where state = 'PENDING')
         or exists (select from stock_change where needs_allocation) as due`,
    );
    return row?.due === false;
  });

const isWrite = ({ method }: PublishedOperation) => method !== "GET";

test("there are operations to walk, the clients' own among them", () => {
  assert.ok(guarded.length >= 50, `only ${guarded.length}`);
  assert.ok(operations.filter(({ isMounted }) => isMounted).length >= 50);
  const open = operations.filter(({ leastRole }) => leastRole === undefined).map(({ operationId }) => operationId);
  assert.deepEqual(open, ["getSignInMethods", "createSession", "openInvitation", "acceptInvitation"]);
});

test("every operation refuses a request without a session", async () => {
  for (const operation of guarded) {
    const answer = await send(undefined, operation, about(operation));
    assertProblem(answer, 401, "session-missing", operation.operationId);
    assert.match(answer.headers.get("www-authenticate") ?? "", /^Session /, operation.operationId);
  }
});

for (const role of ["viewer", "operator"] as const) {
  test(`a ${role} is refused operations of higher roles, and allowed all others`, async () => {
    const user = await signIn(server, role);
    for (const operation of guarded) {
      const { leastRole = "admin", operationId } = operation;
      if (endsSession.includes(operationId)) continue;
      const answer = await send(user, operation, about(operation));
      if (operatorRoles.indexOf(leastRole) > operatorRoles.indexOf(role)) {
        assertProblem(answer, 403, "role-forbidden", operationId);
      } else {
        assert.ok(![401, 403].includes(answer.status), `${operationId}: ${answer.text.slice(0, 500)}`);
      }
    }
  });
}

/** The operations of the role. A new operation is closed until it is in this list and in that of the program. */
const ofDevelopers: readonly string[] = [
  ...["getSession", "getSignInStep", "proveUser", "challengePasskey", "deleteSession", "changeOwnPassword"],
  ...["listOwnFactors", "beginTotp", "confirmTotp", "beginPasskey", "confirmPasskey", "renameFactor", "deleteFactor"],
  ...["renewRecoveryCodes", "listViews", "saveView", "deleteView", "getRestoreState"],
  ...["listClientDirectory", "getClientOfDirectory", "listFacilityDirectory", "issueCredential", "revokeCredential"],
  ...["listRequests", "getRequest", "readRequestBody"],
  ...[
    "listFeeds",
    "countFeeds",
    "getFeed",
    "readFeedDocument",
    "downloadFeedDocument",
    "getFeedAck",
    "getFeedTimeline",
  ],
  ...["validateFeed", "listOutboundDocuments", "getOutboundDocument", "listOutboundChannels"],
  ...[
    "listWebhookHealth",
    "readAttemptRates",
    "listUndelivered",
    "listReceivers",
    "listWaitingClients",
    "readWebhookHealth",
  ],
  ...["listOrdersOverClients", "countOrdersOverClients", "readOrderFigures", "getOrderTimeline", "listFeedsOfOrder"],
  ...["search", "listPurchaseOrders", "readInboundFigures", "getPurchaseOrder", "listReturns", "listWorkOrdersOfAll"],
  ...["listTransfersOfAll", "listUnidentifiedReceiptsOfAll", "listStock", "listStockLots", "readStockStatement"],
  ...["compareStock", "listExpiringStock", "listBackorderedProducts", "listWaitingForProduct", "listExpectedOfProduct"],
  ...["clientGetOrder", "clientGetOrderStatus", "clientExplainOrder", "clientListOrders", "clientGetOrderTemplate"],
  ...["clientValidateCreateOrder", "clientGetRma", "clientListRmas", "clientGetRmaTemplate", "clientValidateCreateRma"],
  ...["clientGetClientPurchaseOrder", "clientListClientPurchaseOrders", "clientGetPurchaseOrderTemplate"],
  ...["clientValidateCreatePurchaseOrder", "clientGetUnidentifiedReceipt", "clientListUnidentifiedReceipts"],
  ...[
    "clientListDocuments",
    "clientGetDocument",
    "clientGetLabel",
    "clientListOlpns",
    "clientGetOlpn",
    "clientGetCarrierDecision",
  ],
  ...["clientListCarrierServiceCodes", "clientFindInventoryBySku", "clientFindInventoryBySkuList"],
  ...["clientFindInventoryDetailsBySkuList", "clientListInventory", "clientListMovements", "clientListSnapshots"],
  ...["clientGetSnapshot", "clientTraceLot", "clientListLotOrders", "clientGetTransfer", "clientListTransfers"],
  ...["clientGetWorkOrder", "clientListWorkOrders", "clientListFacilities", "clientGetFacility", "clientListItems"],
  ...["clientGetItemTemplate", "clientGetItemTemplates", "clientGetItemCustoms", "clientValidateUpsertItems"],
  ...["clientFindItemBySku", "clientFindItemBySkuList", "clientCreateWebhook", "clientPatchWebhook"],
  ...["clientDeleteWebhook", "clientGetWebhook", "clientRotateWebhookSecret", "clientListWebhooks"],
  ...["clientListDeliveries", "clientGetDelivery", "clientRedeliver", "clientRecoverWebhook", "clientTestWebhook"],
  ...["clientListTopics", "clientListEvents", "clientCreateCertificate", "clientGetCertificate"],
];

test("a developer of a brand has exactly the operations of the list, and of no other client", async () => {
  const names = guarded.filter(({ isForDevelopers }) => isForDevelopers).map(({ operationId }) => operationId);
  assert.deepEqual(names.toSorted(), ofDevelopers.toSorted());
  const developer = await signIn(server, "developer", { clientIds: ["ALPHA"] });
  const [key] = await server.rows<{ id: string }>(
    "select credential_id as id from credential where client_id = 'BETA' and kind = 'feed'",
  );
  const foreign = await developer.post(`/credential/revoke/${key?.id}`);
  assert.deepEqual([foreign.status, foreign.body.type], [404, "/problems/not-found"]);
  for (const path of [
    `/feed/get/${feedOfBeta.token}`,
    `/client/order/get/${foreignWord}`,
    `/order/timeline/${foreignWord}?clientId=ALPHA`,
  ]) {
    const { status, body } = await developer.get(path);
    assert.equal(status, 404, `${path}: ${JSON.stringify(body)}`);
  }
  for (const operation of guarded) {
    const { operationId } = operation;
    if (endsSession.includes(operationId)) continue;
    for (const clientId of ["ALPHA", "BETA", undefined]) {
      const request = clientId === undefined ? exampleRequest(operation, undefined) : about(operation, clientId);
      const answer = await send(developer, operation, request);
      const why = `${operationId} of ${clientId}: ${answer.text.slice(0, 500)}`;
      assert.ok(answer.status < 500 && !answer.text.includes(foreignWord), why);
      const { path, query, body = null } = request;
      const namesOther = [path, query, body].some((part) => /"clientId":"(?!ALPHA")/.test(JSON.stringify(part)));
      if (!ofDevelopers.includes(operationId)) assertProblem(answer, 403, "role-forbidden", why);
      else if (namesOther) assertProblem(answer, 403, "scope-forbidden", why);
      else assert.ok(![401, 403].includes(answer.status), why);
    }
  }
  const [after] = await server.rows<{ live: number }>(
    "select count(*)::int as live from credential where client_id = 'BETA' and revoked_at is null",
  );
  assert.equal(after?.live, 3);
});

test("a developer of a brand has exactly one client, by each way to create the user", async () => {
  const admin = await signIn(server, "admin");
  const user = { userName: "dev", role: "developer" };
  for (const limits of [{}, { clientIds: ["ALPHA", "BETA"] }, { clientIds: ["ALPHA"], facilityCodes: ["DC1"] }]) {
    assert.equal((await admin.post("/user/create", { ...user, ...limits })).status, 422, JSON.stringify(limits));
  }
  assert.equal((await admin.post("/user/create", { ...user, clientIds: ["ALPHA"] })).status, 201);
  assert.equal((await admin.patch("/user/patch/dev", { clientIds: [] })).status, 422);
  assert.equal((await admin.patch("/user/patch/dev", { facilityCodes: ["DC1"] })).status, 422);
  assert.equal((await admin.patch("/user/patch/dev", { clientIds: ["BETA"] })).status, 200);
});

test("what changes something is refused without the token of the session", async () => {
  const admin = await signIn(server, "admin");
  for (const operation of guarded.filter(isWrite)) {
    assertProblem(await send(admin, operation, about(operation), {}), 403, "csrf-refused", operation.operationId);
  }
  for (const operation of operations.filter(isWrite)) {
    const headers = { "x-csrf-token": admin.csrfToken, "sec-fetch-site": "cross-site" };
    assertProblem(await send(admin, operation, about(operation), headers), 403, "csrf-refused", operation.operationId);
  }
});

test("unknown parameters and fields are named in a 400", async () => {
  const admin = await signIn(server, "admin");
  const colour = { colour: "red" };
  for (const operation of operations) {
    const { operationId, body } = operation;
    const request = about(operation);
    const queryAnswer = await send(admin, operation, { ...request, query: { ...request.query, ...colour } });
    assertProblem(queryAnswer, 400, "invalid-request", operationId);
    assert.match(queryAnswer.text, /"\/query\/colour"/, operationId);
    const isFields = typeof request.body === "object" && request.body !== null && !Array.isArray(request.body);
    if (!body || !isFields) continue;
    const bodyAnswer = await send(admin, operation, {
      ...request,
      body: { ...(request.body as object), ...colour } as Json,
    });
    assertProblem(bodyAnswer, 400, "invalid-request", operationId);
    assert.match(bodyAnswer.text, /"#\/colour"/, operationId);
  }
});

/** More bytes than an operation accepts; documents may be larger than all other bodies. */
function tooManyBytes({ operationId }: PublishedOperation): number {
  return ["validateFeed", "sendFeed"].includes(operationId) ? 42_000_000 : 1_100_000;
}

test("a body that is too large, no JSON or of another content type is refused as such", async () => {
  const admin = await signIn(server, "admin");
  // The clients' own operations receive all of this in the tests of the client API.
  const withBody = operations.filter(({ body, isMounted }) => body !== undefined && !isMounted);
  assert.ok(withBody.length >= 30, `only ${withBody.length}`);
  for (const operation of withBody) {
    const { operationId, method } = operation;
    const url = urlOf(server.url, operation, about(operation));
    const sendText = async (contentType: string, body: string): Promise<Sent> => {
      const headers = { cookie: admin.cookie, "x-csrf-token": admin.csrfToken, "content-type": contentType };
      const response = await fetch(url, { method, headers, body });
      return { status: response.status, headers: response.headers, text: await response.text() };
    };
    const tooLarge = JSON.stringify({ x: "y".repeat(tooManyBytes(operation)) });
    assertProblem(await sendText("application/json", tooLarge), 413, "body-too-large", operationId);
    assertProblem(await sendText("text/xml", "<a/>"), 415, "media-type", operationId);
    assertProblem(await sendText("application/json", '{"a": '), 400, "malformed-request", operationId);
  }
});

/** A document has a different key; the other operations first check that the example's object exists. */
const keyIsLate = ["sendFeed", "parkFeed", "retryFeed", "createFacility"];

test("a key that was used for another request is a 409", async () => {
  const admin = await signIn(server, "admin");
  const key = { "idempotency-key": "used before" };
  const view = { screen: "orders", name: "Late", query: "" };
  assert.equal((await admin.post("/view/save", view, key)).status, 200);
  const resume = operations.find(({ operationId }) => operationId === "resumeClient") as PublishedOperation;
  const ofClient = await send(admin, resume, about(resume), { "x-csrf-token": admin.csrfToken, ...key });
  assert.equal(ofClient.status, 200, ofClient.text);
  const writes = operations.filter(
    ({ isMounted, operationId, parameters }) =>
      !isMounted &&
      !keyIsLate.includes(operationId) &&
      operationId !== "resumeClient" &&
      parameters.some(({ name }) => name === "idempotency-key"),
  );
  assert.ok(writes.length >= 18, `only ${writes.length}`);
  for (const operation of writes) {
    const answer = await send(admin, operation, about(operation), { "x-csrf-token": admin.csrfToken, ...key });
    assertProblem(answer, 409, "conflict", operation.operationId);
  }
});

/** The cursor with another value in the place of each text of its position. */
function forged(cursor: string): string[] {
  const { p, ...rest } = JSON.parse(Buffer.from(cursor, "base64url").toString()) as { p: Record<string, unknown> };
  const texts = ["a\u0000b", "-".repeat(36), "2026-02-30", "0000-00-00T00:00:00.000000Z", "x".repeat(1_000)];
  return Object.keys(p)
    .filter((name) => typeof p[name] === "string")
    .flatMap((name) => texts.map((text) => ({ ...p, [name]: text })))
    .map((position) => Buffer.from(JSON.stringify({ ...rest, p: position })).toString("base64url"));
}

test("a forged position of a cursor and a moment before 1970 cause no server error", async () => {
  const admin = await signIn(server, "admin");
  let tried = 0;
  for (const operation of guarded) {
    const request = about(operation);
    const ask = async (query: Record<string, string>) => {
      const answer = await send(admin, operation, { ...request, query: { ...request.query, ...query } });
      assert.ok(answer.status < 500, `${operation.operationId} ${JSON.stringify(query)}: ${answer.text}`);
      return answer;
    };
    if (isWrite(operation)) continue;
    for (const { name, schema } of operation.parameters) {
      if (schema.format === "date-time") await ask({ [name]: "1900-01-01T00:00:00Z" });
    }
    if (!operation.parameters.some(({ name }) => name === "cursor")) continue;
    const sorts = operation.parameters.find(({ name }) => name === "sort")?.schema.enum ?? [undefined];
    for (const sort of sorts) {
      const query: Record<string, string> = sort === undefined ? {} : { sort: String(sort) };
      const { status, text } = await ask({ ...query, limit: "1" });
      const { nextCursor } = JSON.parse(text) as { nextCursor?: string | null };
      if (status !== 200 || typeof nextCursor !== "string") continue;
      for (const cursor of forged(nextCursor)) {
        tried++;
        const answer = await ask({ ...query, cursor });
        assert.ok([200, 400].includes(answer.status), `${operation.operationId}: ${answer.text}`);
      }
    }
  }
  assert.ok(tried >= 100, `only ${tried}`);
});

test("the client is checked first: another client is a 403 even for operations without a client", async () => {
  const limited = await signIn(server, "admin", { clientIds: ["ALPHA"] });
  for (const operation of guarded) {
    const request = about(operation);
    const answer = await send(limited, operation, { ...request, query: { ...request.query, clientId: "BETA" } });
    const { operationId } = operation;
    assert.equal(answer.status, 403, `${operationId}: ${answer.text.slice(0, 500)}`);
    const { type } = JSON.parse(answer.text) as { type: string };
    assert.ok(["/problems/scope-forbidden", "/problems/role-forbidden"].includes(type), `${operationId}: ${type}`);
  }
});

test("an admin can call every operation without a server error", async () => {
  const admin = await signIn(server, "admin");
  for (const operation of guarded) {
    const { operationId, statuses } = operation;
    if (endsSession.includes(operationId)) continue;
    const answer = await send(admin, operation, about(operation));
    assert.ok(![400, 401, 403, 405, 413, 415].includes(answer.status), `${operationId}: ${answer.text.slice(0, 500)}`);
    assert.ok(answer.status < 500, `${operationId}: ${answer.text}`);
    assert.ok(statuses.includes(String(answer.status)), `${operationId} answers ${answer.status}`);
  }
});

/** Sends every request that a user with these limits can send, for this client and for none. */
async function walkWith(limits: Limits, clientIds: readonly (string | undefined)[], judge: Judge): Promise<void> {
  const limited = await signIn(server, "admin", limits);
  for (const operation of guarded) {
    if (endsSession.includes(operation.operationId)) continue;
    for (const clientId of clientIds) {
      const request = clientId === undefined ? exampleRequest(operation, undefined) : about(operation, clientId);
      const answer = await send(limited, operation, request);
      assert.ok(answer.status < 500, `${operation.operationId}: ${answer.text}`);
      judge(answer, operation, request, clientId);
    }
  }
}

type Judge = (
  answer: Sent,
  operation: PublishedOperation,
  request: ExampleRequest,
  clientId: string | undefined,
) => void;

test("a user limited to a client neither sees nor changes anything of another's", async () => {
  await atRest();
  const before = await server.rows("select version from sales_order where client_id = 'BETA' order by order_id");
  await walkWith({ clientIds: ["ALPHA"] }, ["BETA", "ALPHA", undefined], (answer, operation, request, clientId) => {
    assert.ok(!answer.text.includes(foreignWord), `${operation.operationId} tells: ${answer.text.slice(0, 500)}`);
    const { path, query, body = null } = request;
    const names = [path, query, body].some((part) => JSON.stringify(part).includes('"clientId":"BETA"'));
    if (clientId === "BETA" && names) {
      assert.equal(answer.status, 403, `${operation.operationId}: ${answer.text.slice(0, 500)}`);
    }
  });
  assert.deepEqual(
    await server.rows("select version from sales_order where client_id = 'BETA' order by order_id"),
    before,
  );
});

test("a user limited to a facility neither sees nor changes anything that is at another", async () => {
  await atRest();
  const before = await server.rows(
    "select version, status from sales_order where client_id = 'ALPHA' order by order_id",
  );
  for (const limits of [{ clientIds: ["ALPHA"], facilityCodes: ["DC1"] }, { facilityCodes: ["DC1", "DC3"] }]) {
    await walkWith(limits, ["ALPHA", undefined], (answer, operation) => {
      assert.ok(!answer.text.includes(elsewhereWord), `${operation.operationId} tells: ${answer.text.slice(0, 500)}`);
    });
  }
  assert.deepEqual(
    await server.rows("select version, status from sales_order where client_id = 'ALPHA' order by order_id"),
    before,
  );
});

test("a facility outside of the limits is refused wherever it is named", async () => {
  const limited = await signIn(server, "operator", { clientIds: ["ALPHA"], facilityCodes: ["DC1"] });
  for (const path of [
    "/client/order/list?distributionCentre=DC2",
    "/client/facility/get/DC2",
    "/client/workOrder/list?facilityCode=DC2",
    "/client/event/list",
    "/client/event/list?facilityCode=DC1",
    "/feed/list",
    "/audit/list",
    "/client/webhook/list",
    "/client/facility/list",
  ]) {
    const answer = await limited.get(path);
    assert.deepEqual([answer.status, answer.body.type], [403, "/problems/scope-forbidden"], path);
  }
  const found = { distributionCentre: "DC2", products: ["MUG-BLUE-330"] };
  assert.equal((await limited.post("/client/findInventoryBySkuList", found)).status, 403);
  assert.equal((await limited.get("/client/order/get/WEB-100045")).status, 404);
  // The only accessible facility need not be named.
  assert.deepEqual((await limited.get("/client/order/list")).body.items, []);
  assert.equal((await limited.get("/client/facility/get/DC1")).status, 200);
  assert.equal((await limited.get("/client/item/list")).body.items.length, 2);
});
