import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { after, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import Type from "typebox";
import { problemCodes, problemKinds } from "#/http/problems/problem-codes.ts";
import { createBodyBudget } from "#/http/server/body-budget.ts";
import { exchangeOf } from "#/http/server/exchange.ts";
import { alsoNamed } from "#/http/server/other-forms.ts";
import { createHttpServer, type HttpServer } from "#/http/server/server.ts";
import { systemClock } from "#/kernel/clock.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { createIds, isUuidV7 } from "#/kernel/values/ids.ts";
import { StoreUnavailableError, TooBroadError } from "#/store/db/errors.ts";
import { until } from "../../../tests/support/app/until.ts";

type Fields = Record<string, unknown>;

function serverWith(options: Partial<Parameters<typeof createHttpServer>[0]> = {}) {
  const lines: Fields[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Fields) };
  const log = createLogger({ level: "info", format: "json", destination });
  const app = createHttpServer({ log, clock: systemClock, ids: createIds(), trustedProxies: [], ...options });
  after(() => app.close());
  return { app, lines };
}

function thingRoutes(app: HttpServer): void {
  const query = Type.Object(
    {
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500 })),
      kind: Type.Optional(Type.Enum(["A", "B"], { type: "string" })),
      since: Type.Optional(Type.String({ format: "date-time" })),
    },
    { additionalProperties: false },
  );
  const path = Type.Object({ thingId: Type.String({ maxLength: 5 }) }, { additionalProperties: false });
  const part = Type.Object({ count: Type.Optional(Type.Integer()) }, { additionalProperties: false });
  const body = Type.Object(
    {
      name: Type.String({ [alsoNamed]: ["title"] }),
      tags: Type.Optional(Type.Array(Type.String())),
      nested: Type.Optional(Type.Unknown()),
      box: Type.Optional(
        Type.Object({ parts: Type.Array(part, { maxItems: 5_000 }) }, { additionalProperties: false }),
      ),
      boxes: Type.Optional(Type.Array(Type.Object({ parts: Type.Array(part, { maxItems: 500 }) }))),
      parts: Type.Optional(Type.Array(part)),
      codes: Type.Optional(Type.Array(Type.String({ maxLength: 5 }), { maxItems: 2, uniqueItems: true })),
      at: Type.Optional(Type.String({ format: "date-time" })),
    },
    { additionalProperties: false },
  );
  app.get("/things/:thingId", { schema: { params: path, querystring: query } }, (request) => request.query);
  app.post("/things/:thingId", { schema: { params: path, querystring: query, body } }, (request) => request.body);
  app.patch("/patched/:thingId", { schema: { params: path, body } }, (request) => request.body);
  app.get("/broken", () => {
    throw new Error("the password is hunter2");
  });
  app.get("/away", () => {
    throw new StoreUnavailableError("the database cannot be reached");
  });
  app.get("/broad", () => {
    throw new TooBroadError("a query over several clients took too long");
  });
  app.get("/slow", async (request) => {
    exchangeOf(request).clientId = "DEMO";
    await sleep(300);
    return { done: true };
  });
}

const { app, lines } = serverWith();
thingRoutes(app);
const url = await app.listen({ port: 0, host: "127.0.0.1" });

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Fields & { readonly errors: readonly { pointer: string; message: string }[] };
}

async function ask(path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url + path, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? {} : JSON.parse(text) };
}

function assertProblem({ status, headers, body }: Answer, code: keyof typeof problemKinds, path: string): void {
  assert.equal(headers.get("content-type"), "application/problem+json");
  assert.equal(status, problemKinds[code].status);
  const { title } = problemKinds[code];
  const token = headers.get("x-correlation-token");
  assert.ok(token !== null && isUuidV7(token));
  const { detail, errors, ...rest } = body;
  assert.deepEqual(rest, { type: `/problems/${code}`, title, status, instance: path, correlationToken: token });
  assert.equal(typeof detail, "string");
  assert.ok(Array.isArray(errors));
}

/** Sends raw bytes, and returns everything that the server sends until the connection is closed. */
async function sendRaw(text: string, port = new URL(url).port, host = "127.0.0.1"): Promise<string> {
  const socket = connect(Number(port), host);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  socket.on("error", () => {});
  socket.write(text);
  await once(socket, "close");
  return Buffer.concat(chunks).toString();
}

