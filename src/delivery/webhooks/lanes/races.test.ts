// Transactions that disable, pause or delete a subscription run concurrently with those that add deliveries and those
// that settle them. In every order, no delivery is left that no worker sends or ends (decision 0017).
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { tickIncidents } from "#/delivery/mail/index.ts";
import { openCursor } from "#/delivery/webhooks/deliveries/deliveries.ts";
import { redeliverOne } from "#/delivery/webhooks/deliveries/delivery-service.ts";
import { listSubscriptions } from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import { deleteWebhook, patchWebhook } from "#/delivery/webhooks/subscriptions/subscription-service.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import { patient, testDatabase } from "../../../../tests/support/postgres/database.ts";
import { untilBlocked } from "../../../../tests/support/postgres/locks.ts";
import {
  holdOpen,
  ids,
  secretBox,
  type WebhookWorld,
  webhookWorld,
} from "../../../../tests/support/webhooks/webhook-world.ts";

const { database } = await testDatabase();
const { clientId } = await insertClient(database);
await database.query({
  text: "insert into webhook_cursor (client_id, last_position) values ($1, 0)",
  values: [clientId],
  name: "",
  isTenant: false,
});

const minute = 60_000;
const hour = 60 * minute;
/** Longer than a transaction that does not wait takes. */
const aMoment = () => sleep(300);
const pushContext = { secretBox, world: { facilities: ["DC1"], allowsPlainHttp: true, refusalOfUrl: () => undefined } };
const changeOf = ({ clock }: WebhookWorld) => ({
  actor: "test",
  origin: "test",
  at: new Date(clock.now()).toISOString(),
  ids,
});

const patch = (it: WebhookWorld, isPaused: 0 | 1) =>
  database.transaction(async (tx) => {
    const patched = await patchWebhook(
      tx,
      changeOf(it),
      clientId,
      { webhookId: it.webhookId },
      { isPaused },
      pushContext,
    );
    assert.ok(patched.ok);
  }, patient);

const remove = (it: WebhookWorld) =>
  database.transaction(async (tx) => {
    assert.ok((await deleteWebhook(tx, changeOf(it), clientId, { webhookId: it.webhookId })).ok);
  }, patient);

/** A fan-out that has read the subscriptions, and has added no delivery yet. */
const fanningOut = () =>
  holdOpen(database, async (tx) => {
    await openCursor(tx, clientId);
    await listSubscriptions(tx, clientId);
  });

const statusOf = async (it: WebhookWorld) => (await it.lane()).status;

async function becomesStatus(it: WebhookWorld, status: string): Promise<void> {
  for (const end = Date.now() + 30_000; (await statusOf(it)) !== status; await sleep(10)) {
    assert.ok(Date.now() < end, `${await statusOf(it)}, not ${status}`);
  }
}

async function world(t: { after(work: () => unknown): void }, schedule: readonly number[] = [5, 30, 120, 600]) {
  const it = await webhookWorld(database, clientId, schedule);
  t.after(() => it.stop());
  return it;
}

test("deliveries created while a 410 disables the subscription are SKIPPED or FAILED", async (t) => {
  const it = await world(t);
  await it.tell("O-1");
  const request = await it.next();
  const fanOut = await fanningOut();
  request.answer(410);
  await becomesStatus(it, "DISABLED");
  await fanOut.end((tx) => it.add(tx, "O-2"));
  await it.becomes("FAILED SKIPPED");
  await it.rests();
});

test("a delivery added just before the subscription is disabled fails with it", async (t) => {
  const it = await world(t);
  await it.tell("O-1");
  const request = await it.next();
  const fanOut = await holdOpen(database, (tx) => it.add(tx, "O-2", "O-2"));
  request.answer(410);
  await untilBlocked(database);
  assert.equal(await statusOf(it), "ACTIVE", "it waits for those who add");
  await fanOut.end();
  await it.becomes("FAILED FAILED FAILED");
  assert.equal(await statusOf(it), "DISABLED");
  await it.rests();
});

test("eight days of failures also end deliveries added meanwhile", async (t) => {
  const it = await world(t);
  await it.tell("O-1");
  for (const seconds of [6, 34, 0]) {
    (await it.next()).answer(503);
    await sleep(50);
    it.pass(seconds * 1_000);
  }
  await becomesStatus(it, "FAILING");
  it.pass(8 * 24 * hour);
  const probe = await it.next();
  const fanOut = await holdOpen(database, (tx) => it.add(tx, "O-2"));
  probe.answer(503);
  await untilBlocked(database);
  await fanOut.end();
  await it.becomes("FAILED FAILED");
  assert.deepEqual((await it.lane()).incident?.mails, ["OPENED", "DISABLED"]);
});

