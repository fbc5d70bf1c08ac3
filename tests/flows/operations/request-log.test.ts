// operations.md §5: the requests of a client over HTTP, as the console lists them: what failed, and why.
import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { eraseAtFacilities } from "#/app/retention/erasure/erase-at-facilities.ts";
import { eraseOrder } from "#/app/retention/erasure/erase-orders.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { withSchemaLock } from "#/store/db/schema/migrator.ts";
import { dropOldPartitions, makePastPartitions } from "#/store/db/schema/partitions.ts";
import { type ConsoleUser, signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { catalogue, order } from "../../support/builders/documents.ts";
import { pointersOf, restCalls } from "../../support/http/rest-calls.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer();
const acme = await server.onboard("ACME");
const stranger = await server.onboard("OTHER");
const rest = restCalls(server.url, "", acme.credentials);
const anna = await signIn(server, "operator");

interface Row {
  readonly requestId: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly isFailed: boolean;
  readonly outcome: string | null;
  readonly problemCode: string | null;
}

async function tokenOf(clientId: "ACME"): Promise<string> {
  const { client_id, client_secret } = acme.credentials.oauth;
  const response = await fetch(`${server.url}/v1/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret }),
  });
  assert.equal(response.status, 200, clientId);
  return ((await response.json()) as { access_token: string }).access_token;
}

const bearer = await tokenOf("ACME");

/** Sends a REST request of ACME; returns its status and its correlation token. */
async function send(method: string, path: string, body?: string): Promise<{ status: number; token: string }> {
  const response = await fetch(server.url + path, {
    method,
    headers: {
      authorization: `Bearer ${bearer}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body }),
  });
  await response.arrayBuffer();
  return { status: response.status, token: response.headers.get("x-correlation-token") ?? "" };
}