function readRaw(answer: string): Answer {
  const [head = "", body = ""] = answer.split("\r\n\r\n");
  const [first = "", ...fields] = head.split("\r\n");
  const headers = new Headers(fields.map((field) => field.split(": ") as [string, string]));
  return { status: Number(first.split(" ")[1]), headers, body: JSON.parse(body) };
}

test("a JSON body without memory budget is refused at once with Retry-After, and releases its memory", async () => {
  const { app } = serverWith({ bodies: createBodyBudget(1_000, 700) });
  app.post("/echo", (request) => request.body);
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  const send = (length: number) =>
    fetch(`${url}/echo`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ text: "x".repeat(length) }),
    });
  for (let i = 0; i < 5; i++) assert.equal((await send(600)).status, 200);
  const refused = await send(800);
  assert.equal(refused.status, 429);
  assert.equal(refused.headers.get("retry-after"), "2");
  assert.match(((await refused.json()) as { detail: string }).detail, /^The bodies in progress from this sender/);
  assert.equal((await send(600)).status, 200);
});

test("every answer has its own correlation token", async () => {
  const answers = await Promise.all(["/things/1", "/nothing", "/broken", "/problems"].map((path) => fetch(url + path)));
  const tokens = answers.map(({ headers }) => headers.get("x-correlation-token"));
  assert.ok(tokens.every((token) => token !== null && isUuidV7(token)));
  assert.equal(new Set(tokens).size, tokens.length);
});

test("a path that is not there is a 404, another method a 405 that names the methods", async () => {
  assertProblem(await ask("/nothing"), "no-such-path", "/nothing");
  for (const method of ["DELETE", "PROPFIND", "OPTIONS"]) {
    const answer = await ask("/things/1?limit=x", { method });
    assertProblem(answer, "method-not-allowed", "/things/1");
    assert.equal(answer.headers.get("allow"), "GET, HEAD, POST");
  }
});

test("an unknown path is answered before its body is read", async () => {
  const headers = { "content-type": "application/xml" };
  assertProblem(await ask("/nothing", { method: "POST", headers, body: "<a/>" }), "no-such-path", "/nothing");
});

test("methods that the parser does not know are a 405 too, or a 404 where the path is unknown", async () => {
  const known = readRaw(await sendRaw("FOO /things/1?a=b HTTP/1.1\r\nHost: a\r\n\r\n"));
  assertProblem(known, "method-not-allowed", "/things/1");
  assert.equal(known.headers.get("allow"), "GET, HEAD, POST");
  assertProblem(readRaw(await sendRaw("FOO /x HTTP/1.1\r\nHost: a\r\n\r\n")), "no-such-path", "/x");
  assert.equal(readRaw(await sendRaw("CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n")).status, 405);
});

test("HEAD is answered where GET is", async () => {
  const response = await fetch(`${url}/things/1`, { method: "HEAD" });
  assert.equal(response.status, 200);
  assert.equal(await response.text(), "");
});

test("malformed HTTP, a missing Host and an unknown expectation get clean answers", async () => {
  assertProblem(readRaw(await sendRaw("nonsense\r\n\r\n")), "malformed-request", "");
  assertProblem(readRaw(await sendRaw("GET /things/1 HTTP/1.1\r\n\r\n")), "malformed-request", "/things/1");
  const expecting = "GET /things/1 HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n\r\n";
  assertProblem(readRaw(await sendRaw(expecting)), "expectation-failed", "/things/1");
  assertProblem(await ask("/things/%zz"), "malformed-request", "/things/%zz");
});

test("header lines over 16 KiB are a 431", async () => {
  const answer = readRaw(await sendRaw(`GET / HTTP/1.1\r\nHost: a\r\nX-A: ${"a".repeat(17_000)}\r\n\r\n`));
  assert.equal(answer.status, 431);
  assert.equal(answer.body.type, "/problems/headers-too-large");
});

