// How long a delivery blocks the later ones of its object: an hour in which its own attempts fail. Neither a pause nor an
// outage in which only probes were sent counts (webhooks.md §2).
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { patchWebhook } from "#/delivery/webhooks/subscriptions/subscription-service.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import { patient, testDatabase } from "../../../../tests/support/postgres/database.ts";
import { secretBox } from "../../../../tests/support/webhooks/active-webhook.ts";
import { ids, webhookWorld } from "../../../../tests/support/webhooks/webhook-world.ts";

const { database } = await testDatabase();
const { clientId } = await insertClient(database);
const pushContext = { secretBox, world: { facilities: ["DC1"], allowsPlainHttp: true, refusalOfUrl: () => undefined } };

async function world(t: { after(work: () => unknown): void }, schedule: readonly number[]) {
  const webhook = await webhookWorld(database, clientId, schedule);
  t.after(() => webhook.stop());
  return webhook;
}

test("deliveries that waited during an outage of two hours are sent in order after it", async (t) => {
  const webhook = await world(t, [5, 30, 120, 600]);
  await webhook.tell("O-1", "O-1", "O-1", "O-2");
  for (const seconds of [6, 34]) {
    for (let i = 0; i < 2; i++) (await webhook.next()).answer(500);
    await webhook.becomes("RETRYING PENDING PENDING RETRYING");
    webhook.pass(seconds * 1_000);
  }
  (await webhook.next()).answer(500);
  for (const end = Date.now() + 30_000; (await webhook.lane()).status !== "FAILING"; await sleep(10)) {
    assert.ok(Date.now() < end, "FAILING");
  }
  while (webhook.come() > 0) (await webhook.next()).answer(500);
  for (let i = 0; i < 12; i++) {
    webhook.pass(10 * minuteMs);
    (await webhook.next()).answer(500);
  }
  webhook.pass(15 * minuteMs);
  const sent: string[] = [];
  for (let i = 0; i < 4; i++) {
    const request = await webhook.next();
    const { sequence } = request.message;
    await sleep(50);
    sent.push(`${JSON.parse(request.message.body as string).objectId} ${sequence}`);
    request.answer(200);
  }
  await webhook.becomes("DELIVERED DELIVERED DELIVERED DELIVERED");
  assert.deepEqual(
    sent.filter((line) => line.startsWith("O-1")),
    ["O-1 1", "O-1 2", "O-1 3"],
  );
});

test("the mail about an event that fails for an hour states the error, the start and the next attempt", async (t) => {
  const webhook = await world(t, [2_000, 4_000, 4_000]);
  const beganMs = webhook.clock.now();
  await webhook.tell("O-1", "O-1");
  (await webhook.next()).answer(500);
  await webhook.becomes("RETRYING PENDING");
  webhook.pass(40 * minuteMs);
  (await webhook.next()).answer(503);
  await webhook.tell("O-2");
  (await webhook.next()).answer(200);
  await webhook.becomes("RETRYING PENDING DELIVERED");
  webhook.pass(25 * minuteMs);
  (await webhook.next()).answer(200);
  await webhook.becomes("RETRYING DELIVERED DELIVERED");
  const [mail] = await webhook.rows<{ notes: Record<string, Record<string, string>> }>(
    "select notes from alert_mail where notes::text like '%' || $1 || '%'",
    webhook.webhookId,
  );
  const note = Object.values(mail?.notes ?? {}).find(({ webhookId }) => webhookId === webhook.webhookId);
  assert.equal(note?.kind, "OPENED");
  assert.equal(note?.error, "status: answered 503");
  assert.ok(Math.abs(Date.parse(note?.since ?? "") - beganMs) < 10 * minuteMs, `since ${note?.since}`);
  const [head] = await webhook.deliveries();
  assert.equal(Date.parse(note?.nextTryAt ?? ""), Date.parse(head?.due_at ?? ""));
});

/** A delivery that was refused for good and no longer blocks its object: its next attempt is hours away. */
async function refusedForGood(t: { after(work: () => unknown): void }) {
  const webhook = await world(t, [60, 60, 60_000, 60_000]);
  await webhook.tell("O-1", "O-1");
  for (let i = 0; i < 3; i++) {
    if (i > 0) webhook.pass(70_000);
    // Other deliveries succeed in between: the receiver works.
    (await webhook.next()).answer(422);
    if (i === 2) break;
    await webhook.tell(`P-${i}`);
    (await webhook.next()).answer(200);
  }
  (await webhook.next()).answer(200);
  await webhook.becomes("RETRYING DELIVERED DELIVERED DELIVERED");
  return webhook;
}