async function list(query: string, user: ConsoleUser = anna): Promise<Row[]> {
  const { status, body } = await user.get(`/request/list?clientId=ACME&${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.items;
}

/** The logged request, as soon as it is stored. */
const logged = (token: string) => until(`request ${token} in the log`, async () => (await list(`token=${token}`))[0]);

async function read(token: string) {
  const { status, body } = await anna.get(`/request/get/${token}?clientId=ACME`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

test("a wrong request is in the log with its problem, its faults and its credential", async () => {
  const sent = await send(
    "POST",
    "/v1/orderService/order/cancel/O-404?clientId=ACME&api_key=cd_1&colour=red",
    '{"reason":7}',
  );
  assert.equal(sent.status, 400);
  const row = await logged(sent.token);
  assert.deepEqual(
    [row.method, row.path, row.status, row.isFailed, row.problemCode],
    ["POST", "/v1/orderService/order/cancel/O-404", 400, true, "invalid-request"],
  );
  const record = await read(sent.token);
  assert.equal(record.route, "/v1/orderService/order/cancel/:orderId");
  assert.equal(record.query, "clientId=ACME&api_key=[redacted]&colour=red");
  assert.equal(record.problemTitle, "The request does not have the required shape");
  assert.deepEqual(record.errors.map(({ pointer }: { pointer: string }) => pointer).sort(), [
    "#/reason",
    "/query/api_key",
    "/query/colour",
  ]);
  assert.equal(record.objectId, "O-404");
  assert.equal(record.credentialId, acme.credentials.oauth.client_id);
  assert.match(record.address, /^(::ffff:)?127\.0\.0\.1$|^::1$/);
  assert.equal(record.bodyBytes, null);
});

test("the log has unknown paths, unreadable bodies and requests that succeed, and a trace id finds each", async () => {
  const unknown = await send("GET", "/v1/orderService/nothing/here");
  const unreadable = await send("POST", "/v1/orderService/order/cancel/O-1", "{");
  const good = await send("GET", "/v1/orderService/order/list?limit=5");
  assert.deepEqual([unknown.status, unreadable.status, good.status], [404, 400, 200]);
  assert.equal((await logged(unknown.token)).problemCode, "no-such-path");
  assert.equal((await logged(unreadable.token)).problemCode, "malformed-request");
  const row = await logged(good.token.replaceAll("-", "").toUpperCase());
  assert.deepEqual([row.requestId, row.status, row.isFailed, row.problemCode], [good.token, 200, false, null]);
});

test("a feed has the token of its document, a refused one its reason, and a rejected one counts as failed", async () => {
  const accepted = await acme.accept("CAT", catalogue("ACME", ["MUG"]));
  assert.equal((await logged(accepted.token)).outcome, "accepted");
  assert.equal((await read(accepted.token)).isDocumentStored, true);
  const rejected = await acme.send("NO", order("ACME", "O-1", [{ sku: "NEVER" }]));
  const row = await logged(rejected.token);
  assert.deepEqual([row.status, row.outcome, row.isFailed], [200, "rejected", true]);
  const { objectId, feedType, isDocumentStored } = await read(rejected.token);
  assert.deepEqual([objectId, feedType, isDocumentStored], ["O-1", "NO", true]);
  const refused = await acme.send("NO", order("ACME", "O-2", [{ sku: "MUG" }]), { "content-type": "text/plain" });
  const record = await logged(refused.token).then(() => read(refused.token));
  assert.equal(record.problemCode, "CONTENT_TYPE");
  assert.match(record.problemDetail, /Content-Type 'text\/plain' is neither/);
  assert.equal(record.isDocumentStored, false);
});

test("a request with another client's name in its path is in the log of the key's owner", async () => {
  const response = await acme.request("/feeds/OTHER/outbound");
  assert.equal(response.status, 403);
  assert.equal((await logged(response.headers.get("x-correlation-token") ?? "")).problemCode, "client-forbidden");
});

test("the list is filtered by result, method, path and time, and pages follow each other without a gap", async () => {
  await logged((await send("GET", "/v1/orderService/order/get/O-9")).token);
  const all = await list("limit=500");
  assert.ok(all.length > 6);
  assert.deepEqual(
    all.map(({ requestId }) => requestId),
    all
      .map(({ requestId }) => requestId)
      .toSorted()
      .toReversed(),
  );
  const pages: string[] = [];
  for (let cursor = "", page = 0; page < 100; page++) {
    const { body } = await anna.get(`/request/list?clientId=ACME&limit=2${cursor}`);
    pages.push(...body.items.map(({ requestId }: Row) => requestId));
    if (body.nextCursor === null) break;
    cursor = `&cursor=${body.nextCursor}`;
  }
  assert.deepEqual(
    pages,
    all.map(({ requestId }) => requestId),
  );
  const ids = (rows: readonly Row[]) => rows.map(({ requestId }) => requestId);
  const expect = async (query: string, matches: (row: Row) => boolean) => {
    const expected = all.filter(matches);
    assert.ok(expected.length > 0 && expected.length < all.length, query);
    assert.deepEqual(ids(await list(`limit=500&${query}`)), ids(expected), query);
  };
  await expect("result=failed", ({ isFailed }) => isFailed);
  await expect("result=4xx", ({ status }) => status !== null && status >= 400 && status < 500);
  await expect("result=2xx", ({ status }) => status === 200);
  await expect("result=failed&method=GET", ({ isFailed, method }) => isFailed && method === "GET");
  await expect("path=/order/cancel/", ({ path }) => path.includes("/order/cancel/"));
  const middle = all[3]?.at ?? "";
  await expect(`from=${middle}`, ({ at }) => at >= middle);
  await expect(`to=${middle}`, ({ at }) => at < middle);
});

test("only users of the client read it, and none who is limited to facilities", async () => {
  const { token } = await send("GET", "/v1/orderService/order/get/O-3");
  await logged(token);
  const foreign = await signIn(server, "admin", { clientIds: ["OTHER"] });
  for (const path of [`list?`, `get/${token}?`, `body/${token}?`]) {
    assert.equal((await foreign.get(`/request/${path}clientId=ACME`)).status, 403, path);
  }
  assert.equal((await foreign.get(`/request/get/${token}?clientId=OTHER`)).status, 404);
  const limited = await signIn(server, "admin", { facilityCodes: ["DC1"] });
  for (const path of [`list?`, `get/${token}?`, `body/${token}?`]) {
    assert.equal((await limited.get(`/request/${path}clientId=ACME`)).status, 403, path);
  }
  const viewer = await signIn(server, "viewer");
  assert.equal((await viewer.get(`/request/get/${token}?clientId=ACME`)).status, 200);
  assert.equal((await viewer.get(`/request/body/${token}?clientId=ACME`)).status, 403);
});

test("a client reads its own requests with its own token, with filter and pages, and none of another client", async () => {
  const other = restCalls(server.url, "", stranger.credentials);
  const theirs = await other("GET", "/v1/orderService/order/get/O-SECRET");
  assert.equal(theirs.status, 404);
  const theirToken = theirs.headers.get("x-correlation-token") ?? "";
  await until("the other client's request in its log", async () => {
    const { body } = await anna.get(`/request/list?clientId=OTHER&token=${theirToken}`);
    return body.items.length > 0;
  });
  const sent = await send("PATCH", "/v1/orderService/order/update/O-10", '{"colour":1}');
  await logged(sent.token);

  const listOwn = async (query: string) => {
    const { status, body } = await rest("GET", `/v1/webhookService/request/list?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body as unknown as { items: Row[]; nextCursor: string | null };
  };
  const ids = (rows: readonly Row[]) => rows.map(({ requestId }) => requestId);
  const { items } = await listOwn("limit=500");
  assert.deepEqual(items, await list("limit=500"), "what the operator sees; reading the list adds nothing to it");
  assert.ok(ids(items).includes(sent.token) && !JSON.stringify(items).includes("O-SECRET"));
  const pages: string[] = [];
  for (let cursor = ""; ; ) {
    const page = await listOwn(`limit=3${cursor}`);
    pages.push(...ids(page.items));
    if (page.nextCursor === null) break;
    cursor = `&cursor=${page.nextCursor}`;
  }
  assert.deepEqual(pages, ids(items));
  assert.deepEqual(
    ids((await listOwn("result=4xx&method=PATCH&path=O-10")).items),
    ids(items.filter(({ method, path }) => method === "PATCH" && path.includes("O-10"))),
  );
  assert.deepEqual(ids((await listOwn(`token=${sent.token.replaceAll("-", "")}`)).items), [sent.token]);

  const answer = await rest("GET", `/v1/webhookService/request/get/${sent.token}`);
  assert.equal(answer.status, 200);
  const { clientId, isDocumentStored, ...shown } = await read(sent.token);
  assert.deepEqual([clientId, isDocumentStored], ["ACME", false]);
  assert.deepEqual(answer.body, shown);
  assert.deepEqual(pointersOf(answer), ["#/colour"]);

  // The other client's entries are as those that do not exist, by token and by cursor too.
  assert.deepEqual(await listOwn(`token=${theirToken}`), { items: [], nextCursor: null });
  assert.equal((await rest("GET", `/v1/webhookService/request/get/${theirToken}`)).status, 404);
  assert.equal((await other("GET", `/v1/webhookService/request/get/${sent.token}`)).status, 404);
  assert.equal((await rest("GET", "/v1/webhookService/request/list?clientId=OTHER")).status, 403);
  assert.equal((await rest("GET", `/v1/webhookService/request/get/${theirToken}?clientId=OTHER`)).status, 403);
  const { body: foreign } = await other("GET", "/v1/webhookService/request/list?limit=500");
  const foreignIds = new Set(ids(foreign.items as Row[]));
  assert.ok(foreignIds.has(theirToken));
  assert.ok((await listOwn("limit=500")).items.every(({ requestId }) => !foreignIds.has(requestId)));
  for (const query of ["cursor=e30", "limit=0", "result=3", "from=x", "facilityCode=DC1"]) {
    const { status, body } = await rest("GET", `/v1/webhookService/request/list?${query}`);
    assert.deepEqual([status, pointersOf({ body })], [400, [`/query/${query.split("=")[0]}`]]);
  }
});

