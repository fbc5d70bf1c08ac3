// Clients whose rows take longer than the statement timeout, or that have much more work than others. The trouble is
// limited to them, and ends with its cause (docs/decisions/0040-fair-turns.md).
import assert from "node:assert/strict";
import { after, before, type TestContext, test } from "node:test";
import { createFeedStack } from "#/app/roles/feed-stack.ts";
import { startMailer } from "#/delivery/mail/index.ts";
import { takeMidnightSnapshots, writeSnapshots } from "#/delivery/outbound/index.ts";
import { addDeliveries } from "#/delivery/webhooks/deliveries/deliveries.ts";
import { insertCursor } from "#/delivery/webhooks/deliveries/delivery-repository.ts";
import { startFanOut } from "#/delivery/webhooks/fan-out/fan-out.ts";
import { startDispatcher } from "#/delivery/webhooks/lanes/dispatcher.ts";
import { tickIncidents } from "#/delivery/webhooks/lanes/incident-ticks.ts";
import { insertSubscription } from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import type { FeedClient, FeedSettings } from "#/intake/feeds/intake/definition.ts";
import { reportOverdue } from "#/intake/feeds/outcome.ts";
import { startHealing } from "#/intake/feeds/park/healing.ts";
import { systemClock } from "#/kernel/clock.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { findKnownSkus } from "#/modules/catalogue/index.ts";
import { lotOf, openBook, postMovements } from "#/modules/inventory/index.ts";
import { createClientTurns } from "#/store/db/client-turns.ts";
import { openDatabase } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { createOutboxWriter } from "#/store/outbox/append.ts";
import { type Consumer, type Relay, startRelay } from "#/store/outbox/relay.ts";
import { insertEvents } from "#/store/outbox/repository.ts";
import { until } from "../support/app/until.ts";
import { insertClient } from "../support/builders/client.ts";
import { catalogue, order } from "../support/builders/documents.ts";
import { startExchange } from "../support/http/exchange.ts";
import { testDatabase } from "../support/postgres/database.ts";
import { waitingEvents } from "../support/postgres/waiting-events.ts";
import { activeWebhook, secretBox } from "../support/webhooks/active-webhook.ts";
import { withClient } from "./oracles/oracle.ts";

const { database, url } = await testDatabase({ engine: "postgresql" });
const ids = createIds();
const log = createLogger({ level: "silent", format: "json", destination: { write: () => {} } });
/** Like the program's own connection, but with a timeout short enough for a test. */
const impatient = openDatabase({
  url,
  connectionsMax: 10,
  statementTimeoutMs: 700,
  applicationName: "crossdock test, impatient",
});
after(() => impatient.close());

/** The clients of one test. Those in trouble come first, as in a plain read of the table. */
async function makeClients(
  name: string,
  poisonedCount = 2,
  settings: Partial<FeedSettings> = {},
): Promise<{ readonly poisoned: string[]; readonly healthy: string[]; readonly clients: FeedClient[] }> {
  const poisoned = Array.from({ length: poisonedCount }, (_, i) => i + 1).map((n) => `POISON_${name}${n}`);
  const healthy = [1, 2, 3, 4].map((n) => `WELL_${name}${n}`);
  const clients: FeedClient[] = [];
  for (const clientId of [...poisoned, ...healthy]) clients.push(await insertClient(database, { clientId, settings }));
  return { poisoned, healthy, clients };
}

const run = (text: string) => withClient(url, (client) => client.query(text));
const rows = <Row>(text: string, ...values: unknown[]) =>
  database.query<Row>({ text, values, name: "", isTenant: false });

before(async () => {
  await run(`create function sleeps() returns trigger language plpgsql as $$ begin
    if new.client_id like 'POISON%' then perform pg_sleep(10); end if; return new; end $$`);
  await run(`create function times_out() returns trigger language plpgsql as $$ begin
    if new.client_id like 'POISON%' then
      perform pg_sleep(0.3);
      raise exception 'canceling statement due to statement timeout' using errcode = '57014';
    end if; return new; end $$`);
  await run(`create function dawdles() returns trigger language plpgsql as $$ begin
    if new.client_id like 'POISON%' then perform pg_sleep(0.2); end if; return new; end $$`);
});

