// operations.md §5, Notifications: rules that operators keep, and the people whom they report.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { findConditions } from "#/console-api/index.ts";
import { createNotificationRounds } from "#/delivery/notifications/index.ts";
import { systemClock } from "#/kernel/clock.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { atEnd } from "../../support/app/at-end.ts";
import { type ConsoleUser, signIn } from "../../support/app/console.ts";
import { testServer } from "../../support/app/server.ts";
import { until } from "../../support/app/until.ts";
import { catalogue, leeds, order } from "../../support/builders/documents.ts";
import { startReceiver } from "../../support/http/receiver.ts";
import { startMailSink } from "../../support/mail/sink.ts";
import { tellEvents, webhookDesk } from "../../support/webhooks/webhooks.ts";

const sink = await startMailSink();
const server = await testServer({ CROSSDOCK_SMTP_URL: sink.url, CROSSDOCK_WEBHOOK_RETRY_SCHEDULE: "0.1,0.1,0.1" });
const demo = await server.onboard("DEMO");
const acme = await server.onboard("ACME");
const receiver = await startReceiver();
atEnd(() => receiver.close());
const admin = await signIn(server, "admin");
const url = `${receiver.url}/alerts?token=hidden`;

/** A round now, beside those that the server runs each half minute. */
const round = createNotificationRounds({
  database: server.database,
  clock: systemClock,
  ids: createIds(),
  findConditions,
  consoleUrl: () => server.url,
  onWritten: () => {},
});

interface Message {
  readonly messageId: string;
  readonly ruleName: string;
  readonly recipient: string;
  readonly title: string;
  readonly conditions: number;
  readonly status: string;
  readonly tries: number;
  readonly answer: string | null;
}
const messages = async (ruleName: string): Promise<Message[]> => {
  const { status, body } = await admin.get("/notificationMessage/list?limit=500");
  assert.equal(status, 200, JSON.stringify(body));
  return (body.items as Message[]).filter((message) => message.ruleName === ruleName);
};
const make = async (rule: Record<string, unknown>) => {
  const { status, body } = await admin.post("/notificationRule/create", rule);
  assert.equal(status, 201, JSON.stringify(body));
  return body as { ruleId: string; signingSecret: string | null; shownUrl: string | null };
};
const sent = (ruleName: string, count: number) =>
  until(`${count} of ${ruleName}`, async () => {
    const found = await messages(ruleName);
    return (found.length === count && found.every(({ status }) => status === "SENT")) || undefined;
  });
/** Moves what the rules have found and reported into the past. */
async function age(interval: string): Promise<void> {
  await server.rows(
    "update notification_condition set seen_at = seen_at - $1::interval, reported_at = reported_at - $1::interval, ended_at = ended_at - $1::interval",
    interval,
  );
  await server.rows("update notification_message set created_at = created_at - $1::interval", interval);
}
/** Of an object, and of its first item. */
const namesOf = (body: { readonly items: readonly object[] }) =>
  [body, body.items[0] ?? {}].map((part) => Object.keys(part).toSorted());
const wrong = (clientId: string, orderId: string) =>
  order(clientId, orderId, ["A"], { shipToAddress: { ...leeds, country: "GB", zip: "12" } });

