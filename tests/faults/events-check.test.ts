// Corrupted event counters, caused by a fault or by hand: `crossdock events check` finds them, and the operator's
// handbook repairs them.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { beforeEach, test } from "node:test";
import { createOutboundConsumer } from "#/delivery/outbound/index.ts";
import { insertCursor } from "#/delivery/webhooks/deliveries/delivery-repository.ts";
import { startFanOut } from "#/delivery/webhooks/fan-out/fan-out.ts";
import { checkEvents, insertSubscription } from "#/delivery/webhooks/index.ts";
import { systemClock } from "#/kernel/clock.ts";
import { createLogger } from "#/kernel/telemetry/log.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { createOutboxWriter } from "#/store/outbox/append.ts";
import { startRelay } from "#/store/outbox/relay.ts";
import { insertEvents } from "#/store/outbox/repository.ts";
import { until } from "../support/app/until.ts";
import { insertClient } from "../support/builders/client.ts";
import { testDatabase } from "../support/postgres/database.ts";
import { activeWebhook } from "../support/webhooks/active-webhook.ts";
import * as samples from "../support/webhooks/outbound.ts";

const { database } = await testDatabase({ engine: "postgresql" });
const ids = createIds();
const rows = <Row>(text: string, ...values: unknown[]) =>
  database.query<Row>({ text, values, name: "", isTenant: false });

let clientId = "";
let clients = 0;
beforeEach(async () => {
  clientId = `EVENTS${++clients}`;
  await insertClient(database, { clientId });
});

async function subscribe(topicName: string, ...additionalTopicNames: string[]): Promise<string> {
  const webhookId = ids.next(Date.now());
  const at = new Date(Date.now() - 60_000).toISOString();
  await database.transaction(async (tx) => {
    await insertCursor(tx.of(clientId), 0);
    insertSubscription(
      tx.of(clientId),
      activeWebhook({ clientId, webhookId, at }, { topicName, additionalTopicNames }),
    );
  });
  return webhookId;
}

/** Publishes events of one object, after the existing ones of the lane. */
async function publish(...topics: string[]): Promise<void> {
  await database.transaction(async (tx) => {
    const count = topics.length;
    const [row] = await tx.of(clientId).query<{
      last_position: number;
    }>(sql`update outbox_lane set last_position = last_position + ${count}::bigint where client_id = ${tenant}
        returning last_position`);
    const first = (row?.last_position ?? 0) - count + 1;
    const events = topics.map((topic, i) => ({
      eventId: ids.next(Date.now()),
      position: first + i,
      topic,
      objectType: "order",
      objectId: "O-1",
      facilityCode: "DC1",
      occurredAt: new Date().toISOString(),
      data: {},
    }));
    insertEvents(tx.of(clientId), events);
  });
}

const findings = () => checkEvents({ database, clientId, sinceMs: Date.now() - dayMs });

const check = async () => (await findings()).map(({ rule, found, expected }) => `${rule} ${found} ${expected}`);

/** Sets the cursor back by the statement of the operator's handbook, and delivers what follows. */
async function setCursorBack(position: number): Promise<void> {
  const handbook = await readFile(new URL("../../docs/operators-handbook.md", import.meta.url), "utf8");
  const statement = /```sql\n(update webhook_cursor .*?)```/s.exec(handbook)?.[1] ?? "";
  await rows(statement.replaceAll("1234", String(position)).replace("ACME", clientId));
  const log = createLogger({ level: "silent", format: "json", destination: { write: () => {} } });
  const fanOut = startFanOut({ database, clock: systemClock, ids, log, onDeliveries() {} });
  await until("the cursor reaches the newest event", async () => {
    const [row] = await rows<{ is: boolean }>(
      `select c.last_position = l.last_position as is from webhook_cursor c join outbox_lane l using (client_id)
        where client_id = $1`,
      clientId,
    );
    return row?.is === true;
  });
  await fanOut.stop();
}