/** Each written row of the poisoned clients takes longer than the statement timeout. */
const poison = (table: string, { when = "insert", how = "sleeps" } = {}) =>
  run(`create trigger sleeps before ${when} on ${table} for each row execute function ${how}()`);
const cure = (table: string) => run(`drop trigger if exists sleeps on ${table}`);

async function publishEvents(clientId: string, count: number): Promise<void> {
  const occurredAt = new Date().toISOString();
  await database.transaction(async (tx) => {
    const lane = sql`update outbox_lane set last_position = last_position + ${count}::bigint where client_id = ${tenant} returning last_position`;
    const [row] = await tx.of(clientId).query<{ last_position: number }>(lane);
    const first = (row?.last_position ?? 0) - count + 1;
    const events = Array.from({ length: count }, (_, i) => ({
      eventId: ids.next(Date.now()),
      position: first + i,
      topic: "order:received",
      objectType: "order",
      objectId: `O-${first + i}`,
      facilityCode: "DC1",
      occurredAt,
      data: {},
    }));
    insertEvents(tx.of(clientId), events);
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
    await insertCursor(tx.of(clientId), 0);
    insertSubscription(
      tx.of(clientId),
      activeWebhook({ clientId, webhookId, at }, { url: `https://receiver.example/${clientId}` }),
    );
  });
  return webhookId;
}

