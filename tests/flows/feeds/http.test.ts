// feeds.md §1: every status of the table, and the order of the checks of a request.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { resumeClient, revokeCredential, suspendClient } from "#/modules/clients/index.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { catalogue, order } from "../../support/builders/documents.ts";
import { sendRaw } from "../../support/http/raw-request.ts";
import { readAcknowledgement } from "../../support/oracles/acknowledgement.ts";

const server = await testServer();
const demo = await server.onboard("DEMO");
const other = await server.onboard("OTHER");
const xml = { "content-type": "application/xml" };
const good = catalogue("DEMO", ["A"]);
const key = demo.credentials.feed.apiKey;

async function post(path: string, headers: Record<string, string>, body: string | Uint8Array = good) {
  return fetch(server.url + path, { method: "POST", headers, body: body as string });
}

async function refusal(path: string, headers: Record<string, string>, body?: string | Uint8Array) {
  const response = await post(path, headers, body);
  return readAcknowledgement(response.status, response.headers, await response.bytes());
}

async function problemOf(response: Response): Promise<Record<string, unknown>> {
  assert.equal(response.headers.get("content-type"), "application/problem+json");
  const problem = (await response.json()) as Record<string, unknown>;
  assert.equal(problem.status, response.status);
  assert.equal(problem.correlationToken, response.headers.get("x-correlation-token"));
  return problem;
}

test("a validated document is answered 200, accepted or rejected, with the token also in a header", async () => {
  const accepted = await demo.accept("CAT", good);
  assert.equal(accepted.status, 200);
  assert.equal(accepted.feedType, "CAT");
  const rejected = await demo.refuse("NO", order("DEMO", "1001", ["NOBODY"]), /^\[UNKNOWN_SKU\]/);
  assert.equal(rejected.status, 200);
  assert.equal(rejected.feedType, "NO");
  assert.notEqual(accepted.token, rejected.token);
});

test("an empty body, malformed XML and a document that fails its XSD are also answered 200", async () => {
  await demo.refuse("NO", "", "[XML] The document is empty");
  await demo.refuse("NO", " \n ", "[XML] The document is empty");
  await demo.refuse("NO", "<orderRequest>", /^\[XML\] Line 1/);
  await demo.refuse("NO", "<other/>", "[XSD] Line 1: the root element is 'other'; expected 'orderRequest'");
  const { status, headers, body } = await sendRaw(server.url, {
    path: "/feeds/DEMO/NO",
    headers: { ...xml, "x-api-key": key },
  });
  assert.deepEqual(readAcknowledgement(status, headers, body).errors, ["[XML] The document is empty"]);
});

test("without a key, with an unknown, a revoked and another environment's key the answer is 401", async () => {
  const staging = await server.startNode({ CROSSDOCK_ENVIRONMENT: "staging" });
  const revoked = await server.onboard("REVOKED");
  assert.equal((await revoked.send("CAT", catalogue("REVOKED", ["A"]))).status, 200);
  const [credential] = await server.rows<{ credential_id: string }>(
    "select credential_id from credential where client_id = 'REVOKED' and kind = 'feed'",
  );
  await server.operate((tx, change) => revokeCredential(tx, change, credential?.credential_id as string));
  const cases: [string, () => Promise<Awaited<ReturnType<typeof refusal>>>][] = [
    ["[AUTH] The header X-API-KEY is missing", () => refusal("/feeds/DEMO/CAT", xml)],
    ["[AUTH] The header X-API-KEY is missing", () => refusal("/feeds/DEMO/CAT", { ...xml, "x-api-key": "" })],
    ["[AUTH] The X-API-KEY is unknown", () => refusal("/feeds/DEMO/CAT", { ...xml, "x-api-key": "guess" })],
    ["[AUTH] The X-API-KEY is unknown", () => refusal("/feeds/DEMO/CAT", { ...xml, "x-api-key": `${key}x` })],
    ["[AUTH] The X-API-KEY is unknown", () => refusal("/feeds/DEMO/CAT", { ...xml, "x-api-key": "' or 1=1 --" })],
    ["[AUTH] The X-API-KEY was revoked", () => revoked.send("CAT", catalogue("REVOKED", ["A"]))],
    [
      "[AUTH] The X-API-KEY belongs to environment sandbox; this is staging",
      () => demo.at(staging.url).send("CAT", good),
    ],
  ];
  for (const [sentence, request] of cases) {
    const answer = await request();
    assert.equal(answer.status, 401);
    assert.deepEqual(answer.errors, [sentence]);
    assert.equal(answer.headers.get("www-authenticate"), "ApiKey");
    assert.equal(answer.feedType, "CAT");
  }
  await staging.stop();
});