test("an admin without limits keeps the rules; each change is in the audit log, and no secret is shown again", async () => {
  const mail = { name: "Checks", channel: "MAIL", addresses: ["ops@example.com"], kinds: ["STOCK_CHECK"] };
  for (const user of [
    await signIn(server, "operator"),
    await signIn(server, "admin", { clientIds: ["DEMO"] }),
  ] satisfies ConsoleUser[]) {
    assert.equal((await user.get("/notificationRule/list")).status, 403);
    assert.equal((await user.post("/notificationRule/create", mail)).status, 403);
    assert.equal((await user.get("/notificationMessage/list")).status, 403);
  }
  for (const [fields, pointer] of [
    [{ addresses: [] }, "#/addresses"],
    [{ addresses: ["a@example.com, b@example.com"] }, "#/addresses"],
    [{ schedule: "DAILY" }, "#/dailyAt"],
    [{ quietFrom: "22:00" }, "#/quietUntil"],
    [{ kinds: ["LOW_STOCK"], severity: "SEVERE" }, "#/severity"],
    [{ timeZone: "Europe/Londn" }, "#/timeZone"],
    [{ channel: "SLACK" }, "#/addresses"],
    [{ channel: "WEBHOOK", addresses: [] }, "#/url"],
    [{ channel: "WEBHOOK", addresses: [], url: "http://169.254.169.254/latest" }, "#/url"],
  ] as const) {
    const { status, body } = await admin.post("/notificationRule/create", { ...mail, ...fields });
    assert.equal(status, 422, JSON.stringify(fields));
    assert.ok(
      body.errors.some((error: { pointer: string }) => error.pointer === pointer),
      JSON.stringify(body),
    );
  }
  const { ruleId, signingSecret, shownUrl } = await make({
    name: "Kept",
    channel: "WEBHOOK",
    url,
    kinds: ["EVENT_CHECK"],
  });
  assert.match(signingSecret ?? "", /^whsec_/);
  assert.equal(shownUrl, `${receiver.url}/…`);
  const listed = await admin.get("/notificationRule/list");
  assert.doesNotMatch(JSON.stringify(listed.body), /whsec_|hidden/);
  const shown = await admin.get(`/notificationRule/get/${ruleId}`);
  assert.deepEqual([shown.headers.get("etag"), shown.body], ['"1"', listed.body.items[0]]);
  const [stored] = await server.rows<{ row: string }>("select to_jsonb(r)::text as row from notification_rule r");
  assert.doesNotMatch(stored?.row ?? "", /whsec_|hidden/);
  const wrong = await admin.patch(
    `/notificationRule/patch/${ruleId}`,
    { timeZone: "Europe/Londn" },
    { "if-match": '"1"' },
  );
  assert.equal(wrong.status, 422);
  const rotated = await admin.patch(`/notificationRule/patch/${ruleId}`, { hasNewSecret: true }, { "if-match": '"1"' });
  assert.equal(rotated.status, 200, JSON.stringify(rotated.body));
  assert.notEqual(rotated.body.signingSecret, signingSecret);
  assert.equal((await admin.patch(`/notificationRule/patch/${ruleId}`, {}, { "if-match": '"1"' })).status, 412);
  assert.equal((await admin.delete(`/notificationRule/delete/${ruleId}`)).status, 204);
  for (const answer of [
    await admin.get(`/notificationRule/get/${ruleId}`),
    await admin.delete(`/notificationRule/delete/${ruleId}`),
    await admin.patch(`/notificationRule/patch/${ruleId}`, { isActive: false }),
    await admin.post(`/notificationRule/test/${ruleId}`),
  ]) {
    assert.equal(answer.status, 404);
  }
  const audit = await admin.get(`/audit/list?objectType=notificationRule&objectId=${ruleId}&sort=at`);
  assert.deepEqual(
    audit.body.items.map(({ action }: { action: string }) => action),
    ["create", "patch", "delete"],
  );
});

