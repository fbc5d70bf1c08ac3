// webhooks.md §2: the outcome of a delivery to each kind of receiver, through the complete engine: the webhook is
// created by REST, the event is published, the attempt uses a real socket, and the log is checked.
import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { test } from "node:test";
import { hostileHosts, hostileUrls } from "../../security/hostile-targets.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { type TestServer, testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { type Receiver, type ReceiverOptions, startReceiver } from "../../support/http/receiver.ts";
import { pointersOf } from "../../support/http/rest-calls.ts";
import { newWebhook, type WebhookCalls, webhookCalls } from "../../support/http/webhook-calls.ts";
import { tellEvents } from "../../support/webhooks/webhooks.ts";

const minute = 60;
const hour = 60 * minute;
/** The first delay, with its jitter, in seconds. */
const usual = [600, 660] as const;
const open = await testServer({ CROSSDOCK_WEBHOOK_RETRY_SCHEDULE: "600,900" });
/** 127.0.0.2 represents the internet: it is the only permitted target. */
const strict = await testServer({
  CROSSDOCK_WEBHOOK_RETRY_SCHEDULE: "600,900",
  CROSSDOCK_ALLOW_PRIVATE_WEBHOOKS: "false",
  CROSSDOCK_PRIVATE_TARGETS: "127.0.0.2",
});

/** Listens on every address of this machine; no connection to it is permitted. */
const canary = createServer((socket) => socket.on("error", () => {}).destroy());
let songs = 0;
canary.on("connection", () => songs++);
canary.listen(0);
await once(canary, "listening");
atEnd(() => canary.close());
const canaryPort = (canary.address() as AddressInfo).port;

interface Try {
  readonly state: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly durationMs: number;
  readonly address: string | null;
  readonly phases: Readonly<Record<string, number | null>>;
  readonly status: number | null;
  readonly errorClass: string | null;
}

interface Delivery {
  readonly deliveryId: string;
  readonly status: string;
  readonly tries: number;
  readonly nextTryAt: string | null;
  readonly lastError: string | null;
  readonly endedAt: string | null;
  readonly exchanges: readonly Try[];
}

interface Expected {
  readonly status: "DELIVERED" | "RETRYING" | "FAILED";
  /** HTTP status of the answer; omitted if there is none. */
  readonly answered?: number;
  readonly errorClass?: string;
  readonly lastError?: RegExp;
  /** The phases that the exchange reached, besides the look-up, the connection and the sending. */
  readonly phases?: string;
  /** Seconds from the end of the attempt to the next one. */
  readonly waits?: readonly [number, number];
  /** State of the webhook, if not ACTIVE. */
  readonly webhook?: "DISABLED";
  /** Duration in seconds. */
  readonly takes?: readonly [number, number];
}

interface Case {
  readonly name: string;
  readonly server?: TestServer;
  readonly receiver?: ReceiverOptions;
  /** The URL, if not the receiver's own. */
  readonly url?: string | ((receiver: Receiver) => string);
  readonly expected: Expected;
}

const exchanged = "lookup connect send wait receive";
const retried = { status: "RETRYING", waits: usual } as const;
const answered = (status: number) =>
  ({
    ...retried,
    answered: status,
    errorClass: "status",
    lastError: new RegExp(`^status: answered ${status}$`),
    phases: exchanged,
  }) as const;
const refusing = (status: number, retryAfter: string): ReceiverOptions => ({
  answer: { status, headers: { "retry-after": retryAfter }, body: "not now" },
});
const badCertificate = { ...retried, errorClass: "tls", phases: "lookup connect" } as const;
const inAnHour = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + hour * 1_000).toUTCString();

