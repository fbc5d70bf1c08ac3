// outbound.md, Delivery: pushed feeds as a receiver sees them, together with the other channels.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { atEnd } from "../../support/app/at-end.ts";
import { type TestClient, testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { type ReceivedRequest, type Receiver, startReceiver } from "../../support/http/receiver.ts";
import { startMailSink } from "../../support/mail/sink.ts";
import { setWaysOf, tellStatuses } from "../../support/webhooks/outbound-channels.ts";
import { fetchXml, list, post } from "../../support/webhooks/outbound-list.ts";
import { webhookDesk } from "../../support/webhooks/webhooks.ts";

const sink = await startMailSink();
const server = await testServer({
  CROSSDOCK_WEBHOOK_RETRY_SCHEDULE: "0.2,0.3,1",
  CROSSDOCK_SMTP_URL: sink.url,
  CROSSDOCK_MAIL_FROM: "alerts@crossdock.example",
});

async function newReceiver(): Promise<Receiver> {
  const receiver = await startReceiver();
  atEnd(() => receiver.close());
  return receiver;
}

let clients = 0;
async function newClient(settings?: Record<string, string>) {
  const clientId = `FEED${++clients}`;
  const client = await server.onboard(clientId, settings ? { settings } : {});
  return { client, clientId, receiver: await newReceiver() };
}

const messageIdOf = ({ headers }: ReceivedRequest) => String(headers["webhook-id"]);
const orderIdOf = ({ body }: ReceivedRequest) => /<orderId>([^<]*)</.exec(body.toString())?.[1];

/** Verifies with the code in docs/outbound.md. */
async function isSignedAsDocumented(secret: string, { headers, body }: ReceivedRequest): Promise<boolean> {
  const page = readFileSync(new URL("../../../docs/outbound.md", import.meta.url), "utf8");
  const source = stripTypeScriptTypes(/^```ts run-by: .+\n([\s\S]*?)^```$/m.exec(page)?.[1] ?? "");
  const { isSigned } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
  return isSigned(secret, headers, body);
}

interface DeliveryRow {
  readonly delivery_id: string;
  readonly object_id: string;
  readonly event_id: string;
  readonly status: string;
  readonly webhook_id: string;
}

const deliveriesOf = (clientId: string) =>
  server.rows<DeliveryRow>(
    `select delivery_id, object_id, event_id, status, webhook_id from webhook_delivery where client_id = $1
      order by delivery_id`,
    clientId,
  );

async function untilAll(clientId: string, count: number, status = "DELIVERED"): Promise<void> {
  await until(`${count} deliveries are ${status}`, async () => {
    const rows = await deliveriesOf(clientId);
    return rows.length === count && rows.every((row) => row.status === status);
  });
}

const listed = async (client: TestClient) => (await list(client)).items.map(({ objectId }) => objectId);

test("a document is pushed within a second, signed, with the client's headers and the bytes that are fetched", async () => {
  const { client, clientId, receiver } = await newClient();
  const push = { push: `${receiver.url}/feeds/os?x=1`, headers: { Authorization: "Bearer abc", "X-Brand": "one" } };
  const { signingSecret, push: set } = await setWaysOf(server, clientId, "OS", push);
  assert.match(signingSecret ?? "", /^whsec_/);
  assert.equal(set?.status, "ACTIVE");
  // Concurrent calls that wait for nothing measure how busy the machine is: the limit grows by twenty times the slowest
  // of them.
  let listingMs = 0;
  const isPushed = async () => {
    const beganMs = performance.now();
    await list(client);
    listingMs = Math.max(listingMs, performance.now() - beganMs);
    return receiver.requests.length > 0;
  };
  const emittedMs = Date.now();
  const [, request] = await Promise.all([
    tellStatuses(server, clientId, ["O-1"]),
    until("the push", isPushed).then(() => receiver.requests[0] as ReceivedRequest),
  ]);
  const msMax = 1_000 + 20 * listingMs;
  assert.ok(request.atMs - emittedMs < msMax, `${request.atMs - emittedMs} ms, of ${msMax}`);
  assert.equal(request.path, "/feeds/os?x=1");
  assert.equal(request.headers["content-type"], "application/xml; charset=utf-8");
  assert.equal(request.headers.authorization, "Bearer abc");
  assert.equal(request.headers["x-brand"], "one");
  assert.equal(request.headers["crossdock-sequence"], "1");
  // The library parses the verified body as JSON: a SyntaxError proves that it has verified the XML body.
  const verify = (secret: string) =>
    new Webhook(secret).verify(request.body.toString(), request.headers as Record<string, string>);
  assert.throws(() => verify(signingSecret as string), SyntaxError);
  const others = `whsec_${Buffer.alloc(32).toString("base64")}`;
  assert.throws(() => verify(others), /No matching signature/);
  assert.equal(await isSignedAsDocumented(signingSecret as string, request), true);
  assert.equal(await isSignedAsDocumented(others, request), false);
  const messageId = messageIdOf(request);
  assert.equal(request.body.toString(), await fetchXml(client, messageId));
  assert.match(request.body.toString(), new RegExp(`<messageId>${messageId}<`));
  assert.deepEqual(await listed(client), [], "it is pushed and not pulled");
  await untilAll(clientId, 1);
});

test("documents of each object arrive in order despite failures, and each has one delivery", async () => {
  const { clientId, receiver } = await newClient();
  const failed = new Set<string>();
  receiver.answer = (request) => {
    const isFirst = !failed.has(messageIdOf(request));
    failed.add(messageIdOf(request));
    return isFirst && Number(orderIdOf(request)?.slice(2)) % 3 === 0 ? 500 : 200;
  };
  await setWaysOf(server, clientId, "OS", { push: receiver.url });
  const orderIds = Array.from({ length: 9 }, (_, i) => `O-${i}`);
  for (let i = 0; i < 3; i++) await tellStatuses(server, clientId, orderIds);
  await untilAll(clientId, 27);
  assert.ok(receiver.togetherMax <= 4);
  assert.equal(receiver.requests.length, 27 + 9);
  const documents = await server.rows<{ message_id: string; object_id: string }>(
    "select message_id, object_id from outbound_document where client_id = $1 order by list_position",
    clientId,
  );
  for (const orderId of orderIds) {
    const pushed = receiver.requests.filter((request) => orderIdOf(request) === orderId);
    assert.deepEqual(
      [...new Set(pushed.map(messageIdOf))],
      documents.filter(({ object_id }) => object_id === orderId).map(({ message_id }) => message_id),
    );
    const bytes = new Map(pushed.map((request) => [messageIdOf(request), request.body.toString()]));
    for (const request of pushed) assert.equal(bytes.get(messageIdOf(request)), request.body.toString());
  }
});

test("a type may be pulled and pushed at once, independently of each other and of other types", async () => {
  const { client, clientId, receiver } = await newClient();
  await setWaysOf(server, clientId, "OS", { push: receiver.url, pull: true });
  await tellStatuses(server, clientId, ["O-1"]);
  await untilAll(clientId, 1);
  const { items } = await list(client);
  assert.deepEqual(
    items.map(({ messageId }) => messageId),
    receiver.requests.map(messageIdOf),
  );
  await post(client, `${items[0]?.messageId}/ack`);
  assert.deepEqual(await listed(client), []);

  await setWaysOf(server, clientId, "OS", { push: receiver.url, sftp: true });
  await tellStatuses(server, clientId, ["O-2"]);
  await untilAll(clientId, 2);
  const marks = await server.rows<{ object_id: string; is_http: boolean; is_sftp: boolean }>(
    "select object_id, is_http, is_sftp from outbound_document where client_id = $1 order by list_position",
    clientId,
  );
  assert.deepEqual(marks, [
    { object_id: "O-1", is_http: true, is_sftp: false },
    { object_id: "O-2", is_http: false, is_sftp: true },
  ]);
  const answer = await post(client, "request", { type: "INV", distributionCentre: "DC1" });
  assert.equal(answer.status, 202);
  await until("INV and IMS wait to be pulled", async () => (await list(client)).items.length === 2);
  assert.equal(receiver.requests.length, 2);
});

test("a push that is left out sends nothing more, and what waited for it is never sent", async () => {
  const { client, clientId, receiver } = await newClient();
  receiver.answer = 500;
  await setWaysOf(server, clientId, "OS", { push: receiver.url });
  await tellStatuses(server, clientId, ["O-1", "O-1"]);
  await receiver.waitFor(1);
  await setWaysOf(server, clientId, "OS", { pull: true });
  await untilAll(clientId, 2, "FAILED");
  receiver.answer = 200;
  await tellStatuses(server, clientId, ["O-2"]);
  await until("the next one is pulled", async () => (await listed(client)).join() === "O-2");
  // An attempt that was running when the push was removed has arrived by now.
  const count = receiver.requests.length;
  await sleep(700);
  assert.equal(receiver.requests.length, count);
  assert.deepEqual([...new Set(receiver.requests.map(orderIdOf))], ["O-1"]);
  assert.equal((await deliveriesOf(clientId)).length, 2);
  assert.deepEqual(await server.rows("select from webhook_lane where client_id = $1", clientId), []);
});

test("a resent document uses every delivery method of its type, under its own id", async () => {
  const { client, clientId, receiver } = await newClient();
  await setWaysOf(server, clientId, "OS", { push: receiver.url, pull: true, sftp: true });
  await tellStatuses(server, clientId, ["O-1"]);
  await untilAll(clientId, 1);
  const messageId = messageIdOf(receiver.requests[0] as ReceivedRequest);
  await post(client, `${messageId}/ack`);
  await server.rows("update outbound_document set collected_at = '2026-01-01', read_at = '2026-01-01'");
  assert.equal((await post(client, `${messageId}/resend`)).status, 204);
  await untilAll(clientId, 2);
  const [first, second] = receiver.requests as [ReceivedRequest, ReceivedRequest];
  assert.equal(messageIdOf(second), messageId);
  assert.ok(first.body.equals(second.body));
  assert.equal(second.headers["crossdock-sequence"], "2");
  assert.deepEqual(await listed(client), ["O-1"]);
  const [row] = await server.rows<{ collected_at: string | null; read_at: string | null }>(
    "select collected_at, read_at from outbound_document where client_id = $1",
    clientId,
  );
  assert.deepEqual(row, { collected_at: null, read_at: null });

  // By the current channels: the document stays pending in the list, and is not pushed again.
  await setWaysOf(server, clientId, "OS", { sftp: true });
  await post(client, `${messageId}/resend`);
  assert.deepEqual(await listed(client), ["O-1"]);
  assert.equal((await deliveriesOf(clientId)).length, 2);
  assert.equal((await post(client, "019a4c2e-8f00-7abc-8def-0123456789ab/resend")).status, 404);
});

test("INV and IMS are pushed part by part to separate addresses", async () => {
  const { client, clientId, receiver } = await newClient();
  const other = await newReceiver();
  await setWaysOf(server, clientId, "INV", { push: receiver.url });
  await setWaysOf(server, clientId, "IMS", { push: other.url });
  const answer = await post(client, "request", { type: "INV", distributionCentre: "DC1" });
  const { messageId } = (await answer.json()) as { messageId: string };
  await Promise.all([receiver.waitFor(1), other.waitFor(1)]);
  const [inv] = receiver.requests as [ReceivedRequest];
  assert.equal(messageIdOf(inv), messageId);
  assert.equal(inv.body.toString(), await fetchXml(client, messageId));
  assert.match(inv.body.toString(), /<inventorySnapshot /);
  assert.match(other.requests[0]?.body.toString() ?? "", /<inventoryMovementStatement /);
});

test("the addresses of the client's setting get the feed of a failed push and how to send it again", async () => {
  const { client, clientId, receiver } = await newClient({ outboundEmailList: "before@example.com" });
  receiver.answer = 500;
  await setWaysOf(server, clientId, "OS", { push: `${receiver.url}/os?token=hush`, headers: { "X-Key": "hush-hush" } });
  await client.set({ outboundEmailList: "ops@example.com,boss@example.com" });
  await tellStatuses(server, clientId, ["O-1"]);
  const mails = () =>
    server.rows<{ address: string }>("select address from alert_mail where client_id = $1 order by 1", clientId);
  await until("the failure is notified", async () => (await mails()).length > 0);
  assert.deepEqual(
    (await mails()).map(({ address }) => address),
    ["boss@example.com", "ops@example.com"],
  );
  await server.rows("update alert_mail set due_at = '2026-01-01' where client_id = $1", clientId);
  for (const { headers, text, html } of await sink.arrived(2)) {
    assert.equal(headers.get("subject"), `[Crossdock] ${clientId}: push of outbound feed OS is failing`);
    assert.match(text, /Push of outbound feed OS is failing\nDocuments wait/);
    assert.match(text, /Documents waiting: 1 /);
    assert.match(text, new RegExp(`crossdock outbound show ${clientId}\n`));
    assert.match(text, new RegExp(`POST /feeds/${clientId}/outbound/\\{messageId\\}/resend`));
    assert.match(text, new RegExp(`crossdock webhook replay DELIVERY_ID --client ${clientId}`));
    for (const body of [text, html]) assert.doesNotMatch(body, /hush|webhookService|undefined/);
  }
});

test("a push whose receiver is gone is disabled; set again it is active, with its secret and headers", async () => {
  const { clientId, receiver } = await newClient();
  const first = await setWaysOf(server, clientId, "OS", { push: receiver.url, headers: { "X-Brand": "one" } });
  receiver.answer = 410;
  await tellStatuses(server, clientId, ["O-1"]);
  const statusOf = async () =>
    (await server.rows<{ status: string }>("select status from webhook where client_id = $1", clientId))[0]?.status;
  await until("DISABLED", async () => (await statusOf()) === "DISABLED");
  await tellStatuses(server, clientId, ["O-2"]);
  await until("SKIPPED", async () => (await deliveriesOf(clientId))[1]?.status === "SKIPPED");
  assert.equal(receiver.requests.length, 1);

  receiver.answer = 200;
  const again = await setWaysOf(server, clientId, "OS", { push: receiver.url });
  assert.equal(again.signingSecret, undefined);
  assert.equal(again.push?.webhookId, first.push?.webhookId);
  assert.equal(await statusOf(), "ACTIVE");
  await tellStatuses(server, clientId, ["O-3"]);
  await receiver.waitFor(2);
  const [, third] = receiver.requests as [ReceivedRequest, ReceivedRequest];
  assert.equal(orderIdOf(third), "O-3");
  assert.equal(third.headers["x-brand"], "one");
  const verify = (secret: string | undefined, { body, headers }: ReceivedRequest) =>
    assert.throws(
      () => new Webhook(secret as string).verify(body.toString(), headers as Record<string, string>),
      SyntaxError,
    );
  verify(first.signingSecret, third);

  // A new secret signs in addition to the previous one; another address does not get the headers of this one.
  const rotated = await setWaysOf(server, clientId, "OS", { push: receiver.url, isSecretNew: true });
  await tellStatuses(server, clientId, ["O-4"]);
  await receiver.waitFor(3);
  for (const secret of [first.signingSecret, rotated.signingSecret])
    verify(secret, receiver.requests[2] as ReceivedRequest);
  const other = await newReceiver();
  const moved = await setWaysOf(server, clientId, "OS", { push: other.url, headers: { "X-Other": "two" } });
  assert.equal(moved.signingSecret, undefined);
  await tellStatuses(server, clientId, ["O-5"]);
  await other.waitFor(1);
  const { headers } = other.requests[0] as ReceivedRequest;
  assert.deepEqual([headers["x-brand"], headers["x-other"]], [undefined, "two"]);
  const audit = await server.rows<{ detail: Record<string, unknown> }>(
    "select detail from audit_log where client_id = $1 and action = 'setWays' order by audit_id",
    clientId,
  );
  assert.deepEqual(
    audit.map(({ detail }) => detail.changed),
    [undefined, ["status"], ["signingSecret"], ["url", "headers"]],
  );
  assert.doesNotMatch(JSON.stringify(audit), /127\.0\.0\.1|one|two|whsec/);
});

test("what waits for a push that fails goes to the address that it is set to next", async () => {
  const { clientId, receiver } = await newClient();
  receiver.answer = 500;
  await setWaysOf(server, clientId, "OS", { push: receiver.url });
  await tellStatuses(server, clientId, ["O-1", "O-1", "O-2"]);
  const isFailing = async () =>
    (await server.rows("select from webhook where client_id = $1 and status = 'FAILING'", clientId)).length === 1;
  await until("FAILING", isFailing);
  const other = await newReceiver();
  const { push } = await setWaysOf(server, clientId, "OS", { push: other.url });
  assert.equal(push?.status, "ACTIVE");
  await untilAll(clientId, 3);
  assert.deepEqual(other.requests.map(orderIdOf).toSorted(), ["O-1", "O-1", "O-2"]);
  const first = receiver.requests.map(messageIdOf);
  assert.ok(other.requests.some((request) => first.includes(messageIdOf(request))));
});

test("the Webhook service neither shows a push nor touches it", async () => {
  const { client, clientId, receiver } = await newClient();
  const { push } = await setWaysOf(server, clientId, "OS", { push: receiver.url });
  await tellStatuses(server, clientId, ["O-1"]);
  await untilAll(clientId, 1);
  const [delivery] = await deliveriesOf(clientId);
  const id = push?.webhookId as string;
  const handleReport = await webhookDesk(server, client);
  const since = new Date(Date.now() - 60_000).toISOString();
  const calls: readonly (readonly [method: string, path: string, body?: object])[] = [
    ["GET", `webhook/get/${id}`],
    ["PATCH", `webhook/patch/${id}`, { isPaused: 1 }],
    ["DELETE", `webhook/delete/${id}`],
    ["POST", `webhook/rotateSecret/${id}`],
    ["POST", `webhook/test/${id}`],
    ["GET", `webhook/deliveries/${id}`],
    ["POST", `webhook/recover/${id}`, { since, onlyFailed: false }],
    ["GET", `webhook/delivery/${delivery?.delivery_id}`],
    ["POST", `webhook/redeliver/${delivery?.delivery_id}`],
  ];
  for (const [method, path, body] of calls) {
    const answer = await handleReport.call(method, path, body);
    assert.equal(answer.status, 404, `${method} ${path}: ${answer.bytes}`);
  }
  const page = (await handleReport.call("GET", "webhook/list")).body as { items: unknown[] };
  assert.deepEqual(page.items, []);
  await tellStatuses(server, clientId, ["O-2"]);
  await untilAll(clientId, 2);
  assert.equal(receiver.requests.length, 2);
});