test("rejected feeds are reported at once by mail, webhook and Slack: what, how many, since when and where; and once", async () => {
  const kinds = ["FEED_REJECTED"];
  await make({
    name: "Mail",
    channel: "MAIL",
    addresses: ["ops@example.com", "lead@example.com"],
    clientIds: ["DEMO"],
    kinds,
  });
  const { signingSecret } = await make({ name: "Hook", channel: "WEBHOOK", url, kinds });
  await make({ name: "Slack", channel: "SLACK", url: `${receiver.url}/slack`, kinds });
  await make({ name: "Other", channel: "MAIL", addresses: ["dc2@example.com"], facilityCodes: ["DC2"], kinds });
  for (const client of [demo, acme]) await client.accept("CAT", catalogue(client.credentials.clientId, ["A"]));
  for (let i = 0; i < 3; i++) await demo.send("NO", wrong("DEMO", "ZIP"));
  await acme.send("NO", wrong("ACME", "ZAP"));
  // The server's own job, which is due now.
  await server.rows("update job_lease set last_run_at = null where job = 'notifications'");
  await sent("Mail", 2);
  await sent("Hook", 1);
  await sent("Slack", 1);
  const mails = (await sink.arrived(2)).toSorted((a, b) => `${a.to}`.localeCompare(`${b.to}`));
  assert.deepEqual(
    mails.map(({ to }) => `${to}`),
    ["lead@example.com", "ops@example.com"],
  );
  const [mail] = mails;
  assert.match(mail?.headers.get("subject") ?? "", /^\[Crossdock\] Feed rejected: 3, /);
  assert.match(
    mail?.text ?? "",
    /3 .* documents were rejected for the same reason[\s\S]* Since 20\d\d-\d\d-\d\d \d\d:\d\d UTC\./,
  );
  assert.doesNotMatch(mail?.text ?? "", /ACME/);
  const [link = ""] = /http\S+\/console\/exceptions\?\S+/.exec(mail?.text ?? "") ?? [];
  const cause = new URL(link).searchParams.get("cause");
  const { body: behind } = await admin.get(`/exception/list?clientId=DEMO&cause=${cause}`);
  assert.equal(behind.items.length, 3, "the link leads to what is counted");
  const hook = receiver.requests.find(({ path }) => path.startsWith("/alerts"));
  assert.ok(hook);
  const payload = new Webhook(signingSecret ?? "").verify(hook.body, hook.headers as Record<string, string>) as {
    items: { clientId: string; count: number }[];
  };
  assert.deepEqual(payload.items.map(({ clientId, count }) => `${clientId} ${count}`).toSorted(), ["ACME 1", "DEMO 3"]);
  const guide = readFileSync(new URL("../../../docs/notifications.md", import.meta.url), "utf8");
  const [, shown = ""] = /```json[^\n]*\n([\s\S]*?)```/.exec(guide) ?? [];
  assert.deepEqual(namesOf(payload), namesOf(JSON.parse(shown)), "as the guide shows it");
  assert.equal(hook.headers["webhook-id"], (await messages("Hook"))[0]?.messageId);
  const slack = receiver.requests.find(({ path }) => path === "/slack");
  const { text, ...rest } = JSON.parse(`${slack?.body}`) as { text: string };
  assert.deepEqual(rest, {});
  assert.match(text, /\*Feed rejected: 3, .*\*\n/);
  await demo.send("NO", wrong("DEMO", "ZIP"));
  await age("10 minutes");
  assert.equal(await round(), 0, "it lasts: it was reported");
  assert.deepEqual(await messages("Other"), []);
});

test("a condition that ended is reported again when it comes back after an hour, and not before", async () => {
  const correct = order("DEMO", "ZIP", ["A"]);
  await demo.accept("NO", correct);
  assert.equal(await round(), 0);
  const refuseOther = () => demo.send("NO", wrong("DEMO", "ZIP-2"));
  await refuseOther();
  await age("10 minutes");
  assert.equal(await round(), 4, "another reason: two mails, and two webhooks");
  await demo.accept("NO", order("DEMO", "ZIP-2", ["A"]));
  assert.equal(await round(), 0);
  await server.rows("update feed_document set object_id = 'GONE' where object_id = 'ZIP-2' and state <> 'REJECTED'");
  await age("50 minutes");
  assert.equal(await round(), 0, "it is back within the hour");
  await server.rows("update feed_document set object_id = 'ZIP-2' where object_id = 'GONE'");
  await round();
  await age("61 minutes");
  await round();
  await server.rows("update feed_document set object_id = 'GONE' where object_id = 'ZIP-2' and state <> 'REJECTED'");
  assert.equal(await round(), 4, "it is a new condition");
});

