// webhooks.md over several clients, as the console shows it: which receivers have problems, and which deliveries
// failed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { atEnd } from "../../support/app/at-end.ts";
import { signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { catalogue, purchaseOrder } from "../../support/builders/documents.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { warehouseOf } from "../../support/warehouse/warehouse-port.ts";
import { tellEvents, webhookDesk } from "../../support/webhooks/webhooks.ts";

const server = await testServer({ CROSSDOCK_WEBHOOK_RETRY_SCHEDULE: "0.1,0.1,60" });
const demo = await server.onboard("DEMO");
const acme = await server.onboard("ACME");
const receiver = await startReceiver({ answer: { status: 500, body: "the shop is closed" } });
atEnd(() => receiver.close());
const well = await startReceiver();
atEnd(() => well.close());
const anna = await signIn(server, "operator");
const viewer = await signIn(server, "viewer");
const limited = await signIn(server, "viewer", { clientIds: ["ACME"] });
const ofDc2 = await signIn(server, "viewer", { facilityCodes: ["DC2"] });

interface Row {
  readonly clientId: string;
  readonly webhookId: string;
  readonly status: string;
  readonly description: string | null;
  readonly successRate: number | null;
  readonly pending: number;
  readonly oldestPendingAt: string | null;
  readonly consecutiveFailures: number;
}

test("a failing receiver is shown with the answer to each attempt, and its missed events are replayed", async () => {
  const description = "The shop's order page";
  const address = { url: `${receiver.url}/hook`, facilityCode: "DC1" };
  const bad = await (await webhookDesk(server, demo)).create({ ...address, description });
  const good = await (await webhookDesk(server, acme)).create({ url: `${well.url}/hook` });
  await tellEvents(server, "DEMO", ["A", "B"]);
  await tellEvents(server, "ACME", ["C"]);
  const rowOf = async (webhookId: string): Promise<Row> => {
    const { body } = await viewer.get("/webhook/list");
    return body.items.find((row: Row) => row.webhookId === webhookId);
  };
  await until("it has failed", async () => (await rowOf(bad.webhookId)).consecutiveFailures > 0);
  await until("it was delivered", async () => (await rowOf(good.webhookId)).successRate === 1);
  const row = await rowOf(bad.webhookId);
  assert.deepEqual([row.successRate, row.pending, row.description], [0, 2, description]);
  assert.ok(row.oldestPendingAt);

  await until(
    "a delivery is tried again",
    async () => (await viewer.get("/webhookDelivery/list?status=RETRYING")).body.items.length > 0,
  );
  const { body } = await viewer.get("/webhookDelivery/list?kind=WEBHOOK&clientId=DEMO");
  const [delivery] = body.items;
  assert.equal(delivery.url, `${receiver.url}/hook`);
  const { items: receivers, isCut } = (await viewer.get("/webhookDelivery/receivers?clientId=DEMO")).body;
  const ofReceiver = await viewer.get(`/webhookDelivery/list?webhookId=${delivery.webhookId}&limit=500`);
  const [group] = receivers.filter(({ webhookId }: { webhookId: string }) => webhookId === delivery.webhookId);
  assert.deepEqual(
    [isCut, group.url, group.retrying + group.failed + group.skipped],
    [false, delivery.url, ofReceiver.body.items.length],
  );
  assert.equal(group.oldestAt, ofReceiver.body.items.at(-1).createdAt);
  assert.equal(group.lastError, "status: answered 500");
  const attempts = await anna.get(`/client/webhook/delivery/${delivery.deliveryId}?clientId=DEMO`);
  assert.equal(attempts.body.exchanges[0].body, "the shop is closed");

  // Updates between two attempts: the result of a running attempt would overwrite the update.
  await until("it is given up", async () => {
    const updated = await server.rows(
      `update webhook_delivery set status = 'FAILED', completed_at = clock_timestamp(), due_at = null
        where delivery_id = $1 and attempt_id is null returning 1`,
      delivery.deliveryId,
    );
    return updated.length === 1;
  });
  receiver.answer = 200;
  const replayed = await anna.post(`/client/webhook/redeliver/${delivery.deliveryId}?clientId=DEMO`, {});
  assert.equal(replayed.status, 200, JSON.stringify(replayed.body));
  // Repeated, because a running probe writes the breaker too.
  await until("it is delivered", async () => {
    await server.rows("update webhook_lane set breaker = '{}', due_at = clock_timestamp() where client_id = 'DEMO'");
    const read = await anna.get(`/client/webhook/delivery/${delivery.deliveryId}?clientId=DEMO`);
    return read.body.status === "DELIVERED";
  });

  const path = `/webhook/attemptRates/${bad.webhookId}?clientId=DEMO`;
  const rates = await viewer.get(`${path}&days=1`);
  assert.deepEqual([rates.status, rates.body.periodSeconds, rates.body.isCut], [200, 3600, false]);
  const [counted] = await server.rows<{ attempts: number; taken: number; longest: number }>(
    `select count(*)::int as attempts, count(*) filter (where status = 200)::int as taken,
        max(extract(epoch from ended_at - started_at) * 1000)::float8 as longest
      from webhook_attempt where webhook_id = $1 and ended_at is not null`,
    bad.webhookId,
  );
  const sumOf = (name: string) => rates.body.items.reduce((sum: number, item: never) => sum + item[name], 0);
  assert.ok(counted && counted.taken > 0 && counted.attempts > counted.taken);
  assert.deepEqual([sumOf("attempts"), sumOf("succeeded")], [counted.attempts, counted.taken]);
  for (const { medianMs, p95Ms } of rates.body.items)
    assert.ok(medianMs > 0 && medianMs <= p95Ms && p95Ms <= Math.ceil(counted.longest));
  assert.deepEqual((await viewer.get(`${path}&days=30`)).body.periodSeconds, 86_400);
  assert.equal((await viewer.get(`${path}&days=31`)).status, 400);
  assert.equal((await viewer.get(`/webhook/attemptRates/${bad.webhookId}?clientId=ACME`)).status, 404);
  assert.equal((await limited.get(path)).status, 403);
});

test("both lists take the filters of the top bar, and show no more than the user may see", async () => {
  const idsOf = async (user: typeof viewer, query: string) =>
    (await user.get(`/webhook/list?${query}`)).body.items.map((row: Row) => row.clientId);
  assert.deepEqual(await idsOf(viewer, "limit=1"), ["ACME"]);
  const { body } = await viewer.get("/webhook/list?limit=1");
  assert.deepEqual(await idsOf(viewer, `limit=1&cursor=${body.nextCursor}`), ["DEMO"]);
  assert.deepEqual(await idsOf(limited, ""), ["ACME"]);
  assert.deepEqual(await idsOf(viewer, "distributionCentre=DC2"), ["ACME"]);
  assert.deepEqual(await idsOf(ofDc2, ""), []);
  assert.deepEqual(await idsOf(viewer, "clientId=DEMO&distributionCentre=DC1&kind=WEBHOOK"), ["DEMO"]);
  assert.equal((await limited.get("/webhook/list?clientId=DEMO")).status, 403);
  assert.deepEqual((await limited.get("/webhookDelivery/list")).body.items, []);
  assert.deepEqual((await limited.get("/webhookDelivery/receivers")).body.items, []);
  assert.deepEqual((await ofDc2.get("/webhookDelivery/list")).body.items, []);
  const none = await viewer.get("/webhookDelivery/list?objectId=nothing&topicName=order:delivered");
  assert.deepEqual(none.body, { items: [], nextCursor: null });
  const viewerReplays = await viewer.post("/client/webhook/redeliver/x?clientId=DEMO", {});
  assert.equal(viewerReplays.status, 403);
});

test("the list and the overview name all topics of a webhook", async () => {
  const additionalTopicNames = ["parcel:load", "return:*"];
  const fields = { clientId: "DEMO", topicName: "order:*", additionalTopicNames, facilityCode: "*" };
  const body = { ...fields, url: `${well.url}/several`, contentType: "application/json" };
  const { status, body: made } = await anna.post("/client/webhook/create?clientId=DEMO", body);
  assert.equal(status, 201, JSON.stringify(made));
  await server.rows("update webhook set status = 'FAILING' where webhook_id = $1 returning 1", made.webhookId);
  const found = ({ webhookId }: { webhookId: string }) => webhookId === made.webhookId;
  const { items } = (await viewer.get("/webhook/list?clientId=DEMO")).body;
  const { troubled } = (await viewer.get("/overview/webhooks")).body;
  for (const row of [items.find(found), troubled.find(found)]) {
    assert.deepEqual([row?.topicName, row?.additionalTopicNames], ["order:*", additionalTopicNames]);
  }
  assert.equal((await anna.delete(`/client/webhook/delete/${made.webhookId}?clientId=DEMO`)).status, 204);
});

test("the webhook of a warehouse has its facility as owner, and is closed to users with other limits", async () => {
  const dc1 = await warehouseOf(server);
  const fields = { topicName: "task:*", url: `${well.url}/tasks`, contentType: "application/json" };
  const created = await dc1.post("/webhook/create", fields);
  assert.equal(created.status, 201);
  const { webhookId } = created.body;
  const listed = async (user: typeof viewer) =>
    ((await user.get("/webhook/list")).body.items as Row[]).filter((row) => row.webhookId === webhookId);
  const [row] = await listed(viewer);
  assert.deepEqual([row?.clientId, row?.status], ["facility:DC1", "ACTIVE"]);
  const ofDc1 = await signIn(server, "admin", { facilityCodes: ["DC1"] });
  assert.equal((await listed(ofDc1)).length, 1);
  for (const user of [limited, ofDc2]) assert.deepEqual(await listed(user), []);

  const owner = "clientId=facility:DC1";
  const tasksOfDc1 = { ...fields, clientId: "facility:DC1", facilityCode: "*" };
  const second = await anna.post(`/client/webhook/create?${owner}`, tasksOfDc1);
  assert.deepEqual([second.status, second.body.facilityCode], [201, "DC1"], JSON.stringify(second.body));
  assert.equal((await dc1.get(`/webhook/get/${second.body.webhookId}`)).body.topicName, "task:*");
  assert.equal((await anna.delete(`/client/webhook/delete/${second.body.webhookId}?${owner}`)).status, 204);
  for (const user of [limited, ofDc2, ofDc1])
    assert.equal((await user.post(`/client/webhook/create?${owner}`, tasksOfDc1)).status, 403);
  const nowhere = await anna.post("/client/webhook/create", { ...tasksOfDc1, clientId: "facility:NOWHERE" });
  assert.deepEqual([nowhere.status, nowhere.body.errors?.[0].pointer], [422, "#/clientId"]);
  const orders = await anna.post("/client/webhook/create", { ...tasksOfDc1, topicName: "order:despatched" });
  assert.deepEqual([orders.status, orders.body.errors?.[0].pointer], [422, "#/topicName"]);
  const path = `/client/webhook/get/${webhookId}?${owner}`;
  const shown = await viewer.get(path);
  assert.equal(shown.body.facilityCode, "DC1", JSON.stringify(shown.body));
  for (const user of [limited, ofDc2, ofDc1]) assert.equal((await user.get(path)).status, 403);
  assert.equal((await viewer.get(`/client/webhook/get/${webhookId}?clientId=facility:DC2`)).status, 404);
  assert.equal((await viewer.get(`/client/webhook/get/${webhookId}?clientId=DEMO`)).status, 404);
  assert.equal((await viewer.get(`/client/order/list?${owner}`)).status, 403, "a facility has no orders");
  const paused = await anna.patch(`/client/webhook/patch/${webhookId}?${owner}`, { isPaused: 1 });
  assert.deepEqual([paused.status, paused.body.status], [200, "PAUSED"]);
  const elsewhere = await anna.patch(`/client/webhook/patch/${webhookId}?${owner}`, { facilityCode: "DC2" });
  assert.equal(elsewhere.status, 422);
  assert.equal((await anna.patch(`/client/webhook/patch/${webhookId}?${owner}`, { isPaused: 0 })).status, 200);
  const client = await server.onboard("TASKS");
  await client.accept("CAT", catalogue("TASKS", ["A"]));
  await client.accept("PO", purchaseOrder("TASKS", "PO-1", [{ sku: "A", qty: 1 }], { distributionCentre: "DC1" }));
  await until("a delivery", async () => {
    const { body } = await viewer.get(`/client/webhook/deliveries/${webhookId}?${owner}`);
    return body.items[0]?.status === "DELIVERED";
  });
  const { body } = await viewer.get(`/client/webhook/deliveries/${webhookId}?${owner}`);
  const delivery = await viewer.get(`/client/webhook/delivery/${body.items[0].deliveryId}?${owner}`);
  assert.equal(delivery.body.payload.data.objectId, "PO-1");
  const audit = (await viewer.get(`/audit/list?objectId=${webhookId}`)).body.items as { actor: string }[];
  assert.ok(audit.some(({ actor }) => actor === "warehouse:DC1"));
});
