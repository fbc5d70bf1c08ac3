import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { Webhook } from "standardwebhooks";
import { NameError } from "#/delivery/webhooks/sending/answer.ts";
import { createSender, type SenderOptions, type Target } from "#/delivery/webhooks/sending/sender.ts";
import { systemClock } from "#/kernel/clock.ts";
import { atEnd } from "../../../../tests/support/app/at-end.ts";
import { type ReceiverOptions, startReceiver } from "../../../../tests/support/http/receiver.ts";

const secret = `whsec_${randomBytes(32).toString("base64")}`;
const body = '{"id":"evt_1","data":{"text":"Grüße, 世界"}}';
const message = { id: "evt_1", body, sequence: 7 };

const targetOf = (url: string, more: Partial<Target> = {}): Target => ({
  url,
  contentType: "application/json",
  headers: {},
  secrets: [secret],
  ...more,
});

async function receiverOf(options: ReceiverOptions = {}) {
  const receiver = await startReceiver(options);
  atEnd(() => receiver.close());
  return receiver;
}

function senderOf(options: Partial<SenderOptions> = {}) {
  const sender = createSender({ policy: { allowPrivate: true, privateTargets: [] }, clock: systemClock, ...options });
  atEnd(() => sender.close());
  return sender;
}

const sender = senderOf();
const impatient = senderOf({ wholeMsMax: 300, connectMsMax: 200 });

test("a push is a POST of the stored bytes, with a signature that other libraries verify", async () => {
  const receiver = await receiverOf({ answer: { status: 201, headers: { "x-trace": "t-1" }, body: "thanks" } });
  const target = targetOf(`${receiver.url}/hooks/a%20b?x=1&y=%C3%BC#part`, {
    headers: { Authorization: "Bearer abc" },
  });
  const result = await sender.send(target, message);
  assert.deepEqual(result.outcome, { kind: "answered", status: 201 });
  assert.equal(result.status, 201);
  assert.equal(result.errorClass, undefined);
  assert.equal(result.address, "127.0.0.1");
  assert.equal(result.headers["x-trace"], "t-1");
  assert.equal(result.body.toString(), "thanks");
  assert.ok(result.endedAtMs >= result.startedAtMs);
  const [request] = receiver.requests;
  assert.equal(request?.method, "POST");
  assert.equal(request?.path, "/hooks/a%20b?x=1&y=%C3%BC");
  assert.deepEqual(request?.body, Buffer.from(body));
  const { headers } = request ?? assert.fail();
  assert.equal(headers["content-type"], "application/json");
  assert.equal(headers["content-length"], String(Buffer.byteLength(body)));
  assert.equal(headers.authorization, "Bearer abc");
  assert.match(headers["user-agent"] ?? "", /^Crossdock\/\d+\.\d+\.\d+/);
  assert.equal(headers["crossdock-sequence"], "7");
  assert.equal(headers["accept-encoding"], undefined);
  assert.equal(headers["webhook-timestamp"], String(Math.floor(result.startedAtMs / 1_000)));
  assert.deepEqual(new Webhook(secret).verify(request.body, headers as Record<string, string>), JSON.parse(body));
});

test("during a rotation the receiver can verify with the old secret and with the new one", async () => {
  const receiver = await receiverOf();
  const older = `whsec_${randomBytes(32).toString("base64")}`;
  await sender.send(targetOf(receiver.url, { secrets: [secret, older] }), { ...message, sequence: undefined });
  const [request] = receiver.requests;
  const headers = request?.headers as Record<string, string>;
  for (const key of [secret, older]) new Webhook(key).verify(request?.body ?? "", headers);
  assert.equal(headers["crossdock-sequence"], undefined);
});

test("a subscription's headers do not get past those of the push", async () => {
  const receiver = await receiverOf();
  const headers = {
    "Webhook-Signature": "v1,forged",
    "webhook-id": "evt_2",
    "WEBHOOK-TIMESTAMP": "1",
    "Crossdock-Sequence": "99",
    "Content-Type": "text/html",
    "Content-Length": "1",
    "Content-Encoding": "gzip",
    Host: "elsewhere.example",
    Connection: "close",
    "Transfer-Encoding": "chunked",
    TE: "trailers",
    "Proxy-Authorization": "x",
    Expect: "x",
    "X-Own": "kept",
    "user-agent": "their own",
  };
  await sender.send(targetOf(receiver.url, { contentType: "text/plain; charset=utf-8", headers }), message);
  const [request] = receiver.requests;
  const names = request?.rawHeaders.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
  assert.deepEqual(
    names?.sort(),
    [
      ...["connection", "content-length", "content-type", "crossdock-sequence", "host", "user-agent"],
      ...["webhook-id", "webhook-signature", "webhook-timestamp", "x-own"],
    ].sort(),
  );
  assert.equal(request?.headers["content-type"], "text/plain; charset=utf-8");
  assert.equal(request?.headers.host, `127.0.0.1:${receiver.port}`);
  assert.equal(request?.headers["webhook-id"], "evt_1");
  assert.equal(request?.headers["crossdock-sequence"], "7");
  assert.equal(request?.headers.connection, "keep-alive");
  assert.equal(request?.headers["x-own"], "kept");
  assert.equal(request?.headers["user-agent"], "their own");
});

