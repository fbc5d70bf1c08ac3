import assert from "node:assert/strict";
import { test } from "node:test";
import { composeMail } from "#/delivery/mail/compose.ts";
import { addressesOf, type Note, notesOf, oneLine } from "#/delivery/mail/note.ts";
import type { IncidentStep, MailKind } from "#/delivery/webhooks/lanes/incident.ts";

const webhookId = "019a9f00-0000-7000-8000-000000000001";
const openedAtMs = Date.parse("2026-11-20T10:00:00.000Z");
const at = "2026-11-20T10:00:40.000Z";
const subject = {
  clientId: "ACME",
  webhookId,
  topicName: "parcel:load",
  url: "https://hooks.example.com/in?token=hush#x",
  emailList: ["ops@example.com"],
};
const facts = {
  lastErrorClass: "timeout",
  lastError: "no answer within 15 s",
  since: "2026-11-20T09:59:00.000Z",
  waiting: 12,
  nextTryAt: "2026-11-20T10:01:10.000Z",
  disablesAt: "2026-11-28T09:59:00.000Z",
};
const step = (...mails: MailKind[]): IncidentStep => ({
  state: { openedAtMs, quietSinceMs: undefined, closedAtMs: undefined, isDisabled: false, mails },
  isNew: false,
  mails,
});
const notes = (...kinds: MailKind[]) => Object.values(notesOf(at, subject, step(...kinds), facts));
const [opened] = notes("OPENED") as [Note];

test("a mail states the failure, its start, the number of waiting events, the next attempt and how to replay", () => {
  const mail = composeMail("ACME", [opened]);
  assert.equal(mail.subject, "[Crossdock] ACME: webhook parcel:load is failing");
  assert.equal(
    mail.text,
    `Crossdock alert for client ACME

Webhook parcel:load is failing
Events wait, and are sent in order as soon as the receiver answers with HTTP 200.
  Webhook: ${webhookId}
  URL: https://hooks.example.com/in
  Last error: timeout: no answer within 15 s
  Failing since: 2026-11-20 09:59:00 UTC
  Events waiting: 12 at 2026-11-20 10:00:40 UTC
  Next attempt: 2026-11-20 10:01:10 UTC
  Disabled: 2026-11-28 09:59:00 UTC, if all attempts fail until then

How to replay
  All failed deliveries:
    POST /v1/webhookService/webhook/recover/${webhookId} {"since":"2026-11-20T08:59:00.000Z","onlyFailed":true}
  See each delivery:
    GET /v1/webhookService/webhook/deliveries/${webhookId}
  One delivery:
    POST /v1/webhookService/webhook/redeliver/{deliveryId}
  On the command line:
    crossdock webhook replay DELIVERY_ID --client ACME
`,
  );
  for (const line of ["Webhook parcel:load is failing", "timeout: no answer within 15 s", "10:01:10 UTC"])
    assert.ok(mail.html.includes(line), line);
  assert.match(mail.html, /color-scheme:light dark/);
  assert.match(mail.html, /prefers-color-scheme:dark/);
});

test("a mail leaves out the query, the user and the fragment of an address", () => {
  assert.equal(opened.url, "https://hooks.example.com/in");
  const [other] = Object.values(
    notesOf(at, { ...subject, url: "https://u:p@example.com:8443/a?b" }, step("OPENED"), {}),
  ) as [Note];
  assert.equal(other.url, "https://example.com:8443/a");
  const { text } = composeMail("ACME", [other]);
  assert.doesNotMatch(text, /Last error|Next attempt|Events waiting|undefined|null/);
});

test("each kind of mail has its own text; a recovered failure has no next attempt", () => {
  const subjects = (["STILL_24H", "STILL_72H", "DISABLES_SOON", "DISABLED", "RECOVERED"] as const).map((kind) => {
    const mail = composeMail("ACME", notes(kind));
    assert.equal(mail.text.includes("Next attempt"), kind !== "DISABLED" && kind !== "RECOVERED", kind);
    return mail.subject.replace("[Crossdock] ACME: webhook parcel:load ", "");
  });
  assert.deepEqual(subjects, [
    "has been failing for 24 hours",
    "has been failing for 72 hours",
    "will soon be disabled",
    "was disabled",
    "has recovered",
  ]);
});

test("several events are reported in order; the subject has the final state", () => {
  const recovered: Note = { ...opened, kind: "RECOVERED", at: "2026-11-20T10:30:00.000Z" };
  const mail = composeMail("ACME", [recovered, opened]);
  assert.equal(mail.subject, "[Crossdock] ACME: webhook parcel:load has recovered");
  assert.ok(mail.text.indexOf("is failing") < mail.text.indexOf("has recovered"));
  const other = { ...opened, webhookId: "019a9f00-0000-7000-8000-000000000002", topicName: "order:*" };
  const third = { ...other, webhookId: "019a9f00-0000-7000-8000-000000000003", kind: "DISABLED" as const };
  const many = composeMail("ACME", [opened, recovered, other, third]);
  assert.equal(many.subject, "[Crossdock] ACME: 3 webhooks: 1 failing, 1 disabled, 1 recovered");
  assert.match(many.text, /recover\/\{webhookId\} /);
});

