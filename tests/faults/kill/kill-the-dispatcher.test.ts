// Webhook workers are killed, or stopped while a receiver hangs. Another worker takes over within seconds, nothing is
// lost, and at most the requests in flight are repeated (webhooks.md §2).
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { makeSecret, saveRule, sealTarget } from "#/delivery/notifications/index.ts";
import { createSecretBox } from "#/kernel/security/secret-box.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { watchMachine } from "../../support/app/machine.ts";
import { makeDataDir, type StartingProcess, spawnProcess, urlIn } from "../../support/app/process.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { type Answer, type Receiver, startReceiver } from "../../support/http/receiver.ts";
import { tellEvents, webhookDesk } from "../../support/webhooks/webhooks.ts";

const settings = { CROSSDOCK_WEBHOOK_RETRY_SCHEDULE: "0.5,2,5" };
// Sends nothing itself: its workers are separate processes.
const server = await testServer({ ...settings, CROSSDOCK_ROLES: "api,auth" });
const dataDir = makeDataDir();
const stretch = watchMachine();
/** Time limit for the start of a worker and its first requests. */
const sentMsMax = 100_000;

function startWorker(): StartingProcess {
  return spawnProcess(dataDir, {
    ...settings,
    DATABASE_URL: server.config.database.url as string,
    CROSSDOCK_SECRET: "a master key for tests, long enough",
    CROSSDOCK_ROLES: "worker",
    CROSSDOCK_SEED_DEMO: "false",
  });
}

async function receiverOf(): Promise<Receiver> {
  const receiver = await startReceiver();
  atEnd(() => receiver.close());
  return receiver;
}

const objectIds = Array.from({ length: 40 }, (_, i) => `O-${i}`);

interface Try {
  readonly delivery_id: string;
  readonly state: string;
}

const attemptsOf = (clientId: string) =>
  server.rows<Try>("select delivery_id, state from webhook_attempt where client_id = $1 order by attempt_id", clientId);

/** Asserts that the first delivery of each event of an object follows the order of the events. */
function assertInOrder(receiver: Receiver): void {
  const last = new Map<string, number>();
  for (const { body } of receiver.requests) {
    const { objectId, sequence } = JSON.parse(body.toString()) as { objectId: string; sequence: number };
    const before = last.get(objectId) ?? 0;
    assert.ok(sequence === before || sequence === before + 1, `${objectId}: ${sequence} after ${before}`);
    last.set(objectId, sequence);
  }
}

