// Clients whose rows take longer than the statement timeout, or that have much more work than others. The trouble is
// limited to them, and ends with its cause (docs/decisions/0040-fair-turns.md).
import assert from "node:assert/strict";
import { after, before, type TestContext, test } from "node:test";
import { openDatabase } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery } from "#/db/tenant.ts";
import { insertCursor } from "#/delivery/webhooks/deliveries/cursor-repository.ts";
import { addDeliveries } from "#/delivery/webhooks/deliveries/deliveries.ts";
import { startFanOut } from "#/delivery/webhooks/fan-out/fan-out.ts";
import { startDispatcher } from "#/delivery/webhooks/lanes/dispatcher.ts";
import { newSigningSecret, sealSecret } from "#/delivery/webhooks/subscriptions/secrets.ts";
import { insertSubscription } from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import { systemClock } from "#/kernel/clock.ts";
import { createSecretBox } from "#/kernel/security/secret-box.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { createOutboxWriter } from "#/outbox/append.ts";
import { type Consumer, type Relay, startRelay } from "#/outbox/relay.ts";
import { insertEvents } from "#/outbox/repository.ts";
import { until } from "../support/app/until.ts";
import { insertClient } from "../support/builders/client.ts";
import { testDatabase } from "../support/postgres/database.ts";
import { withClient } from "./oracles/oracle.ts";

const { database, url } = await testDatabase({ engine: "postgresql" });
const ids = createIds();
const log = createLogger({ level: "silent", format: "json", destination: { write: () => {} } });
const secretBox = createSecretBox("a master key for tests, long enough");
/** Like the program's own connection, but with a timeout short enough for a test. */
const impatient = openDatabase({
  ...{ url, connectionsMax: 10, statementTimeoutMs: 700, applicationName: "crossdock test, impatient" },
});
after(() => impatient.close());

/** The clients of one test. Those in trouble come first, as in a plain read of the table. */
async function makeClients(
  name: string,
  poisonedCount = 2,
): Promise<{ readonly poisoned: string[]; readonly healthy: string[] }> {
  const poisoned = Array.from({ length: poisonedCount }, (_, i) => i + 1).map((n) => `POISON_${name}${n}`);
  const healthy = [1, 2, 3, 4].map((n) => `HEALTHY_${name}${n}`);
  for (const clientId of [...poisoned, ...healthy]) await insertClient(database, { clientId });
  return { poisoned, healthy };
}

const run = (text: string) => withClient(url, (client) => client.query(text));
const rows = <Row>(text: string, ...values: unknown[]) =>
  database.query<Row>({ text, values, name: "", isTenant: false });

before(async () => {
  await run(`create function sleeps() returns trigger language plpgsql as $$ begin
    if new.client_id like 'POISON%' then perform pg_sleep(10); end if; return new; end $$`);
});

/** Each inserted row of the poisoned clients takes longer than the statement timeout. */
const poison = (table: string) =>
  run(`create trigger sleeps before insert on ${table} for each row execute function sleeps()`);
const cure = (table: string) => run(`drop trigger if exists sleeps on ${table}`);

async function publishEvents(clientId: string, count: number): Promise<void> {
  const occurredAt = new Date().toISOString();
  await database.transaction(async (tx) => {
    const lane = sql`update outbox_lane set last_position = last_position + ${count}::bigint where client_id = ${tenant} returning last_position`;
    const [row] = await tenantQuery<{ last_position: number }>(tx, clientId, lane);
    const first = (row?.last_position ?? 0) - count + 1;
    const events = Array.from({ length: count }, (_, i) => ({
      ...{ eventId: ids.next(Date.now()), position: first + i, topic: "order:received", objectType: "order" },
      ...{ objectId: `O-${first + i}`, facilityCode: "DC1", occurredAt, data: {} },
    }));
    insertEvents(tx, clientId, events);
  });
}

const delivered = async (clientId: string) =>
  (
    await rows<{ count: number }>("select count(*)::int as count from webhook_delivery where client_id = $1", clientId)
  )[0]?.count ?? 0;

async function subscribe(clientId: string): Promise<string> {
  const webhookId = ids.next(Date.now());
  const at = new Date().toISOString();
  await database.transaction(async (tx) => {
    await insertCursor(tx, clientId, 0);
    insertSubscription(tx, {
      ...{
        clientId,
        webhookId,
        kind: "WEBHOOK",
        topicName: "*",
        facilityCode: "*",
        url: `https://receiver.example/${clientId}`,
      },
      ...{ contentType: "application/json", emailList: [], status: "ACTIVE", fromPosition: 0 },
      ...{ createdAt: at, updatedAt: at, version: 1 },
      sealed: {
        secret: sealSecret(secretBox, clientId, webhookId, newSigningSecret()),
        ...{ headers: undefined, previous: undefined, previousUntil: undefined },
      },
    });
  });
  return webhookId;
}

test("two clients whose deliveries cannot be written in time keep nobody else's waiting, and have theirs when they can", async (t) => {
  const { poisoned, healthy } = await makeClients("FAN");
  for (const clientId of [...poisoned, ...healthy]) {
    await subscribe(clientId);
    await publishEvents(clientId, 50);
  }
  await poison("webhook_delivery");
  const fanOut = startFanOut({ database: impatient, clock: systemClock, ids, log, onDeliveries: () => {} });
  t.after(() => fanOut.stop());
  for (let round = 1; round <= 3; round++) {
    for (const clientId of healthy) {
      await until(`round ${round} of ${clientId}`, async () => (await delivered(clientId)) === 50 * round, 20_000);
    }
    for (const clientId of healthy) await publishEvents(clientId, 50);
    fanOut.wake();
  }
  for (const clientId of poisoned) assert.equal(await delivered(clientId), 0);
  await cure("webhook_delivery");
  for (const clientId of poisoned) {
    await until(`the deliveries of ${clientId}`, async () => (await delivered(clientId)) === 50, 30_000);
  }
});

