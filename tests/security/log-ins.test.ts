// Password and secret guessing from many addresses: an IPv6 network counts as one sender, and attempts on one name are
// slowed down from all addresses. SFTP: src/intake/sftp/server/log-in.test.ts.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createUser } from "#/console-api/index.ts";
import { testServer } from "../support/app/server.ts";
import { until } from "../support/app/until.ts";

// This machine is the proxy: the test chooses the source address of its requests.
const server = await testServer({ CROSSDOCK_TRUSTED_PROXIES: "127.0.0.1" });

async function makeUser(userName: string): Promise<string> {
  const made = await server.operate((tx, change) => createUser(tx, change, { userName, role: "viewer" }));
  assert.ok(made.ok);
  return made.value.password;
}

function post(path: string, from: string, body: object): Promise<Response> {
  const headers = { "content-type": "application/json", "x-forwarded-for": from };
  return fetch(`${server.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
}

const signIn = (userName: string, password: string, from: string) =>
  post("/v1/operatorService/session/create", from, { userName, password });

const token = (client_id: string, client_secret: string, from: string) =>
  post("/v1/oauth/token", from, { grant_type: "client_credentials", client_id, client_secret });

async function statusesOf(answers: Iterable<Promise<Response>>): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (const answer of answers) {
    const { status } = await answer;
    counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

function* times<T>(count: number, work: (i: number) => T): Generator<T> {
  for (let i = 0; i < count; i++) yield work(i);
}

test("40 guesses for a console user from one IPv6 /64 get 429 after ten; another network may try", async () => {
  const password = await makeUser("nina");
  const guesses = times(40, (i) => signIn("nina", "wrong", `2001:db8:0:1:${(i + 1).toString(16)}::1`));
  assert.deepEqual(await statusesOf(guesses), { 401: 10, 429: 30 });
  assert.equal((await signIn("nina", password, "2001:db8:0:2::1")).status, 201);
});

test("40 guesses of a client's secret from one IPv6 /64 meet 429 after ten; the right one passes at any time", async () => {
  const { oauth } = (await server.onboard("ACME")).credentials;
  const from = (i: number) => `2001:db8:1:1:${(i + 1).toString(16)}::1`;
  // After the thirtieth, each wrong attempt is delayed for two seconds.
  const guesses = times(30, (i) => token(oauth.client_id, "wrong", from(i)));
  assert.deepEqual(await statusesOf(guesses), { 401: 10, 429: 20 });
  assert.equal((await token(oauth.client_id, oauth.client_secret, from(99))).status, 200);
});

test("guesses of one name from many networks are held back, and the right password is never locked out", async () => {
  const password = await makeUser("olga");
  const beganMs = performance.now();
  assert.deepEqual(await statusesOf(times(30, (i) => signIn("olga", "wrong", `203.0.113.${i}`))), { 401: 30 });
  const perAttemptMs = (performance.now() - beganMs) / 30;
  assert.ok(perAttemptMs < 1_900, `the first thirty are not held back: ${perAttemptMs} ms`);
  const startedMs = performance.now();
  const [wrong, right] = await Promise.all([
    signIn("OLGA", "wrong", "198.51.100.1"),
    signIn("olga", password, "198.51.100.2"),
  ]);
  assert.deepEqual([wrong.status, right.status], [401, 201]);
  assert.ok(performance.now() - startedMs >= 1_950, "both wait");
});

test("a flood of checks from one network leaves room for others, and is answered 429", async () => {
  const password = await makeUser("petra");
  // Fifty names: neither the attempts of one name nor those of the network are exhausted.
  const flood = Array.from({ length: 50 }, (_, i) => signIn(`nobody${i}`, "wrong", "192.0.2.200"));
  const other = await signIn("petra", password, "192.0.2.201");
  assert.equal(other.status, 201);
  const counts = await statusesOf(flood);
  assert.ok((counts[429] ?? 0) > 0 && (counts[401] ?? 0) > 0, JSON.stringify(counts));
});

test("guesses with names without end from one network leave a bounded number of counters in the store", async () => {
  const counters = async () => {
    const [row] = await server.rows<{ rows: number }>("select count(*)::int as rows from rate_limit_use");
    return row?.rows ?? 0;
  };
  const before = await counters();
  for (const [door, guess] of [
    ["console", (i: number) => signIn(`stranger-${i}`, "wrong", "198.51.100.7")],
    ["token endpoint", (i: number) => token(`stranger-${i}`, "wrong", "198.51.100.7")],
  ] as const) {
    const beganMs = performance.now();
    const seen = await statusesOf(Array.from({ length: 300 }, (_, i) => guess(i)));
    const allowedMax = 60 + Math.ceil((performance.now() - beganMs) / 1_000);
    assert.ok(
      (seen[401] ?? 0) <= allowedMax && (seen[429] ?? 0) >= 300 - allowedMax,
      `${door}: ${JSON.stringify(seen)}`,
    );
  }
  // Their counters are written every 250 ms.
  const { oauth } = (await server.onboard("LATER")).credentials;
  assert.equal((await token(oauth.client_id, oauth.client_secret, "198.51.100.7")).status, 200);
  await until("the counters in the store", async () => (await counters()) > before + 60);
  // Per network and door: the network, and for each allowed guess two of the name.
  assert.ok((await counters()) <= before + 2 * (1 + 2 * 100), `${await counters()} rows`);
});
