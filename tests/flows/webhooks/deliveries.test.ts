// webhooks.md §1: the deliveries of a webhook, with every attempt; manual resend; a test; a pause and what it skips.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { atEnd } from "../../support/app/at-end.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import type { Answer } from "../../support/http/call.ts";
import { type Receiver, startReceiver } from "../../support/http/receiver.ts";
import { pointersOf } from "../../support/http/rest-calls.ts";
import { type WebhookCalls, webhookCalls } from "../../support/http/webhook-calls.ts";
import { tellEvents } from "../../support/webhooks/webhooks.ts";

const server = await testServer({ CROSSDOCK_WEBHOOK_RETRY_SCHEDULE: "0.05" });
const unknownId = "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b12";
const stranger = webhookCalls(server.url, await server.onboard("STRANGER"));

interface Delivery {
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly eventId: string;
  readonly topicName: string;
  readonly objectId: string;
  readonly status: string;
  readonly sequence: number | null;
  readonly tries: number;
  readonly nextTryAt: string | null;
  readonly lastError: string | null;
  readonly createdAt: string;
  readonly endedAt: string | null;
}

let clients = 0;

/** A client, a receiver and its webhook; and the received deliveries. */
async function hooked(more: Record<string, unknown> = {}) {
  const clientId = `SENT${++clients}`;
  const calls = webhookCalls(server.url, await server.onboard(clientId));
  const receiver: Receiver = await startReceiver();
  atEnd(() => receiver.close());
  const webhook = await calls.create({ url: `${receiver.url}/hook`, topicName: "*", ...more });
  const { webhookId } = webhook;
  const list = async (query = "") => {
    const { status, body } = await calls.call("GET", `/webhook/deliveries/${webhookId}?${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body as unknown as { items: Delivery[]; nextCursor: string | null };
  };
  /** The deliveries of the published events, once they have ended. */
  async function tell(objectIds: readonly string[], topicName?: string): Promise<Delivery[]> {
    const before = (await list("limit=500")).items.length;
    await tellEvents(server, clientId, objectIds, topicName);
    const deliveries = async () => (await list("limit=500")).items.slice(before);
    await until(
      "what was reported has ended",
      async () => (await deliveries()).filter(({ endedAt }) => endedAt !== null).length === objectIds.length,
    );
    return deliveries();
  }
  const patch = async (body: object) => {
    const answer = await calls.call("PATCH", `/webhook/patch/${webhookId}`, body);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };
  return { clientId, calls, receiver, webhook, webhookId, list, tell, patch };
}

async function assertRefused(answer: Promise<Answer>, status: number, ...pointers: string[]): Promise<void> {
  const { status: answered, body } = await answer;
  assert.equal(answered, status, JSON.stringify(body));
  if (pointers.length > 0) assert.deepEqual(pointersOf({ body }), pointers);
}

async function succeeded(answer: Promise<Answer>): Promise<Record<string, unknown>> {
  const { status, body } = await answer;
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const deliveryOf = async (calls: WebhookCalls, deliveryId: string) =>
  (await succeeded(calls.call("GET", `/webhook/delivery/${deliveryId}`))) as unknown as Delivery & {
    payload: Record<string, unknown> | null;
    exchanges: Record<string, unknown>[];
  };

test("a delivery is listed and shown with every attempt: time, address, duration and answer", async () => {
  const { calls, receiver, tell, webhookId } = await hooked({ customHeaders: { "X-Key": "open sesame" } });
  receiver.answer = ({ number }) =>
    number === 1
      ? { status: 503, headers: { "set-cookie": "session=1", "x-why": "busy" }, body: "come back" }
      : { status: 200, body: "ok" };
  const [delivery] = await tell(["O-1"], "order:delivered");
  assert.ok(delivery);
  const { payload, exchanges, ...shown } = await deliveryOf(calls, delivery.deliveryId);
  assert.deepEqual(shown, delivery);
  assert.equal(JSON.stringify(payload), receiver.requests[0]?.body.toString(), "the body as it was sent");
  assert.deepEqual(
    [
      delivery.webhookId,
      delivery.topicName,
      delivery.objectId,
      delivery.status,
      delivery.sequence,
      delivery.tries,
      delivery.nextTryAt,
    ],
    [webhookId, "order:delivered", "O-1", "DELIVERED", 1, 2, null],
  );
  assert.equal(delivery.eventId, receiver.requests[0]?.headers["webhook-id"]);
  assert.deepEqual(
    exchanges.map(({ state, status, body, errorClass, address, isProbe }) => [
      state,
      status,
      body,
      errorClass,
      address,
      isProbe,
    ]),
    [
      ["ENDED", 503, "come back", "status", "127.0.0.1", false],
      ["ENDED", 200, "ok", null, "127.0.0.1", false],
    ],
  );
  const [first] = exchanges as [Record<string, unknown>];
  const headers = first.headers as Record<string, string>;
  assert.deepEqual([headers["set-cookie"], headers["x-why"]], [undefined, "busy"]);
  assert.equal(typeof (first.phases as Record<string, unknown>).wait, "number");
  assert.ok(Number(first.durationMs) >= 0 && String(first.startedAt) <= String(first.endedAt));
  assert.ok(!JSON.stringify(exchanges).includes("sesame"));
  const { health } = await calls.get(webhookId);
  const { lastSuccessAt, lastFailureAt, ...counted } = health as Record<string, unknown>;
  assert.deepEqual(counted, { consecutiveFailures: 0, pending: 0 });
  assert.ok(String(lastFailureAt) < String(lastSuccessAt));
});

test("the list pages both ways, stable while more comes, and takes filters", async () => {
  const { receiver, list, tell } = await hooked();
  receiver.answer = ({ body }) => (body.toString().includes('"objectId":"O-3"') ? 410 : 200);
  await tell(["O-1", "O-2"]);
  const [load] = await tell(["O-4"], "parcel:load");
  const first = await list("limit=2");
  const [late] = await tell(["O-5"]);
  const second = await list(`limit=2&cursor=${first.nextCursor}`);
  const all = [...first.items, ...second.items].map(({ deliveryId }) => deliveryId);
  assert.equal(new Set(all).size, 4);
  assert.deepEqual(all.slice(2), [load?.deliveryId, late?.deliveryId]);
  assert.equal(second.nextCursor, null);
  const reversed: string[] = [];
  let cursor = "";
  do {
    const page = await list(`limit=3&sort=-receivedAt${cursor}`);
    reversed.push(...page.items.map(({ deliveryId }) => deliveryId));
    cursor = page.nextCursor === null ? "" : `&cursor=${page.nextCursor}`;
  } while (cursor !== "");
  assert.deepEqual(reversed, [...all].reverse());
  const objectsOf = async (query: string) => (await list(query)).items.map(({ objectId }) => objectId);
  assert.deepEqual(await objectsOf("topicName=parcel:*"), ["O-4"]);
  assert.deepEqual(await objectsOf("topicName=parcel:load&limit=1"), ["O-4"]);
  assert.deepEqual(await objectsOf("topicName=*&objectId=O-2"), ["O-2"]);
  assert.deepEqual(await objectsOf(`since=${late?.createdAt}`), ["O-5"]);
  await tell(["O-3"]);
  assert.deepEqual(await objectsOf("status=FAILED"), ["O-3"]);
  assert.deepEqual(await objectsOf("status=HELD"), []);
});

test("deliveries that are not there, another's, and parameters that mean nothing are refused", async () => {
  const { calls, webhookId, tell, list } = await hooked();
  const [firstDelivery] = await tell(["O-1", "O-2"]);
  const path = `/webhook/deliveries/${webhookId}`;
  await assertRefused(calls.call("GET", `${path}?topicName=order:eaten`), 422, "/query/topicName");
  await assertRefused(calls.call("GET", `${path}?status=LOST`), 400, "/query/status");
  await assertRefused(calls.call("GET", `${path}?since=yesterday`), 400, "/query/since");
  const { nextCursor } = await list("limit=1");
  const { webhookId: second } = await calls.create();
  await assertRefused(calls.call("GET", `/webhook/deliveries/${second}?cursor=${nextCursor}`), 400, "/query/cursor");
  for (const who of [stranger, calls]) {
    const [hook, delivery] = who === stranger ? [webhookId, firstDelivery?.deliveryId] : [unknownId, unknownId];
    await assertRefused(who.call("GET", `/webhook/deliveries/${hook}`), 404);
    await assertRefused(who.call("GET", `/webhook/delivery/${delivery}`), 404);
    await assertRefused(who.call("POST", `/webhook/redeliver/${delivery}`), 404);
    await assertRefused(who.call("POST", `/webhook/recover/${hook}`, { since: "2026-01-01T00:00:00Z" }), 404);
    await assertRefused(who.call("POST", `/webhook/test/${hook}`), 404);
  }
  await assertRefused(calls.call("GET", "/webhook/delivery/no-uuid"), 404);
  await assertRefused(calls.call("POST", "/webhook/redeliver/no-uuid"), 404);
  await assertRefused(calls.call("POST", "/webhook/recover/no-uuid", { since: "2026-01-01T00:00:00Z" }), 404);
});

test("a delivery that has ended is sent again with the same webhook-id and the same bytes, once for each key", async () => {
  const { calls, receiver, tell } = await hooked();
  const [delivery] = await tell(["O-1"]);
  const path = `/webhook/redeliver/${delivery?.deliveryId}`;
  const key = { "idempotency-key": "again" };
  const again = await succeeded(calls.call("POST", path, undefined, key));
  assert.deepEqual([again.deliveryId, again.status], [delivery?.deliveryId, "PENDING"]);
  await receiver.waitFor(2);
  assert.deepEqual(await succeeded(calls.call("POST", path, undefined, key)), again);
  await assertRefused(calls.call("POST", `/webhook/redeliver/${unknownId}`, undefined, key), 409);
  const [first, second] = receiver.requests;
  assert.ok(first && second);
  assert.equal(second.headers["webhook-id"], first.headers["webhook-id"]);
  assert.deepEqual(second.body, first.body);
  assert.equal(second.headers["crossdock-sequence"], first.headers["crossdock-sequence"]);
  await until(
    "delivered again",
    async () => (await deliveryOf(calls, delivery?.deliveryId ?? "")).status === "DELIVERED",
  );
  assert.equal(receiver.requests.length, 2);
});

test("what has not ended, ended long ago, or has no webhook any more is not sent again", async () => {
  const { calls, receiver, tell, clientId, list, webhookId } = await hooked();
  const [delivery] = await tell(["O-1"]);
  await server.rows(
    "update webhook_delivery set completed_at = completed_at - interval '31 days' where client_id = $1",
    clientId,
  );
  await assertRefused(calls.call("POST", `/webhook/redeliver/${delivery?.deliveryId}`), 409);
  assert.equal(
    (
      await succeeded(
        calls.call("POST", `/webhook/recover/${webhookId}`, { since: delivery?.createdAt, onlyFailed: false }),
      )
    ).scheduled,
    0,
  );
  receiver.answer = "hang";
  await tellEvents(server, clientId, ["O-2"]);
  await receiver.waitFor(2);
  const open = (await list()).items[1];
  assert.equal(open?.status, "PENDING");
  await assertRefused(calls.call("POST", `/webhook/redeliver/${open?.deliveryId}`), 409);
  assert.equal((await calls.call("DELETE", `/webhook/delete/${webhookId}`)).status, 204);
  const ended = await deliveryOf(calls, open?.deliveryId ?? "");
  assert.deepEqual([ended.status, ended.nextTryAt], ["FAILED", null]);
  await assertRefused(calls.call("POST", `/webhook/redeliver/${open?.deliveryId}`), 409);
});

test("a recovery sends again what failed, or all, of a span of time", async () => {
  const { calls, receiver, tell, webhookId } = await hooked();
  receiver.answer = 500;
  const failed = await tell(["O-1", "O-2"]);
  assert.deepEqual(
    failed.map(({ status }) => status),
    ["FAILED", "FAILED"],
  );
  receiver.answer = 200;
  await succeeded(calls.call("PATCH", `/webhook/patch/${webhookId}`, { isPaused: 1 }));
  await succeeded(calls.call("PATCH", `/webhook/patch/${webhookId}`, { isPaused: 0 }));
  const before = receiver.requests.length;
  const since = new Date(Date.parse(failed[0]?.createdAt ?? "") - 5_000).toISOString();
  const recover = (body: object) => calls.call("POST", `/webhook/recover/${webhookId}`, body);
  const soon = new Date(Date.parse(since) + 1).toISOString();
  assert.deepEqual(await succeeded(recover({ since, until: soon })), { webhookId, scheduled: 0, nextSince: null });
  const [entry] = await server.rows<{ detail: unknown }>(
    "select detail from audit_log where action = 'recover' and object_id = $1",
    webhookId,
  );
  assert.deepEqual(entry?.detail, { since, until: soon, onlyFailed: true, scheduled: 0 });
  assert.equal((await succeeded(recover({ since }))).scheduled, 2);
  await receiver.waitFor(before + 2);
  const statusesOf = async () =>
    Promise.all(failed.map(async ({ deliveryId }) => (await deliveryOf(calls, deliveryId)).status));
  await until("both are delivered", async () => (await statusesOf()).every((status) => status === "DELIVERED"));
  assert.equal((await succeeded(recover({ since, onlyFailed: true }))).scheduled, 0);
  assert.equal((await succeeded(recover({ since, onlyFailed: false }))).scheduled, 2);
  await receiver.waitFor(before + 4);
  await assertRefused(recover({}), 400, "#/since");
  await assertRefused(recover({ since, until: since }), 400, "#/until");
  await assertRefused(recover({ since: "yesterday" }), 400, "#/since");
  const key = { "idempotency-key": "recovered" };
  const path = `/webhook/recover/${webhookId}`;
  const first = await succeeded(calls.call("POST", path, { since }, key));
  assert.deepEqual(await succeeded(calls.call("POST", path, { since }, key)), first);
  await assertRefused(calls.call("POST", path, { since, onlyFailed: false }, key), 409);
});

test("while it is paused events are skipped and nothing is sent by hand; then what was held goes, and skipped ones on request", async () => {
  const { calls, clientId, receiver, tell, patch, list, webhookId } = await hooked();
  receiver.answer = 500;
  await tellEvents(server, clientId, ["O-1", "O-1"]);
  await receiver.waitFor(1);
  await patch({ isPaused: 1 });
  // A running attempt ends in its own time, and its delivery with it.
  await until("what is held is counted as pending", async () => {
    const held = (await list()).items.filter(({ status }) => status === "HELD").length;
    return ((await calls.get(webhookId)).health as { pending: number }).pending === held;
  });
  const [skipped] = await tell(["O-2"]);
  assert.deepEqual([skipped?.status, skipped?.sequence], ["SKIPPED", null]);
  await assertRefused(calls.call("POST", `/webhook/test/${webhookId}`), 409);
  await assertRefused(calls.call("POST", `/webhook/redeliver/${skipped?.deliveryId}`), 409);
  await assertRefused(calls.call("POST", `/webhook/recover/${webhookId}`, { since: "2026-01-01T00:00:00Z" }), 409);
  receiver.answer = 200;
  await patch({ isPaused: 0 });
  await until("what was held goes on", async () => (await list("status=HELD")).items.length === 0);
  await until("and arrives", async () => (await list("status=PENDING")).items.length === 0);
  await succeeded(calls.call("POST", `/webhook/redeliver/${skipped?.deliveryId}`));
  await until(
    "the skipped one",
    async () => (await deliveryOf(calls, skipped?.deliveryId ?? "")).status === "DELIVERED",
  );
  const last = receiver.requests.at(-1);
  assert.equal(last?.headers["webhook-id"], skipped?.eventId);
});

test("an event that several topics of a webhook name is delivered once, and recovered once", async () => {
  const { calls, clientId, receiver, tell, list, patch, webhookId } = await hooked({
    topicName: "order:*",
    additionalTopicNames: ["order:delivered", "parcel:load"],
  });
  await tell(["O-1", "O-2"]);
  await tell(["O-1"], "parcel:load");
  const topicsOf = async () => (await list()).items.map(({ topicName, objectId }) => `${topicName} ${objectId}`);
  assert.deepEqual(await topicsOf(), ["order:delivered O-1", "order:delivered O-2", "parcel:load O-1"]);
  assert.deepEqual(
    (await list()).items.map(({ sequence }) => sequence),
    [1, 1, 2],
    "one sequence of the object over all topics",
  );
  await patch({ additionalTopicNames: ["return:*"] });
  // An event of a topic that the webhook has no longer, and after it one that it receives.
  await tellEvents(server, clientId, ["O-1"], "parcel:load");
  await tell(["O-3"]);
  assert.equal((await topicsOf()).at(-1), "order:delivered O-3");
  assert.equal((await topicsOf()).length, 4);
  const since = new Date(Date.now() - 3_600_000).toISOString();
  await succeeded(calls.call("POST", `/webhook/recover/${webhookId}`, { since, onlyFailed: false }));
  await receiver.waitFor(8);
  const ids = receiver.requests.map(({ headers }) => String(headers["webhook-id"]));
  assert.deepEqual(
    ids.slice(4).sort(),
    ids.slice(0, 4).sort(),
    "each event again, also of a topic that it has no longer",
  );
});

test("a test is sent at once, signed, and its exchange is the answer", async () => {
  const { calls, clientId, receiver, webhook, webhookId, list } = await hooked({
    topicName: "parcel:load",
    customHeaders: { "X-Key": "open sesame" },
  });
  receiver.answer = { status: 201, headers: { "x-by": "receiver", "set-cookie": "session=1" }, body: "thanks" };
  const answer = (await succeeded(calls.call("POST", `/webhook/test/${webhookId}`))) as {
    isDelivered: boolean;
    error: string | null;
    request: Record<string, string>;
    exchange: Record<string, unknown>;
  };
  const [push] = receiver.requests;
  assert.ok(push);
  assert.equal(push.headers["x-key"], "open sesame");
  assert.equal(push.headers["crossdock-sequence"], undefined);
  new Webhook(String(webhook.signingSecret)).verify(push.body.toString(), push.headers as Record<string, string>);
  assert.deepEqual([answer.isDelivered, answer.error], [true, null]);
  assert.deepEqual(answer.request, {
    url: `${receiver.url}/hook`,
    eventId: push.headers["webhook-id"],
    body: push.body.toString(),
  });
  const { status, body, headers, errorClass } = answer.exchange;
  assert.deepEqual(
    [status, body, errorClass, (headers as Record<string, string>)["x-by"]],
    [201, "thanks", null, "receiver"],
  );
  const sent = JSON.parse(push.body.toString()) as Record<string, unknown>;
  const { data, ...envelope } = sent;
  assert.deepEqual(
    { ...envelope, id: undefined, timestamp: undefined },
    {
      id: undefined,
      timestamp: undefined,
      type: "webhook:test",
      clientId,
      facilityCode: null,
      objectType: "webhook",
      objectId: webhookId,
      sequence: null,
    },
  );
  const { sample, ...about } = data as Record<string, unknown>;
  assert.deepEqual(about, { webhookId, topicName: "parcel:load" });
  assert.ok("olpnId" in (sample as object));
  for (const word of ["sesame", "session="]) assert.ok(!JSON.stringify(answer).includes(word), word);
  receiver.answer = 500;
  const failed = await succeeded(calls.call("POST", `/webhook/test/${webhookId}`));
  assert.equal(failed.isDelivered, false);
  assert.match(String(failed.error), /500/);
  assert.equal((failed.exchange as Record<string, unknown>).errorClass, "status");
  assert.deepEqual((await list()).items, []);
});

test("a test has the sample of any topic that the webhook receives, the data of an event, or what the request gives", async () => {
  const { calls, clientId, receiver, webhookId, tell, list } = await hooked({
    topicName: "order:*",
    additionalTopicNames: ["parcel:load"],
  });
  const path = `/webhook/test/${webhookId}`;
  /** The `data` of the push, without the webhookId. */
  const sentBy = async (body?: object) => {
    await succeeded(calls.call("POST", path, body));
    const push = JSON.parse(String(receiver.requests.at(-1)?.body)) as { type: string; data: Record<string, unknown> };
    assert.equal(push.type, "webhook:test");
    const { webhookId: tested, ...data } = push.data;
    assert.equal(tested, webhookId);
    return data as { topicName: string; sample: Record<string, unknown> };
  };
  const { items } = await succeeded(calls.call("GET", "/webhook/topics?limit=500"));
  const samples = new Map(
    (items as { topicName: string; sample: { data: object } }[]).map((topic) => [topic.topicName, topic.sample.data]),
  );
  assert.equal((await sentBy()).topicName, "order:*");
  assert.equal((await sentBy({})).topicName, "order:*");
  for (const topicName of ["parcel:load", "order:despatched", "order:released"]) {
    assert.deepEqual(await sentBy({ topicName }), { topicName, sample: samples.get(topicName) });
  }
  const sample = { orderId: "edited", lines: [{ quantity: 2 }], nothing: null };
  assert.deepEqual(await sentBy({ topicName: "parcel:load", sample }), { topicName: "parcel:load", sample });
  assert.deepEqual(await sentBy({ sample }), { topicName: "order:*", sample });

  const [delivery] = await tell(["O-1"]);
  assert.ok(delivery);
  const { payload } = await deliveryOf(calls, delivery.deliveryId);
  const { eventId } = delivery;
  assert.deepEqual(await sentBy({ eventId }), { topicName: "order:delivered", sample: payload?.data });
  assert.deepEqual(await sentBy({ eventId, sample }), { topicName: "order:delivered", sample });
  assert.equal((await list()).items.length, 1, "a test is not a delivery");

  const before = receiver.requests.length;
  await assertRefused(calls.call("POST", path, { eventId, topicName: "order:*" }), 400, "#/topicName");
  await assertRefused(calls.call("POST", path, { eventId: "evt_1" }), 400, "#/eventId");
  await assertRefused(calls.call("POST", path, { sample: [1] }), 400, "#/sample");
  for (const topicName of ["parcel:*", "parcel:pack", "order:despached", "*"]) {
    await assertRefused(calls.call("POST", path, { topicName }), 422, "#/topicName");
  }
  const { body } = await calls.call("POST", path, { topicName: "return:received" });
  assert.match(String(body.detail), /'return:received', which the webhook does not receive; .* order:\*, parcel:load$/);
  await assertRefused(calls.call("POST", path, { eventId: `evt_${unknownId.replaceAll("-", "")}` }), 422, "#/eventId");
  await tellEvents(server, clientId, ["R-1"], "return:received");
  const other = await until("the event to be in the log", async () => {
    const log = await succeeded(calls.call("GET", "/event/list?topicName=return:*"));
    return (log.items as { id: string }[])[0]?.id;
  });
  await assertRefused(calls.call("POST", path, { eventId: other }), 422, "#/eventId");
  // An event of another client is as one that does not exist.
  const strangers = await hooked();
  const theirs = await strangers.calls.call("POST", `/webhook/test/${strangers.webhookId}`, { eventId });
  assert.equal(theirs.status, 422);
  assert.match(String(theirs.body.detail), /is not an event of the last 90 days/);
  assert.equal(receiver.requests.length, before, "a refused test sends nothing");
});

test("a first webhook is sent nothing that happened before it, and a later one neither", async () => {
  const clientId = "LATE";
  const calls = webhookCalls(server.url, await server.onboard(clientId));
  const receiver = await startReceiver();
  atEnd(() => receiver.close());
  const published = () =>
    until(
      "published",
      async () => (await server.rows("select client_id from outbox where client_id = $1", clientId)).length === 0,
    );
  await tellEvents(server, clientId, ["O-1"]);
  await published();
  await calls.create({ url: `${receiver.url}/first`, topicName: "*" });
  await tellEvents(server, clientId, ["O-2"]);
  await receiver.waitFor(1);
  await calls.create({ url: `${receiver.url}/second`, topicName: "*" });
  await tellEvents(server, clientId, ["O-3"]);
  await receiver.waitFor(3);
  const objectOf = (body: Buffer) => (JSON.parse(body.toString()) as { objectId: string }).objectId;
  assert.deepEqual(receiver.requests.map(({ path, body }) => `${path} ${objectOf(body)}`).sort(), [
    "/first O-2",
    "/first O-3",
    "/second O-3",
  ]);
});

test("first webhooks that are created at the same time all receive the next event", async () => {
  const clientId = "ATONCE";
  const calls = webhookCalls(server.url, await server.onboard(clientId));
  const receiver = await startReceiver();
  atEnd(() => receiver.close());
  const made = await Promise.all(
    Array.from({ length: 6 }, (_, i) => calls.create({ url: `${receiver.url}/${i}`, topicName: "*" })),
  );
  assert.equal(new Set(made.map(({ webhookId }) => webhookId)).size, 6);
  await tellEvents(server, clientId, ["O-1"]);
  await receiver.waitFor(6);
  assert.deepEqual(receiver.requests.map(({ path }) => path).sort(), ["/0", "/1", "/2", "/3", "/4", "/5"]);
});