test("two clients whose deliveries time out delay no other client, and get theirs afterwards", async (t) => {
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

test("the lanes of two clients whose attempts time out leave slots to the others", async (t) => {
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
        tx.of(clientId),
        ids,
        new Date().toISOString(),
        objectIds.map((objectId, i) => ({
          webhookId,
          eventId: events[i] as string,
          position: (lane?.position ?? 0) + i + 1,
          topicName: "order:received",
          objectType: "order",
          objectId,
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
  // The update that begins an attempt.
  await poison("webhook_delivery", { when: "update" });
  const dispatcher = startDispatcher({
    database: impatient,
    clock: systemClock,
    ids,
    log,
    secretBox,
    schedule: [1],
    pollMs: 100,
    sender: {
      async send({ url }) {
        const now = Date.now();
        const clientId = new URL(url).pathname.slice(1);
        sent.set(clientId, (sent.get(clientId) ?? 0) + 1);
        return {
          outcome: { kind: "answered", status: 200 },
          phases: {},
          status: 200,
          headers: {},
          body: Buffer.alloc(0),
          startedAtMs: now,
          endedAtMs: now,
        };
      },
      close: async () => {},
    },
  });
  t.after(async () => {
    await cure("webhook_delivery");
    await dispatcher.stop();
  });
  for (const clientId of healthy) await until(`what is sent to ${clientId}`, () => sent.get(clientId) === 8, 20_000);
  await cure("webhook_delivery");
  for (const clientId of poisoned) await until(`what is sent to ${clientId}`, () => sent.get(clientId) === 20);
});

async function append(clientId: string, count: number, lines: number): Promise<void> {
  const writer = createOutboxWriter(ids);
  const data = { lines: Array.from({ length: lines }, (_, i) => ({ lineNumber: i + 1 })) };
  const drafts = Array.from({ length: count }, (_, i) => ({
    topic: "order:received",
    objectType: "order",
    objectId: `O-${i}`,
    data,
  }));
  await database.transaction(async (tx) => writer.append(tx.of(clientId), new Date().toISOString(), drafts));
}

async function pendingOf(clientId: string): Promise<number> {
  const [row] = await rows<{ count: number }>(
    "select coalesce(sum(events), 0)::int as count from outbox where client_id = $1",
    clientId,
  );
  return row?.count ?? 0;
}

const isPublished = async (clientId: string) => (await pendingOf(clientId)) === 0;

/** Takes a millisecond per line, in one statement for the batch. */
const slowByLines: Consumer = {
  async consume(tx, _at, published) {
    const lines = published.reduce((sum, { data }) => sum + ((data as { lines: unknown[] }).lines.length ?? 0), 0);
    await tx.plain.query(sql`select pg_sleep(${lines / 1_000}::float8)`);
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

test("four clients whose events time out delay no other client, and get theirs afterwards", async (t) => {
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

/** The program's own limits are longer than a test waits: the statements of the poisoned clients end after 0.3 s. */
const timesOut = { how: "times_out" };

test("snapshots of the clients behind two that use up the time of each run are taken and written", async (t) => {
  const { poisoned, healthy } = await makeClients("INV");
  const yesterday = new Date(Date.now() - dayMs).toISOString();
  for (const clientId of [...poisoned, ...healthy]) {
    await database.transaction(async (tx) => {
      const book = await openBook(tx.of(clientId), "DC1", yesterday);
      const receipt = { type: "RECEIPT", sku: "A", condition: "GOOD", qty: 1_000, referenceType: "receipt" } as const;
      postMovements(tx.of(book.clientId), book, ids, [{ ...receipt, referenceId: "R-1", ...lotOf({}) }]);
    });
  }
  const job = { database, clock: systemClock, ids, budgetMs: 100 };
  const counts = async (table: string) => {
    const found = await rows<{ client_id: string }>(`select distinct client_id from ${table}`);
    return found.map(({ client_id }) => client_id).filter((clientId) => healthy.includes(clientId)).length;
  };
  await poison("stock_snapshot", timesOut);
  const midnight = { ...job, turns: createClientTurns() };
  await until("the snapshots of the others", async () => {
    await takeMidnightSnapshots(midnight).catch(() => {});
    return (await counts("stock_snapshot")) === healthy.length;
  });
  await cure("stock_snapshot");
  await until("all snapshots", async () => {
    await takeMidnightSnapshots(midnight);
    return (await rows("select 1 from stock_snapshot")).length === healthy.length + poisoned.length;
  });
  await poison("outbound_document", timesOut);
  t.after(() => cure("outbound_document"));
  const documents = { ...job, turns: createClientTurns() };
  await until("the documents of the others", async () => {
    await writeSnapshots(documents).catch(() => {});
    return (await counts("outbound_document")) === healthy.length;
  });
  await cure("outbound_document");
  await until("the documents of all", async () => {
    await writeSnapshots(documents);
    return (await rows("select 1 from stock_snapshot where written_at is null")).length === 0;
  });
});

test("documents of two clients that cannot be written in time cause no refusal of a document of another client", async (t) => {
  const { poisoned, healthy, clients } = await makeClients("FEED");
  const { receiver, close } = await createFeedStack({ database, clock: systemClock, ids });
  t.after(close);
  const receive = (client: FeedClient) =>
    receiver.receive({
      client,
      type: "CAT",
      token: ids.next(Date.now()),
      channel: "HTTP",
      contentType: "application/xml",
      charset: undefined,
      idempotencyKey: undefined,
      bytes: Buffer.from(catalogue(client.clientId, ["A"])),
    });
  await poison("feed_document");
  t.after(() => cure("feed_document"));
  const answers = await Promise.all(
    clients.map((client) =>
      receive(client).then(
        () => "accepted",
        () => "503",
      ),
    ),
  );
  assert.deepEqual(answers, [...poisoned.map(() => "503"), ...healthy.map(() => "accepted")]);
  await cure("feed_document");
  for (const client of clients.slice(0, poisoned.length)) await until("an accepted retry", () => receive(client));
});

test("overdue documents of the clients behind a poisoned one are reported", async (t) => {
  const { poisoned, healthy } = await makeClients("OVERDUE");
  for (const clientId of [...poisoned, ...healthy]) {
    // More than one look takes, and older than the others' documents.
    const count = clientId.startsWith("POISON") ? 600 : 1;
    await rows(
      `insert into feed_document (client_id, token, feed_type, channel, state, object_id, received_at, body_sha256, body_bytes, ack)
        select $1, given.token, 'CAT', 'HTTP', 'ACCEPTED', 'A', now(), ''::bytea, 1, ''::bytea
        from unnest($2::uuid[]) given(token)`,
      clientId,
      Array.from({ length: count }, () => ids.next(Date.now())),
    );
  }
  await poison("outbox", timesOut);
  t.after(() => cure("outbox"));
  const context = {
    database,
    clock: { now: () => Date.now() + 3_600_000 },
    writer: createOutboxWriter(ids),
    turns: createClientTurns(),
  };
  const eventsOf = async (clientIds: readonly string[]) => {
    const events = await Promise.all(clientIds.map((clientId) => waitingEvents(database, clientId)));
    return events.filter((ofClient) => ofClient.some(({ topic }) => topic === "feed:overdue")).length;
  };
  await until("the documents of the others", async () => {
    await reportOverdue(context).catch(() => {});
    return (await eventsOf(healthy)) === healthy.length;
  });
  assert.equal(await eventsOf(poisoned), 0);
  await cure("outbox");
  await until("those of the poisoned ones", async () => {
    await reportOverdue(context);
    return (await eventsOf(poisoned)) === poisoned.length;
  });
});

test("incidents and mails of the clients behind a poisoned one go on", async (t) => {
  const { poisoned, healthy } = await makeClients("MAIL");
  const all = [...poisoned, ...healthy];
  for (const clientId of all) {
    const webhookId = await subscribe(clientId);
    await rows("update webhook_lane set incident_due_at = now() where webhook_id = $1", webhookId);
    await rows(
      `insert into alert_mail (client_id, mail_id, address, subject, body_text, body_html, notes, status, scheduled_at, due_at, created_at)
        values ($1, $2, 'alerts@example.com', '', '', '', '{}', 'PENDING', now(), now(), now())`,
      clientId,
      ids.next(Date.now()),
    );
  }
  const update = { when: "update", ...timesOut };
  await poison("webhook_lane", update);
  t.after(() => cure("webhook_lane"));
  const turns = createClientTurns();
  const due = async () =>
    (await rows<{ client_id: string }>("select client_id from webhook_lane where incident_due_at is not null"))
      .map(({ client_id }) => client_id)
      .filter((clientId) => all.includes(clientId))
      .sort();
  const later = { now: () => Date.now() + 1_000 };
  await until("the incidents of the others", async () => {
    await tickIncidents({ database, clock: later, ids, turns }).catch(() => {});
    return (await due()).join() === poisoned.join();
  });
  await poison("alert_mail", update);
  t.after(() => cure("alert_mail"));
  const from = { name: "Crossdock", address: "alerts@crossdock.example" };
  // Without a mail server, mails are kept when they are due.
  const mailer = startMailer({ database, clock: later, log, mail: { smtpUrl: undefined, from }, pollMs: 20 });
  t.after(() => mailer.stop());
  const kept = async () => (await rows("select 1 from alert_mail where status = 'KEPT'")).length;
  await until("the mails of the others", async () => (await kept()) === healthy.length);
  await cure("alert_mail");
  await until("all mails", async () => (await kept()) === all.length, 60_000);
});

test("a backlog of parked documents that are judged slowly delays no other client's", async (t) => {
  const { poisoned, healthy, clients } = await makeClients("H", 2, { parkUnknownSkus: true });
  const node = await startExchange({ database, clients });
  for (const { clientId } of clients) {
    const session = node.open(clientId);
    const count = poisoned.includes(clientId) ? 20 : 1;
    for (let n = 1; n <= count; n++) await session.exchange("NO", `${n}.xml`, order(clientId, `O-${n}`, ["LATER"]));
    await session.exchange("CAT", "later.xml", catalogue(clientId, ["LATER"]));
  }
  const parked = async (clientIds: readonly string[]) => {
    const left = await rows<{ client_id: string }>("select client_id from feed_document where state = 'PARKED'");
    return left.filter(({ client_id }) => clientIds.includes(client_id)).length;
  };
  assert.equal(await parked(clients.map(({ clientId }) => clientId)), 44);
  await poison("feed_document", { when: "update", how: "dawdles" });
  t.after(() => cure("feed_document"));
  const findClient = async (clientId: string) => clients.find((client) => client.clientId === clientId);
  const healing = startHealing({ database, receiver: node.receiver, findClient, findKnownSkus, log });
  t.after(() => healing.stop());
  healing.wake(clients.map(({ clientId }) => clientId));
  await until("the others' documents", async () => (await parked(healthy)) === 0);
  assert.ok((await parked(poisoned)) > 0, "before the backlog is done");
  await until("the backlog", async () => (await parked(poisoned)) === 0, 60_000);
});
