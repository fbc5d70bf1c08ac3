// Requests that an attacker causes browsers to send, and headers that contradict the connection.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createUser } from "#/console-api/index.ts";
import { signIn } from "../support/app/console.ts";
import { testServer } from "../support/app/server.ts";
import { sendText } from "../support/http/raw-request.ts";

const server = await testServer({ CROSSDOCK_TRUSTED_PROXIES: "127.0.0.1" });
const { host } = new URL(server.url);
const user = await signIn(server, "operator");
const [plainName = "", sessionId = ""] = user.cookie.split("=");

const https = { "x-forwarded-proto": "https" };
const isSignedIn = async (headers: Record<string, string>) =>
  (await fetch(`${server.url}/v1/operatorService/session/get`, { headers })).status === 200;

test("by https the session is in a cookie of this host alone, and no other name is one", async () => {
  const made = await server.operate((tx, change) => createUser(tx, change, { userName: "anna", role: "viewer" }));
  assert.ok(made.ok);
  const answer = await fetch(`${server.url}/v1/operatorService/session/create`, {
    method: "POST",
    headers: { "content-type": "application/json", ...https },
    body: JSON.stringify({ userName: "anna", password: made.value.password }),
  });
  const [cookie = "", ...attributes] = (answer.headers.get("set-cookie") ?? "").split("; ");
  assert.match(cookie, /^__Host-crossdock_session=[\w-]{43}$/);
  assert.deepEqual(attributes.toSorted(), ["HttpOnly", "Path=/", "SameSite=Lax", "Secure"]);
  assert.ok(await isSignedIn({ cookie, ...https }));
  // Cookies that another host of the same domain, or a page over http, can set.
  assert.equal(await isSignedIn({ cookie: `${plainName}=${sessionId}`, ...https }), false);
  assert.equal(await isSignedIn({ cookie: `__Host-${plainName}=${sessionId}` }), false);
  assert.equal(await isSignedIn({ cookie: `${plainName}=${sessionId}` }), true);
});

interface OriginAttempt {
  readonly origin: string;
  readonly isHttps: boolean;
  readonly status: number;
}

const origins: readonly OriginAttempt[] = [
  { origin: `http://${host}`, isHttps: false, status: 204 },
  { origin: `https://${host}`, isHttps: false, status: 403 },
  { origin: `https://${host}`, isHttps: true, status: 204 },
  { origin: `http://${host}`, isHttps: true, status: 403 },
  { origin: `http://${host}.example`, isHttps: false, status: 403 },
  { origin: "http://127.0.0.1", isHttps: false, status: 403 },
  { origin: `ftp://${host}`, isHttps: false, status: 403 },
  { origin: "null", isHttps: false, status: 403 },
  { origin: "not an origin", isHttps: false, status: 403 },
];

for (const { origin, isHttps, status } of origins) {
  test(`a write over ${isHttps ? "https" : "http"} from ${origin.replace(host, "HOST")} is ${status}`, async () => {
    const user = await signIn(server, "viewer");
    const cookie = isHttps ? `__Host-${user.cookie}` : user.cookie;
    const answer = await fetch(`${server.url}/v1/operatorService/session/delete`, {
      method: "DELETE",
      headers: { cookie, origin, "x-csrf-token": user.csrfToken, ...(isHttps ? https : {}) },
    });
    assert.equal(answer.status, status, await answer.text());
  });
}

const hosts: readonly (readonly [lines: readonly string[], status: number])[] = [
  [["Host: a.example"], 200],
  [["Host: a.example", "Host: b.example"], 400],
  [["Host: a.example", "host: a.example"], 400],
  [["HOST: a.example", "X-Other: 1", "Host:"], 400],
  [[], 400],
];

for (const [lines, status] of hosts) {
  test(`the header lines ${JSON.stringify(lines)} are answered ${status}`, async () => {
    const answer = await sendText(
      server.url,
      `GET /healthz HTTP/1.1\r\n${[...lines, "Connection: close", "", ""].join("\r\n")}`,
    );
    assert.match(answer, new RegExp(`^HTTP/1\\.1 ${status} `));
  });
}

test("a text of X-Forwarded-For that is not an address is in no audit line", async () => {
  const tryToSignIn = (forwarded: string) =>
    fetch(`${server.url}/v1/operatorService/session/create`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-forwarded-for": forwarded },
      body: JSON.stringify({ userName: user.userName, password: user.password }),
    });
  const signedInFrom = async () => {
    const [row] = await server.rows<{ origin: string }>(
      "select origin from audit_log where action = 'sign-in' order by audit_id desc limit 1",
    );
    return row?.origin;
  };
  for (const [forwarded, origin] of [
    ["<script>alert(1)</script>", "127.0.0.1"],
    ["198.51.100.7, <script>", "127.0.0.1"],
    ["<script>, 198.51.100.7", "198.51.100.7"],
    ["198.51.100.7:4711", "198.51.100.7"],
  ] as const) {
    assert.equal((await tryToSignIn(forwarded)).status, 201);
    assert.equal(await signedInFrom(), origin, forwarded);
  }
});