test("a killed worker loses nothing, and only running attempts are repeated", async () => {
  const client = await server.onboard("KILLED");
  const handleReport = await webhookDesk(server, client);
  const receiver = await receiverOf();
  receiver.answer = ({ number }): Answer => (number > 30 ? "hang" : 200);
  const { webhookId } = await handleReport.create({ url: receiver.url });
  for (let i = 0; i < 2; i++) await tellEvents(server, "KILLED", objectIds);
  const first = startWorker();
  await receiver.waitFor(34, sentMsMax);
  await sleep(200);
  assert.equal(receiver.requests.length, 34, "four hang");
  await first.kill();
  receiver.answer = 200;
  const second = startWorker();
  await until("another worker is at work", () => urlIn(second.output()) !== undefined, sentMsMax);
  const readyMs = Date.now();
  await until(
    "all are delivered",
    async () => (await handleReport.deliveries(webhookId)).every(({ status }) => status === "DELIVERED"),
    sentMsMax,
  );
  assert.equal((await handleReport.deliveries(webhookId)).length, 80);
  const taken = receiver.requests[34]?.atMs ?? 0;
  // The lease, and the polling interval. The start time of the other process depends on the machine.
  assert.ok(taken - readyMs < 12_000 * stretch(), `taken over ${taken - readyMs} ms after the start`);
  const counts = new Map<string, number>();
  for (const { headers } of receiver.requests) {
    const id = headers["webhook-id"] as string;
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  assert.equal(counts.size, 80, "nothing is lost");
  const twice = [...counts.values()].filter((count) => count > 1);
  // Requests that were answered but not settled before the end count as in flight.
  assert.ok(twice.length >= 4 && twice.length <= 34, `${twice.length} came more than once`);
  assertInOrder(receiver);
  const begun = await server.rows("select from webhook_delivery where client_id = 'KILLED' and attempt_id is not null");
  assert.equal(begun.length, 0);
  const attempts = await attemptsOf("KILLED");
  assert.ok(attempts.filter(({ state }) => state === "UNKNOWN").length >= 4);
  const end = await second.stop("SIGTERM");
  assert.deepEqual([end.code, end.signal], [0, null], second.output());
});

test("a worker that is stopped while a receiver hangs ends in time, and leaves everything to the next one", async () => {
  const client = await server.onboard("STOPPED");
  const handleReport = await webhookDesk(server, client);
  const receiver = await receiverOf();
  receiver.answer = "hang";
  const { webhookId } = await handleReport.create({ url: receiver.url });
  await tellEvents(server, "STOPPED", objectIds);
  const first = startWorker();
  await receiver.waitFor(4, sentMsMax);
  const end = await first.stop("SIGTERM");
  assert.deepEqual([end.code, end.signal], [0, null], first.output());
  assert.ok(end.ms < 5_000 * stretch(), `it took ${Math.round(end.ms)} ms`);
  const attempts = await attemptsOf("STOPPED");
  assert.deepEqual(
    attempts.map(({ state }) => state),
    ["UNKNOWN", "UNKNOWN", "UNKNOWN", "UNKNOWN"],
    "what was not sent has no try",
  );
  receiver.answer = 200;
  const second = startWorker();
  await until(
    "all are delivered",
    async () => (await handleReport.deliveries(webhookId)).every(({ status }) => status === "DELIVERED"),
    sentMsMax,
  );
  assert.equal(receiver.requests.length, 44);
  await second.stop("SIGTERM");
});

test("a worker that is killed between writing and sending a notification leaves it to the next one, under its id", async () => {
  await server.onboard("TOLD");
  const receiver = await receiverOf();
  receiver.answer = "hang";
  const at = new Date().toISOString();
  const ruleId = createIds().next(Date.now());
  const box = createSecretBox("a master key for tests, long enough");
  await server.database.transaction(async (tx) =>
    saveRule(tx, {
      ruleId,
      name: "Low",
      channel: "WEBHOOK",
      isActive: true,
      updatedBy: "test",
      createdAt: at,
      updatedAt: at,
      settings: {
        addresses: [],
        shownUrl: receiver.url,
        clientIds: [],
        facilityCodes: [],
        kinds: ["LOW_STOCK"],
        severity: "ANY",
        schedule: "AT_ONCE",
        dailyAt: null,
        quietFrom: null,
        quietUntil: null,
        timeZone: "UTC",
        remindHours: null,
      },
      targetSealed: sealTarget(box, ruleId, { url: receiver.url, secret: makeSecret("WEBHOOK") }),
      version: 1,
    }),
  );
  await server.rows(
    "insert into stock_change (client_id, facility_code, sku, is_low) values ('TOLD', 'DC1', 'A', true)",
  );
  const first = startWorker();
  await receiver.waitFor(1, sentMsMax);
  await first.kill();
  receiver.answer = 200;
  // Its lease, and the pause of the job: two minutes, and half a minute.
  await server.rows("update notification_message set due_at = now()");
  await server.rows("update job_lease set last_run_at = null where job = 'notifications'");
  const second = startWorker();
  const states = () => server.rows<{ status: string }>("select status from notification_message");
  await until("it is sent", async () => (await states())[0]?.status === "SENT", sentMsMax);
  await until(
    "another round",
    async () =>
      (
        await server.rows(
          "select from job_lease where job = 'notifications' and last_run_at > now() - interval '1 minute'",
        )
      ).length > 0,
    sentMsMax,
  );
  assert.deepEqual(await states(), [{ status: "SENT" }], "it is written once");
  const ids = receiver.requests.map(({ headers }) => headers["webhook-id"]);
  assert.deepEqual(ids, [ids[0], ids[0]]);
  await second.stop("SIGTERM");
});
