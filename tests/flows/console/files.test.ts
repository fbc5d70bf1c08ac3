// contract operations.md §5: the files that /console serves, and their policy.
import assert from "node:assert/strict";
import { test } from "node:test";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";

const server = await testServer({ CROSSDOCK_ROLES: "console" });

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(server.url + path, { headers, redirect: "manual" });

test("every path of the console answers its page, with a strict policy and a separate nonce", async () => {
  const nonces = new Set<string>();
  for (const path of ["/console", "/console/", "/console/orders/WEB-1?clientId=DEMO", "/console/index.html"]) {
    const response = await get(path);
    const page = await response.text();
    assert.equal(response.status, 200, page);
    assert.match(response.headers.get("content-type") ?? "", /^text\/html/);
    assert.equal(response.headers.get("cache-control"), "no-cache");
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    assert.equal(response.headers.get("x-frame-options"), "DENY");
    assert.equal(response.headers.get("referrer-policy"), "no-referrer");
    assert.match(response.headers.get("permissions-policy") ?? "", /camera=\(\)/);
    const policy = response.headers.get("content-security-policy") ?? "";
    assert.match(policy, /default-src 'none'; script-src 'self';/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe/);
    const [, nonce = ""] = /'nonce-([^']+)'/.exec(policy) ?? [];
    assert.ok(nonce.length >= 22 && page.includes(nonce) && !page.includes("__STYLE_NONCE__"));
    assert.doesNotMatch(page, /<script(?![^>]* src=)/, "no inline script");
    nonces.add(nonce);
  }
  assert.equal(nonces.size, 4);
});

test("files have names of their content and stay for ever; they come compressed to who takes that", async () => {
  const page = await (await get("/console")).text();
  const [, script = ""] = /<script[^>]* src="([^"]+)"/.exec(page) ?? [];
  assert.match(script, /^\/console\/assets\//);
  for (const [accepted, coding] of [
    ["br, gzip", "br"],
    ["gzip", "gzip"],
    ["identity", null],
  ] as const) {
    const response = await get(script, { "accept-encoding": accepted });
    assert.equal(response.status, 200);
    assert.match(response.headers.get("content-type") ?? "", /javascript/);
    assert.equal(response.headers.get("content-encoding"), coding);
    assert.equal(response.headers.get("cache-control"), "public, max-age=31536000, immutable");
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    assert.ok((await response.text()).length > 1_000);
  }
  assert.equal((await get("/console/assets/nothing-12345678.js")).status, 404);
});

test("reads of the service come in gzip to clients that accept it, problems and short answers do not", async () => {
  const anna = await signIn(server, "admin");
  const coded = async (path: string, accepted: string) => {
    const response = await anna.request(path, { headers: { "accept-encoding": accepted } });
    return { status: response.status, coding: response.headers.get("content-encoding"), text: await response.text() };
  };
  assert.equal((await coded("/facilityDirectory/list", "gzip")).coding, null, "a short answer");
  const long = await coded("/audit/list?limit=100", "identity");
  assert.ok(long.text.length > 1024 && long.coding === null);
  const zipped = await coded("/audit/list?limit=100", "br, gzip");
  assert.equal(zipped.coding, "gzip");
  assert.deepEqual(JSON.parse(zipped.text), JSON.parse(long.text));
  const refused = await coded("/audit/list?limit=0", "gzip");
  assert.deepEqual([refused.status, refused.coding], [400, null]);
});

test("nothing but the console's files is served", async () => {
  for (const path of ["/console/.vite/manifest.json", "/console/..%2fpackage.json", "/console/%2e%2e/package.json"]) {
    const response = await get(path);
    const text = await response.text();
    assert.ok(response.status !== 200 || text.startsWith("<!doctype html>"), `${path}: ${text.slice(0, 100)}`);
  }
});

test("a process of this role alone has the console and its service, and leads to it", async () => {
  const home = await get("/");
  assert.deepEqual([home.status, home.headers.get("location")], [302, "/console"]);
  assert.equal((await get("/v1/operatorService/session/get")).status, 401);
  assert.equal((await get("/openapi/operator.json")).status, 200);
  assert.equal((await get("/.well-known/jwks.json")).status, 404);
});
