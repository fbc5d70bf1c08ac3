import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { addDeliveries } from "#/delivery/webhooks/deliveries/deliveries.ts";
import { type Dispatcher, startDispatcher } from "#/delivery/webhooks/lanes/dispatcher.ts";
import type { PushMessage, SendResult } from "#/delivery/webhooks/sending/sender.ts";
import { insertSubscription } from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";
import { activeWebhook, secretBox } from "../../../../tests/support/webhooks/active-webhook.ts";

const { database } = await testDatabase();
const { clientId } = await insertClient(database);
const ids = createIds();
const log = createLogger({ level: "error", format: "json" });
const rows = <Row>(text: string, ...values: unknown[]) =>
  database.query<Row>({ text, values, name: "", isTenant: false });

/** A subscription with a clock that the test sets. */
async function world(schedule: readonly number[]) {
  let aheadMs = 0;
  const clock = { now: () => Date.now() + aheadMs };
  const webhookId = ids.next(clock.now());
  const at = new Date(clock.now()).toISOString();
  const sent: { id: string; sequence: number | undefined }[] = [];
  const receiver = { status: 200 };
  await database.transaction(async (tx) => {
    insertSubscription(tx.of(clientId), activeWebhook({ clientId, webhookId, at }, { emailList: ["ops@example.com"] }));
  });
  const sender = {
    async send(_target: object, message: PushMessage): Promise<SendResult> {
      sent.push({ id: message.id, sequence: message.sequence });
      await sleep(1);
      const { status } = receiver;
      return {
        outcome: { kind: "answered", status },
        ...(status === 200 ? {} : { errorClass: "status" as const }),
        phases: {},
        status,
        headers: { "set-cookie": "a=b", server: "x" },
        body: Buffer.from("thanks"),
        startedAtMs: clock.now(),
        endedAtMs: clock.now(),
      };
    },
    close: async () => {},
  };
  const dispatcher: Dispatcher = startDispatcher({
    database,
    clock,
    ids,
    log,
    secretBox,
    schedule,
    sender,
    pollMs: 20,
  });
  let position = 0;
  return {
    webhookId,
    sent,
    receiver,
    stop: () => dispatcher.stop(),
    pass: (ms: number) => {
      aheadMs += ms;
    },
    /** Adds a delivery of an event of each of these objects. */
    async tell(...objectIds: string[]) {
      const now = new Date(clock.now()).toISOString();
      await database.transaction(async (tx) => {
        const wanted = objectIds.map((objectId) => ({
          webhookId,
          eventId: ids.next(clock.now()),
          position: ++position,
          topicName: "order:updated",
          objectType: "order",
          objectId,
        }));
        for (const { eventId, position: at, objectId } of wanted) {
          await tx.query({
            text: `insert into event (client_id, event_id, position, topic, object_type, object_id, occurred_at, data)
              values ($1, $2, $3, 'order:updated', 'order', $4, $5, '{}')`,
            values: [clientId, eventId, at, objectId, now],
            name: "",
            isTenant: false,
          });
        }
        await addDeliveries(tx.of(clientId), ids, now, wanted);
      });
      dispatcher.wake();
    },
    async statuses() {
      const found = await rows<{ status: string }>(
        "select status from webhook_delivery where webhook_id = $1 order by event_position",
        webhookId,
      );
      return found.map(({ status }) => status).join(" ");
    },
    async becomes(statuses: string) {
      for (const end = Date.now() + 30_000; ; await sleep(10)) {
        const found = await this.statuses();
        if (found === statuses) return;
        assert.ok(Date.now() < end, `${found}, not ${statuses}`);
      }
    },
    async lane() {
      const [row] = await rows<{ incident: { mails: string[] } | null; status: string; due_at: string | null }>(
        `select l.incident, l.due_at, w.status from webhook_lane l join webhook w using (client_id, webhook_id)
          where l.webhook_id = $1`,
        webhookId,
      );
      assert.ok(row);
      return row;
    },
  };
}

test("a delivery that has failed for an hour unblocks its object and opens an incident", async (t) => {
  const webhook = await world([4_000, 10, 10, 10, 10]);
  t.after(webhook.stop);
  webhook.receiver.status = 500;
  await webhook.tell("O-1", "O-1");
  await webhook.becomes("RETRYING PENDING");
  webhook.receiver.status = 200;
  // More than a minute before the end of the hour, which a slow machine must not use up.
  webhook.pass(3_500_000);
  await webhook.tell("O-2");
  await webhook.becomes("RETRYING PENDING DELIVERED");
  assert.equal((await webhook.lane()).incident, null);
  webhook.pass(102_000);
  await webhook.becomes("RETRYING DELIVERED DELIVERED");
  assert.deepEqual((await webhook.lane()).incident?.mails, ["OPENED"]);
  await webhook.tell("O-1");
  await webhook.becomes("RETRYING DELIVERED DELIVERED DELIVERED");
  // Includes the jitter.
  webhook.pass(900_000);
  await webhook.becomes("DELIVERED DELIVERED DELIVERED DELIVERED");
  assert.deepEqual(
    webhook.sent.map(({ sequence }) => sequence),
    [1, 1, 2, 3, 1],
  );
});

test("after eight days of failures the subscription is disabled, and its waiting deliveries fail", async (t) => {
  const webhook = await world([5, 30, 120, 600, 1_800, 7_200]);
  t.after(webhook.stop);
  webhook.receiver.status = 503;
  await webhook.tell("O-1", "O-1", "O-2");
  await webhook.becomes("RETRYING PENDING RETRYING");
  for (const seconds of [6, 34, 40]) {
    const before = webhook.sent.length;
    webhook.pass(seconds * 1_000);
    for (const end = Date.now() + 2_000; webhook.sent.length === before && Date.now() < end; ) await sleep(10);
  }
  for (const end = Date.now() + 30_000; (await webhook.lane()).status !== "FAILING"; await sleep(10)) {
    assert.ok(Date.now() < end, "FAILING");
  }
  webhook.pass(8 * dayMs);
  await webhook.becomes("FAILED FAILED FAILED");
  const lane = await webhook.lane();
  assert.equal(lane.status, "DISABLED");
  assert.deepEqual(lane.incident?.mails, ["OPENED", "DISABLED"]);
  const attempts = await rows<{ headers: object; body: Buffer; is_probe: boolean }>(
    "select headers, body, is_probe from webhook_attempt where webhook_id = $1 order by attempt_id",
    webhook.webhookId,
  );
  assert.equal(attempts.at(-1)?.is_probe, true);
  assert.deepEqual(attempts[0]?.headers, { server: "x" }, "cookies are not kept");
  assert.equal(attempts[0]?.body.toString(), "thanks");
  for (const end = Date.now() + 30_000; (await webhook.lane()).due_at !== null; await sleep(10)) {
    assert.ok(Date.now() < end, "nothing is due any more");
  }
});
