import assert from "node:assert/strict";
import { after, test } from "node:test";
import { decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from "jose";
import { type BearerContext, clientIdOf, createBearerHooks } from "#/http/access/bearer.ts";
import { registerService } from "#/http/routes/service.ts";
import { createHttpServer } from "#/http/server/server.ts";
import { sql } from "#/store/db/sql.ts";
import {
  askToken,
  assertUnauthorised,
  basic,
  call,
  clock,
  database,
  demo,
  ids,
  insertCredential,
  json,
  log,
  node,
  secretBox,
  startNode,
  tokenOf,
} from "../../../../tests/support/app/token-node.ts";

test("without a valid token everything below a service is a 401, whether it exists or not", async () => {
  const token = await tokenOf(demo);
  for (const path of ["/v1/thingService/thing", "/v1/thingService/nothing"]) {
    assertUnauthorised(await call(path, undefined), "token-missing");
    assertUnauthorised(await call(path, undefined, { method: "DELETE" }), "token-missing");
    assertUnauthorised(await call(path, undefined, { headers: basic("a", "b") }), "token-missing");
    assertUnauthorised(await call(path, undefined, { headers: { authorization: "Bearer" } }), "token-invalid");
    assertUnauthorised(await call(path, "a.b"), "token-invalid");
    assertUnauthorised(await call(path, "a.b.c"), "token-invalid");
  }
  assert.equal((await call("/v1/thingService/nothing", token)).status, 404);
  const other = await call("/v1/thingService/thing", token, { method: "DELETE" });
  assert.equal(other.status, 405);
  assert.equal(other.headers.get("allow"), "GET, HEAD, POST");
  const broken = { method: "POST", headers: json, body: "{" };
  assertUnauthorised(await call("/v1/thingService/thing", undefined, broken), "token-missing");
  assert.equal((await call("/v1/thingService/thing", token, broken)).status, 400);
});

test("a changed, foreign or unsigned token is refused", async () => {
  const token = await tokenOf(demo);
  const [head, claims, signature] = token.split(".") as [string, string, string];
  const forged = Buffer.from(JSON.stringify({ ...decodeJwt(token), client_ids: ["OTHER"] })).toString("base64url");
  const unsigned = Buffer.from('{"alg":"none"}').toString("base64url");
  const { privateKey } = await generateKeyPair("ES256");
  const { kid } = decodeProtectedHeader(token);
  const sign = (keyId: string, env: string) =>
    new SignJWT({ ...decodeJwt(token), env }).setProtectedHeader({ alg: "ES256", kid: keyId }).sign(privateKey);
  for (const wrong of [
    `${head}.${forged}.${signature}`,
    `${unsigned}.${claims}.${signature}`,
    `${head}.${claims}.${signature.slice(0, -4)}AAAA`,
    await sign(kid as string, "sandbox"),
    await sign("unknown", "sandbox"),
  ]) {
    assertUnauthorised(await call("/v1/thingService/thing", wrong), "token-invalid");
  }
  assertUnauthorised(
    await call("/v1/thingService/thing", await sign("unknown", "production")),
    "token-other-environment",
  );
});

test("a token for another audience, or of another environment with the same keys, is refused", async () => {
  const staging = await startNode({ environment: "staging" });
  const proof = await insertCredential({ clientId: "DEMO", environment: "staging" });
  const token = await tokenOf(proof, staging.url);
  assertUnauthorised(await call("/v1/thingService/thing", token), "token-other-environment");
  const rows = await database.query<{ private_jwk_encrypted: string; key_id: string }>(
    sql`select key_id, private_jwk_encrypted from signing_key limit 1`,
  );
  const [{ key_id, private_jwk_encrypted }] = rows as [(typeof rows)[0]];
  const jwk = JSON.parse(secretBox.open(private_jwk_encrypted, `signing_key ${key_id}`) as string);
  const audience = await new SignJWT({ ...decodeJwt(token), env: "sandbox", aud: "console" })
    .setProtectedHeader({ alg: "ES256", kid: key_id })
    .sign(jwk);
  assertUnauthorised(await call("/v1/thingService/thing", audience), "token-invalid");
});

test("a token ends with its credential", async () => {
  const proof = await insertCredential({ clientId: "DEMO" });
  const token = await tokenOf(proof);
  assert.equal((await call("/v1/thingService/thing", token)).status, 200);
  await database.query(sql`update credential set revoked_at = now() where credential_id = ${proof.client_id}`);
  node.directory.clear();
  assertUnauthorised(await call("/v1/thingService/thing", token), "token-revoked");
  assert.equal((await askToken({ grant_type: "client_credentials", ...proof })).status, 401);
});

test("a token for one client may leave clientId out; another client's is a 403, two that differ a 400", async () => {
  const token = await tokenOf(demo);
  const thing = "/v1/thingService/thing";
  const post = (path: string, body: unknown) =>
    call(path, token, { method: "POST", headers: json, body: JSON.stringify(body) });
  assert.deepEqual((await call(thing, token)).body, { clientId: "DEMO" });
  assert.deepEqual((await call(`${thing}?clientId=DEMO`, token)).body, { clientId: "DEMO" });
  assert.deepEqual((await post(`${thing}?clientId=DEMO`, { clientId: "DEMO" })).body, { clientId: "DEMO" });
  assert.deepEqual((await post(thing, {})).body, { clientId: "DEMO" });
  for (const answer of [
    await call(`${thing}?clientId=OTHER`, token),
    await call(`${thing}?clientId=NOBODY&more=1`, token),
    await post(thing, { clientId: "OTHER" }),
    await post(`${thing}?clientId=DEMO`, { clientId: "OTHER" }),
  ]) {
    assert.equal(answer.status, 403);
    assert.equal(answer.body.type, "/problems/client-forbidden");
  }
  const unreadable = await post(thing, { clientId: 7 });
  assert.equal(unreadable.status, 400);
  assert.equal((await call(`${thing}?clientId=DEMO&clientId=OTHER`, token)).status, 400);
});

test("an unreadable body is a 400, after a 403 by token and query", async () => {
  const foreign = "/v1/thingService/thing?clientId=OTHER";
  const send = async (path: string, token: string, body: string) => {
    const answer = await call(path, token, { method: "POST", headers: json, body });
    return [answer.status, answer.body.type];
  };
  const token = await tokenOf(demo);
  for (const body of ["{", ""]) {
    assert.deepEqual(await send(foreign, token, body), [403, "/problems/client-forbidden"]);
    assert.deepEqual(await send("/v1/thingService/thing", token, body), [400, "/problems/malformed-request"]);
  }
  const warehouse = await tokenOf(await insertCredential({ kind: "warehouse", facilityCode: "DC1" }));
  assert.deepEqual(await send("/v1/thingService/thing", warehouse, "{"), [403, "/problems/token-kind-forbidden"]);
  for (const coding of ["gzip", "br"]) {
    const coded = { method: "POST", headers: { ...json, "content-encoding": coding }, body: "{}" };
    const answer = await call("/v1/thingService/thing", token, coded);
    assert.deepEqual([answer.status, answer.headers.get("accept-encoding")], [415, "identity"]);
    assertUnauthorised(await call("/v1/thingService/thing", undefined, coded), "token-missing");
  }
  const plain = { method: "POST", headers: { ...json, "content-encoding": "Identity" }, body: "{}" };
  assert.equal((await call("/v1/thingService/thing", token, plain)).status, 200);
  const image = await call(foreign, token, { method: "POST", headers: { "content-type": "image/png" }, body: "x" });
  assert.equal(image.status, 415);
});

test("a token for several clients needs a clientId, equal in query and body", async () => {
  const caller = {
    credentialId: "c",
    kind: "client",
    clientIds: ["DEMO", "OTHER"],
    suspendedClientIds: [],
    facilityCode: undefined,
    rateLimit: undefined,
  } as const;
  const app = createHttpServer({ log, clock, ids, trustedProxies: [] });
  const context: BearerContext = {
    verify: async () => ({ ok: true, value: caller }),
    limiter: node.limiter,
    rateLimit: "off",
  };
  registerService(app, "/v1/s", createBearerHooks(context), (service) => {
    service.post("/x", (request) => ({ clientId: clientIdOf(request) }));
  });
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  after(() => app.close());
  const post = (query: string, body: unknown) =>
    call(`/v1/s/x${query}`, "a.b.c", { method: "POST", headers: json, body: JSON.stringify(body) }, url);
  assert.equal((await post("", {})).status, 400);
  const unreadable = await call("/v1/s/x", "a.b.c", { method: "POST", headers: json, body: "{" }, url);
  assert.equal(unreadable.body.type, "/problems/malformed-request");
  assert.equal((await post("?clientId=DEMO", { clientId: "OTHER" })).status, 400);
  assert.deepEqual((await post("?clientId=OTHER", {})).body, { clientId: "OTHER" });
  assert.deepEqual((await post("", { clientId: "DEMO" })).body, { clientId: "DEMO" });
});

test("a warehouse's token opens the port and no client's service, and the reverse", async () => {
  const proof = await insertCredential({ kind: "warehouse", facilityCode: "DC1" });
  const token = await tokenOf(proof);
  assert.deepEqual((await call("/v1/portService/task", token)).body, { facilityCode: "DC1" });
  assert.equal(decodeJwt(token).facility, "DC1");
  for (const answer of [
    await call("/v1/thingService/thing?clientId=DEMO", token),
    await call("/v1/portService/task", await tokenOf(demo)),
  ]) {
    assert.equal(answer.status, 403);
    assert.equal(answer.body.type, "/problems/token-kind-forbidden");
  }
});

test("the rate is limited for each credential, with the client's own limit before the deployment's", async () => {
  const limited = await startNode({ rateLimit: { perSecond: 1, burst: 2 } });
  const proof = await insertCredential({ clientId: "DEMO" });
  const token = await tokenOf(proof, limited.url);
  const ask = () => call("/v1/thingService/thing", token, {}, limited.url);
  const first = await ask();
  assert.equal(first.status, 200);
  assert.equal(first.headers.get("ratelimit-policy"), '"default";q=1;w=1, "burst";q=2;w=2');
  assert.match(first.headers.get("ratelimit") ?? "", /^"default";r=1;t=\d+$/);
  await ask();
  let refused = await ask();
  // On a slow machine a second may pass, which allows one more.
  for (let more = 0; more < 20 && refused.status === 200; more++) refused = await ask();
  assert.equal(refused.status, 429);
  assert.equal(refused.body.type, "/problems/rate-limited");
  assert.equal(refused.headers.get("retry-after"), "1");
  assert.ok(refused.headers.get("ratelimit"));
  await database.query(
    sql`update client set settings = ${'{"rateLimit":{"perSecond":50}}'}::jsonb where client_id = ${"DEMO"}`,
  );
  limited.directory.clear();
  const answer = await ask();
  assert.equal(answer.headers.get("ratelimit-policy"), '"default";q=50;w=1, "burst";q=100;w=2');
});