test("a warehouse's requests are in the log of its facility, which the warehouse and operators without limits read", async () => {
  const dc1 = await warehouseOf(server);
  const dc2 = await warehouseOf(server, "DC2");
  const unknown = await dc1.get("/task/get/019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12");
  const report = await dc1.post("/pick/report", { nonsense: true });
  const polled = await dc1.get("/task/list");
  assert.deepEqual([unknown.status, report.status, polled.status], [404, 400, 200]);
  const tokens = [unknown, report].map(({ headers }) => headers.get("x-correlation-token") ?? "");
  const operators = async (query: string) => {
    const { status, body } = await anna.get(`/request/list?clientId=facility:DC1&${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body.items as Row[];
  };
  for (const token of tokens) {
    await until(`request ${token} in the log`, async () => (await operators(`token=${token}`)).length > 0);
  }
  const listed = await dc1.get("/request/list?limit=500");
  assert.deepEqual(listed.body.items, await operators("limit=500"));
  const paths = (listed.body.items as Row[]).map(({ path }) => path);
  assert.ok(paths.includes("/v1/warehouseService/pick/report") && !paths.includes("/v1/warehouseService/task/list"));
  const record = await dc1.get(`/request/get/${tokens[1]}`);
  assert.deepEqual([record.status, record.body.status, record.body.bodyBytes], [200, 400, null]);
  const operatorsRecord = await anna.get(`/request/get/${tokens[1]}?clientId=facility:DC1`);
  assert.equal(operatorsRecord.body.clientId, "facility:DC1");

  // Another facility, the clients of this one, and users with limits see nothing of it.
  assert.equal((await dc2.get(`/request/get/${tokens[1]}`)).status, 404);
  assert.equal((await dc2.get("/request/list?clientId=facility:DC1")).status, 400);
  assert.equal((await rest("GET", `/v1/webhookService/request/get/${tokens[1]}`)).status, 404);
  assert.ok(!(await list("limit=500")).some(({ path }) => path.startsWith("/v1/warehouseService")));
  for (const limits of [{ clientIds: ["ACME"] }, { facilityCodes: ["DC1"] }]) {
    const limited = await signIn(server, "admin", limits);
    for (const path of ["list?", `get/${tokens[1]}?`]) {
      assert.equal((await limited.get(`/request/${path}clientId=facility:DC1`)).status, 403, JSON.stringify(limits));
    }
  }
});

test("requests of the console, and those without a known sender, are in no client's log", async () => {
  const orders = await anna.get("/client/order/list?clientId=ACME");
  assert.equal(orders.status, 200);
  const stranger = await fetch(`${server.url}/v1/orderService/order/list`, { headers: { authorization: "Bearer no" } });
  assert.equal(stranger.status, 401);
  const last = await send("GET", "/v1/orderService/order/get/O-4");
  await logged(last.token);
  const tokens = [orders.headers.get("x-correlation-token"), stranger.headers.get("x-correlation-token")];
  const [{ n } = { n: -1 }] = await server.rows<{ n: number }>(
    "select count(*)::int as n from request_log where request_id = any($1::uuid[])",
    tokens,
  );
  assert.equal(n, 0);
});

test("a body is stored where the client allows it, of a failed request, without secrets of receivers", async () => {
  const body = '{"shipToAddress":{"name":"Anna \\u0000 Lee"},"colour":1}';
  const before = await send("POST", "/v1/orderService/order/update/O-5", body);
  assert.equal((await logged(before.token)).status, before.status);
  assert.equal((await read(before.token)).bodyBytes, null);
  await acme.set({ requestLogBodies: "true" });
  const sent = await send("PATCH", "/v1/orderService/order/update/O-5", body);
  assert.equal(sent.status, 400);
  await logged(sent.token);
  const kept = await anna.get(`/request/body/${sent.token}?clientId=ACME`);
  assert.deepEqual(kept.body, { text: body, bytes: Buffer.byteLength(body) });
  const long = JSON.stringify({ reason: 1, text: "é".repeat(20_000) });
  const cut = await send("POST", "/v1/orderService/order/cancel/O-5", long);
  await logged(cut.token);
  const { body: beginning } = await anna.get(`/request/body/${cut.token}?clientId=ACME`);
  assert.equal(beginning.text, long.slice(0, 16_384));
  assert.equal(beginning.bytes, Buffer.byteLength(long));
  const misplaced = await send("POST", "/v1/orderService/order/cancel/O-5", '{"reason":1,"login":{"password":"S1"}}');
  await logged(misplaced.token);
  const { body: redacted } = await anna.get(`/request/body/${misplaced.token}?clientId=ACME`);
  assert.equal(redacted.text, '{"reason":1,"login":{"password":"[redacted]"}}');
  const secret = await send("POST", "/v1/webhookService/webhook/create", '{"headers":{"authorization":"s3cret"}}');
  assert.equal(secret.status, 400);
  await logged(secret.token);
  assert.equal((await anna.get(`/request/body/${secret.token}?clientId=ACME`)).status, 404);
});

test("the erasure of an order deletes bodies and details of the requests about it, and no others", async () => {
  await acme.set({ requestLogBodies: "true" });
  const { token } = await acme.accept("NO", order("ACME", "O-6", [{ sku: "MUG" }]));
  await acme.outcome(token);
  const cancelled = await send("POST", "/v1/orderService/order/cancel/O-6", '{"reason":"A test"}');
  assert.equal(cancelled.status, 200);
  const body = '{"shipToAddress":{"name":"Anna Lee"},"colour":1}';
  const about = await send("PATCH", "/v1/orderService/order/update/O-6", body);
  const line = await send("PATCH", "/v1/orderService/orderLine/update/O-6/1", body);
  const other = await send("PATCH", "/v1/orderService/order/update/O-7", body);
  const dc1 = await warehouseOf(server);
  const atFacility: string[] = [];
  for (const orderId of ["O-6", "O-7"]) {
    const { status, headers } = await dc1.get(`/order/get/${orderId}?colour=Lee`);
    assert.equal(status, 400);
    atFacility.push(headers.get("x-correlation-token") ?? "");
  }
  const readAtFacility = (token = "") => dc1.get(`/request/get/${token}`);
  for (const token of atFacility) {
    await until("the warehouse's request in the log", async () => (await readAtFacility(token)).status === 200);
  }
  for (const sent of [about, line, other]) {
    assert.equal(sent.status, 400);
    await logged(sent.token);
    assert.equal((await read(sent.token)).bodyBytes, body.length);
  }
  await until("the erasure of the order", async () => {
    const result = await server.operate((tx, change) => eraseOrder(tx.of("ACME", change), "O-6"));
    return result.ok;
  });
  await eraseAtFacilities(server.database, "ACME", ["O-6"], Date.now());
  const [blanked, kept] = [await readAtFacility(atFacility[0]), await readAtFacility(atFacility[1])];
  assert.deepEqual([blanked.body.query, blanked.body.problemDetail, blanked.body.errors], [null, null, []]);
  assert.ok(kept.body.problemDetail);
  assert.equal(kept.body.query, "colour=Lee");
  for (const sent of [about, line]) {
    const record = await read(sent.token);
    assert.deepEqual(
      [record.problemCode, record.problemDetail, record.errors, record.bodyBytes],
      ["invalid-request", null, [], null],
    );
    assert.equal((await anna.get(`/request/body/${sent.token}?clientId=ACME`)).status, 404);
  }
  const untouched = await read(other.token);
  assert.equal(untouched.bodyBytes, body.length);
  assert.ok(untouched.problemDetail);
});

test("months of requests are dropped two weeks after their end", async () => {
  const directUrl = server.config.database.url as string;
  const nowMs = Date.now();
  await withSchemaLock(directUrl, (connection) =>
    makePastPartitions(connection, "request_log", nowMs - 100 * dayMs, nowMs),
  );
  const old = createIds().next(nowMs - 80 * dayMs);
  const client = new pg.Client({ connectionString: directUrl });
  await client.connect();
  try {
    await client.query(
      "insert into request_log (client_id, request_id, method, path, status, duration_ms, is_failed) values ('ACME', $1, 'GET', '/old', 404, 1, true)",
      [old],
    );
    assert.equal((await list(`token=${old}`)).length, 1);
    const dropped = await withSchemaLock(directUrl, (connection) => dropOldPartitions(connection, nowMs));
    assert.ok(dropped.some((name) => name.startsWith("request_log_")));
    assert.equal((await list(`token=${old}`)).length, 0);
  } finally {
    await client.end();
  }
});

test("a node that stops stores what waits", async () => {
  const node = await server.startNode();
  const response = await fetch(`${node.url}/v1/orderService/order/get/O-8`, {
    headers: { authorization: `Bearer ${bearer}` },
  });
  await response.arrayBuffer();
  await node.stop();
  assert.equal((await list(`token=${response.headers.get("x-correlation-token")}`)).length, 1);
});

test("CROSSDOCK_REQUEST_LOG limits the log to writes and failures, to failures, or to nothing", async () => {
  const kept: Record<string, string[]> = {};
  for (const level of ["writes", "failures", "off"]) {
    const node = await server.startNode({ CROSSDOCK_REQUEST_LOG: level });
    const headers = { authorization: `Bearer ${bearer}` };
    const tokens: [string, string][] = [];
    for (const [name, path, init] of [
      ["read", "/v1/orderService/order/list", { headers }],
      [
        "write",
        "/v1/inventoryService/findInventoryBySkuList",
        {
          method: "POST",
          headers: { ...headers, "content-type": "application/json" },
          body: '{"distributionCentre":"DC1","products":["MUG"]}',
        },
      ],
      ["failure", "/v1/orderService/order/get/O-404", { headers }],
    ] as const) {
      const response = await fetch(node.url + path, init);
      await response.arrayBuffer();
      tokens.push([name, response.headers.get("x-correlation-token") ?? ""]);
    }
    await node.stop();
    kept[level] = [];
    for (const [name, token] of tokens) if ((await list(`token=${token}`)).length > 0) kept[level].push(name);
  }
  assert.deepEqual(kept, { writes: ["write", "failure"], failures: ["failure"], off: [] });
});