test("a body over 1 MiB is a 413, one that is not JSON a 415, broken JSON a 400", async () => {
  const post = (body: string, type = "application/json") =>
    ask("/things/1", { method: "POST", body, headers: { "content-type": type } });
  assertProblem(await post(JSON.stringify({ name: "x".repeat(1_100_000) })), "body-too-large", "/things/1");
  assertProblem(await post("name=x", "text/plain"), "media-type", "/things/1");
  assertProblem(await post('{"name":'), "malformed-request", "/things/1");
  assertProblem(await post('{"__proto__":{}}'), "malformed-request", "/things/1");
});

test("all faults of path, query and body are named together, unknown fields among them", async () => {
  const answer = await ask("/things/toolong?limit=1.5&kind=C&since=2026-02-30T00:00:00Z&size=1&limit=3", {
    method: "POST",
    body: JSON.stringify({ tags: ["a", 1], "a/b": 2 }),
    headers: { "content-type": "application/json" },
  });
  assertProblem(answer, "invalid-request", "/things/toolong");
  assert.deepEqual(
    new Map(answer.body.errors.map(({ pointer, message }) => [pointer, message])),
    new Map([
      ["/path/thingId", "must not have more than 5 characters"],
      ["/query/size", "is not known here"],
      ["/query/limit", "must be an integer, given once"],
      ["/query/kind", "must be one of A, B"],
      ["/query/since", "must be a date-time of ISO 8601 with an offset, such as 2026-11-20T10:00:00Z"],
      ["#/name", "is required"],
      ["#/a~1b", "is not known here"],
      ["#/tags/1", "must be a string"],
    ]),
  );
});

test("faults of a long list are named at their items, beside the faults of other fields", async () => {
  const parts = Array.from({ length: 9_000 }, (_, i) => (i % 8_999 === 7 ? { count: "two" } : { count: i }));
  const answer = await ask("/things/1", {
    method: "POST",
    body: JSON.stringify({ parts: [...parts, { size: 1 }] }),
    headers: { "content-type": "application/json" },
  });
  assertProblem(answer, "invalid-request", "/things/1");
  assert.deepEqual(answer.body.errors, [
    { pointer: "#/name", message: "is required" },
    { pointer: "#/parts/7/count", message: "must be an integer" },
    { pointer: "#/parts/9000/size", message: "is not known here" },
  ]);
});

test("faults of long lists in an object, and in items of a list, are named with their excess", async () => {
  const post = (body: unknown) =>
    ask("/things/1", {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
  const parts = (length: number) => Array.from({ length }, (_, i) => (i === 7 ? { count: "two" } : { count: i }));
  const inObject = await post({ box: { parts: parts(5_001), lid: 1 } });
  assert.deepEqual(inObject.body.errors, [
    { pointer: "#/name", message: "is required" },
    { pointer: "#/box/lid", message: "is not known here" },
    { pointer: "#/box/parts", message: "must not have more than 5000 items" },
    { pointer: "#/box/parts/7/count", message: "must be an integer" },
  ]);
  const boxes = Array.from({ length: 101 }, (_, i) => ({ parts: i === 5 ? Array(501).fill({ count: 1 }) : [] }));
  const inItem = await post({ name: "n", boxes });
  assert.deepEqual(inItem.body.errors, [{ pointer: "#/boxes/5/parts", message: "must not have more than 500 items" }]);
  assert.deepEqual((await post({ name: "n", box: {} })).body.errors, [
    { pointer: "#/box/parts", message: "is required" },
  ]);
});

test("a missing body, endless nesting and forbidden characters are reported like other faults", async () => {
  const post = (body: string) =>
    ask("/things/1", { method: "POST", body, headers: { "content-type": "application/json" } });
  const missing = await ask("/things/1", { method: "POST" });
  assert.deepEqual(missing.body.errors, [{ pointer: "#", message: "must be an object" }]);
  const deep = await post(`{"name":"a","nested":${"[".repeat(100_000)}${"]".repeat(100_000)}}`);
  assertProblem(deep, "invalid-request", "/things/1");
  const nul = await post('{"name":"a\\u0000b"}');
  assert.deepEqual(nul.body.errors, [{ pointer: "#/name", message: "must not have the character NUL" }]);
  const fields = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`f${i}`, 1]));
  const wide = await post(JSON.stringify({ nested: fields }));
  assert.deepEqual(wide.body.errors, [{ pointer: "#/nested", message: "has 50000 fields: must be at most 10000" }]);
  const long = await post(JSON.stringify({ nested: Array.from({ length: 30_000 }, () => 1) }));
  assert.deepEqual(long.body.errors, [{ pointer: "#/nested", message: "has 30000 items: must be at most 20000" }]);
  const codes = await post(JSON.stringify({ name: "a", codes: Array.from({ length: 20_000 }, () => "tedious") }));
  assert.deepEqual(
    (codes.body.errors as readonly Fields[]).map(({ pointer }) => pointer),
    ["#/codes", "#/codes/0", "#/codes/1", "#/codes"],
    "the items beyond the longest list are not checked",
  );
  const half = await post('{"name":"a\\ud800b"}');
  assert.deepEqual(half.body.errors, [
    { pointer: "#/name", message: "must be well-formed Unicode: it has half a surrogate pair" },
  ]);
});

