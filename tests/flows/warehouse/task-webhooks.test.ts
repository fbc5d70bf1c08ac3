// webhooks.md §1 and warehouse.md: the webhooks of a facility, about its tasks.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { checkEvents } from "#/delivery/webhooks/index.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { purchaseOrder } from "../../support/builders/documents.ts";
import { problemOf } from "../../support/builders/order-operations.ts";
import { type Answer, call } from "../../support/http/call.ts";
import { type Receiver, startReceiver } from "../../support/http/receiver.ts";
import { newWebhook, webhookCalls } from "../../support/http/webhook-calls.ts";
import { packingWorld } from "../../support/papers/packing.ts";
import { carrierOf, type Port, warehouseOf } from "../../support/warehouse/warehouse-port.ts";

const server = await testServer({ CROSSDOCK_WEBHOOK_RETRY_SCHEDULE: "0.2,1,5" });
const dc1 = await warehouseOf(server);
const dc2 = await warehouseOf(server, "DC2");
const carrier = await carrierOf(server, "RM");
const merge = { "content-type": "application/merge-patch+json" };
const toDc1 = { distributionCentre: "DC1" };
const life = await packingWorld({ server, dc1 }, "ONE", undefined, ["A"]);
const brand = webhookCalls(server.url, life.client);

async function receiverOf(): Promise<Receiver> {
  const receiver = await startReceiver();
  atEnd(() => receiver.close());
  return receiver;
}

interface Body {
  readonly id: string;
  readonly type: string;
  readonly clientId: string;
  readonly facilityCode: string;
  readonly objectType: string;
  readonly objectId: string;
  readonly sequence: number;
  readonly data: Record<string, unknown>;
}

const bodiesOf = ({ requests }: Receiver, objectId?: string): Body[] =>
  requests
    .map(({ body }) => JSON.parse(body.toString()) as Body)
    .filter(({ data }) => objectId === undefined || data.objectId === objectId);

const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>, port = dc1) =>
  call(method, `${server.url}/v1/warehouseService${path}`, { token: port.token, body, headers });

type Created = Record<string, unknown> & { readonly webhookId: string; readonly signingSecret: string };

async function create(port: Port, receiver: Receiver, more: object = {}): Promise<Created> {
  const fields = { topicName: "task:*", url: `${receiver.url}/tasks`, contentType: "application/json" };
  const answer = await port.post("/webhook/create", { ...fields, ...more });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body as Created;
}

async function deliveriesOf(port: Port, webhookId: string): Promise<Record<string, unknown>[]> {
  const answer = await port.get(`/webhook/deliveries/${webhookId}?limit=200`);
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.items as Record<string, unknown>[];
}

const pushed = (receiver: Receiver, objectId: string, topicName: string) =>
  until(`${topicName} of ${objectId}`, async () => bodiesOf(receiver, objectId).find(({ type }) => type === topicName));

test("a warehouse receives what is released, changed and withdrawn, with the whole task", async () => {
  await life.place("BEFORE", ["A"], toDc1);
  await dc1.task(({ objectId }) => objectId === "BEFORE");
  const receiver = await receiverOf();
  const foreign = await receiverOf();
  const webhook = await create(dc1, receiver);
  await create(dc2, foreign);
  assert.deepEqual([webhook.clientId, webhook.facilityCode, webhook.status], ["*", "DC1", "ACTIVE"]);
  await life.place("O-1", [{ sku: "A", qty: 2 }], toDc1);
  const released = await pushed(receiver, "O-1", "task:released");
  const { taskId } = await dc1.task(({ objectId }) => objectId === "O-1");
  const [first] = receiver.requests;
  assert.ok(first);
  new Webhook(webhook.signingSecret).verify(first.body.toString(), first.headers as Record<string, string>);
  assert.deepEqual(
    [released.clientId, released.facilityCode, released.objectType, released.objectId, released.sequence],
    ["ONE", "DC1", "task", taskId, 1],
  );
  assert.deepEqual(released.data, (await dc1.get(`/task/get/${taskId}`)).body);
  await life.rest("PATCH", "/orderService/order/update/O-1", { priority: 1 });
  const changed = await pushed(receiver, "O-1", "task:changed");
  assert.deepEqual([changed.objectId, changed.sequence, changed.data.priority], [taskId, 2, 1]);
  const cancelled = await life.orders.post("/order/cancel/O-1", { reason: "test" });
  assert.equal(cancelled.status, 200, JSON.stringify(cancelled.body));
  const withdrawn = await pushed(receiver, "O-1", "task:withdrawn");
  assert.deepEqual([withdrawn.sequence, typeof withdrawn.data.withdrawnAt], [3, "string"]);
  assert.deepEqual(bodiesOf(receiver, "BEFORE"), [], "it happened before the webhook was created");
  assert.deepEqual(foreign.requests.length, 0, "another facility receives nothing");
});

