import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Note } from "#/delivery/mail/note.ts";
import { noteIncident } from "#/delivery/mail/notes.ts";
import { claimDueMails, settleMail } from "#/delivery/mail/repository.ts";
import type { IncidentStep, MailKind } from "#/delivery/webhooks/lanes/incident.ts";
import { minuteMs } from "#/kernel/values/durations.ts";
import { sql } from "#/store/db/sql.ts";
import { insertClient } from "../../../tests/support/builders/client.ts";
import { changeAt } from "../../../tests/support/builders/stock.ts";
import { patient, testDatabase } from "../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
await insertClient(database);
await insertClient(database, { clientId: "OTHER" });
beforeEach(() => database.query(sql`delete from alert_mail`));

const startMs = Date.parse("2026-11-20T10:00:00.000Z");
const iso = (ms: number) => new Date(ms).toISOString();
const webhookId = (n: number) => `019a9f00-0000-7000-8000-${String(n).padStart(12, "0")}`;

interface Planned {
  readonly more?: readonly string[];
  readonly webhook?: number;
  readonly atMs?: number;
  readonly openedAtMs?: number;
  readonly kinds?: readonly MailKind[];
  readonly to?: readonly string[];
  readonly clientId?: string;
}

function plan({
  webhook = 1,
  atMs = startMs,
  openedAtMs = startMs,
  kinds = ["OPENED"],
  to,
  clientId = "DEMO",
  more,
}: Planned = {}) {
  const subject = {
    webhookId: webhookId(webhook),
    topicName: "order:*",
    ...(more === undefined ? {} : { additionalTopicNames: more }),
    url: "https://example.com/hook?secret",
    emailList: to ?? ["ops@example.com"],
  };
  const step: IncidentStep = {
    state: { openedAtMs, quietSinceMs: undefined, closedAtMs: undefined, isDisabled: false, mails: kinds },
    isNew: true,
    mails: kinds,
  };
  // Some tests write many notes concurrently: the last transaction waits for all others.
  return database.transaction(
    (tx) => noteIncident(tx.of(clientId, changeAt(atMs)), subject, step, { lastErrorClass: "connect", waiting: 3 }),
    patient,
  );
}

interface MailRow {
  readonly client_id: string;
  readonly mail_id: string;
  readonly address: string;
  readonly subject: string;
  readonly body_text: string;
  readonly notes: Record<string, Note>;
  readonly status: string;
  readonly scheduled_at: string;
  readonly due_at: string;
}

const mails = () =>
  database.query<MailRow>(sql`select client_id, mail_id, address, subject, body_text, notes, status, scheduled_at, due_at
    from alert_mail order by scheduled_at, address, client_id limit 1000`);

const kindsOf = ({ notes }: MailRow) => Object.values(notes).map(({ kind }) => kind);
const seconds = ({ scheduled_at }: MailRow) => (Date.parse(scheduled_at) - startMs) / 1_000;

/** Claims mails as a mailer does; returns the number of due mails. */
async function claim(atMs: number): Promise<number> {
  const claimed = await database.transaction(
    (tx) =>
      claimDueMails(
        tx.of("DEMO"),
        { at: iso(atMs), dueMost: iso(atMs + 240 * minuteMs), leaseUntil: iso(atMs + minuteMs) },
        10,
      ),
    patient,
  );
  for (const { mail_id: mailId, attempts } of claimed) {
    const sent = { mailId, attempts, status: "SENT", at: iso(atMs), lastError: null } as const;
    await database.transaction((tx) => settleMail(tx.of("DEMO"), sent), patient);
  }
  return claimed.length;
}

test("the first mail waits half a minute for others to join it", async () => {
  await plan();
  await plan({ webhook: 2, atMs: startMs + 20_000 });
  const [mail, ...others] = await mails();
  assert.ok(mail);
  assert.deepEqual(others, []);
  assert.partialDeepStrictEqual(mail, { address: "ops@example.com", status: "PENDING", due_at: mail.scheduled_at });
  assert.equal(seconds(mail), 30);
  assert.deepEqual(kindsOf(mail), ["OPENED", "OPENED"]);
  assert.equal(mail.subject, "[Crossdock] DEMO: 2 webhooks: 2 failing");
  assert.ok(mail.body_text.includes(webhookId(1)) && mail.body_text.includes(webhookId(2)));
});

test("a mail names three topics of a webhook, and counts the others", async () => {
  await plan({ more: ["parcel:load"] });
  await plan({ webhook: 2, more: ["parcel:load", "return:*", "feed:failed", "feed:rejected"] });
  const [mail] = await mails();
  assert.deepEqual(
    Object.values(mail?.notes ?? {}).map(({ topicName }) => topicName),
    ["order:*, parcel:load", "order:*, parcel:load, return:* and 2 more"],
  );
  assert.match(mail?.body_text ?? "", /Webhook order:\*, parcel:load, return:\* and 2 more /);
});

