// Transactions that disable, pause or delete a subscription run concurrently with those that add deliveries and those
// that settle them. In every order, no delivery is left that no worker sends or ends (decision 0017).
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openCursor } from "#/delivery/webhooks/deliveries/deliveries.ts";
import { listAttempts } from "#/delivery/webhooks/deliveries/delivery-log-repository.ts";
import { redeliverOne } from "#/delivery/webhooks/deliveries/delivery-service.ts";
import { tickIncidents } from "#/delivery/webhooks/lanes/incident-ticks.ts";
import { listSubscriptions } from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import { deleteWebhook, patchWebhook } from "#/delivery/webhooks/subscriptions/subscription-service.ts";
import { hourMs, minuteMs } from "#/kernel/values/durations.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import { patient, testDatabase } from "../../../../tests/support/postgres/database.ts";
import { untilBlocked } from "../../../../tests/support/postgres/locks.ts";
import { secretBox } from "../../../../tests/support/webhooks/active-webhook.ts";
import { holdOpen, ids, type WebhookWorld, webhookWorld } from "../../../../tests/support/webhooks/webhook-world.ts";

const { database } = await testDatabase();
const { clientId } = await insertClient(database);
await database.query({
  text: "insert into webhook_cursor (client_id, last_position) values ($1, 0)",
  values: [clientId],
  name: "",
  isTenant: false,
});

/** Longer than a transaction that does not wait takes. */
const aMoment = () => sleep(300);
const pushContext = { secretBox, world: { facilities: ["DC1"], allowsPlainHttp: true, refusalOfUrl: () => undefined } };
const changeOf = ({ clock }: WebhookWorld) => ({
  actor: "test",
  origin: "test",
  at: new Date(clock.now()).toISOString(),
  ids,
});

const patch = (webhook: WebhookWorld, isPaused: 0 | 1) =>
  database.transaction(async (tx) => {
    const patched = await patchWebhook(
      tx.of(clientId, changeOf(webhook)),
      { webhookId: webhook.webhookId },
      { isPaused },
      pushContext,
    );
    assert.ok(patched.ok);
  }, patient);

const remove = (webhook: WebhookWorld) =>
  database.transaction(async (tx) => {
    assert.ok((await deleteWebhook(tx.of(clientId, changeOf(webhook)), { webhookId: webhook.webhookId })).ok);
  }, patient);

/** A fan-out that has read the subscriptions, and has added no delivery yet. */
const fanningOut = () =>
  holdOpen(database, async (tx) => {
    const view = tx.of(clientId);
    await openCursor(view);
    await listSubscriptions(view);
  });

const statusOf = async (webhook: WebhookWorld) => (await webhook.lane()).status;

async function becomesStatus(webhook: WebhookWorld, status: string): Promise<void> {
  for (const end = Date.now() + 30_000; (await statusOf(webhook)) !== status; await sleep(10)) {
    assert.ok(Date.now() < end, `${await statusOf(webhook)}, not ${status}`);
  }
}

async function world(t: { after(work: () => unknown): void }, schedule: readonly number[] = [5, 30, 120, 600]) {
  const webhook = await webhookWorld(database, clientId, schedule);
  t.after(() => webhook.stop());
  return webhook;
}

test("deliveries created while a 410 disables the subscription are SKIPPED or FAILED", async (t) => {
  const webhook = await world(t);
  await webhook.tell("O-1");
  const request = await webhook.next();
  const fanOut = await fanningOut();
  request.answer(410);
  await becomesStatus(webhook, "DISABLED");
  await fanOut.end((tx) => webhook.add(tx, "O-2"));
  await webhook.becomes("FAILED SKIPPED");
  await webhook.rests();
});

test("a delivery added just before the subscription is disabled fails with it", async (t) => {
  const webhook = await world(t);
  await webhook.tell("O-1");
  const request = await webhook.next();
  const fanOut = await holdOpen(database, (tx) => webhook.add(tx, "O-2", "O-2"));
  request.answer(410);
  await untilBlocked(database);
  assert.equal(await statusOf(webhook), "ACTIVE", "it waits for those who add");
  await fanOut.end();
  await webhook.becomes("FAILED FAILED FAILED");
  assert.equal(await statusOf(webhook), "DISABLED");
  await webhook.rests();
});

