// A slow link to PostgreSQL and locks that others hold: REST, the warehouse port and the console answer by the deadline
// of the request, whatever the request waits for.
import assert from "node:assert/strict";
import { test } from "node:test";
import { atEnd } from "../support/app/at-end.ts";
import { signIn } from "../support/app/console.ts";
import { watchMachine } from "../support/app/machine.ts";
import { accessTokenOf, testServer } from "../support/app/server.ts";
import { catalogue } from "../support/builders/documents.ts";
import { startReceiver } from "../support/http/receiver.ts";
import { warehouseOf } from "../support/warehouse/warehouse-port.ts";
import { startStoreProxy } from "./nodes/store-proxy.ts";

/** The deadline of a request, and some time for the way of the answer. */
const answerMsMax = 6_500;
const stretch = watchMachine();
const server = await testServer({ CROSSDOCK_ROLES: "api,auth,feeds,console" });
const proxy = await startStoreProxy(server.config.database.url as string);
atEnd(() => proxy.close());
const node = await server.startNode({ DATABASE_URL: proxy.url });
const client = await server.onboard("SLOW");
await client.accept("CAT", catalogue("SLOW", ["S-1"]));
const token = await accessTokenOf(server.url, client.credentials.oauth);
const dc1 = await warehouseOf(server);
const anna = await signIn(server, "admin");

interface Timed {
  readonly status: number;
  readonly retryAfter: number;
  readonly tookMs: number;
}

async function timed(url: string, init: RequestInit = {}): Promise<Timed> {
  const beganMs = performance.now();
  const response = await fetch(url, init);
  await response.arrayBuffer();
  const retryAfter = Number(response.headers.get("retry-after"));
  return { status: response.status, retryAfter, tookMs: performance.now() - beganMs };
}

const json = { "content-type": "application/json" };
const bearer = { authorization: `Bearer ${token}` };
const fields = { clientId: "SLOW", topicName: "*", facilityCode: "*", contentType: "application/json" };

let counts = 0;

/** The same requests to any node: read and write, of a client, a warehouse and an operator. */
const requestsTo = (url: string): Readonly<Record<string, () => Promise<Timed>>> => ({
  "REST list": () => timed(`${url}/v1/orderService/order/list?clientId=SLOW`, { headers: bearer }),
  "REST write": () =>
    timed(`${url}/v1/webhookService/webhook/create`, {
      method: "POST",
      headers: { ...bearer, ...json },
      body: JSON.stringify({ ...fields, url: "https://receiver.example/" }),
    }),
  report: () =>
    timed(`${url}/v1/warehouseService/count/report`, {
      method: "POST",
      headers: { ...json, authorization: `Bearer ${dc1.token}` },
      body: JSON.stringify({ clientId: "SLOW", countId: `C-${++counts}`, lines: [{ sku: "S-1", countedQty: 7 }] }),
    }),
  "console list": () =>
    timed(`${url}/v1/operatorService/order/list?clientId=SLOW`, { headers: { cookie: anna.cookie } }),
  "console write": () =>
    timed(`${url}/v1/operatorService/clientDirectory/patch/SLOW`, {
      method: "PATCH",
      headers: { ...json, cookie: anna.cookie, "x-csrf-token": anna.csrfToken },
      body: JSON.stringify({ settings: { parkUnknownSkus: "true" } }),
    }),
});

/** Sends each request alone, so that every one has the whole link to itself. */
async function answersOf(url: string, names: readonly string[]): Promise<Map<string, Timed>> {
  const answers = new Map<string, Timed>();
  const requests = requestsTo(url);
  for (const name of names) answers.set(name, await (requests[name] as () => Promise<Timed>)());
  return answers;
}

function assertInTime(answers: ReadonlyMap<string, Timed>): void {
  for (const [name, { status, retryAfter, tookMs }] of answers) {
    assert.ok(tookMs < answerMsMax * stretch(), `${name}: ${status} after ${tookMs} ms`);
    if (status === 503) assert.ok(retryAfter > 0, `${name}: no Retry-After`);
  }
}

test("over a slow link every request is answered by its deadline, and normally afterwards", async () => {
  const names = Object.keys(requestsTo(node.url));
  for (const [name, { status }] of await answersOf(node.url, names)) assert.ok(status < 300, `${name}: ${status}`);
  // Each statement is within its own time-out; a request needs several in turn.
  proxy.delay(1_900);
  const slow = await answersOf(node.url, ["REST write", "report", "console write"]);
  assertInTime(slow);
  for (const [name, { status }] of slow) assert.equal(status, 503, name);
  await proxy.back();
  proxy.delay(0);
  for (const [name, { status }] of await answersOf(node.url, ["REST list", "report", "console list"]))
    assert.ok(status < 300, `${name}: ${status}`);
});

/** Answers while another session holds a lock. */
async function whileHeld(lock: string, names: readonly string[]): Promise<ReadonlyMap<string, Timed>> {
  return server.database.transaction(
    async (tx) => {
      await tx.query({ text: lock, name: "", values: [], isTenant: false });
      const holding = setInterval(
        () => void tx.query({ text: "select 1", name: "", values: [], isTenant: false }).catch(() => {}),
        1_000,
      );
      try {
        return await answersOf(server.url, names);
      } finally {
        clearInterval(holding);
      }
    },
    { statementTimeoutMs: 60_000 },
  );
}

test("behind a lock that is not released, requests are answered 503 by their deadline", async () => {
  const report = await whileHeld("select from stock_book where client_id = 'SLOW' for update", ["report"]);
  const table = await whileHeld("lock table sales_order in access exclusive mode", ["REST list", "console list"]);
  const row = await whileHeld("select from client where client_id = 'SLOW' for update", ["console write"]);
  for (const answers of [report, table, row]) {
    assertInTime(answers);
    for (const [name, { status }] of answers) assert.equal(status, 503, name);
  }
});

test("a route with a longer time waits for a receiver as long as it takes", async () => {
  const receiver = await startReceiver();
  atEnd(() => receiver.close());
  const made = await fetch(`${server.url}/v1/webhookService/webhook/create`, {
    method: "POST",
    headers: { ...bearer, ...json },
    body: JSON.stringify({ ...fields, url: receiver.url }),
  });
  const { webhookId } = (await made.json()) as { webhookId: string };
  receiver.answer = { status: 200, delayMs: 6_000 };
  const { status, tookMs } = await timed(`${server.url}/v1/webhookService/webhook/test/${webhookId}?clientId=SLOW`, {
    method: "POST",
    headers: bearer,
  });
  assert.equal(status, 200);
  assert.ok(tookMs > 5_000, `${tookMs} ms`);
});
