import assert from "node:assert/strict";
import { test } from "node:test";
import { createLocalJWKSet, jwtVerify } from "jose";
import { sql } from "#/store/db/sql.ts";
import {
  askToken,
  basic,
  call,
  database,
  demo,
  type Fields,
  form,
  ids,
  insertCredential,
  json,
  node,
  tokenOf,
} from "../../../../tests/support/app/token-node.ts";

test("a token is issued for JSON, for a form and by HTTP Basic, and is never cached", async () => {
  const grant = "client_credentials";
  const answers = [
    await askToken({ grant_type: grant, ...demo, scope: "all", more: { than: "needed" } }),
    await askToken(new URLSearchParams({ grant_type: grant, ...demo }).toString(), form),
    await askToken(`grant_type=${grant}`, { ...form, ...basic(demo.client_id, demo.client_secret) }),
    await askToken(
      { grant_type: grant, client_id: demo.client_id },
      { ...json, ...basic(demo.client_id, demo.client_secret) },
    ),
  ];
  for (const { status, headers, body } of answers) {
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(Object.keys(body), ["access_token", "token_type", "expires_in"]);
    assert.equal(body.token_type, "Bearer");
    assert.equal(body.expires_in, 600);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.match(headers.get("content-type") ?? "", /^application\/json/);
  }
});

test("the token names its clients, and the published keys verify it", async () => {
  const token = await tokenOf(demo);
  const { keys } = (await fetch(`${node.url}/.well-known/jwks.json`).then((response) => response.json())) as never;
  const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet({ keys }), {
    issuer: "https://auth.example.com",
    audience: "crossdock",
  });
  assert.equal(protectedHeader.alg, "ES256");
  assert.equal(payload.sub, demo.client_id);
  assert.deepEqual(payload.client_ids, ["DEMO"]);
  assert.equal(payload.env, "sandbox");
  assert.equal((payload.exp as number) - (payload.iat as number), 600);
  assert.equal(typeof payload.jti, "string");
  assert.ok((keys as Fields[]).every((key) => !("d" in key)));
});

test("the metadata lead to the token endpoint", async () => {
  const metadata = await fetch(`${node.url}/.well-known/oauth-authorization-server`).then((response) =>
    response.json(),
  );
  assert.deepEqual(metadata, {
    issuer: "https://auth.example.com",
    token_endpoint: "https://auth.example.com/v1/oauth/token",
    jwks_uri: "https://auth.example.com/.well-known/jwks.json",
    response_types_supported: [],
    grant_types_supported: ["client_credentials"],
    token_endpoint_auth_methods_supported: ["client_secret_post", "client_secret_basic"],
  });
});

test("a missing, repeated or unreadable field is an invalid_request", async () => {
  const grant = { grant_type: "client_credentials" };
  const bodies: [unknown, Record<string, string>][] = [
    [{ ...demo }, json],
    [{ ...grant, client_id: demo.client_id }, json],
    [{ ...grant, ...demo, client_secret: "" }, json],
    [{ ...grant, ...demo, client_id: 7 }, json],
    ["{", json],
    ["[]", json],
    ["", json],
    [`grant_type=a&grant_type=b&client_id=x&client_secret=y`, form],
    [{ ...grant, ...demo }, { "content-type": "text/plain" }],
    [
      { ...grant, ...demo },
      { ...json, ...basic(demo.client_id, demo.client_secret) },
    ],
    [
      { ...grant, client_id: "someone" },
      { ...json, ...basic(demo.client_id, demo.client_secret) },
    ],
  ];
  for (const [body, headers] of bodies) {
    const answer = await askToken(body, headers);
    assert.equal(answer.status, 400, JSON.stringify(body));
    assert.equal(answer.body.error, "invalid_request");
    assert.equal(typeof answer.body.error_description, "string");
    assert.equal(answer.headers.get("cache-control"), "no-store");
  }
  assert.equal((await askToken({ ...grant, x: "x".repeat(20_000) })).status, 413);
});

test("another grant is an unsupported_grant_type", async () => {
  const answer = await askToken({ grant_type: "password", ...demo });
  assert.equal(answer.status, 400);
  assert.equal(answer.body.error, "unsupported_grant_type");
});

test("another method at the token endpoint is a 405", async () => {
  const answer = await fetch(`${node.url}/v1/oauth/token`);
  assert.equal(answer.status, 405);
  assert.equal(answer.headers.get("allow"), "POST");
});

test("a wrong secret, an unknown client and a credential of another kind are the same invalid_client", async () => {
  const grant = "client_credentials";
  const feed = await insertCredential({ kind: "feed", clientId: "DEMO" });
  const answers = [
    await askToken({ grant_type: grant, client_id: demo.client_id, client_secret: "wrong" }),
    await askToken({ grant_type: grant, client_id: ids.next(1), client_secret: demo.client_secret }),
    await askToken({ grant_type: grant, client_id: "nobody\u0000", client_secret: "x" }),
    await askToken({ grant_type: grant, ...feed }),
  ];
  for (const { status, headers, body } of answers) {
    assert.equal(status, 401);
    assert.deepEqual(body, {
      error: "invalid_client",
      error_description: "client_id and client_secret do not belong together, or are revoked.",
    });
    assert.equal(headers.get("www-authenticate"), null);
  }
  const byBasic = await askToken(`grant_type=${grant}`, { ...form, ...basic(demo.client_id, "wrong") });
  assert.equal(byBasic.status, 401);
  assert.match(byBasic.headers.get("www-authenticate") ?? "", /^Basic /);
});

test("repeated wrong secrets are throttled by address and client_id together, and the right one always passes", async () => {
  const { client_id, client_secret } = await insertCredential({ clientId: "DEMO" });
  const ask = (secret: string, address: string) =>
    askToken(
      { grant_type: "client_credentials", client_id, client_secret: secret },
      { ...json, "x-forwarded-for": address },
    );
  for (let i = 0; i < 10; i++) assert.equal((await ask("wrong", "203.0.113.1")).status, 401);
  const throttled = await ask("wrong", "203.0.113.1");
  assert.equal(throttled.status, 429);
  assert.equal(throttled.body.error, "invalid_client");
  assert.ok(Number(throttled.headers.get("retry-after")) >= 1);
  assert.equal((await ask("wrong", "203.0.113.2")).status, 401);
  assert.equal((await ask(client_secret, "203.0.113.1")).status, 200);
});

test("a suspended client gets no token, and its valid tokens are refused", async () => {
  const proof = await insertCredential({ clientId: "PAUSED" });
  const token = await tokenOf(proof);
  await database.query(sql`update client set status = 'SUSPENDED' where client_id = ${"PAUSED"}`);
  node.directory.clear();
  const refusal = await askToken({ grant_type: "client_credentials", ...proof });
  assert.equal(refusal.status, 401);
  assert.match(String(refusal.body.error_description), /suspended/);
  const answer = await call("/v1/thingService/thing", token);
  assert.equal(answer.status, 403);
  assert.equal(answer.body.type, "/problems/client-suspended");
});

test("a credential of another environment gets no token", async () => {
  const proof = await insertCredential({ clientId: "DEMO", environment: "production" });
  const refusal = await askToken({ grant_type: "client_credentials", ...proof });
  assert.equal(refusal.status, 401);
  assert.match(String(refusal.body.error_description), /production/);
});