test("a digest waits for its time, and quiet hours hold a message back", async () => {
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
  const base = { channel: "SLACK", url: `${receiver.url}/later`, kinds: ["LOW_STOCK"], severity: "ANY" };
  await make({ ...base, name: "Daily", schedule: "DAILY", dailyAt: inHours(1) });
  const quiet = await make({ ...base, name: "Quiet", quietFrom: inHours(-2), quietUntil: inHours(2) });
  for (const sku of ["A", "B"]) {
    await server.rows(
      "insert into stock_change (client_id, facility_code, sku, is_low) values ('DEMO', 'DC1', $1, true)",
      sku,
    );
  }
  await round();
  assert.deepEqual([await messages("Daily"), await messages("Quiet")], [[], []]);
  const patched = await admin.patch(`/notificationRule/patch/${quiet.ruleId}`, { quietFrom: "", quietUntil: "" });
  assert.equal(patched.status, 200, JSON.stringify(patched.body));
  await round();
  assert.deepEqual(
    (await messages("Quiet")).map(({ title, conditions }) => [title, conditions]),
    [["Low stock: A in DC1, and 1 more", 2]],
  );
  assert.deepEqual(await messages("Daily"), []);
  await age("24 hours");
  await round();
  assert.equal((await messages("Daily"))[0]?.conditions, 2);
  await sent("Daily", 1);
});

test("a dead receiver is one message, however many deliveries it refuses and however it ends", async () => {
  await make({
    name: "Dead",
    channel: "WEBHOOK",
    url,
    clientIds: ["ACME"],
    kinds: ["RECEIVER_FAILING", "DELIVERY_FAILED"],
  });
  const dead = await startReceiver({ answer: 500 });
  atEnd(() => dead.close());
  const desk = await webhookDesk(server, acme);
  const { webhookId } = await desk.create({ url: `${dead.url}/hook` });
  await tellEvents(server, "ACME", ["A", "B", "C", "D", "E"]);
  await until("an incident", async () => {
    await round();
    return (await messages("Dead")).length > 0 || undefined;
  });
  const giveUp =
    "update webhook_delivery set status = 'FAILED', completed_at = now(), due_at = null where webhook_id = $1";
  await server.rows(giveUp, webhookId);
  const { body: open } = await admin.get("/exception/list?clientId=ACME&type=DELIVERY_FAILED");
  assert.equal(open.items.length, 5);
  await age("10 minutes");
  await round();
  assert.deepEqual(
    (await messages("Dead")).map(({ conditions }) => conditions),
    [1],
  );
});

test("a message that is not accepted is repeated under its id, for a day, and then given up", async () => {
  receiver.answer = ({ path }) => (path === "/down" ? { status: 503, body: "later" } : 200);
  const { ruleId } = await make({
    name: "Down",
    channel: "WEBHOOK",
    url: `${receiver.url}/down`,
    kinds: ["EVENT_CHECK"],
  });
  assert.equal((await admin.post(`/notificationRule/test/${ruleId}`)).status, 204);
  const state = async () => {
    const [{ status, tries, answer } = {} as Message] = await messages("Down");
    return `${status} ${tries} ${answer}`;
  };
  await until("the first attempt", async () => (await state()) === "PENDING 1 503 later");
  await server.rows("update notification_message set due_at = now() where status = 'PENDING'");
  await until("the second attempt", async () => (await state()) === "PENDING 2 503 later");
  await server.rows(
    "update notification_message set due_at = now(), created_at = created_at - interval '1 day' where status = 'PENDING'",
  );
  await until("the end", async () => (await state()) === "FAILED 3 503 later");
  const ids = receiver.requests.filter(({ path }) => path === "/down").map(({ headers }) => headers["webhook-id"]);
  assert.deepEqual(new Set(ids).size, 1);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  assert.match(metrics, /crossdock_notifications_total\{[^}]*channel="webhook"[^}]*outcome="failed"[^}]*\} 1\n/);
});