const cases: readonly Case[] = [
  { name: "200", expected: { status: "DELIVERED", answered: 200, phases: exchanged } },
  {
    name: "another 2xx",
    receiver: { answer: 204 },
    expected: { status: "DELIVERED", answered: 204, phases: exchanged },
  },
  {
    name: "200 over TLS",
    receiver: { tls: "trusted" },
    expected: { status: "DELIVERED", answered: 200, phases: "lookup connect tls send wait receive" },
  },
  { name: "500", receiver: { answer: 500 }, expected: answered(500) },
  { name: "404", receiver: { answer: 404 }, expected: answered(404) },
  { name: "429", receiver: { answer: 429 }, expected: answered(429) },
  {
    name: "429 with Retry-After in seconds",
    receiver: refusing(429, "7200"),
    expected: { ...answered(429), waits: [2 * hour, 2 * hour + 1] },
  },
  {
    name: "429 with Retry-After as a date",
    receiver: refusing(429, inAnHour),
    expected: { ...answered(429), waits: [hour - 10 * minute, hour + 1] },
  },
  {
    name: "429 with a Retry-After that is earlier than the schedule",
    receiver: refusing(429, "1"),
    expected: answered(429),
  },
  {
    name: "503 with a Retry-After beyond ten hours",
    receiver: refusing(503, "999999"),
    expected: { ...answered(503), waits: [10 * hour, 10 * hour + 1] },
  },
  { name: "500 with Retry-After, which says nothing there", receiver: refusing(500, "7200"), expected: answered(500) },
  {
    name: "410",
    receiver: { answer: 410 },
    expected: { ...answered(410), status: "FAILED", webhook: "DISABLED" },
  },
  {
    name: "a reset",
    receiver: { answer: "reset" },
    expected: { ...retried, errorClass: "reset", phases: "lookup connect send wait" },
  },
  {
    name: "a reset in the middle of the answer",
    receiver: { answer: "cut" },
    expected: { ...retried, answered: 200, errorClass: "reset", phases: exchanged },
  },
  {
    name: "a hanging receiver",
    receiver: { answer: "hang" },
    expected: { ...retried, errorClass: "timeout", phases: "lookup connect send wait", takes: [14.9, 30] },
  },
  {
    name: "a body that never ends",
    receiver: { answer: { drip: "x", pauseMs: 500 } },
    expected: { ...retried, answered: 200, errorClass: "timeout", phases: exchanged, takes: [14.9, 30] },
  },
  {
    name: "what is no HTTP",
    receiver: { answer: { raw: "SSH-2.0-OpenSSH_9.2\r\n" } },
    expected: { ...retried, errorClass: "protocol", phases: "lookup connect send wait" },
  },
  {
    name: "a redirect to loopback",
    receiver: { answer: { redirect: `http://127.0.0.1:${canaryPort}/` } },
    expected: { ...retried, answered: 302, errorClass: "redirect", phases: exchanged },
  },
  { name: "a self-signed certificate", receiver: { tls: "self-signed" }, expected: badCertificate },
  { name: "a certificate for another name", receiver: { tls: "wrong-name" }, expected: badCertificate },
  { name: "an expired certificate", receiver: { tls: "expired" }, expected: badCertificate },
  {
    name: "http where TLS is wanted",
    url: ({ port }) => `https://127.0.0.1:${port}/`,
    expected: badCertificate,
  },
  {
    name: "a name that is not there",
    url: `http://${"a".repeat(64)}.example/`,
    expected: { ...retried, errorClass: "dns", phases: "" },
  },
  {
    name: "a port without a listener",
    url: "http://127.0.0.1:1/",
    expected: { ...retried, errorClass: "connect", phases: "lookup" },
  },
  {
    name: "a name of this machine, where private addresses are closed",
    server: strict,
    url: `http://localhost:${canaryPort}/`,
    expected: {
      status: "FAILED",
      errorClass: "blocked",
      lastError: /^blocked: one of the addresses of its name is refused: it is a loopback address$/,
      phases: "",
    },
  },
  {
    name: "a redirect from outside to loopback, where private addresses are closed",
    server: strict,
    receiver: { host: "127.0.0.2", answer: { redirect: `http://localhost:${canaryPort}/`, status: 307 } },
    expected: { ...retried, answered: 307, errorClass: "redirect", phases: exchanged },
  },
];