async function incidentOpens(webhook: Awaited<ReturnType<typeof world>>): Promise<void> {
  for (const end = Date.now() + 30_000; (await webhook.lane()).incident === null; await sleep(10)) {
    assert.ok(Date.now() < end, "no one was notified");
  }
}

test("a final refusal is notified once, after an hour of failures and not at the next attempt", async (t) => {
  const webhook = await refusedForGood(t);
  webhook.pass(50 * minuteMs);
  await webhook.tell("O-2");
  (await webhook.next()).answer(200);
  await sleep(300);
  assert.equal((await webhook.lane()).incident, null);
  // No other delivery is due: the lane has a due time for it.
  webhook.pass(9 * minuteMs);
  await incidentOpens(webhook);
  assert.equal(webhook.come(), 0, "it is not tried for it");
  const { incident, due_at } = await webhook.lane();
  assert.deepEqual(incident?.mails, ["OPENED"]);
  const [head] = await webhook.deliveries();
  for (const end = Date.now() + 30_000; ; await sleep(10)) {
    if ((await webhook.lane()).due_at === head?.due_at) break;
    assert.ok(Date.now() < end, `due at ${due_at}, not with its next try`);
  }
  webhook.pass(5 * minuteMs);
  await webhook.tell("O-3");
  (await webhook.next()).answer(200);
  await sleep(300);
  const notified = await webhook.rows(
    "select mail_id from alert_mail where notes::text like '%' || $1 || '%'",
    webhook.webhookId,
  );
  assert.equal(notified.length, 1);
});

test("an event that continues alone in a pause is notified after a separate hour of failures", async (t) => {
  const webhook = await refusedForGood(t);
  const pause = (isPaused: 0 | 1) =>
    database.transaction((tx) => {
      const change = { actor: "test", origin: "test", at: new Date(webhook.clock.now()).toISOString(), ids };
      return patchWebhook(tx.of(clientId, change), { webhookId: webhook.webhookId }, { isPaused }, pushContext);
    }, patient);
  await pause(1);
  webhook.pass(3 * 60 * minuteMs);
  await sleep(300);
  assert.equal((await webhook.lane()).incident, null);
  await pause(0);
  webhook.dispatcher.wake();
  (await webhook.next()).answer(422);
  await webhook.becomes("RETRYING DELIVERED DELIVERED DELIVERED");
  await sleep(300);
  assert.equal((await webhook.lane()).incident, null);
  webhook.pass(61 * minuteMs);
  await incidentOpens(webhook);
  assert.deepEqual((await webhook.lane()).incident?.mails, ["OPENED"]);
});

test("a pause does not count towards the hour of failures", async (t) => {
  const webhook = await world(t, [5, 30, 120, 600]);
  await webhook.tell("O-1", "O-1");
  (await webhook.next()).answer(500);
  await webhook.becomes("RETRYING PENDING");
  for (const isPaused of [1, 0]) {
    await database.transaction((tx) => {
      const at = new Date(webhook.clock.now()).toISOString();
      const change = { actor: "test", origin: "test", at, ids };
      return patchWebhook(tx.of(clientId, change), { webhookId: webhook.webhookId }, { isPaused }, pushContext);
    }, patient);
    webhook.pass(120 * minuteMs);
  }
  const request = await webhook.next();
  await sleep(200);
  assert.equal(webhook.come(), 0, "the later one waits");
  request.answer(200);
  (await webhook.next()).answer(200);
  await webhook.becomes("DELIVERED DELIVERED");
});

test("an attempt with an unknown result is never the last one, and starts no hour", async (t) => {
  const webhook = await world(t, [5]);
  await webhook.tell("O-1", "O-1");
  (await webhook.next()).answer(500);
  await webhook.becomes("RETRYING PENDING");
  webhook.pass(6_000);
  await webhook.next();
  // Its worker ends, and another one takes over.
  await webhook.dispatcher.stop();
  const [head] = await webhook.deliveries();
  assert.deepEqual([head?.status, head?.attempts], ["RETRYING", 1]);
  assert.deepEqual(
    (await webhook.tries()).map(({ state }) => state),
    ["ENDED", "UNKNOWN"],
  );
});