test("eight days of failures also end deliveries added meanwhile", async (t) => {
  const webhook = await world(t);
  await webhook.tell("O-1");
  for (const seconds of [6, 34, 0]) {
    (await webhook.next()).answer(503);
    await sleep(50);
    webhook.pass(seconds * 1_000);
  }
  await becomesStatus(webhook, "FAILING");
  webhook.pass(8 * 24 * hourMs);
  const probe = await webhook.next();
  const fanOut = await holdOpen(database, (tx) => webhook.add(tx, "O-2"));
  probe.answer(503);
  await untilBlocked(database);
  await fanOut.end();
  await webhook.becomes("FAILED FAILED");
  assert.deepEqual((await webhook.lane()).incident?.mails, ["OPENED", "DISABLED"]);
});

test("a pause waits for the fan-out and holds its deliveries; a fan-out after the pause skips", async (t) => {
  const webhook = await world(t);
  const fanOut = await fanningOut();
  const pausing = patch(webhook, 1);
  await untilBlocked(database);
  assert.equal(await statusOf(webhook), "ACTIVE");
  // Due only in a minute: otherwise the first of them could be sent between the two commits.
  await fanOut.end(async (tx) => {
    webhook.pass(minuteMs);
    await webhook.add(tx, "O-1", "O-1");
    webhook.pass(-minuteMs);
  });
  await pausing;
  webhook.pass(minuteMs);
  await webhook.tell("O-1");
  await webhook.becomes("HELD HELD SKIPPED");
  await webhook.rests();
  await patch(webhook, 0);
  (await webhook.next()).answer(200);
  (await webhook.next()).answer(200);
  await webhook.becomes("DELIVERED DELIVERED SKIPPED");
});

test("an attempt that ends during a pause is delivered, or held until the resume", async (t) => {
  const webhook = await world(t, [0.05, 0.05, 0.05]);
  await webhook.tell("O-1", "O-2", "O-1");
  const [first, second] = [await webhook.next(), await webhook.next()];
  const pausing = await holdOpen(database, (tx) =>
    patchWebhook(tx.of(clientId, changeOf(webhook)), { webhookId: webhook.webhookId }, { isPaused: 1 }, pushContext),
  );
  first.answer(500);
  second.answer(200);
  await aMoment();
  await pausing.end();
  await webhook.becomes("HELD DELIVERED HELD");
  await webhook.rests();
  assert.equal(webhook.come(), 0);
  await patch(webhook, 0);
  const again = await webhook.next();
  await aMoment();
  assert.equal(webhook.come(), 0, "the later one of its object waits");
  again.answer(200);
  (await webhook.next()).answer(200);
  await webhook.becomes("DELIVERED DELIVERED DELIVERED");
});

test("a pause that ends before a running attempt blocks nothing", async (t) => {
  const webhook = await world(t, [0.05, 0.05, 0.05]);
  await webhook.tell("O-1", "O-1");
  const request = await webhook.next();
  await patch(webhook, 1);
  await patch(webhook, 0);
  await aMoment();
  assert.equal(webhook.come(), 0, "it is not sent twice at once");
  request.answer(500);
  (await webhook.next()).answer(200);
  (await webhook.next()).answer(200);
  await webhook.becomes("DELIVERED DELIVERED");
});

test("a delivery that waits for a slow receiver is not sent after a pause", async (t) => {
  const webhook = await world(t);
  await webhook.tell(...Array.from({ length: 12 }, (_, i) => `O-${i}`));
  const requests = [await webhook.next(), await webhook.next(), await webhook.next(), await webhook.next()];
  await aMoment();
  assert.equal(webhook.come(), 0, "four at a time");
  await patch(webhook, 1);
  webhook.pass(2_000);
  for (const request of requests) request.answer(200);
  await webhook.becomes([...Array(4).fill("DELIVERED"), ...Array(8).fill("HELD")].join(" "));
  assert.equal(webhook.come(), 0);
  await webhook.rests();
  assert.deepEqual(
    (await webhook.tries()).map(({ state }) => state),
    Array(4).fill("ENDED"),
    "a request that was not sent is not a try",
  );
});