test("a pause waits for the fan-out and holds its deliveries; a fan-out after the pause skips", async (t) => {
  const it = await world(t);
  const fanOut = await fanningOut();
  const pausing = patch(it, 1);
  await untilBlocked(database);
  assert.equal(await statusOf(it), "ACTIVE");
  // Due only in a minute: otherwise the first of them could be sent between the two commits.
  await fanOut.end(async (tx) => {
    it.pass(minute);
    await it.add(tx, "O-1", "O-1");
    it.pass(-minute);
  });
  await pausing;
  it.pass(minute);
  await it.tell("O-1");
  await it.becomes("HELD HELD SKIPPED");
  await it.rests();
  await patch(it, 0);
  (await it.next()).answer(200);
  (await it.next()).answer(200);
  await it.becomes("DELIVERED DELIVERED SKIPPED");
});

test("an attempt that ends during a pause is delivered, or held until the resume", async (t) => {
  const it = await world(t, [0.05, 0.05, 0.05]);
  await it.tell("O-1", "O-2", "O-1");
  const [first, second] = [await it.next(), await it.next()];
  const pausing = await holdOpen(database, (tx) =>
    patchWebhook(tx, changeOf(it), clientId, { webhookId: it.webhookId }, { isPaused: 1 }, pushContext),
  );
  first.answer(500);
  second.answer(200);
  await aMoment();
  await pausing.end();
  await it.becomes("HELD DELIVERED HELD");
  await it.rests();
  assert.equal(it.come(), 0);
  await patch(it, 0);
  const again = await it.next();
  await aMoment();
  assert.equal(it.come(), 0, "the later one of its object waits");
  again.answer(200);
  (await it.next()).answer(200);
  await it.becomes("DELIVERED DELIVERED DELIVERED");
});

test("a pause that ends before a running attempt blocks nothing", async (t) => {
  const it = await world(t, [0.05, 0.05, 0.05]);
  await it.tell("O-1", "O-1");
  const request = await it.next();
  await patch(it, 1);
  await patch(it, 0);
  await aMoment();
  assert.equal(it.come(), 0, "it is not sent twice at once");
  request.answer(500);
  (await it.next()).answer(200);
  (await it.next()).answer(200);
  await it.becomes("DELIVERED DELIVERED");
});

test("a delivery that waits for a slow receiver is not sent after a pause", async (t) => {
  const it = await world(t);
  await it.tell(...Array.from({ length: 12 }, (_, i) => `O-${i}`));
  const requests = [await it.next(), await it.next(), await it.next(), await it.next()];
  await aMoment();
  assert.equal(it.come(), 0, "four at a time");
  await patch(it, 1);
  it.pass(2_000);
  for (const request of requests) request.answer(200);
  await it.becomes([...Array(4).fill("DELIVERED"), ...Array(8).fill("HELD")].join(" "));
  assert.equal(it.come(), 0);
  await it.rests();
  assert.deepEqual(
    (await it.tries()).map(({ state }) => state),
    Array(4).fill("ENDED"),
    "what was not sent is no try",
  );
});

test("a delivery that waits for a slot is not sent after a pause, and has no attempt", async (t) => {
  const it = await webhookWorld(database, clientId, [5, 30, 120, 600], { requestsMax: 1 });
  t.after(() => it.stop());
  await it.tell("O-1", "O-2", "O-3");
  const request = await it.next();
  await patch(it, 1);
  await it.becomes("HELD HELD HELD");
  it.dispatcher.wake();
  for (const end = Date.now() + 30_000; (await it.tries()).length > 1; await sleep(10)) {
    assert.ok(Date.now() < end, "it is withdrawn before there is a place");
  }
  request.answer(200);
  await it.becomes("DELIVERED HELD HELD");
  await it.rests();
  assert.equal(it.come(), 0);
  await patch(it, 0);
  for (let i = 0; i < 2; i++) (await it.next()).answer(200);
  await it.becomes("DELIVERED DELIVERED DELIVERED");
});

test("a stopping process does not wait for deliveries without a slot", async (t) => {
  const it = await webhookWorld(database, clientId, [5, 30, 120, 600], { requestsMax: 1 });
  t.after(() => it.stop());
  await it.tell("O-1", "O-2", "O-3");
  const request = await it.next();
  const stopping = it.dispatcher.stop();
  for (const end = Date.now() + 2_000; (await it.tries()).length > 1; await sleep(10)) {
    assert.ok(Date.now() < end, "it is withdrawn at once");
  }
  request.answer(200);
  await stopping;
  assert.equal(it.come(), 0);
  await it.becomes("DELIVERED PENDING PENDING");
});

test("a 410 after a pause disables the subscription, and its held deliveries fail", async (t) => {
  const it = await world(t);
  await it.tell("O-1", "O-1");
  const request = await it.next();
  await patch(it, 1);
  request.answer(410);
  await it.becomes("FAILED FAILED");
  const lane = await it.lane();
  assert.equal(lane.status, "DISABLED");
  assert.deepEqual(lane.incident?.mails, ["OPENED", "DISABLED"]);
  await it.rests();
});