test("a client sees nothing of it: no event, no topic, no webhook", async () => {
  const receiver = await receiverOf();
  const brandReceiver = await receiverOf();
  await create(dc1, receiver);
  await brand.create({ topicName: "*", facilityCode: "*", url: brandReceiver.url });
  await life.place("O-2", ["A"], toDc1);
  await pushed(receiver, "O-2", "task:released");
  await until("the client's own events", async () =>
    bodiesOf(brandReceiver).some(({ objectId }) => objectId === "O-2"),
  );
  assert.deepEqual(
    bodiesOf(brandReceiver).filter(({ type }) => type.startsWith("task:")),
    [],
  );
  const log = (await brand.call("GET", "/event/list?limit=500")).body.items as { position: number; type: string }[];
  assert.deepEqual(
    log.map(({ position }) => position),
    log.map((_, i) => (log[0]?.position ?? 0) + i),
    "positions without a hole",
  );
  assert.ok(log.every(({ type }) => !type.startsWith("task:")));
  const topicsOf = ({ body }: Answer) => (body.items as { topicName: string }[]).map(({ topicName }) => topicName);
  const ofClient = topicsOf(await brand.call("GET", "/webhook/topics?limit=500"));
  assert.ok(ofClient.every((name) => !name.startsWith("task:")));
  const names = ["task:released", "task:changed", "task:withdrawn", "webhook:test"];
  assert.deepEqual(topicsOf(await dc1.get("/webhook/topics")), names);
  const refused = await brand.call("POST", "/webhook/create", { ...newWebhook("ONE"), topicName: "task:*" });
  assert.match(problemOf(refused, 422).detail, /task:\* is not a topic|'task:\*' is not a topic/);
  for (const tenantId of ["ONE", "facility:DC1", "facility:DC2"]) {
    const check = { database: server.database, clientId: tenantId, sinceMs: Date.now() - 3_600_000 };
    assert.deepEqual(await checkEvents(check), [], tenantId);
  }
});

test("a failed push is retried; events of a pause are skipped, and sent on request", async () => {
  const receiver = await receiverOf();
  const { webhookId } = await create(dc1, receiver, { topicName: "task:released", emailList: ["floor@example.com"] });
  receiver.answer = ({ number }) => (number === 1 ? 503 : 200);
  await life.place("R-1", ["A"], toDc1);
  await until("it is delivered", async () => (await deliveriesOf(dc1, webhookId))[0]?.status === "DELIVERED");
  const [sent] = await deliveriesOf(dc1, webhookId);
  assert.deepEqual([sent?.topicName, sent?.objectType, sent?.tries], ["task:released", "task", 2]);
  const delivery = (await dc1.get(`/webhook/delivery/${sent?.deliveryId}`)).body;
  assert.deepEqual(delivery.payload, bodiesOf(receiver)[0]);
  assert.deepEqual(
    (delivery.exchanges as { status: number }[]).map(({ status }) => status),
    [503, 200],
  );
  const patch = (isPaused: number) => send("PATCH", `/webhook/patch/${webhookId}`, { isPaused }, merge);
  assert.equal((await patch(1)).body.status, "PAUSED");
  await life.place("R-2", ["A"], toDc1);
  await until("it is skipped", async () => (await deliveriesOf(dc1, webhookId))[1]?.status === "SKIPPED");
  problemOf(await dc1.post(`/webhook/test/${webhookId}`, {}), 409);
  const [, skipped] = await deliveriesOf(dc1, webhookId);
  problemOf(await dc1.post(`/webhook/redeliver/${skipped?.deliveryId}`, {}), 409);
  const since = new Date(Date.now() - 3_600_000).toISOString();
  problemOf(await dc1.post(`/webhook/recover/${webhookId}`, { since }), 409);
  assert.equal((await patch(0)).body.status, "ACTIVE");
  const redelivered = await dc1.post(`/webhook/redeliver/${skipped?.deliveryId}`, {});
  assert.equal(redelivered.status, 200, JSON.stringify(redelivered.body));
  await pushed(receiver, "R-2", "task:released");
  const recovered = await dc1.post(`/webhook/recover/${webhookId}`, { since, onlyFailed: false });
  assert.deepEqual([recovered.status, recovered.body.webhookId], [200, webhookId]);
  const tested = await dc1.post(`/webhook/test/${webhookId}`, {});
  assert.deepEqual([tested.status, tested.body.isDelivered], [200, true]);
  const test = bodiesOf(receiver).find(({ type }) => type === "webhook:test");
  assert.deepEqual([test?.clientId, test?.facilityCode], ["*", "DC1"]);
  assert.ok(test && "taskId" in (test.data.sample as object));
});