test("a delivery that waits for a slot is not sent after a pause, and has no attempt", async (t) => {
  const webhook = await webhookWorld(database, clientId, [5, 30, 120, 600], { requestsMax: 1 });
  t.after(() => webhook.stop());
  await webhook.tell("O-1", "O-2", "O-3");
  const request = await webhook.next();
  await patch(webhook, 1);
  await webhook.becomes("HELD HELD HELD");
  webhook.dispatcher.wake();
  for (const end = Date.now() + 30_000; (await webhook.begun()) > 1; await sleep(10)) {
    assert.ok(Date.now() < end, "it is withdrawn before there is a place");
  }
  request.answer(200);
  await webhook.becomes("DELIVERED HELD HELD");
  await webhook.rests();
  assert.equal(webhook.come(), 0);
  await patch(webhook, 0);
  for (let i = 0; i < 2; i++) (await webhook.next()).answer(200);
  await webhook.becomes("DELIVERED DELIVERED DELIVERED");
});

test("a stopping process does not wait for deliveries without a slot", async (t) => {
  const webhook = await webhookWorld(database, clientId, [5, 30, 120, 600], { requestsMax: 1 });
  t.after(() => webhook.stop());
  await webhook.tell("O-1", "O-2", "O-3");
  const request = await webhook.next();
  const stopping = webhook.dispatcher.stop();
  for (const end = Date.now() + 2_000; (await webhook.begun()) > 1; await sleep(10)) {
    assert.ok(Date.now() < end, "it is withdrawn at once");
  }
  request.answer(200);
  await stopping;
  assert.equal(webhook.come(), 0);
  await webhook.becomes("DELIVERED PENDING PENDING");
});

test("a 410 after a pause disables the subscription, and its held deliveries fail", async (t) => {
  const webhook = await world(t);
  await webhook.tell("O-1", "O-1");
  const request = await webhook.next();
  await patch(webhook, 1);
  request.answer(410);
  await webhook.becomes("FAILED FAILED");
  const lane = await webhook.lane();
  assert.equal(lane.status, "DISABLED");
  assert.deepEqual(lane.incident?.mails, ["OPENED", "DISABLED"]);
  await webhook.rests();
});

test("a deletion waits for the fan-out and ends its deliveries; no fan-out follows", async (t) => {
  const webhook = await world(t);
  const fanOut = await fanningOut();
  const removing = remove(webhook);
  await untilBlocked(database);
  await fanOut.end((tx) => webhook.add(tx, "O-1", "O-1"));
  await removing;
  await webhook.becomes("FAILED FAILED");
  const left = await webhook.rows(
    `select webhook_id from webhook where webhook_id = $1 union all select webhook_id from webhook_lane where webhook_id = $1
      union all select webhook_id from webhook_sequence where webhook_id = $1`,
    webhook.webhookId,
  );
  assert.deepEqual(left, []);
  await assert.rejects(webhook.tell("O-2"), /does not exist/);
});

test("an attempt is one row from its end on, and its delivery shows it until then", async (t) => {
  const webhook = await world(t);
  await webhook.tell("O-1");
  const request = await webhook.next();
  const [delivery] = await webhook.rows<{ delivery_id: string }>(
    "select delivery_id from webhook_delivery where webhook_id = $1",
    webhook.webhookId,
  );
  const attempts = () => listAttempts(database.of(clientId), delivery?.delivery_id ?? "", 10);
  const [begun, ...others] = await attempts();
  assert.deepEqual([begun?.state, begun?.isProbe, begun?.endedAt, others], ["STARTED", false, null, []]);
  assert.deepEqual(await webhook.tries(), []);
  request.answer(200);
  await webhook.becomes("DELIVERED");
  assert.deepEqual(
    (await attempts()).map(({ tryId, state, status }) => [tryId, state, status]),
    [[begun?.tryId, "ENDED", 200]],
  );
});