test("an escape of the query that cannot be decoded is a fault of its parameter, not another text", async () => {
  for (const text of ["%", "%zz", "%C3", "100%", "%ED%A0%80"]) {
    const { status, body } = await ask(`/things/a?since=2026-11-20T10:00:00Z&kind=${text}`);
    assert.equal(status, 400, text);
    assert.ok(
      body.errors.some(({ pointer, message }) => pointer === "/query/kind" && message.includes("cannot be decoded")),
      JSON.stringify(body),
    );
  }
  assert.equal((await ask("/things/a?since=2026-11-20T12:00:00+02:00&kind=%41")).status, 200);
  const { errors } = (await ask("/things/a?%41%FF=1")).body;
  assert.ok(errors.every(({ pointer }) => pointer === "/query/%41%FF"));
});

test("only numeric query values are read as numbers", async () => {
  assert.deepEqual((await ask("/things/1?limit=7")).body, { limit: 7 });
  for (const limit of ["7.0", "0x10", "1e2", "", " 7", "501"]) {
    const answer = await ask(`/things/1?limit=${encodeURIComponent(limit)}`);
    assert.equal(answer.status, 400, limit);
  }
});

test("an unexpected failure reveals nothing and is logged with its cause", async () => {
  const answer = await ask("/broken");
  assertProblem(answer, "internal-error", "/broken");
  assert.ok(!JSON.stringify(answer.body).includes("hunter2"));
  const failure = lines.find((line) => line.msg === "request failed" && line.token === answer.body.correlationToken);
  assert.equal(failure?.level, "error");
  assert.match(JSON.stringify(failure?.err), /hunter2/);
});

test("a query above its time limit is a 503 that asks for a narrower request", async () => {
  const answer = await ask("/broad");
  assertProblem(answer, "too-broad", "/broad");
  assert.match(String(answer.body.detail), /one client, one facility or a shorter time/);
});

test("an unavailable database is a 503 with Retry-After", async () => {
  const answer = await ask("/away");
  assertProblem(answer, "unavailable", "/away");
  assert.match(answer.headers.get("retry-after") ?? "", /^\d+$/);
});

test("each request is one log line, without its ids, its query or its sender", async () => {
  const { headers } = await ask("/things/1?limit=3", {
    headers: { "x-api-key": "cd_secret", authorization: "Bearer x" },
  });
  await fetch(`${url}/slow`).then((response) => response.text());
  // A line is written once its answer is sent.
  await until("the line", () => lines.some((line) => line.route === "/slow"));
  const token = headers.get("x-correlation-token");
  const mine = lines.filter((line) => line.token === token);
  assert.equal(mine.length, 1);
  const { time, durationMs, ...rest } = mine[0] as Fields;
  assert.deepEqual(rest, {
    level: "info",
    token,
    method: "GET",
    route: "/things/:thingId",
    status: 200,
    msg: "request",
  });
  assert.equal(typeof durationMs, "number");
  const slow = lines.find((line) => line.route === "/slow");
  assert.equal(slow?.clientId, "DEMO");
});

test("every problem has a page, and the page of an unknown one says that there is none", async () => {
  const list = await fetch(`${url}/problems`).then((response) => response.text());
  for (const code of problemCodes) {
    const response = await fetch(`${url}/problems/${code}`);
    assert.equal(response.status, 200);
    assert.ok((await response.text()).includes(problemKinds[code].title));
    assert.ok(list.includes(`/problems/${code}`));
  }
  const unknown = await fetch(`${url}/problems/nothing`);
  assert.equal(unknown.status, 404);
  assert.match(await unknown.text(), /<h1>There is no such problem<\/h1>/);
});