test("an answer other than 2xx is a failure of its class, with its status, headers and body", async () => {
  const receiver = await receiverOf();
  for (const status of [200, 202, 204, 299, 400, 401, 404, 410, 500, 503, 599]) {
    receiver.answer = { status, body: status === 204 ? "" : `said ${status}` };
    const result = await sender.send(targetOf(receiver.url), message);
    assert.deepEqual(result.outcome, { kind: "answered", status });
    assert.equal(result.errorClass, status < 300 ? undefined : "status");
    assert.equal(result.detail, status < 300 ? undefined : `status ${status}`);
    assert.equal(result.body.toString(), status === 204 ? "" : `said ${status}`);
  }
});

test("a redirect is not followed, and is its own class", async () => {
  const elsewhere = await receiverOf();
  const receiver = await receiverOf();
  for (const status of [300, 301, 302, 303, 304, 307, 308]) {
    receiver.answer = { redirect: `${elsewhere.url}/`, status };
    const result = await sender.send(targetOf(receiver.url), message);
    assert.deepEqual(result.outcome, { kind: "answered", status });
    assert.equal(result.errorClass, "redirect");
  }
  assert.equal(elsewhere.connections, 0);
});

test("Retry-After is read, in seconds and as a date", async () => {
  const receiver = await receiverOf();
  const clock = { now: () => Date.parse("2026-11-20T10:00:00Z") };
  const timed = senderOf({ clock });
  const values = { "120": 120_000, "Fri, 20 Nov 2026 10:01:00 GMT": 60_000, soon: undefined };
  for (const [value, ms] of Object.entries(values)) {
    receiver.answer = { status: 429, headers: { "retry-after": value } };
    const { outcome } = await timed.send(targetOf(receiver.url), message);
    assert.deepEqual(outcome, { kind: "answered", status: 429, ...(ms === undefined ? {} : { retryAfterMs: ms }) });
  }
});

test("one connection serves many pushes, and only the first has the phases of the connection", async () => {
  const receiver = await receiverOf();
  const first = await sender.send(targetOf(receiver.url), message);
  const second = await sender.send(targetOf(receiver.url), message);
  assert.equal(receiver.connections, 1);
  assert.deepEqual(Object.keys(first.phases), ["lookup", "connect", "send", "wait", "receive"]);
  assert.deepEqual(Object.keys(second.phases), ["send", "wait", "receive"]);
  assert.equal(second.address, "127.0.0.1");
  receiver.answer = { status: 200, delayMs: 60 };
  const { phases } = await sender.send(targetOf(receiver.url), message);
  assert.ok((phases.wait as number) >= 50, JSON.stringify(phases));
  receiver.breakConnections();
});

test("a connection that the receiver has closed is not used again", async () => {
  const receiver = await receiverOf();
  for (let count = 1; count <= 5; count++) {
    const result = await sender.send(targetOf(receiver.url), message);
    assert.equal(result.status, 200);
    assert.equal(receiver.connections, count);
    receiver.breakConnections();
    await new Promise((resolve) => setTimeout(resolve, 100));
    // If the machine stalled for that time, the sender has not processed the received events yet.
    for (let turn = 0; turn < 3; turn++) await setImmediate();
  }
});

test("a broken, hanging or non-HTTP answer is a failure of its class", async () => {
  const receiver = await receiverOf();
  const faults = [
    ["reset", "reset"],
    ["cut", "reset"],
    ["hang", "timeout"],
    [{ drip: "x", pauseMs: 20 }, "timeout"],
    [{ raw: "SMTP ready\r\n" }, "protocol"],
    [{ raw: "" }, "reset"],
    [{ raw: "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf" }, "reset"],
    [{ raw: "HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n" }, "protocol"],
    [{ raw: "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n" }, "reset"],
    [{ raw: `HTTP/1.1 200 OK\r\n${`x-long: ${"y".repeat(1_000)}\r\n`.repeat(40)}\r\n` }, "protocol"],
  ] as const;
  for (const [answer, errorClass] of faults) {
    receiver.answer = answer;
    // A broken connection does not depend on time: on a slow machine it takes longer than the impatient sender waits.
    const result = await (errorClass === "timeout" ? impatient : sender).send(targetOf(receiver.url), message);
    const shown = JSON.stringify(answer).slice(0, 80);
    assert.equal(result.errorClass, errorClass, `${shown}: ${result.detail}`);
    assert.deepEqual(result.outcome, { kind: "failed" }, shown);
    assert.ok(result.detail, shown);
    assert.ok(result.endedAtMs - result.startedAtMs < 10_000, shown);
  }
  receiver.answer = "cut";
  const cut = await sender.send(targetOf(receiver.url), message);
  assert.equal(cut.status, 200);
  assert.equal(cut.body.toString(), "half of");
});