const clients = new Map<TestServer, WebhookCalls>();
for (const server of [open, strict]) clients.set(server, webhookCalls(server.url, await server.onboard("ALL")));

/** One event, and a webhook for each case. */
const made = new Map<Case, { readonly webhookId: string; readonly receiver: Receiver }>();
for (const testCase of cases) {
  const receiver = await startReceiver(testCase.receiver);
  atEnd(() => receiver.close());
  const url = typeof testCase.url === "function" ? testCase.url(receiver) : (testCase.url ?? `${receiver.url}/hook`);
  const calls = clients.get(testCase.server ?? open) as WebhookCalls;
  made.set(testCase, { webhookId: (await calls.create({ url, topicName: "*" })).webhookId, receiver });
}
for (const server of [open, strict]) await tellEvents(server, "ALL", ["O-1"]);

async function read<T>(calls: WebhookCalls, path: string): Promise<T> {
  const { status, body } = await calls.call("GET", path);
  assert.equal(status, 200, JSON.stringify(body));
  return body as T;
}

async function settled(calls: WebhookCalls, webhookId: string): Promise<Delivery> {
  const listed = async () => (await read<{ items: Delivery[] }>(calls, `/webhook/deliveries/${webhookId}`)).items[0];
  await until("an attempt has ended", async () => !["PENDING", undefined].includes((await listed())?.status), 60_000);
  return read(calls, `/webhook/delivery/${(await listed())?.deliveryId}`);
}

const secondsBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1_000;

for (const testCase of cases) {
  test(`${testCase.name}: ${testCase.expected.status}, and the log says why`, async () => {
    const { expected } = testCase;
    const calls = clients.get(testCase.server ?? open) as WebhookCalls;
    const { webhookId, receiver } = made.get(testCase) as NonNullable<ReturnType<typeof made.get>>;
    const { exchanges, ...delivery } = await settled(calls, webhookId);
    const [exchange, ...more] = exchanges;
    assert.ok(exchange && more.length === 0, "one attempt");
    assert.deepEqual([delivery.status, delivery.tries, exchange.state], [expected.status, 1, "ENDED"]);
    assert.equal(exchange.status, expected.answered ?? null);
    assert.equal(exchange.errorClass, expected.errorClass ?? null, delivery.lastError ?? "");
    const phases = Object.entries(exchange.phases).filter(([, ms]) => ms !== null);
    assert.equal(phases.map(([name]) => name).join(" "), expected.phases ?? "");
    // Sooner than the timeout of a hanging receiver.
    const [least, most] = expected.takes ?? [0, 14];
    const seconds = exchange.durationMs / 1_000;
    assert.ok(seconds >= least && seconds <= most, `it took ${seconds} s`);
    assert.equal(exchange.address, phases.length > 0 ? (testCase.receiver?.host ?? "127.0.0.1") : null);

    if (expected.waits === undefined || expected.status === "FAILED") assert.equal(delivery.nextTryAt, null);
    else {
      const waits = secondsBetween(exchange.endedAt, delivery.nextTryAt ?? "");
      assert.ok(waits >= expected.waits[0] && waits <= expected.waits[1], `next try after ${waits} s`);
    }
    assert.equal(delivery.endedAt !== null, expected.status !== "RETRYING");
    if (expected.errorClass === undefined) assert.equal(delivery.lastError, null);
    else assert.match(delivery.lastError ?? "", expected.lastError ?? new RegExp(`^${expected.errorClass}: .`));

    const webhook = await read<{ status: string; health: { consecutiveFailures: number; pending: number } }>(
      calls,
      `/webhook/get/${webhookId}`,
    );
    assert.equal(webhook.status, expected.webhook ?? "ACTIVE");
    assert.equal(webhook.health.pending, expected.status === "RETRYING" ? 1 : 0);
    assert.equal(webhook.health.consecutiveFailures, expected.status === "DELIVERED" ? 0 : 1);
    const isReached = (expected.phases ?? "").includes("send");
    assert.equal(receiver.requests.length, isReached ? 1 : 0);
    assert.equal(songs, 0, "the canary was connected to");
  });
}