test("the lanes of two clients whose tries cannot be written in time leave places to the others", async (t) => {
  const { poisoned, healthy } = await makeClients("LANE");
  const sent = new Map<string, number>();
  const deliveries = async (clientId: string, objectIds: readonly string[]) => {
    const webhookId = await subscribe(clientId);
    const [lane] = await rows<{ position: number }>(
      "select coalesce(max(event_position), 0)::int as position from webhook_delivery where client_id = $1",
      clientId,
    );
    await publishEvents(clientId, objectIds.length);
    const [{ events } = { events: [] as string[] }] = await rows<{ events: string[] }>(
      "select array_agg(event_id order by position desc) as events from event where client_id = $1",
      clientId,
    );
    await database.transaction((tx) =>
      addDeliveries(
        tx,
        ids,
        clientId,
        new Date().toISOString(),
        objectIds.map((objectId, i) => ({
          ...{ webhookId, eventId: events[i] as string, position: (lane?.position ?? 0) + i + 1 },
          ...{ topicName: "order:received", objectType: "order", objectId },
        })),
      ),
    );
  };
  for (const clientId of poisoned) for (let hook = 0; hook < 20; hook++) await deliveries(clientId, ["O"]);
  // One object: each delivery waits for the previous one, in two transactions.
  for (const clientId of healthy)
    await deliveries(
      clientId,
      Array.from({ length: 8 }, () => "O"),
    );
  await rows(
    "update webhook_cursor c set last_position = l.last_position from outbox_lane l where l.client_id = c.client_id",
  );
  await poison("webhook_try");
  const dispatcher = startDispatcher({
    ...{ database: impatient, clock: systemClock, ids, log, secretBox, schedule: [1], pollMs: 100 },
    sender: {
      async send({ url }) {
        const now = Date.now();
        const clientId = new URL(url).pathname.slice(1);
        sent.set(clientId, (sent.get(clientId) ?? 0) + 1);
        return {
          ...{ outcome: { kind: "answered", status: 200 }, phases: {}, status: 200, headers: {} },
          ...{ body: Buffer.alloc(0), startedAtMs: now, endedAtMs: now },
        };
      },
      close: async () => {},
    },
  });
  t.after(async () => {
    await cure("webhook_try");
    await dispatcher.stop();
  });
  for (const clientId of healthy) await until(`what is sent to ${clientId}`, () => sent.get(clientId) === 8, 20_000);
  await cure("webhook_try");
  for (const clientId of poisoned) await until(`what is sent to ${clientId}`, () => sent.get(clientId) === 20);
});

async function append(clientId: string, count: number, lines: number): Promise<void> {
  const writer = createOutboxWriter(ids);
  const data = { lines: Array.from({ length: lines }, (_, i) => ({ lineNumber: i + 1 })) };
  const drafts = Array.from({ length: count }, (_, i) => ({
    ...{ topic: "order:received", objectType: "order", objectId: `O-${i}`, data },
  }));
  await database.transaction(async (tx) => writer.append(tx, clientId, new Date().toISOString(), drafts));
}

async function pendingOf(clientId: string): Promise<number> {
  const [row] = await rows<{ count: number }>(
    "select count(*)::int as count from outbox where client_id = $1",
    clientId,
  );
  return row?.count ?? 0;
}

const isPublished = async (clientId: string) => (await pendingOf(clientId)) === 0;

/** Takes a millisecond per line, in one statement for the batch. */
const slowByLines: Consumer = {
  topics: ["order:received"],
  async consume(tx, _clientId, _at, published) {
    const lines = published.reduce((sum, { data }) => sum + ((data as { lines: unknown[] }).lines.length ?? 0), 0);
    await tx.query(sql`select pg_sleep(${lines / 1_000}::float8)`);
    return [];
  },
};

function relayOf(t: TestContext, consumers: readonly Consumer[]): Relay {
  const relay = startRelay({ database: impatient, clock: systemClock, ids, consumers, onError: () => {} });
  t.after(() => relay.stop());
  return relay;
}

test("a backlog of large orders is published in batches that end in time, and others' orders go between them", async (t) => {
  const {
    poisoned: [large = ""],
    healthy,
  } = await makeClients("LARGE");
  await append(large, 120, 100);
  const relay = relayOf(t, [slowByLines]);
  for (let round = 1; round <= 2; round++) {
    for (const clientId of healthy) await append(clientId, 1, 1);
    relay.wake();
    for (const clientId of healthy) await until(`the order of ${clientId}`, () => isPublished(clientId), 20_000);
    assert.ok((await pendingOf(large)) > 0, "before the backlog is published");
  }
  await until("the backlog", () => isPublished(large), 60_000);
});

test("four clients whose events cannot be written in time keep nobody else's waiting, and have theirs when they can", async (t) => {
  const { poisoned, healthy } = await makeClients("RELAY", 4);
  await poison("event");
  t.after(() => cure("event"));
  for (const clientId of poisoned) await append(clientId, 20, 1);
  const relay = relayOf(t, []);
  for (let round = 1; round <= 5; round++) {
    for (const clientId of healthy) await append(clientId, 10, 1);
    relay.wake();
    for (const clientId of healthy) {
      await until(`round ${round} of ${clientId}`, () => isPublished(clientId), 20_000);
    }
  }
  for (const clientId of poisoned) assert.equal(await pendingOf(clientId), 20);
  await cure("event");
  for (const clientId of poisoned) await until(`the events of ${clientId}`, () => isPublished(clientId));
});