test("the key of another client and a suspended client are answered 403", async () => {
  const stranger = await refusal("/feeds/OTHER/CAT", { ...xml, "x-api-key": key });
  assert.equal(stranger.status, 403);
  assert.deepEqual(stranger.errors, ["[FORBIDDEN] The X-API-KEY does not belong to client 'OTHER'"]);
  const nobody = await refusal("/feeds/NOBODY/CAT", { ...xml, "x-api-key": key });
  assert.deepEqual(nobody.errors, ["[FORBIDDEN] The X-API-KEY does not belong to client 'NOBODY'"]);

  await server.operate((tx, change) => suspendClient(tx.of("OTHER", change)));
  const suspended = await other.send("CAT", catalogue("OTHER", ["A"]));
  assert.equal(suspended.status, 403);
  assert.deepEqual(suspended.errors, ["[FORBIDDEN] Client OTHER is suspended"]);
  await server.operate((tx, change) => resumeClient(tx.of("OTHER", change)));
  await other.accept("CAT", catalogue("OTHER", ["A"]));
});

test("a feed type other than the four is 404 as problem details, regardless of who asks", async () => {
  for (const path of ["/feeds/DEMO/XYZ", "/feeds/DEMO/cat", "/feeds/DEMO/CATS", "/feeds/DEMO/ACK", "/feeds/DEMO"]) {
    for (const headers of [xml, { ...xml, "x-api-key": key }]) {
      const response = await post(path, headers);
      assert.equal(response.status, 404, path);
      await problemOf(response);
    }
  }
});

test("another method is 405 and names the accepted one", async () => {
  for (const path of ["/feeds/DEMO/CAT", "/feeds/DEMO/NO/validate"]) {
    for (const method of ["GET", "PUT", "DELETE", "PATCH"]) {
      const response = await demo.request(path, { method });
      assert.equal(response.status, 405, `${method} ${path}`);
      assert.equal(response.headers.get("allow"), "POST");
      await problemOf(response);
    }
  }
});

test("content types other than text/xml and application/xml are 415, parameters are allowed", async () => {
  for (const type of ["text/xml", "application/xml", "Text/XML", "application/xml; charset=utf-8", 'text/xml;a="b"']) {
    await demo.accept("CAT", good, { "content-type": type });
  }
  const wrong = ["application/json", "text/plain", "text/xmlx", "application/soap+xml", "multipart/form-data", "xml"];
  for (const type of wrong) {
    const answer = await demo.send("CAT", good, { "content-type": type });
    assert.equal(answer.status, 415, type);
    assert.deepEqual(answer.errors, [`[CONTENT_TYPE] Content-Type '${type}' is neither text/xml nor application/xml`]);
  }
  const { status, headers, body } = await sendRaw(server.url, {
    path: "/feeds/DEMO/CAT",
    headers: { "x-api-key": key },
    chunks: [good],
  });
  assert.equal(readAcknowledgement(status, headers, body).status, 415);
});

test("a gzip body is taken, one that is malformed is 400, another coding is 415", async () => {
  const gzip = gzipSync(good);
  for (const coding of ["gzip", "GZIP", "x-gzip"]) await demo.accept("CAT", gzip, { "content-encoding": coding });
  await demo.accept("CAT", good, { "content-encoding": "identity" });
  for (const broken of [good, gzip.subarray(0, gzip.length - 12), Buffer.from(gzip).fill(0xff, 20, 40)]) {
    const answer = await demo.send("CAT", broken, { "content-encoding": "gzip" });
    assert.equal(answer.status, 400);
    assert.match(answer.errors[0] as string, /^\[REQUEST\] The gzip stream is malformed: /);
  }
  const brotli = await demo.send("CAT", good, { "content-encoding": "br" });
  assert.equal(brotli.status, 415);
  assert.deepEqual(brotli.errors, ["[CONTENT_TYPE] Content-Encoding 'br' is not accepted; send gzip or none"]);
});