test("failures within ten minutes after a mail become one mail", async () => {
  await plan();
  assert.equal(await claim(startMs + 30_000), 1);
  await plan({ webhook: 2, atMs: startMs + minuteMs });
  await plan({ webhook: 3, atMs: startMs + 9 * minuteMs });
  await plan({ webhook: 3, atMs: startMs + 10 * minuteMs, kinds: ["DISABLED"] });
  const [, second, ...others] = await mails();
  assert.ok(second);
  assert.deepEqual(others, []);
  assert.equal(seconds(second), 630);
  assert.deepEqual(kindsOf(second), ["OPENED", "OPENED", "DISABLED"]);
  assert.equal(await claim(startMs + 629_000), 0);
  assert.equal(await claim(startMs + 630_000), 1);
  await plan({ webhook: 4, atMs: startMs + 21 * minuteMs });
  assert.deepEqual((await mails()).map(seconds), [30, 630, 21 * 60 + 30]);
});

test("nothing is reported twice: not by the same mail, nor by a later one", async () => {
  await plan();
  await plan();
  assert.deepEqual((await mails()).flatMap(kindsOf), ["OPENED"]);
  await claim(startMs + minuteMs);
  await plan();
  await plan({ atMs: startMs + 60 * minuteMs, kinds: ["OPENED", "RECOVERED"] });
  assert.deepEqual((await mails()).map(kindsOf), [["OPENED"], ["RECOVERED"]]);
  await claim(startMs + 70 * minuteMs);
  // Another incident of the same subscription is reported again.
  const again = startMs + 300 * minuteMs;
  await plan({ atMs: again, openedAtMs: again });
  assert.deepEqual((await mails()).map(kindsOf), [["OPENED"], ["RECOVERED"], ["OPENED"]]);
});

test("each address has its own mail, and addresses of two clients share none", async () => {
  await plan({ to: ["a@example.com", "b@example.com"] });
  await plan({ webhook: 2, to: ["b@example.com"] });
  await plan({ webhook: 3, to: ["b@example.com"], clientId: "OTHER" });
  assert.deepEqual(
    (await mails()).map((mail) => [mail.client_id, mail.address, kindsOf(mail).length]),
    [
      ["DEMO", "a@example.com", 1],
      ["DEMO", "b@example.com", 2],
      ["OTHER", "b@example.com", 1],
    ],
  );
});

test("an address that would reach others gets no mail, and without one nothing is written", async () => {
  await plan({ to: ["a@example.com, b@example.com", "c@example.com\r\nBcc: d@example.com", "ok@example.com"] });
  assert.deepEqual(
    (await mails()).map(({ address }) => address),
    ["ok@example.com"],
  );
  await plan({ webhook: 2, to: ["nobody"] });
  await plan({ webhook: 3, to: [] });
  await plan({ webhook: 4, kinds: [] });
  assert.equal((await mails()).length, 1);
});

test("concurrent notes make one mail for each address, with all notes", async () => {
  const count = 24;
  const to = ["a@example.com", "b@example.com"];
  // Each twice, as by two workers, with the addresses in both orders.
  await Promise.all(
    Array.from({ length: count * 2 }, (_, i) => plan({ webhook: i % count, to: i < count ? to : to.toReversed() })),
  );
  const all = await mails();
  assert.deepEqual(
    all.map(({ address, notes }) => [address, Object.keys(notes).length]),
    [
      ["a@example.com", count],
      ["b@example.com", count],
    ],
  );
  assert.match(all[0]?.subject ?? "", /24 webhooks: 24 failing$/);
});

test("a note during the claim of a mail is in that mail or in the next one", async () => {
  for (let round = 0; round < 10; round++) {
    await database.query(sql`delete from alert_mail`);
    await plan({ atMs: startMs - minuteMs, openedAtMs: startMs - minuteMs });
    await Promise.all([claim(startMs), ...[2, 3, 4].map((webhook) => plan({ webhook }))]);
    const all = await mails();
    assert.ok(all.length <= 2);
    assert.equal(all.flatMap(kindsOf).length, 4);
    const [first] = all;
    assert.ok(first);
    for (const note of Object.values(first.notes)) assert.ok(first.body_text.includes(note.webhookId));
    if (all[1]) assert.equal(Date.parse(all[1].scheduled_at) - Date.parse(first.scheduled_at), 10 * minuteMs);
  }
});

test("a rolled-back transaction reports nothing", async () => {
  await assert.rejects(
    database.transaction(async (tx) => {
      const subject = {
        clientId: "DEMO",
        webhookId: webhookId(1),
        topicName: "order:*",
        url: "https://example.com",
        emailList: ["ops@example.com"],
      };
      const state = {
        openedAtMs: startMs,
        quietSinceMs: undefined,
        closedAtMs: undefined,
        isDisabled: false,
        mails: [],
      };
      await noteIncident(tx.of("DEMO", changeAt(startMs)), subject, { state, isNew: true, mails: ["OPENED"] }, {});
      throw new Error("the lane was lost");
    }),
    /the lane was lost/,
  );
  assert.deepEqual(await mails(), []);
});
