import { fileURLToPath } from "node:url";
import type pg from "pg";
import { eventBody, type LoggedEvent, topics } from "#/delivery/webhooks/index.ts";
import { newSigningSecret, sealSecret } from "#/delivery/webhooks/subscriptions/secrets.ts";
import { insertSubscription } from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import { createSecretBox } from "#/kernel/security/secret-box.ts";
import { createIds } from "#/kernel/values/ids.ts";
import { type Database, openDatabase } from "#/store/db/database.ts";
import { migrate } from "#/store/db/schema/migrator.ts";
import { makePartitions } from "#/store/db/schema/partitions.ts";

/** Many: these clients with ten subscriptions each, one per facility. Alone: one client with one subscription. */
export const clients = ["B1", "B2", "B3", "B4", "B5"] as const;
export const facilities = Array.from({ length: 10 }, (_, i) => `F${i}`);
export const aloneClient = "ALONE";

export const masterKey = "a master key for the bench, long enough";
export const pathOf = (clientId: string, facilityCode: string) => `/${clientId}/${facilityCode}`;

const ids = createIds();
const topicName = "order:delivered";
const sample = topics.find((topic) => topic.topicName === topicName)?.sample.data ?? {};

export interface Base {
  readonly database: Database;
  /** Bodies for the peer's posts: the same that the product posts. */
  readonly bodies: readonly { readonly id: string; readonly body: string }[];
}

/** Creates tables, clients and subscriptions. Each subscription has its own path at the receiver's address. */
export async function makeBase(url: string, receiverUrl: string, client: pg.Client): Promise<Base> {
  await migrate(url, fileURLToPath(new URL("../../migrations", import.meta.url)), {
    afterwards: (connection) => makePartitions(connection, Date.now()),
  });
  for (const clientId of [...clients, aloneClient]) {
    await client.query("insert into tenant values ($1)", [clientId]);
    await client.query("insert into outbox_lane (client_id) values ($1)", [clientId]);
    await client.query("insert into webhook_cursor (client_id, last_position) values ($1, 0)", [clientId]);
    await client.query(
      "insert into client (client_id, name, status, created_at, updated_at) values ($1, $1, 'ACTIVE', now(), now())",
      [clientId],
    );
  }
  const database = openDatabase({ url, connectionsMax: 10, applicationName: "crossdock bench" });
  const box = createSecretBox(masterKey, undefined);
  const at = new Date().toISOString();
  const subscribe = (clientId: string, facilityCode: string) =>
    database.transaction(async (tx) => {
      const webhookId = ids.next(Date.now());
      insertSubscription(tx.of(clientId), {
        clientId,
        webhookId,
        kind: "WEBHOOK",
        topicName: "*",
        additionalTopicNames: [],
        facilityCode,
        description: undefined,
        url: receiverUrl + pathOf(clientId, facilityCode),
        contentType: "application/json",
        emailList: [],
        hasHttpSignature: false,
        sealed: {
          secret: sealSecret(box, clientId, webhookId, newSigningSecret()),
          headers: undefined,
          previous: undefined,
          previousUntil: undefined,
        },
        status: "ACTIVE",
        fromPosition: 0,
        createdAt: at,
        updatedAt: at,
        version: 1,
      });
    });
  for (const clientId of clients) for (const facilityCode of facilities) await subscribe(clientId, facilityCode);
  await subscribe(aloneClient, "*");
  return { database, bodies: Array.from({ length: 1_000 }, (_, i) => bodyOf(i)) };
}

function bodyOf(i: number): { readonly id: string; readonly body: string } {
  const event: LoggedEvent = {
    event_id: ids.next(Date.now()),
    position: i,
    topic: topicName,
    object_type: "order",
    object_id: `P-${i}`,
    sequence: 1,
    facility_code: null,
    occurred_at: new Date().toISOString(),
    data: sample,
  };
  const body = eventBody("B1", event);
  return { id: body.id, body: JSON.stringify(body) };
}

const eventsOfObject = 4;
let backlogs = 0;

/**
 * Writes the given number of events into the log of each client, four per object, in the form in which the relay leaves
 * them. They have no facility, so that every subscription wants each event. None is fanned out yet.
 */
export async function insertBacklog(client: pg.Client, clientIds: readonly string[], events: number): Promise<void> {
  const name = `Q${++backlogs}`;
  await client.query("begin");
  for (const clientId of clientIds) {
    const eventIds = Array.from({ length: events }, () => ids.next(Date.now()));
    await client.query(
      `insert into event (client_id, event_id, position, topic, object_type, object_id, sequence, occurred_at, data)
       select $1, x.id, l.last_position + x.n, $3, 'order', $4 || '-' || x.n % $5::int, 1 + (x.n - 1) / $5::int, now(), $6
       from outbox_lane l, unnest($2::uuid[]) with ordinality as x(id, n) where l.client_id = $1`,
      [clientId, eventIds, topicName, name, Math.ceil(events / eventsOfObject), JSON.stringify(sample)],
    );
    await client.query("update outbox_lane set last_position = last_position + $2::int where client_id = $1", [
      clientId,
      events,
    ]);
  }
  await client.query("commit");
}

/** An event that exactly one subscription wants. */
export const draftOf = (objectId: string, facilityCode: string) => ({
  topic: topicName,
  objectType: "order",
  objectId,
  facilityCode,
  data: sample,
});