test("slow headers and slow bodies are a 408, in the format of the route", async () => {
  const limits = { headersTimeoutMs: 1_000, requestTimeoutMs: 1_500 };
  const slow = serverWith({ limits });
  slow.app.addHook("onRequest", async (request) => {
    exchangeOf(request).timeoutAnswer = () => ({ contentType: "application/xml", body: "<late/>" });
  });
  slow.app.post("/own", () => ({}));
  await slow.app.listen({ port: 0, host: "127.0.0.1" });
  const port = String((slow.app.server.address() as AddressInfo).port);
  const headers = readRaw(await sendRaw("POST /own HTTP/1.1\r\nHost: a\r\n", port));
  assertProblem(headers, "request-timeout", "");
  const head = "POST /own HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
  const body = await sendRaw(head, port);
  assert.match(body, /^HTTP\/1\.1 408 /);
  assert.match(body, /content-type: application\/xml\r\n/i);
  assert.match(body, /x-correlation-token: [0-9a-f-]{36}\r\n/i);
  assert.ok(body.endsWith("\r\n\r\n<late/>"));
  await until("two lines", () => slow.lines.length > 1);
  assert.deepEqual(
    slow.lines.map(({ status }) => status),
    [408, 408],
  );
});

test("connections beyond the limit are closed, and the others continue", async () => {
  const bounded = serverWith({ limits: { connectionsMax: 1 } });
  bounded.app.get("/", () => ({}));
  await bounded.app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = bounded.app.server.address() as AddressInfo;
  const first = connect(port, "127.0.0.1");
  await once(first, "connect");
  assert.equal(await sendRaw("GET / HTTP/1.1\r\nHost: a\r\n\r\n", String(port)), "");
  first.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  const [answer] = (await once(first, "data")) as [Buffer];
  assert.match(answer.toString(), /^HTTP\/1\.1 200 /);
  first.destroy();
});

test("closing waits for a running request", async () => {
  const closing = serverWith({ closeGraceMs: 60_000 });
  thingRoutes(closing.app);
  const arrived: string[] = [];
  closing.app.addHook("onRequest", async (request) => void arrived.push(request.url));
  const address = await closing.app.listen({ port: 0, host: "127.0.0.1" });
  await fetch(`${address}/things/1`).then((response) => response.text());
  const running = fetch(`${address}/slow`);
  await until("the request", () => arrived.includes("/slow"));
  const startedMs = performance.now();
  const closed = closing.app.close();
  assert.equal((await running).status, 200);
  await closed;
  assert.ok(performance.now() - startedMs < 20_000, "it did not wait for the minute that others may have");
});

test("closing aborts requests that do not end", async () => {
  const closing = serverWith({ closeGraceMs: 100 });
  closing.app.get("/endless", () => new Promise(() => {}));
  const address = await closing.app.listen({ port: 0, host: "127.0.0.1" });
  const endless = assert.rejects(fetch(`${address}/endless`));
  await sleep(50);
  await closing.app.close();
  await endless;
});

test("forwarded addresses are accepted from trusted proxies only", async () => {
  const addressSeen = async (trustedProxies: readonly string[]) => {
    const proxied = serverWith({ trustedProxies });
    proxied.app.get("/ip", (request) => ({ ip: request.ip }));
    const address = await proxied.app.listen({ port: 0, host: "127.0.0.1" });
    const response = await fetch(`${address}/ip`, { headers: { "x-forwarded-for": "203.0.113.9" } });
    return ((await response.json()) as { ip: string }).ip;
  };
  assert.equal(await addressSeen([]), "127.0.0.1");
  assert.equal(await addressSeen(["127.0.0.0/8"]), "203.0.113.9");
});

