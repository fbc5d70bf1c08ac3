import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Mailer, type MailerContext, startMailer } from "#/delivery/mail/mailer.ts";
import { noteIncident } from "#/delivery/mail/notes.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { sql } from "#/store/db/sql.ts";
import { until as waitUntil } from "../../../tests/support/app/until.ts";
import { insertClient } from "../../../tests/support/builders/client.ts";
import { startMailSink } from "../../../tests/support/mail/sink.ts";
import { testDatabase } from "../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
await insertClient(database);
await insertClient(database, { clientId: "CALM" });
const sink = await startMailSink();
const startMs = Date.parse("2026-11-20T10:00:00.000Z");
let nowMs = startMs;
const ids = createIds();
const logged: string[] = [];
const log = createLogger({ level: "info", format: "json", destination: { write: (line) => void logged.push(line) } });
const from = { name: "Crossdock Alerts", address: "alerts@crossdock.example" };
const running: Mailer[] = [];

function start(smtpUrl: string | undefined, more: Partial<MailerContext> = {}): Mailer {
  const mailer = startMailer({
    database,
    clock: { now: () => nowMs },
    log,
    mail: { smtpUrl, from },
    pollMs: 20,
    ...more,
  });
  running.push(mailer);
  return mailer;
}

beforeEach(async () => {
  await database.query(sql`delete from alert_mail`);
  sink.mails.length = 0;
  sink.answer = undefined;
  logged.length = 0;
  nowMs = startMs;
});
afterEach(async () => {
  for (const mailer of running.splice(0)) await mailer.stop();
});

const webhookId = "019a9f00-0000-7000-8000-000000000001";
const tell = (...emailList: string[]) =>
  database.transaction((tx) =>
    noteIncident(
      tx.of("DEMO", { actor: "test", origin: "test", at: new Date(nowMs).toISOString(), ids }),
      { webhookId, topicName: "order:*", url: "https://example.com/hook", emailList },
      {
        state: {
          openedAtMs: nowMs,
          quietSinceMs: undefined,
          closedAtMs: undefined,
          isDisabled: false,
          mails: ["OPENED"],
        },
        isNew: true,
        mails: ["OPENED"],
      },
      { lastErrorClass: "status", lastError: "HTTP 500 – <b>„äöü“</b>", waiting: 2 },
    ),
  );

interface MailRow {
  readonly mail_id: string;
  readonly status: string;
  readonly attempts: number;
  readonly due_at: string;
  readonly sent_at: string | null;
  readonly last_error: string | null;
}
const mails = () =>
  database.query<MailRow>(sql`select mail_id, status, attempts, due_at, sent_at, last_error from alert_mail
    order by mail_id limit 100`);

async function until(what: (rows: readonly MailRow[]) => boolean): Promise<readonly MailRow[]> {
  for (const end = Date.now() + 30_000; ; await sleep(20)) {
    const rows = await mails();
    if (what(rows)) return rows;
    assert.ok(Date.now() < end, JSON.stringify(rows));
  }
}
const areAll = (status: string) => (rows: readonly MailRow[]) => rows.every((row) => row.status === status);

test("a mail is sent when due, in text and HTML, and once with any number of workers", async () => {
  await tell("ops@example.com");
  for (let i = 0; i < 3; i++) start(sink.url);
  await sleep(150);
  assert.deepEqual(sink.mails, []);
  nowMs += 30_000;
  const [row] = await until(areAll("SENT"));
  await sleep(100);
  const [mail, ...others] = await sink.arrived(1);
  assert.ok(mail && row);
  assert.deepEqual(others, []);
  assert.partialDeepStrictEqual(row, { attempts: 1, last_error: null, sent_at: new Date(nowMs).toISOString() });
  assert.deepEqual([mail.from, mail.to], ["alerts@crossdock.example", ["ops@example.com"]]);
  assert.equal(mail.headers.get("subject"), "[Crossdock] DEMO: webhook order:* is failing");
  assert.equal(mail.headers.get("from"), "Crossdock Alerts <alerts@crossdock.example>");
  assert.equal(mail.headers.get("to"), "ops@example.com");
  assert.equal(mail.headers.get("message-id"), `<${row.mail_id}@crossdock.example>`);
  assert.equal(mail.headers.get("auto-submitted"), "auto-generated");
  assert.equal(Date.parse(mail.headers.get("date") as string), nowMs);
  assert.match(mail.text, /Last error: status: HTTP 500 – <b>„äöü“<\/b>\n/);
  assert.match(mail.html, /status: HTTP 500 – &lt;b&gt;„äöü“&lt;\/b&gt;</);
});

test("mails to many addresses share a few connections", async () => {
  const before = sink.connections;
  await tell(...Array.from({ length: 12 }, (_, i) => `ops${i}@example.com`));
  nowMs += minuteMs;
  start(sink.url);
  await until(areAll("SENT"));
  const received = await sink.arrived(12);
  assert.equal(new Set(received.map(({ to }) => to.join())).size, 12);
  assert.ok(sink.connections - before <= 4, `${sink.connections - before} connections`);
});