test("a facility without webhooks causes no event, and its first one starts with the next change", async () => {
  const countEvents = async () =>
    (await server.rows<{ count: string }>("select count(*) from event where client_id = 'facility:DC2'"))[0]?.count;
  for (const { webhookId } of (await dc2.get("/webhook/list")).body.items as Created[]) {
    assert.equal((await send("DELETE", `/webhook/delete/${webhookId}`, undefined, {}, dc2)).status, 204);
  }
  const before = await countEvents();
  const toDc2 = (poNumber: string) =>
    purchaseOrder("ONE", poNumber, [{ sku: "A", qty: 1 }], { distributionCentre: "DC2" });
  await life.client.accept("PO", toDc2("PO-1"));
  await dc2.task(({ objectId }) => objectId === "PO-1");
  await until("the poll of all facilities", async () => (await server.rows("select 1")).length === 1);
  const receiver = await receiverOf();
  await create(dc2, receiver, { topicName: "*" });
  await life.client.accept("PO", toDc2("PO-2"));
  const released = await pushed(receiver, "PO-2", "task:released");
  assert.equal(released.data.type, "PURCHASE_ORDER");
  assert.equal(Number(await countEvents()), Number(before) + 1);
});

test("each operation refuses what it documents", async () => {
  const receiver = await receiverOf();
  const { webhookId } = await create(dc1, receiver);
  const unknown = "019aa0f2-7f53-7c0a-9c3e-2a6f0c1d9b99";
  const since = "2026-01-01T00:00:00.000Z";
  const fields = { topicName: "task:*", url: receiver.url, contentType: "application/json" };
  const stale = { "if-match": '"99"' };
  const key = { "idempotency-key": "K-1" };
  assert.equal((await send("POST", "/webhook/create", fields, key)).status, 201);
  problemOf(await send("POST", "/webhook/create", { ...fields, topicName: "*" }, key), 409);
  const changes: [method: string, path: string, body?: unknown, headers?: Record<string, string>][] = [
    ["PATCH", "patch", { isPaused: 0 }, merge],
    ["DELETE", "delete"],
    ["POST", "rotateSecret", {}],
    ["POST", "recover", { since }],
    ["POST", "test", {}],
    ["GET", "get"],
    ["GET", "deliveries"],
  ];
  for (const [method, name, body, headers] of changes) {
    problemOf(await send(method, `/webhook/${name}/${unknown}`, body, headers), 404);
    // Another facility does not see it.
    problemOf(await send(method, `/webhook/${name}/${webhookId}`, body, headers, dc2), 404);
  }
  problemOf(await dc1.get(`/webhook/delivery/${unknown}`), 404);
  problemOf(await dc1.post(`/webhook/redeliver/${unknown}`, {}), 404);
  problemOf(await dc1.get(`/webhook/deliveries/${webhookId}?topicName=order:*`), 422);
  for (const refused of [{ topicName: "order:*" }, { url: "http://169.254.169.254/" }]) {
    problemOf(await send("POST", "/webhook/create", { ...fields, ...refused }), 422);
    problemOf(await send("PATCH", `/webhook/patch/${webhookId}`, refused, merge), 422);
  }
  problemOf(await dc1.post(`/webhook/test/${webhookId}`, { topicName: "order:*" }), 422);
  for (const named of [{ clientId: "ONE" }, { facilityCode: "DC1" }]) {
    problemOf(await send("POST", "/webhook/create", { ...fields, ...named }), 400);
  }
  const writes: [method: string, path: string, body: unknown, headers: Record<string, string>][] = [
    ["PATCH", `/webhook/patch/${webhookId}`, { description: "Floor" }, merge],
    ["POST", `/webhook/rotateSecret/${webhookId}`, {}, {}],
    ["DELETE", `/webhook/delete/${webhookId}`, undefined, {}],
  ];
  for (const [method, path, body, headers] of writes) {
    problemOf(await send(method, path, body, { ...headers, ...stale }), 412);
    problemOf(await send(method, path, body, { ...headers, ...key }), 409);
  }
  problemOf(await send("POST", `/webhook/recover/${webhookId}`, { since, until: "2025-01-01T00:00:00.000Z" }), 400);
  const rotated = await send("POST", `/webhook/rotateSecret/${webhookId}`, {});
  assert.match(String(rotated.body.signingSecret), /^whsec_/);
  assert.equal((await dc1.get(`/webhook/get/${webhookId}`)).body.signingSecret, undefined);
  const described = await send("PATCH", `/webhook/patch/${webhookId}`, { description: "Floor" }, merge);
  assert.equal(described.body.description, "Floor");
  const listed = (await dc1.get("/webhook/list?limit=1")).body;
  assert.deepEqual([(listed.items as []).length, typeof listed.nextCursor], [1, "string"]);
  assert.equal((await send("DELETE", `/webhook/delete/${webhookId}`)).status, 204);
  problemOf(await send("GET", "/webhook/list", undefined, {}, carrier), 403);
  const token = await life.rest("GET", "/warehouseService/webhook/list");
  assert.equal(token.status, 403);
});