test("an attempt that ends after its subscription is deleted has an unknown result, and nothing more is sent", async (t) => {
  const webhook = await world(t);
  await webhook.tell("O-1", "O-1", "O-2", "O-3", "O-4", "O-5");
  const requests = [await webhook.next(), await webhook.next(), await webhook.next(), await webhook.next()];
  const removing = await holdOpen(database, (tx) =>
    deleteWebhook(tx.of(clientId, changeOf(webhook)), { webhookId: webhook.webhookId }),
  );
  requests[0]?.answer(200);
  await aMoment();
  await removing.end();
  await aMoment();
  // At most one delivery that was already written, and sent before the deletion was seen.
  const behind = webhook.come();
  assert.ok(behind <= 1, `${behind}`);
  for (const request of requests.slice(1)) request.answer(200);
  await aMoment();
  assert.equal(webhook.come(), behind, "nothing more is sent");
  await webhook.becomes(Array(6).fill("FAILED").join(" "));
  assert.ok((await webhook.tries()).every(({ state }) => state === "UNKNOWN"));
  assert.deepEqual(
    webhook.logged.filter((line) => line.includes('"level":"error"') || line.includes('"level":50')),
    [],
  );
});

test("a failed delivery waits for an earlier one that an operator resends", async (t) => {
  const webhook = await world(t, [0.05, 60]);
  await webhook.tell("O-1", "O-1");
  (await webhook.next()).answer(200);
  await webhook.becomes("DELIVERED PENDING");
  const later = await webhook.next();
  const [first] = await webhook.rows<{ delivery_id: string }>(
    "select delivery_id from webhook_delivery where webhook_id = $1 order by event_position limit 1",
    webhook.webhookId,
  );
  await database.transaction(async (tx) => {
    assert.ok((await redeliverOne(tx.of(clientId, changeOf(webhook)), first?.delivery_id ?? "")).ok);
  }, patient);
  webhook.dispatcher.wake();
  const earlier = await webhook.next();
  later.answer(500);
  await webhook.becomes("PENDING RETRYING");
  await aMoment();
  webhook.dispatcher.wake();
  await aMoment();
  assert.equal(webhook.come(), 0, "it waits");
  assert.equal((await webhook.deliveries())[1]?.blocks_until, null, "and its hour has not begun");
  earlier.answer(200);
  (await webhook.next()).answer(200);
  await webhook.becomes("DELIVERED DELIVERED");
});

test("a check of an incident during a settlement neither waits nor reports twice", async (t) => {
  const webhook = await world(t, [0.02, 0.02, 0.02, 0.02]);
  const context = { database, clock: webhook.clock, ids };
  await webhook.tell("O-1");
  for (let i = 0; i < 3; i++) (await webhook.next()).answer(500);
  await becomesStatus(webhook, "FAILING");
  assert.deepEqual((await webhook.lane()).incident?.mails, ["OPENED"]);
  // A success without later failures: the incident recovers after ten minutes.
  (await webhook.next()).answer(200);
  await webhook.becomes("DELIVERED");
  await webhook.rests();
  webhook.pass(hourMs / 5);
  const settling = await holdOpen(database, (tx) =>
    tx.query({
      text: "select fence from webhook_lane where webhook_id = $1 for update",
      values: [webhook.webhookId],
      name: "",
      isTenant: false,
    }),
  );
  await tickIncidents(context);
  await settling.end();
  assert.deepEqual((await webhook.lane()).incident?.mails, ["OPENED"], "another worker had the lane");
  // A failure is settled while several checks run concurrently: the incident continues, or it ends and continues again.
  await webhook.tell("O-2");
  const request = await webhook.next();
  request.answer(500);
  await Promise.all(Array.from({ length: 8 }, () => tickIncidents(context)));
  (await webhook.next()).answer(200);
  await webhook.becomes("DELIVERED DELIVERED");
  await webhook.rests();
  const { incident } = await webhook.lane();
  assert.equal(incident?.mails[0], "OPENED");
  assert.equal(new Set(incident?.mails).size, incident?.mails.length);
  const notified = await webhook.rows<{ key: string; n: number }>(
    `select k.key, count(*)::integer as n from alert_mail m cross join lateral jsonb_object_keys(m.notes) as k(key)
      where k.key like $1 || ' %' group by 1`,
    webhook.webhookId,
  );
  assert.deepEqual(
    notified.map(({ key, n }) => `${key.split(" ")[2]} ${n}`).sort(),
    [...(incident?.mails ?? [])].map((kind) => `${kind} 1`).sort(),
    "what the incident says was reported is in the mails, each once",
  );
});