test("an interim answer (1xx) is ignored", async () => {
  const receiver = await receiverOf({
    answer: {
      raw: "HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\nHTTP/1.1 202 Accepted\r\ncontent-length: 2\r\n\r\nok",
    },
  });
  const result = await sender.send(targetOf(receiver.url), message);
  assert.equal(result.status, 202);
  assert.equal(result.headers.link, undefined);
  assert.equal(result.body.toString(), "ok");
});

test("the first 8 KiB of a long answer are kept; an endless answer closes the connection but stays a success", async () => {
  const receiver = await receiverOf({ answer: { status: 200, body: "z".repeat(50_000) } });
  const long = await sender.send(targetOf(receiver.url), message);
  assert.equal(long.status, 200);
  assert.equal(long.body.length, 8_192);
  await sender.send(targetOf(receiver.url), message);
  assert.equal(receiver.connections, 1);
  receiver.answer = { drip: "z".repeat(20_000), pauseMs: 1 };
  const endless = await sender.send(targetOf(receiver.url), message);
  assert.deepEqual(endless.outcome, { kind: "answered", status: 200 });
  assert.equal(endless.body.length, 8_192);
  receiver.answer = 200;
  assert.equal((await sender.send(targetOf(receiver.url), message)).status, 200);
  assert.equal(receiver.connections, 2);
});

test("a compressed answer is stored as received", async () => {
  const packed = gzipSync("0".repeat(1_000_000));
  const receiver = await receiverOf({ answer: { status: 200, headers: { "content-encoding": "gzip" }, body: packed } });
  const result = await sender.send(targetOf(receiver.url), message);
  assert.deepEqual(result.body, packed);
});

test("a port where no one listens is a failure to connect, and names the address", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  const result = await sender.send(targetOf(`http://127.0.0.1:${port}/`), message);
  assert.equal(result.errorClass, "connect");
  assert.match(result.detail ?? "", /ECONNREFUSED/);
  assert.equal(result.address, "127.0.0.1");
  assert.deepEqual(Object.keys(result.phases), ["lookup"]);
});

test("a name without an address is a failure of its look-up", async () => {
  const errors = [new NameError("none"), Object.assign(new Error("getaddrinfo ENOTFOUND x"), { code: "ENOTFOUND" })];
  for (const error of errors) {
    const { errorClass, outcome } = await senderOf({ lookup: () => Promise.reject(error) }).send(
      targetOf("http://nowhere.example/"),
      message,
    );
    assert.equal(errorClass, "dns");
    assert.deepEqual(outcome, { kind: "failed" });
  }
  const none = await senderOf({ lookup: async () => [] }).send(targetOf("http://nowhere.example/"), message);
  assert.equal(none.errorClass, "dns");
});