test("null for an optional field, another name and another form of a date-time are read as the published form", async () => {
  const send = (method: string, body: unknown) =>
    ask(method === "PATCH" ? "/patched/a" : "/things/a", {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const other = {
    title: "n",
    tags: null,
    nested: null,
    parts: [{ count: null }, { count: 1 }],
    at: "20261103T0930+0100",
  };
  const read = await send("POST", other);
  assert.deepEqual(read.body, { name: "n", nested: null, parts: [{}, { count: 1 }], at: "2026-11-03T09:30:00+01:00" });
  const required = await send("POST", { name: null, tags: null });
  assert.equal(required.status, 400);
  assert.deepEqual(required.body.errors, [{ pointer: "#/name", message: "must be a string" }]);
  const both = await send("POST", { name: "n", title: "m" });
  assert.deepEqual(both.body.errors, [{ pointer: "#/title", message: "is not known here" }]);
  // RFC 7396: null in a patch removes a field.
  const patch = await send("PATCH", { name: "n", tags: null });
  assert.deepEqual(patch.body.errors, [{ pointer: "#/tags", message: "must be an array" }]);
  const since = await ask("/things/a?since=20261103T0930Z");
  assert.deepEqual(since.body, { since: "2026-11-03T09:30:00Z" });
});

test("a sender has a share of the requests that may take long, and of lists", async () => {
  const shared = serverWith();
  let end = Promise.withResolvers<void>();
  let running = 0;
  const wait = async () => {
    running++;
    await end.promise;
    return {};
  };
  shared.app.post("/v1/thing/simulate", { config: { answerMsMax: 60_000 } }, wait);
  const ofList = { config: { answerMsMax: 60_000, isHeavy: false } };
  const lists = ["/v1/thing/list", "/v1/operatorService/client/thing/list"];
  for (const path of lists) shared.app.get(path, ofList, wait);
  shared.app.get("/v1/thing/event/list", { config: { ...ofList.config, isPolled: true } }, wait);
  // Over several clients: `across` has the share.
  shared.app.get("/v1/operatorService/thing/list", ofList, wait);
  shared.app.get("/v1/thing/task/list", { config: { ...ofList.config, isPolled: true, waits: true } }, wait);
  const address = await shared.app.listen({ port: 0, host: "127.0.0.1" });
  for (const [method, path, runningMax, heldMax] of [
    ["POST", "/v1/thing/simulate", 2, 32],
    ...[...lists, "/v1/thing/event/list"].map((path) => ["GET", path, 4, 64] as const),
  ] as const) {
    [running, end] = [0, Promise.withResolvers<void>()];
    const statuses: number[] = [];
    const answers = Array.from({ length: heldMax + 3 }, async () => {
      const { status } = await fetch(`${address}${path}`, { method });
      statuses.push(status);
    });
    await until("three to be refused", () => statuses.length === 3 && running === runningMax);
    assert.deepEqual(statuses, [429, 429, 429]);
    end.resolve();
    await Promise.all(answers);
    assert.equal(running, heldMax);
  }
  for (const path of ["/v1/operatorService/thing/list", "/v1/thing/task/list"]) {
    [running, end] = [0, Promise.withResolvers<void>()];
    const answers = Array.from({ length: 5 }, () => fetch(`${address}${path}`));
    await until("five to run", () => running === 5);
    end.resolve();
    await Promise.all(answers);
  }
});

test("requests whose sender hung up before their turn are left out without a warning each", async () => {
  const { app, lines } = serverWith();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let arrived = 0;
  app.addHook("preHandler", async () => void arrived++);
  let running = 0;
  app.post("/v1/thing/simulate", { config: { answerMsMax: 60_000 } }, async () => {
    running++;
    await ended;
    return {};
  });
  const address = await app.listen({ port: 0, host: "127.0.0.1" });
  const line = new AbortController();
  const simulate = (signal: AbortSignal | null = null) =>
    fetch(`${address}/v1/thing/simulate`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
      signal,
    });
  const settled = Promise.allSettled(Array.from({ length: 20 }, () => simulate(line.signal)));
  await until("two to run and the others to wait", () => running === 2 && arrived === 20);
  line.abort();
  await settled;
  const aborted = () => lines.filter(({ msg, isAborted }) => msg === "request" && isAborted === true);
  await until("the server to see it", () => aborted().length === 20);
  end();
  assert.equal((await simulate()).status, 200);
  assert.equal(running, 3);
  assert.deepEqual(
    lines.filter(({ level }) => level === "warn"),
    [],
  );
});
