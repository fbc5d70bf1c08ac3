import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import type { Note } from "#/delivery/mail/note.ts";
import { closedBreaker } from "#/delivery/webhooks/lanes/breaker.ts";
import type { IncidentState } from "#/delivery/webhooks/lanes/incident.ts";
import { createIncidentTicks, tickIncidents } from "#/delivery/webhooks/lanes/incident-ticks.ts";
import { hourMs, minuteMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { sql } from "#/store/db/sql.ts";
import { insertClient } from "../../../../tests/support/builders/client.ts";
import { testDatabase } from "../../../../tests/support/postgres/database.ts";

const { database } = await testDatabase();
await insertClient(database);
const ids = createIds();
const startMs = Date.parse("2026-11-20T10:00:00.000Z");
const iso = (ms: number) => new Date(ms).toISOString();
const opened: IncidentState = {
  openedAtMs: startMs,
  quietSinceMs: undefined,
  closedAtMs: undefined,
  isDisabled: false,
  mails: ["OPENED"],
};
const failing = { ...closedBreaker, failures: 9, firstFailureAtMs: startMs, openedAtMs: startMs };

beforeEach(async () => {
  for (const table of ["alert_mail", "webhook_lane", "webhook", "webhook_delivery"])
    await database.query({ text: `delete from ${table}`, name: "", values: [], isTenant: false });
});

/** A subscription with an incident that is due for a check. */
async function lane(incident: IncidentState | null, atMs: number, breaker: object = failing, status = "FAILING") {
  const webhookId = ids.next(startMs);
  await database.query(sql`insert into webhook (client_id, webhook_id, kind, topic_name, facility_code, url, content_type,
      email_list, status, signing_secret_sealed, from_position, created_at, updated_at)
    values ('DEMO', ${webhookId}, 'WEBHOOK', 'order:*', '*', 'https://example.com/hook', 'application/json',
      array['ops@example.com'], ${status}, 'sealed', 0, ${iso(startMs)}, ${iso(startMs)})`);
  await database.query(sql`insert into webhook_lane (client_id, webhook_id, due_at, breaker, incident, incident_due_at)
    values ('DEMO', ${webhookId}, ${iso(startMs)}, ${JSON.stringify(breaker)}::jsonb, ${JSON.stringify(incident)}::jsonb,
      ${iso(atMs)})`);
  return webhookId;
}

async function delivery(webhookId: string, dueAt: string | null, lastError: string | null, settledAt: string | null) {
  await database.query(sql`insert into webhook_delivery (client_id, delivery_id, webhook_id, event_id, event_position,
      topic_name, object_type, object_id, status, due_at, last_error, completed_at)
    values ('DEMO', ${ids.next(Date.now())}, ${webhookId}, ${ids.next(startMs)}, 1, 'order:received', 'order', 'O-1',
      ${settledAt === null ? "RETRYING" : "DELIVERED"}, ${dueAt}, ${lastError}, ${settledAt})`);
}

const tick = (atMs: number) => tickIncidents({ database, clock: { now: () => atMs }, ids });

async function stateOf(webhookId: string) {
  const [row] = await database.query<{ incident: IncidentState | null; incident_due_at: string | null }>(
    sql`select incident, incident_due_at from webhook_lane where webhook_id = ${webhookId} limit 1`,
  );
  return row;
}

async function notes(): Promise<Note[]> {
  const rows = await database.query<{ notes: Record<string, Note> }>(sql`select notes from alert_mail limit 100`);
  return rows.flatMap((row) => Object.values(row.notes));
}

test("a lasting failure is reported after a day, after three, and before the webhook is disabled; then no check is due", async () => {
  const webhookId = await lane(opened, startMs + 24 * hourMs);
  await delivery(webhookId, iso(startMs + minuteMs), "connect: refused", null);
  await delivery(webhookId, null, null, null);
  await delivery(webhookId, null, null, iso(startMs));
  assert.equal(await tick(startMs + 24 * hourMs - 1), 0);
  for (const [atHour, kind, nextHour] of [
    [24, "STILL_24H", 72],
    [72, "STILL_72H", 180],
    [180, "DISABLES_SOON", undefined],
  ] as const) {
    assert.equal(await tick(startMs + atHour * hourMs), 1);
    assert.equal(await tick(startMs + atHour * hourMs + 1), 0);
    const { incident, incident_due_at } = (await stateOf(webhookId)) ?? {};
    assert.equal(incident?.mails.at(-1), kind);
    assert.equal(incident_due_at, nextHour === undefined ? null : iso(startMs + nextHour * hourMs));
  }
  const mails = await notes();
  assert.equal(mails.length, 3);
  for (const note of mails)
    assert.partialDeepStrictEqual(note, {
      webhookId,
      topicName: "order:*",
      error: "connect: refused",
      waiting: 2,
      since: iso(startMs),
      nextTryAt: iso(startMs + minuteMs),
      disablesAt: iso(startMs + 192 * hourMs),
    });
});

test("an incident closes ten minutes after a success, and is reported once with any number of workers", async () => {
  const quiet = { ...opened, quietSinceMs: startMs + hourMs };
  const webhookId = await lane(
    quiet,
    startMs + hourMs + 10 * minuteMs,
    { ...closedBreaker, lastSuccessAtMs: startMs },
    "ACTIVE",
  );
  const all = await Promise.all(Array.from({ length: 5 }, () => tick(startMs + hourMs + 10 * minuteMs)));
  assert.equal(
    all.reduce((sum, mails) => sum + mails, 0),
    1,
  );
  assert.deepEqual(
    (await notes()).map(({ kind }) => kind),
    ["RECOVERED"],
  );
  const { incident, incident_due_at } = (await stateOf(webhookId)) ?? {};
  assert.equal(incident?.closedAtMs, startMs + hourMs + 10 * minuteMs);
  assert.equal(incident_due_at, null);
});

test("a paused subscription has no mail about failures, but one about a recovery before the pause", async () => {
  const paused = await lane(opened, startMs + 24 * hourMs, failing, "PAUSED");
  assert.equal(await tick(startMs + 24 * hourMs), 0);
  assert.equal((await stateOf(paused))?.incident_due_at, iso(startMs + 25 * hourMs));
  await lane({ ...opened, quietSinceMs: startMs }, startMs + 10 * minuteMs, closedBreaker, "PAUSED");
  assert.equal(await tick(startMs + 24 * hourMs), 1);
  assert.deepEqual(
    (await notes()).map(({ kind }) => kind),
    ["RECOVERED"],
  );
});

test("a lane that is locked is checked in the next round; a lane without an incident is not checked again", async () => {
  const webhookId = await lane(opened, startMs + 24 * hourMs);
  const bare = await lane(null, startMs, {});
  await database.transaction(async (tx) => {
    await tx.query(sql`select from webhook_lane where webhook_id = ${webhookId} for update`);
    assert.equal(await tick(startMs + 24 * hourMs), 0);
  });
  assert.equal((await stateOf(bare))?.incident_due_at, null);
  assert.equal(await tick(startMs + 24 * hourMs), 1);
});

test("an incident or a breaker that cannot be read stops no other incident", async () => {
  await lane({ ...opened, openedAtMs: "soon" } as never, startMs);
  await lane({ ...opened, openedAtMs: 1e300 }, startMs, { ...failing, firstFailureAtMs: "never" });
  await lane(opened, startMs, { ...failing, firstFailureAtMs: 1e300, nextProbeAtMs: "soon" });
  await lane(opened, startMs + 24 * hourMs);
  await tick(startMs + 24 * hourMs);
  assert.deepEqual(
    (await notes()).map(({ kind }) => kind),
    ["STILL_24H", "STILL_24H"],
  );
});

test("an incident that a fast clock opened is checked by the right clock and closed in time", async () => {
  const aheadMs = 24 * hourMs;
  const quiet = { ...opened, openedAtMs: startMs + aheadMs, quietSinceMs: startMs + aheadMs };
  const quietId = await lane(quiet, startMs + aheadMs + 10 * minuteMs, closedBreaker, "ACTIVE");
  const ahead = { ...failing, firstFailureAtMs: startMs + aheadMs };
  const failingId = await lane({ ...opened, openedAtMs: startMs + aheadMs }, startMs + aheadMs + 24 * hourMs, ahead);
  const dueOf = async (webhookId: string) => (await stateOf(webhookId))?.incident_due_at;
  let setBackMs = Number.NEGATIVE_INFINITY;
  let nowMs = startMs;
  const ticks = createIncidentTicks({ database, clock: { now: () => nowMs }, ids }, () => setBackMs);
  await ticks();
  assert.equal(await dueOf(quietId), iso(startMs + aheadMs + 10 * minuteMs));
  setBackMs = startMs + aheadMs;
  assert.equal(await ticks(), 0);
  assert.equal(await dueOf(quietId), iso(startMs + 10 * minuteMs));
  assert.equal(await dueOf(failingId), iso(startMs + 24 * hourMs));
  nowMs = startMs + 10 * minuteMs;
  assert.equal(await ticks(), 1);
  assert.deepEqual(
    (await notes()).map(({ kind }) => kind),
    ["RECOVERED"],
  );
});

test("an impossible due time of an incident is computed again", async () => {
  const webhookId = await lane({ ...opened, openedAtMs: startMs + 400 * hourMs }, startMs + 424 * hourMs);
  assert.equal(await tick(startMs), 0);
  assert.equal((await stateOf(webhookId))?.incident_due_at, iso(startMs + 24 * hourMs));
});