test("a test of each says the same of it as the log, and writes nothing there", async () => {
  for (const testCase of cases.filter(({ expected }) => expected.takes === undefined)) {
    const calls = clients.get(testCase.server ?? open) as WebhookCalls;
    const { webhookId } = made.get(testCase) as NonNullable<ReturnType<typeof made.get>>;
    const { status, body } = await calls.call("POST", `/webhook/test/${webhookId}`);
    assert.equal(status, 200, JSON.stringify(body));
    const exchange = body.exchange as Try;
    assert.deepEqual(
      [body.isDelivered, exchange.status, exchange.errorClass],
      [
        testCase.expected.errorClass === undefined,
        testCase.expected.answered ?? null,
        testCase.expected.errorClass ?? null,
      ],
      testCase.name,
    );
    const { items } = await read<{ items: Delivery[] }>(calls, `/webhook/deliveries/${webhookId}`);
    assert.equal(items.length, 1);
  }
  assert.equal(songs, 0, "the canary was connected to");
});

test("no URL that names an address of this machine or its network is taken, and none that was taken before is connected to", async () => {
  const calls = clients.get(strict) as WebhookCalls;
  const urls = [...hostileHosts.map((host) => `http://${host}:${canaryPort}/`), ...hostileUrls(canaryPort)];
  assert.ok(new Set(urls).size >= 300, String(new Set(urls).size));
  let refused = 0;
  for (const url of new Set(urls)) {
    const { status, body } = await calls.call("POST", "/webhook/create", { ...newWebhook("ALL"), url });
    if (status === 201) {
      // A host that no parser reads as an address is a name: its address is checked at the time of connection.
      assert.doesNotMatch(new URL(url).hostname, /^(\[|[\d.]+$)/, url);
      assert.equal((await calls.call("DELETE", `/webhook/delete/${body.webhookId}`)).status, 204);
      continue;
    }
    assert.ok(status === 400 || status === 422, `${url}: ${status}`);
    assert.deepEqual(pointersOf({ body }), ["#/url"], url);
    refused++;
  }
  assert.ok(refused >= 300, String(refused));
  // The URL was saved when it was permitted, or an attacker with access to the store wrote it.
  const { webhookId } = await calls.create({ topicName: "parcel:*" });
  await strict.rows("update webhook set url = $1 where webhook_id = $2", `http://127.0.0.1:${canaryPort}/`, webhookId);
  await tellEvents(strict, "ALL", ["O-2"], "parcel:load");
  const { status, exchanges } = await settled(calls, webhookId);
  assert.deepEqual([status, exchanges[0]?.errorClass], ["FAILED", "blocked"]);
  assert.equal(songs, 0, "the canary was connected to");
});

test("metadata addresses are refused where private ones are allowed, at create and after a patch", async () => {
  const calls = clients.get(open) as WebhookCalls;
  const { webhookId } = await calls.create();
  for (const host of [
    "169.254.169.254",
    "0xa9fea9fe",
    "2852039166",
    "[::ffff:a9fe:a9fe]",
    "[fd00:ec2::254]",
    "100.100.100.200",
  ]) {
    const url = `http://${host}/latest/meta-data/`;
    assert.equal((await calls.call("POST", "/webhook/create", { ...newWebhook("ALL"), url })).status, 422, url);
    assert.equal((await calls.call("PATCH", `/webhook/patch/${webhookId}`, { url })).status, 422, url);
  }
});