test("a mail distinguishes pushes of outbound feeds from webhooks, with the commands to resend each", () => {
  const feed = { ...subject, kind: "OUTBOUND" as const, topicName: "OS", emailList: [] };
  const [failing, disabled] = Object.values(notesOf(at, feed, step("OPENED", "DISABLED"), facts)) as [Note, Note];
  const { subject: line, text, html } = composeMail("ACME", [failing]);
  assert.equal(line, "[Crossdock] ACME: push of outbound feed OS is failing");
  assert.match(text, /Push of outbound feed OS is failing\nDocuments wait, and are pushed in order/);
  assert.match(text, /\n {2}Documents waiting: 12 at /);
  assert.match(text, /POST \/feeds\/ACME\/outbound\/\{messageId\}\/resend\n/);
  assert.match(text, /crossdock outbound show ACME\n/);
  for (const body of [text, html]) assert.doesNotMatch(body, /webhookService|Webhook|Events|hush/);
  assert.match(composeMail("ACME", [disabled]).text, /OS was disabled\nNothing more is pushed\./);
  const second = { ...failing, webhookId: "019a9f00-0000-7000-8000-000000000004", topicName: "GR" };
  assert.match(composeMail("ACME", [disabled, second]).subject, /ACME: 2 outbound feeds: 1 failing, 1 disabled$/);
  const both = composeMail("ACME", [second, opened]);
  assert.match(both.subject, /ACME: 2 webhooks and outbound feeds: 2 failing$/);
  assert.match(both.text, new RegExp(`recover/${webhookId} [\\s\\S]*/resend\n[\\s\\S]*webhook replay DELIVERY_ID`));
});

test("a mail with very many notes is shortened, and states this", () => {
  const many = Array.from({ length: 70 }, (_, i): Note => ({ ...opened, webhookId: `${webhookId}${i}` }));
  const { subject, text, html } = composeMail("ACME", many);
  assert.equal(subject, "[Crossdock] ACME: 70 webhooks: 70 failing");
  assert.equal(text.match(/is failing/g)?.length, 50);
  assert.match(text, /20 more are in the list of webhooks/);
  assert.match(html, /20 more are in the list of webhooks/);
});

test("hostile text stays text: no line breaks, no markup, no characters that PostgreSQL refuses", () => {
  const [hostile] = Object.values(
    notesOf(
      at,
      { ...subject, topicName: "x\r\nBcc: everybody@example.com", url: "https://e.example/<b>" },
      step("OPENED"),
      { lastErrorClass: "status", lastError: `<script>alert("1")</script>\0\ud800\u202e&'${"x".repeat(500)}` },
    ),
  ) as [Note];
  const mail = composeMail("A\r\nX: y", [hostile]);
  assert.equal(mail.subject, "[Crossdock] A X: y: webhook x Bcc: everybody@example.com is failing");
  assert.doesNotMatch(mail.html, /<script|<b>/);
  assert.match(mail.html, /&lt;script&gt;alert\(&quot;1&quot;\)&lt;\/script&gt;/);
  assert.ok(mail.text.isWellFormed());
  assert.doesNotMatch(mail.text + mail.html, /[\0\u202e\r]/);
  assert.ok([...(hostile.error as string)].length <= 200);
  assert.ok([...composeMail("A".repeat(500), [hostile]).subject].length <= 140);
});

test("a long line is cut between characters", () => {
  assert.equal(oneLine("  a \n\t b "), "a b");
  assert.equal(oneLine("😀😀😀😀", 3), "😀😀…");
  assert.equal(oneLine("😀😀😀", 3), "😀😀😀");
});

test("only single addresses receive a mail, each once", () => {
  assert.deepEqual(
    addressesOf([
      ...["a@example.com", "b@example.com", "a@example.com", "o'hara+x@sub.example.com"],
      ...[
        "c@example.com, d@example.com",
        "e@example.com\r\nBcc: f@example.com",
        "G <g@example.com>",
        "h@example.com;i@x",
      ],
      ...[
        "nobody",
        "@example.com",
        '"j k"@example.com',
        "k\0@example.com",
        "l\u200b@example.com",
        " m@example.com",
        "",
      ],
      `${"n".repeat(250)}@example.com`,
    ]),
    ["a@example.com", "b@example.com", "o'hara+x@sub.example.com"],
  );
});

test("a note's key names the subscription, its incident and the kind of mail", () => {
  assert.deepEqual(Object.keys(notesOf(at, subject, step("STILL_24H", "DISABLES_SOON"), facts)), [
    `${webhookId} ${openedAtMs} STILL_24H`,
    `${webhookId} ${openedAtMs} DISABLES_SOON`,
  ]);
  assert.deepEqual(notesOf(at, subject, { state: undefined, isNew: false, mails: [] }, facts), {});
});