test("a deletion waits for the fan-out and ends its deliveries; no fan-out follows", async (t) => {
  const it = await world(t);
  const fanOut = await fanningOut();
  const removing = remove(it);
  await untilBlocked(database);
  await fanOut.end((tx) => it.add(tx, "O-1", "O-1"));
  await removing;
  await it.becomes("FAILED FAILED");
  const left = await it.rows(
    `select webhook_id from webhook where webhook_id = $1 union all select webhook_id from webhook_lane where webhook_id = $1
      union all select webhook_id from webhook_sequence where webhook_id = $1`,
    it.webhookId,
  );
  assert.deepEqual(left, []);
  await assert.rejects(it.tell("O-2"), /does not exist/);
});

test("an attempt that ends after its subscription is deleted has an unknown result, and nothing more is sent", async (t) => {
  const it = await world(t);
  await it.tell("O-1", "O-1", "O-2", "O-3", "O-4", "O-5");
  const requests = [await it.next(), await it.next(), await it.next(), await it.next()];
  const removing = await holdOpen(database, (tx) =>
    deleteWebhook(tx, changeOf(it), clientId, { webhookId: it.webhookId }),
  );
  requests[0]?.answer(200);
  await aMoment();
  await removing.end();
  await aMoment();
  // At most one delivery that was already written, and sent before the deletion was seen.
  const behind = it.come();
  assert.ok(behind <= 1, `${behind}`);
  for (const request of requests.slice(1)) request.answer(200);
  await aMoment();
  assert.equal(it.come(), behind, "nothing more is sent");
  await it.becomes(Array(6).fill("FAILED").join(" "));
  assert.ok((await it.tries()).every(({ state }) => state === "UNKNOWN"));
  assert.deepEqual(
    it.logged.filter((line) => line.includes('"level":"error"') || line.includes('"level":50')),
    [],
  );
});

test("a failed delivery waits for an earlier one that an operator resends", async (t) => {
  const it = await world(t, [0.05, 60]);
  await it.tell("O-1", "O-1");
  (await it.next()).answer(200);
  await it.becomes("DELIVERED PENDING");
  const later = await it.next();
  const [first] = await it.rows<{ delivery_id: string }>(
    "select delivery_id from webhook_delivery where webhook_id = $1 order by event_position limit 1",
    it.webhookId,
  );
  await database.transaction(async (tx) => {
    assert.ok((await redeliverOne(tx, changeOf(it), clientId, first?.delivery_id ?? "")).ok);
  }, patient);
  it.dispatcher.wake();
  const earlier = await it.next();
  later.answer(500);
  await it.becomes("PENDING RETRYING");
  await aMoment();
  it.dispatcher.wake();
  await aMoment();
  assert.equal(it.come(), 0, "it waits");
  assert.equal((await it.deliveries())[1]?.blocks_until, null, "and its hour has not begun");
  earlier.answer(200);
  (await it.next()).answer(200);
  await it.becomes("DELIVERED DELIVERED");
});

test("a check of an incident during a settlement neither waits nor reports twice", async (t) => {
  const it = await world(t, [0.02, 0.02, 0.02, 0.02]);
  const context = { database, clock: it.clock, ids };
  await it.tell("O-1");
  for (let i = 0; i < 3; i++) (await it.next()).answer(500);
  await becomesStatus(it, "FAILING");
  assert.deepEqual((await it.lane()).incident?.mails, ["OPENED"]);
  // A success without later failures: the incident recovers after ten minutes.
  (await it.next()).answer(200);
  await it.becomes("DELIVERED");
  await it.rests();
  it.pass(hour / 5);
  const settling = await holdOpen(database, (tx) =>
    tx.query({
      text: "select fence from webhook_lane where webhook_id = $1 for update",
      values: [it.webhookId],
      name: "",
      isTenant: false,
    }),
  );
  await tickIncidents(context);
  await settling.end();
  assert.deepEqual((await it.lane()).incident?.mails, ["OPENED"], "another worker had the lane");
  // A failure is settled while several checks run concurrently: the incident continues, or it ends and continues again.
  await it.tell("O-2");
  const request = await it.next();
  request.answer(500);
  await Promise.all(Array.from({ length: 8 }, () => tickIncidents(context)));
  (await it.next()).answer(200);
  await it.becomes("DELIVERED DELIVERED");
  await it.rests();
  const { incident } = await it.lane();
  assert.equal(incident?.mails[0], "OPENED");
  assert.equal(new Set(incident?.mails).size, incident?.mails.length);
  const notified = await it.rows<{ key: string; n: number }>(
    `select k.key, count(*)::integer as n from alert_mail m cross join lateral jsonb_object_keys(m.notes) as k(key)
      where k.key like $1 || ' %' group by 1`,
    it.webhookId,
  );
  assert.deepEqual(
    notified.map(({ key, n }) => `${key.split(" ")[2]} ${n}`).sort(),
    [...(incident?.mails ?? [])].map((kind) => `${kind} 1`).sort(),
    "what the incident says was reported is in the mails, each once",
  );
});