test("a rejected document is answered 422 where the client's setting asks for it", async () => {
  const watcher = await server.onboard("WATCHER", { settings: { rejectedFeedStatus: "422" } });
  const rejected = await watcher.refuse("CAT", "<itemMaster/>", ...Array(3).fill(/^\[XSD\]/));
  assert.equal(rejected.status, 422);
  assert.equal((await watcher.accept("CAT", catalogue("WATCHER", ["A"]))).status, 200);
  const wrongType = await watcher.send("CAT", good, { "content-type": "text/csv" });
  assert.equal(wrongType.status, 415);
  await watcher.set({ rejectedFeedStatus: "" });
  assert.equal((await watcher.send("CAT", "")).status, 200);
});

test("requests above the rate are 429 with the time to wait; the headers tell what is left", async () => {
  const hasty = await server.onboard("HASTY", { settings: { rateLimit: "2/s" } });
  const document = catalogue("HASTY", ["A"]);
  const first = await hasty.send("CAT", document);
  assert.equal(first.status, 200);
  assert.equal(first.headers.get("ratelimit-policy"), '"default";q=2;w=1, "burst";q=4;w=2');
  assert.match(first.headers.get("ratelimit") as string, /^"default";r=3;t=\d+$/);
  // Concurrently: in sequence, they may be too slow to reach the rate limit.
  const answers = await Promise.all(Array.from({ length: 9 }, () => hasty.send("CAT", document)));
  const limited = answers.find(({ status }) => status !== 200);
  assert.equal(limited?.status, 429);
  assert.equal(limited?.headers.get("retry-after"), "1");
  assert.match(limited?.headers.get("ratelimit") as string, /^"default";r=0;t=\d+$/);
  assert.deepEqual(limited?.errors, ["[RATE] Too many requests; try again in 1 s"]);
  await until("the next second", async () => (await hasty.send("CAT", document)).status === 200);
});

test("the checks have an order: key, client, content type, size, Idempotency-Key, body", async () => {
  const allWrong = { "content-type": "text/csv", "idempotency-key": "a b", "content-encoding": "br" };
  const body = "<";
  assert.equal((await post("/feeds/DEMO/XYZ", allWrong, body)).status, 404);
  assert.equal((await refusal("/feeds/DEMO/NO", allWrong, body)).status, 401);
  assert.equal((await refusal("/feeds/OTHER/NO", { ...allWrong, "x-api-key": key }, body)).status, 403);
  assert.equal((await demo.send("NO", body, allWrong)).status, 415);
  const length = String(20 * 1024 * 1024 + 1);
  const large = await sendRaw(server.url, {
    path: "/feeds/DEMO/NO",
    headers: { ...xml, "x-api-key": key, "idempotency-key": "a b", "content-length": length },
  });
  assert.equal(large.status, 413);
  assert.equal((await demo.send("NO", body, { "idempotency-key": "a b" })).status, 400);
  assert.equal((await demo.send("NO", body)).status, 200);
});

test("a sender that waits for 100-continue before it sends the body is served", async () => {
  const base = { path: "/feeds/DEMO/CAT", headers: { ...xml, "x-api-key": key } };
  const expecting = await sendRaw(server.url, {
    ...base,
    headers: { ...base.headers, expect: "100-continue", "content-length": String(good.length) },
    chunks: [good],
  });
  assert.ok(readAcknowledgement(expecting.status, expecting.headers, expecting.body).isAccepted);
});

test("no request was a failure of the server", () => {
  assert.deepEqual(
    server.logged.filter((line) => /"level":"?(error|50|fatal)/.test(line)),
    [],
  );
});
