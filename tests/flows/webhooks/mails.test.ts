// Alert mail as its reader sees it, when a receiver fails and when it has recovered (webhooks.md §2, operations.md §3).
import assert from "node:assert/strict";
import { test } from "node:test";
import { tickIncidents } from "#/delivery/webhooks/lanes/incident-ticks.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { type TestServer, testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { startMailSink } from "../../support/mail/sink.ts";
import { tellEvents, webhookDesk } from "../../support/webhooks/webhooks.ts";

const sink = await startMailSink();
const environment = { CROSSDOCK_WEBHOOK_RETRY_SCHEDULE: "0.1,0.3,0.3,1" };
const server = await testServer({
  ...environment,
  CROSSDOCK_SMTP_URL: sink.url,
  CROSSDOCK_MAIL_FROM: "Crossdock Alerts <alerts@crossdock.example>",
});
const withoutMail = await testServer(environment);
const receiver = await startReceiver();
atEnd(() => receiver.close());
const ids = createIds();
const topic = "order:delivered";

interface MailRow {
  readonly address: string;
  readonly status: string;
  readonly wait_ms: number;
  readonly notes: Record<string, { readonly kind: string; readonly webhookId: string }>;
}

const mailsOf = (server: TestServer, clientId: string) =>
  server.rows<MailRow>(
    `select address, status, notes, (extract(epoch from scheduled_at - created_at) * 1000)::integer as wait_ms
      from alert_mail where client_id = $1 order by scheduled_at`,
    clientId,
  );
const eventsOf = async (server: TestServer, clientId: string) =>
  (await mailsOf(server, clientId)).flatMap(({ notes }) => Object.values(notes)).map(({ kind }) => kind);

/** Simulates that half a minute, or ten, have passed. */
const letDue = (server: TestServer, clientId: string) =>
  server.rows("update alert_mail set due_at = '2026-01-01' where client_id = $1 and status = 'PENDING'", clientId);

async function brand(server: TestServer, clientId: string) {
  const client = await server.onboard(clientId);
  return { client, handleReport: await webhookDesk(server, client) };
}

test("each address gets one mail when receivers fail, and one when they recover", async () => {
  const { handleReport } = await brand(server, "BRAND");
  receiver.answer = 500;
  const hook = {
    url: `${receiver.url}/hook?token=hush`,
    customHeaders: { "x-key": "hush-hush" },
    emailList: ["ops@example.com", "boss@example.com"],
  };
  const webhooks = [await handleReport.create({ ...hook, topicName: topic }), await handleReport.create(hook)];
  await tellEvents(server, "BRAND", ["O-1", "O-2"], topic);
  const areAll = (kinds: number) => async () => (await eventsOf(server, "BRAND")).length === kinds;
  await until("two incidents, sent to two addresses", areAll(4));
  const opened = await mailsOf(server, "BRAND");
  assert.deepEqual(opened.map(({ address }) => address).toSorted(), ["boss@example.com", "ops@example.com"]);
  for (const { wait_ms, notes } of opened) {
    assert.ok(wait_ms <= 55_000);
    assert.deepEqual(
      Object.values(notes)
        .map(({ webhookId }) => webhookId)
        .toSorted(),
      webhooks.map(({ webhookId }) => webhookId).toSorted(),
    );
  }
  await letDue(server, "BRAND");
  const mails = await sink.arrived(2);
  for (const { headers, text, html } of mails) {
    assert.equal(headers.get("subject"), "[Crossdock] BRAND: 2 webhooks: 2 failing");
    assert.equal(headers.get("from"), "Crossdock Alerts <alerts@crossdock.example>");
    assert.match(text, /Webhook order:delivered is failing/);
    assert.match(text, /Last error: status: answered 500/);
    assert.match(text, /Events waiting: [1-9]/);
    assert.match(text, /Next attempt: \d{4}-/);
    assert.match(text, new RegExp(`URL: ${RegExp.escape(receiver.url)}/hook\\n`));
    for (const body of [text, html]) assert.doesNotMatch(body, /hush|O-1|undefined|null/);
  }

  receiver.answer = 200;
  const areDelivered = async () =>
    (await Promise.all(webhooks.map(({ webhookId }) => handleReport.deliveries(webhookId))))
      .flat()
      .every(({ status }) => status === "DELIVERED" || status === "FAILED");
  await until("what waited was delivered", areDelivered);
  // The quiet period starts only with a success after the last failure.
  await tellEvents(server, "BRAND", ["O-3"], topic);
  await until("delivered", areDelivered);
  const tick = (ms: number) => tickIncidents({ database: server.database, clock: { now: () => Date.now() + ms }, ids });
  assert.equal(await tick(9 * minuteMs), 0);
  await until("both recovered", async () => {
    await tick(11 * minuteMs);
    return areAll(8)();
  });
  const [, , ...recovered] = await mailsOf(server, "BRAND");
  assert.deepEqual(
    recovered
      .map(({ address, notes }) => [
        address,
        Object.values(notes)
          .map(({ kind }) => kind)
          .join(),
      ])
      .toSorted(),
    ["boss@example.com", "ops@example.com"].map((address) => [address, "RECOVERED,RECOVERED"]),
  );
  await letDue(server, "BRAND");
  const [, , last] = await sink.arrived(4);
  assert.equal(last?.headers.get("subject"), "[Crossdock] BRAND: 2 webhooks: 2 recovered");
  assert.equal(await tick(60 * minuteMs), 0);
  assert.equal(sink.mails.length, 4);
});

test("without a mail server a mail is kept, and tells how to send again by calls that do so", async () => {
  const { handleReport } = await brand(withoutMail, "KEPT");
  // A receiver that wants no more events is disabled at once.
  receiver.answer = 410;
  const { webhookId } = await handleReport.create({ url: receiver.url, emailList: ["ops@example.com"] });
  await tellEvents(withoutMail, "KEPT", ["O-9"]);
  await until("notified that it is disabled", async () => (await eventsOf(withoutMail, "KEPT")).includes("DISABLED"));
  await letDue(withoutMail, "KEPT");
  await until("kept", async () => (await mailsOf(withoutMail, "KEPT"))[0]?.status === "KEPT");
  const [mail] = await withoutMail.rows<{ subject: string; body_text: string }>(
    "select subject, body_text from alert_mail where client_id = 'KEPT'",
  );
  assert.equal(mail?.subject, "[Crossdock] KEPT: webhook * was disabled");

  receiver.answer = 200;
  await handleReport.patch(webhookId, { isPaused: 0 });
  const [, path = "", body = ""] = /POST \/v1\/webhookService\/(\S+) (\{.*\})/.exec(mail.body_text) ?? [];
  const answer = await handleReport.call("POST", path, JSON.parse(body) as object);
  assert.ok(answer.status < 300, `${answer.status} ${answer.bytes}`);
  await until("delivered after all", async () => (await handleReport.deliveries(webhookId))[0]?.status === "DELIVERED");
});