test("a cursor ahead of events that were never delivered is found, and set back it delivers them", async () => {
  const all = await subscribe("*");
  const orders = await subscribe("order:*");
  const received = await subscribe("order:received");
  const several = await subscribe("order:*", "inventory:*", "order:received");
  await publish("order:received", "order:updated", "inventory:changed");
  assert.deepEqual(await check(), [], "what is still to be fanned out is not missed");
  await rows("update webhook_cursor set last_position = 2 where client_id = $1", clientId);
  assert.deepEqual(
    (await findings()).map(({ object, found }) => `${object}: ${found}`),
    [
      ...[`webhook ${all} from position 1: 2`, `webhook ${orders} from position 1: 2`],
      ...[`webhook ${received} from position 1: 1`, `webhook ${several} from position 1: 2`],
    ],
  );
  await setCursorBack(0);
  assert.deepEqual(await check(), []);
  const made = await rows<{ webhook_id: string; positions: number[] }>(
    `select webhook_id, array_agg(event_position::int order by event_position) as positions from webhook_delivery
      where client_id = $1 group by webhook_id`,
    clientId,
  );
  assert.deepEqual(
    new Map(made.map(({ webhook_id, positions }) => [webhook_id, positions])),
    new Map([
      [all, [1, 2, 3]],
      [orders, [1, 2]],
      [received, [1]],
      [several, [1, 2, 3]],
    ]),
  );
});

test("a cursor ahead of all events is set back, so that those to come are delivered", async () => {
  await subscribe("inventory:changed");
  await publish("order:received");
  await rows("update webhook_cursor set last_position = 500 where client_id = $1", clientId);
  assert.deepEqual(await check(), ["CURSOR_AHEAD 500 1"]);
  await setCursorBack(1);
  assert.deepEqual(await check(), []);
});

test("a lane that was set back is found, before and after it assigned duplicate positions", async () => {
  await publish("order:received", "order:updated", "order:updated");
  await rows("update outbox_lane set last_position = 2 where client_id = $1", clientId);
  assert.deepEqual(await check(), ["LANE_BEHIND 2 3"]);
  await publish("order:updated");
  assert.deepEqual(await check(), ["POSITION_TWICE 3 4"]);
  await rows("update outbox_lane set last_position = 1 where client_id = $1", clientId);
  assert.deepEqual(await check(), ["LANE_BEHIND 1 3", "POSITION_TWICE 3 4"]);
});

test("a lane that was set back gives no position twice when its next events are published", async (t) => {
  await publish("order:received", "order:updated", "order:updated");
  await rows("update outbox_lane set last_position = 1 where client_id = $1", clientId);
  const drafts = ["O-2", "O-3"].map((objectId) => ({
    topic: "order:received",
    objectType: "order",
    objectId,
    data: {},
  }));
  await database.transaction(async (tx) =>
    createOutboxWriter(ids).append(tx.of(clientId), new Date().toISOString(), drafts),
  );
  const errors: string[] = [];
  const relay = startRelay({
    database,
    clock: systemClock,
    ids,
    consumers: [],
    onError: ({ message }) => void errors.push(message),
  });
  t.after(() => relay.stop());
  await until(
    "the events",
    async () => (await rows("select 1 from event where client_id = $1", clientId)).length === 5,
  );
  assert.deepEqual(errors, [
    `the lane of ${clientId} was set back: it is at 1, and the newest event at 3; the next event follows the newest`,
  ]);
  assert.deepEqual(await check(), []);
});

test("an event without its document, and a document without an event, are found", async (t) => {
  const drafts = ["O-2", "O-3", "O-4"].map((orderId) => ({
    topic: "order:allocated",
    objectType: "order",
    objectId: orderId,
    facilityCode: "DC1",
    data: {},
    outbound: { type: "OS" as const, objectId: orderId, content: { ...samples.orderStatus, orderId } },
  }));
  await database.transaction(async (tx) =>
    createOutboxWriter(ids).append(tx.of(clientId), new Date().toISOString(), drafts),
  );
  const relay = startRelay({
    database,
    clock: systemClock,
    ids,
    consumers: [createOutboundConsumer(ids)],
    onError: () => {},
  });
  t.after(() => relay.stop());
  const count = async () => (await rows("select 1 from outbound_document where client_id = $1", clientId)).length;
  await until("the documents", async () => (await count()) === 3);
  assert.deepEqual(await check(), []);
  await rows("delete from outbound_document where client_id = $1 and object_id = 'O-3'", clientId);
  assert.deepEqual(await check(), ["NO_DOCUMENT 0 1"]);
  await rows(
    `insert into outbound_document (client_id, message_id, type, object_id, facility_code, created_at, size, payload, list_position)
      select client_id, $2::uuid, type, object_id, facility_code, created_at, size, payload, 4
      from outbound_document where client_id = $1 and object_id = 'O-4'`,
    clientId,
    ids.next(Date.now()),
  );
  assert.deepEqual(await check(), ["NO_DOCUMENT 0 1", "NO_EVENT 1 0"]);
});