test("a hanging look-up or handshake ends at the connect time-out, and nothing is sent later", async () => {
  const receiver = await receiverOf();
  const slow = senderOf({
    connectMsMax: 100,
    lookup: () => new Promise((resolve) => setTimeout(() => resolve([{ address: "127.0.0.1", family: 4 }]), 200)),
  });
  const named = await slow.send(targetOf(`http://slow.example:${receiver.port}/`), message);
  assert.equal(named.errorClass, "timeout");
  assert.match(named.detail ?? "", /the name lookup did not end/);
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  await once(silent, "listening");
  atEnd(() => silent.close());
  const { port } = silent.address() as AddressInfo;
  const unsecured = await senderOf({ connectMsMax: 1_000 }).send(targetOf(`https://127.0.0.1:${port}/`), message);
  assert.equal(unsecured.errorClass, "timeout");
  assert.match(unsecured.detail ?? "", /TLS/);
  assert.deepEqual(Object.keys(unsecured.phases), ["lookup", "connect"]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  assert.equal(receiver.connections, 0);
});

test("the first of several addresses that answers is used and reported", async () => {
  const receiver = await receiverOf();
  const addresses = [
    { address: "127.0.0.2", family: 4 },
    { address: "127.0.0.1", family: 4 },
  ];
  const several = senderOf({ lookup: async () => addresses });
  const result = await several.send(targetOf(`http://both.example:${receiver.port}/`), message);
  assert.equal(result.status, 200);
  assert.equal(result.address, "127.0.0.1");
  assert.equal(receiver.requests[0]?.headers.host, `both.example:${receiver.port}`);
});

test("a trusted certificate is accepted, with the duration of the handshake", async () => {
  const receiver = await receiverOf({ tls: "trusted" });
  const result = await sender.send(targetOf(receiver.url), message);
  assert.equal(result.status, 200, String(result.detail));
  assert.deepEqual(Object.keys(result.phases), ["lookup", "connect", "tls", "send", "wait", "receive"]);
  assert.equal((await sender.send(targetOf(`https://127.0.0.1:${receiver.port}/`), message)).status, 200);
  const dotted = senderOf({ lookup: async () => [{ address: "127.0.0.1", family: 4 }] });
  assert.equal((await dotted.send(targetOf(`https://localhost.:${receiver.port}/`), message)).status, 200);
});

test("an unverified certificate is refused before anything of the push is sent", async () => {
  for (const tls of ["self-signed", "wrong-name", "expired"] as const) {
    const receiver = await receiverOf({ tls });
    const result = await sender.send(targetOf(receiver.url), message);
    assert.equal(result.errorClass, "tls", `${tls}: ${result.detail}`);
    assert.deepEqual(result.outcome, { kind: "failed" });
    assert.equal(receiver.requests.length, 0);
  }
  const plain = await receiverOf();
  const spoken = await sender.send(targetOf(`https://127.0.0.1:${plain.port}/`), message);
  assert.equal(spoken.errorClass, "tls", String(spoken.detail));
});

test("headers that HTTP does not allow are a failure, and nothing is sent", async () => {
  const receiver = await receiverOf();
  const targets = [
    targetOf(receiver.url, { headers: { "x-a": "b\r\nx-injected: c" } }),
    targetOf(receiver.url, { headers: { "x a": "b" } }),
    targetOf(receiver.url, { contentType: "application/json\r\nx-injected: c" }),
    targetOf("no url"),
    targetOf(""),
  ];
  for (const target of targets) {
    const result = await sender.send(target, message);
    assert.equal(result.errorClass, "protocol", JSON.stringify(target));
    assert.deepEqual(result.outcome, { kind: "failed" });
  }
  assert.equal(receiver.requests.length, 0);
});

test("a hanging push does not delay another push to the same host", async () => {
  const receiver = await receiverOf({ answer: ({ path }) => (path === "/hangs" ? "hang" : 200) });
  const patient = senderOf({ wholeMsMax: 60_000, connectMsMax: 60_000 });
  let hasEnded = false;
  const hanging = Array.from({ length: 20 }, () =>
    patient.send(targetOf(`${receiver.url}/hangs`), message).finally(() => {
      hasEnded = true;
    }),
  );
  await receiver.waitFor(20);
  const quick = await patient.send(targetOf(`${receiver.url}/quick`), message);
  assert.deepEqual([quick.status, hasEnded], [200, false], "answered while the others hang");
  receiver.breakConnections();
  for (const { errorClass } of await Promise.all(hanging)) assert.equal(errorClass, "reset");
});

test("closing waits for running pushes and refuses new ones", async () => {
  const receiver = await receiverOf({ answer: { status: 200, delayMs: 80 } });
  const closing = createSender({ policy: { allowPrivate: true, privateTargets: [] }, clock: systemClock });
  const inProgress = closing.send(targetOf(receiver.url), message);
  await receiver.waitFor(1);
  await closing.close();
  assert.equal((await inProgress).status, 200);
  await assert.rejects(closing.send(targetOf(receiver.url), message), /closed/);
});

test("closing aborts pushes above the time limit, connected or not", async () => {
  const receiver = await receiverOf({ answer: "hang" });
  const closing = createSender({
    policy: { allowPrivate: true, privateTargets: [] },
    clock: systemClock,
    lookup: () => new Promise(() => {}),
  });
  const inProgress = [
    closing.send(targetOf(receiver.url), message),
    closing.send(targetOf("http://a.example/"), message),
  ];
  await receiver.waitFor(1);
  const startedMs = Date.now();
  await closing.close(50);
  const results = await Promise.all(inProgress);
  assert.ok(Date.now() - startedMs < 10_000);
  assert.deepEqual(
    results.map(({ outcome }) => outcome.kind),
    ["failed", "failed"],
  );
  assert.equal(results[0]?.errorClass, "reset");
});
