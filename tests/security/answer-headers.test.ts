// The headers of every answer that address browsers and intermediate caches.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createUser } from "#/console-api/index.ts";
import { signIn } from "../support/app/console.ts";
import { accessTokenOf, testServer } from "../support/app/server.ts";
import { sendText } from "../support/http/raw-request.ts";

const server = await testServer({ CROSSDOCK_TRUSTED_PROXIES: "127.0.0.1" });
const client = await server.onboard("ACME");
const token = await accessTokenOf(server.url, client.credentials.oauth);
const viewer = await signIn(server, "viewer");

const bearer = { authorization: `Bearer ${token}` };
const session = { cookie: viewer.cookie };
const key = { "x-api-key": client.credentials.feed.apiKey };

interface Attempt {
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly method?: string;
  readonly status: number;
}

const attempts: readonly Attempt[] = [
  { path: "/v1/orderService/order/list", headers: bearer, status: 200 },
  { path: "/v1/orderService/order/get/NONE", headers: bearer, status: 404 },
  { path: "/v1/orderService/order/list?limit=0", headers: bearer, status: 400 },
  { path: "/v1/orderService/order/list", status: 401 },
  { path: "/v1/inventoryService/inventory/position/list", headers: bearer, status: 404 },
  { path: "/v1/facilityService/facility/list", headers: bearer, status: 200 },
  { path: "/v1/webhookService/webhook/list", headers: bearer, status: 200 },
  { path: "/v1/outboundService/document/list/INV", headers: bearer, status: 404 },
  { path: "/v1/operatorService/session/get", headers: session, status: 200 },
  { path: "/v1/operatorService/order/list", headers: session, status: 200 },
  { path: "/v1/operatorService/order/list", status: 401 },
  { path: "/v1/oauth/token", method: "POST", status: 400 },
  { path: "/feeds/ACME/NO", method: "POST", headers: key, status: 415 },
  { path: "/feeds/ACME/NO", method: "POST", status: 401 },
  { path: "/metrics", status: 200 },
  { path: "/healthz", status: 200 },
  { path: "/no/such/path", status: 404 },
];

for (const { path, method = "GET", headers = {}, status } of attempts) {
  test(`${method} ${path} (${status}) is kept by no one and taken for no other type`, async () => {
    const answer = await fetch(server.url + path, { method, headers });
    assert.equal(answer.status, status, await answer.text());
    assert.equal(answer.headers.get("cache-control"), "no-store");
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
    assert.equal(answer.headers.get("strict-transport-security"), null);
  });
}

test("what the HTTP parser refuses says the same", async () => {
  for (const request of ["GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nBad header\r\n\r\n"]) {
    const answer = await sendText(server.url, request);
    assert.match(answer, /^HTTP\/1\.1 400 /);
    assert.match(answer, /\r\nCache-Control: no-store\r\n/i);
    assert.match(answer, /\r\nX-Content-Type-Options: nosniff\r\n/i);
  }
});

test("in production browsers must use https, over https only", async () => {
  const made = await server.operate((tx, change) => createUser(tx, change, { userName: "anna", role: "viewer" }));
  assert.ok(made.ok);
  const node = await server.startNode({
    CROSSDOCK_ENVIRONMENT: "production",
    CROSSDOCK_GS1_PREFIX: "0614141",
    CROSSDOCK_WAREHOUSE_SIM: "false",
    CROSSDOCK_ROLES: "feeds,api,auth,console",
  });
  try {
    for (const path of ["/console", "/v1/orderService/order/list", "/healthz", "/no/such/path"]) {
      const strictOver = async (protocol: string) => {
        const answer = await fetch(node.url + path, { headers: { "x-forwarded-proto": protocol } });
        return answer.headers.get("strict-transport-security");
      };
      assert.equal(await strictOver("https"), "max-age=31536000", path);
      assert.equal(await strictOver("http"), null, path);
    }
  } finally {
    await node.stop();
  }
  const sandbox = await fetch(`${server.url}/healthz`, { headers: { "x-forwarded-proto": "https" } });
  assert.equal(sandbox.headers.get("strict-transport-security"), null);
});
