// A lane with damaged rows stops sending, logs the fault, and continues after their repair.
import assert from "node:assert/strict";
import { test } from "node:test";
import { tickIncidents } from "#/delivery/webhooks/lanes/incident-ticks.ts";
import { listLaneHealth } from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import { rotateSecret } from "#/delivery/webhooks/subscriptions/subscription-service.ts";
import { until } from "../../../../tests/support/app/until.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import { patient, testDatabase } from "../../../../tests/support/postgres/database.ts";
import { secretBox } from "../../../../tests/support/webhooks/active-webhook.ts";
import { ids, webhookWorld } from "../../../../tests/support/webhooks/webhook-world.ts";

const { database } = await testDatabase();
const schedule = [0.1, 0.2, 600];
for (const clientId of ["SECRET", "HEADERS", "INCIDENT"]) {
  await insertClient(database, { clientId });
  const cursor = "insert into webhook_cursor (client_id, last_position) values ($1, 0)";
  await database.query({ text: cursor, values: [clientId], name: "", isTenant: false });
}

async function poisoned(clientId: string, column: "signing_secret_sealed" | "custom_headers_sealed") {
  const world = await webhookWorld(database, clientId, schedule);
  await world.rows(`update webhook set ${column} = 'v1.nothing.opens' where webhook_id = $1`, world.webhookId);
  await world.tell("O-1", "O-2");
  await until("the lane to fail", async () => (await world.lane()).status === "FAILING");
  return world;
}

test("a secret that cannot be decrypted: the webhook is FAILING, a mail gives the reason, and a new secret fixes it at once", async () => {
  const world = await poisoned("SECRET", "signing_secret_sealed");
  assert.deepEqual((await world.lane()).incident?.mails, ["OPENED"]);
  const [mail] = await world.rows<{ body_text: string }>("select body_text from alert_mail where client_id = 'SECRET'");
  assert.match(mail?.body_text ?? "", /unreadable: the secret or the headers cannot be decrypted/);
  const lineCount = () => world.logged.filter((line) => line.includes("cannot be decrypted")).length;
  assert.ok(lineCount() > 0 && lineCount() < 20, `${lineCount()} lines`);
  assert.ok(!world.logged.some((line) => line.includes("a lane was given up")));
  const change = { actor: "test", origin: "test", at: new Date(world.clock.now()).toISOString(), ids };
  const rotated = await database.transaction(
    (tx) => rotateSecret(tx.of("SECRET", change), { webhookId: world.webhookId, ifMatch: undefined }, secretBox),
    patient,
  );
  assert.ok(rotated.ok);
  world.dispatcher.wake();
  (await world.next()).answer(200);
  (await world.next()).answer(200);
  await world.becomes("DELIVERED DELIVERED");
  assert.equal((await world.lane()).status, "ACTIVE");
  await world.stop();
});

test("headers that cannot be decrypted are handled like the secret", async () => {
  const world = await poisoned("HEADERS", "custom_headers_sealed");
  await world.rows("update webhook set custom_headers_sealed = null where webhook_id = $1", world.webhookId);
  world.pass(16 * 60_000);
  (await world.next()).answer(200);
  (await world.next()).answer(200);
  await world.becomes("DELIVERED DELIVERED");
  await world.stop();
});

test("an unreadable incident or breaker is ignored: the lane continues, and a new incident begins", async () => {
  const world = await webhookWorld(database, "INCIDENT", schedule);
  await world.tell("O-1");
  (await world.next()).answer(200);
  await world.rests();
  await world.rows(
    `update webhook_lane set incident = '{"mails": 7}', incident_due_at = now(),
      breaker = '{"openedAtMs": "soon", "failures": [], "firstFailureAtMs": "never", "lastSuccessAtMs": 1e300}' where webhook_id = $1`,
    world.webhookId,
  );
  const [health] = await listLaneHealth(database.of("INCIDENT"), [world.webhookId]);
  assert.deepEqual([health?.last_success_ms, health?.last_failure_ms, health?.failures], [null, null, 0]);
  await tickIncidents({ database, clock: world.clock, ids });
  await world.tell("O-2");
  (await world.next()).answer(410);
  await until("the subscription to be disabled", async () => (await world.lane()).status === "DISABLED");
  assert.deepEqual((await world.lane()).incident?.mails, ["OPENED", "DISABLED"]);
  await world.stop();
});