test("the mailer signs in to a server that requires it", async () => {
  const asking = await startMailSink({ user: "crossdock", pass: "p@ss:wörd" });
  await tell("ops@example.com");
  nowMs += minuteMs;
  start(asking.url);
  assert.equal((await asking.arrived(1))[0]?.user, "crossdock");
  await until(areAll("SENT"));
});

test("a refused mail is retried with the same id for a day; the log contains no address", async () => {
  await tell("ops@example.com");
  nowMs += 30_000;
  sink.answer = "451 come back later, ops@example.com";
  start(sink.url);
  const [row] = await until(([row]) => row?.attempts === 1 && row.last_error !== null);
  assert.equal(row?.status, "PENDING");
  assert.equal(row.due_at, new Date(nowMs + minuteMs).toISOString());
  assert.match(row.last_error ?? "", /451 come back later/);
  sink.answer = undefined;
  nowMs += minuteMs;
  await until(areAll("SENT"));
  assert.equal((await sink.arrived(1))[0]?.headers.get("message-id"), `<${row.mail_id}@crossdock.example>`);
  assert.match(logged.join(""), /an alert mail was not sent/);
  assert.doesNotMatch(logged.join(""), /ops@/);

  await database.query(sql`delete from alert_mail`);
  sink.answer = "550 no such user";
  await tell("ops@example.com");
  nowMs += 1_440 * minuteMs;
  const [failed] = await until(areAll("FAILED"));
  assert.partialDeepStrictEqual(failed, { attempts: 1, sent_at: null });
});

test("a silent mail server ends at the time-out, and an unreachable one only delays the mail", async () => {
  await tell("ops@example.com");
  nowMs += minuteMs;
  sink.answer = "silence";
  const mailer = start(sink.url, { sendMsMax: 300 });
  await until(([row]) => row?.last_error !== null && row?.status === "PENDING");
  await mailer.stop();
  nowMs += minuteMs;
  const away = await startMailSink();
  await away.close();
  start(away.url);
  const [row] = await until(([row]) => row?.attempts === 2 && /ECONNREFUSED/.test(row.last_error ?? ""));
  assert.equal(row?.due_at, new Date(nowMs + 5 * minuteMs).toISOString());
});

test("a client with thousands of due mails delays a mail of another client by a few", async () => {
  await tell("calm@example.com");
  await database.query(sql`update alert_mail set client_id = 'CALM'`);
  await tell("flood@example.com");
  await database.query(sql`insert into alert_mail (client_id, mail_id, address, subject, body_text, body_html, notes,
      status, scheduled_at, due_at, created_at)
    select m.client_id, gen_random_uuid(), m.address, m.subject, m.body_text, m.body_html, m.notes,
      m.status, m.scheduled_at, m.due_at - interval '1 minute', m.created_at
    from alert_mail m cross join generate_series(1, 3000) where m.client_id = 'DEMO'`);
  nowMs += minuteMs;
  start(sink.url);
  const place = () => sink.mails.findIndex(({ to }) => to.includes("calm@example.com"));
  await waitUntil("the mail of the other client", () => place() >= 0);
  assert.ok(place() < 50, `${place()} mails before it`);
});

test("a stop does not wait for a silent mail server, and the mail is sent later", async () => {
  await tell("ops@example.com");
  nowMs += minuteMs;
  sink.answer = "silence";
  const mailer = start(sink.url);
  await until(([row]) => row?.attempts === 1);
  const before = performance.now();
  await mailer.stop();
  // Sending the mail itself has a limit of one minute.
  assert.ok(performance.now() - before < 30_000);
  const [row] = await mails();
  assert.equal(row?.status, "PENDING");
  sink.answer = undefined;
  nowMs += 2 * minuteMs;
  start(sink.url);
  await until(areAll("SENT"));
});

test("another worker sends the mail of a dead worker after its lease has expired", async () => {
  await tell("ops@example.com");
  nowMs += minuteMs;
  await database.query(sql`update alert_mail set attempts = 1, due_at = ${new Date(nowMs + 1_000).toISOString()}`);
  start(sink.url);
  await sleep(150);
  assert.deepEqual(sink.mails, []);
  nowMs += 1_000;
  const [row] = await until(areAll("SENT"));
  assert.equal(row?.attempts, 2);
});

test("without a mail server a due mail is stored", async () => {
  await tell("a@example.com", "b@example.com");
  start(undefined);
  await sleep(100);
  assert.ok(areAll("PENDING")(await mails()));
  nowMs += 30_000;
  const rows = await until(areAll("KEPT"));
  assert.deepEqual(
    rows.map(({ attempts, sent_at }) => [attempts, sent_at]),
    [
      [0, null],
      [0, null],
    ],
  );
  start(sink.url);
  await sleep(150);
  assert.deepEqual(sink.mails, []);
});