test("an adjustment without its ADJ, and a returned parcel without its RS, are found", async (t) => {
  const contents = { ADJ: samples.inventoryAdjustment, RS: samples.returnStatus };
  const draftsOf = (topic: string, objectIds: readonly string[], type: "ADJ" | "RS", withDocument: number) =>
    objectIds.map((objectId, i) => ({
      topic,
      objectType: type === "ADJ" ? "stock" : "return",
      objectId,
      facilityCode: "DC1",
      data: type === "ADJ" ? {} : { rmaNumber: objectId },
      ...(i === withDocument ? { outbound: { type, objectId: `${type} ${objectId}`, content: contents[type] } } : {}),
    }));
  const reports = [
    draftsOf("order:updated", ["O-1"], "ADJ", -1),
    draftsOf("inventory:adjusted", ["DC1/A", "DC1/B", "DC1/C"], "ADJ", 0),
    draftsOf("inventory:adjusted", ["DC1/D", "DC1/E"], "ADJ", 0),
    draftsOf("return:received", ["R-1"], "RS", 0),
    [...draftsOf("return:received", ["R-2"], "RS", -1), ...draftsOf("return:closed", ["R-2"], "RS", 0)],
    draftsOf("order:updated", ["O-1"], "ADJ", -1),
  ];
  const startMs = Date.now() - 60_000;
  for (const [i, drafts] of reports.entries()) {
    await database.transaction(async (tx) =>
      createOutboxWriter(ids).append(tx.of(clientId), new Date(startMs + i).toISOString(), drafts),
    );
  }
  const relay = startRelay({
    database,
    clock: systemClock,
    ids,
    consumers: [createOutboundConsumer(ids)],
    onError: () => {},
  });
  t.after(() => relay.stop());
  const count = async () => (await rows("select 1 from outbound_document where client_id = $1", clientId)).length;
  await until("the documents", async () => (await count()) === 4);
  assert.deepEqual(await check(), []);
  await rows("delete from outbound_document where client_id = $1 and object_id = any('{ADJ DC1/D,RS R-1}')", clientId);
  const missing = (await findings()).map(({ rule, object }) => `${rule}: ${object}`);
  assert.deepEqual(missing, [
    "NO_DOCUMENT: inventory:adjusted of stock DC1/D at position 5",
    "NO_DOCUMENT: return:received of return R-1 at position 7",
  ]);
});

test("a fault at the border of two pages of the log is found, once", async () => {
  const webhookId = await subscribe("*");
  await publish(...Array.from({ length: 4_100 }, () => "order:updated"));
  await rows("update webhook_cursor set last_position = 4100 where client_id = $1", clientId);
  assert.deepEqual(await check(), ["NOT_DELIVERED 4100 0"]);
  await rows("update webhook set status = 'PAUSED' where webhook_id = $1", webhookId);
  await rows("update event set position = 2000, sequence = 2000 where client_id = $1 and position = 2001", clientId);
  assert.deepEqual(await check(), [
    ...["POSITION_TWICE 2000 2001", "POSITION_LEFT_OUT 2002 2001"],
    ...["SEQUENCE 2000 2001", "SEQUENCE 2002 2001"],
  ]);
});

test("gaps and holes are found, but not where a restore has left positions and sequences out", async () => {
  await publish("order:received", "order:updated", "order:updated");
  await rows("delete from event where client_id = $1 and position = 2", clientId);
  assert.deepEqual(await check(), ["POSITION_LEFT_OUT 3 2", "SEQUENCE 3 2"]);
  await rows("update outbox_lane set sequence_base = 1 where client_id = $1", clientId);
  assert.deepEqual(await check(), []);
});

test("a moment whose events are apart in the log is not a gap where a page of the check ends", async () => {
  // The relay splits the events of a commit over batches, with those of others between them.
  const [first, early, late] = [90_000, 60_000, 30_000].map((ms) => new Date(Date.now() - ms).toISOString());
  await database.transaction(async (tx) => {
    const view = tx.of(clientId);
    await view.query(sql`update outbox_lane set last_position = 2100 where client_id = ${tenant} returning client_id`);
    const runs = [
      [first, 10],
      [early, 100],
      [late, 1_850],
      [early, 140],
    ] as const;
    const moments = runs.flatMap(([moment, count]) => Array<string>(count).fill(moment as string));
    insertEvents(
      view,
      moments.map((occurredAt, i) => ({
        eventId: ids.next(Date.now()),
        position: i + 1,
        topic: "order:picking",
        objectType: "order",
        objectId: "O-1",
        facilityCode: "DC1",
        occurredAt,
        data: {},
      })),
    );
  });
  assert.deepEqual(await check(), []);
});
