// The event log and its subscriptions, for the workload of plans.test.ts.

import * as log from "#/delivery/webhooks/deliveries/delivery-log-repository.ts";
import { recover, redeliverOne } from "#/delivery/webhooks/deliveries/delivery-service.ts";
import { readEvents } from "#/delivery/webhooks/events/event-list.ts";
import { webhookRecords } from "#/delivery/webhooks/subscriptions/subscription-record.ts";
import { pageWebhooks, updateStatus } from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import * as service from "#/delivery/webhooks/subscriptions/subscription-service.ts";
import { systemClock } from "#/kernel/clock.ts";
import { createSecretBox } from "#/kernel/security/secret-box.ts";
import { createIds, idBoundary } from "#/kernel/values/ids.ts";
import type { Database } from "#/store/db/database.ts";

const ids = createIds(systemClock);

const none = { topicNames: undefined, facilityCode: undefined, objectType: undefined, objectId: undefined };

/** Reads the log with each REST filter, from its start, from a time and from a position. */
export async function runEventLog(database: Database, clientId: string): Promise<void> {
  const filters = [
    none,
    { ...none, topicNames: ["order:received", "order:updated"] },
    { ...none, facilityCode: "DC1" },
    { ...none, objectType: "order" },
    { ...none, objectId: "WEB-100045" },
  ];
  for (const filter of filters) {
    for (const after of [undefined, 1])
      await readEvents(database, clientId, { filter, after, since: undefined, limit: 50 });
  }
  const since = new Date(Date.now() - 60_000).toISOString();
  await readEvents(database, clientId, { filter: none, after: undefined, since, limit: 50 });
}

/** Creates, changes, lists and deletes webhooks, and reads their deliveries with each REST filter. */
export async function runSubscriptions(database: Database, clientId: string): Promise<void> {
  const secretBox = createSecretBox("a master key for tests, long enough");
  const world = { facilities: ["DC1"], allowsPlainHttp: true, refusalOfUrl: () => undefined };
  const change = () => ({ actor: "test", origin: "test", at: new Date().toISOString(), ids });
  const fields = { clientId, topicName: "*", facilityCode: "*", contentType: "application/json" };
  const request = { ...fields, url: "https://example.com/hooks" };
  const pushContext = { secretBox, world };
  const made: string[] = [];
  // The first run creates the cursor; the second, after the deletion of all webhooks, moves it.
  for (const isLast of [false, true]) {
    const created = await database.transaction((tx) =>
      service.createWebhook(tx.of(clientId, change()), request, pushContext),
    );
    if (!created.ok) throw new Error(created.fault.detail);
    const { webhookId } = created.value.subscription;
    made.push(webhookId);
    const key = { webhookId };
    for (const isPaused of [1, 0]) {
      await database.transaction((tx) =>
        service.patchWebhook(tx.of(clientId, change()), key, { isPaused }, pushContext),
      );
    }
    await database.transaction((tx) => service.rotateSecret(tx.of(clientId, change()), key, secretBox));
    await database.transaction((tx) => updateStatus(tx.of(clientId), webhookId, { from: ["ACTIVE"], to: "FAILING" }));
    await readDeliveries(database, clientId, webhookId);
    const since = new Date(Date.now() - 60_000).toISOString();
    for (const onlyFailed of [true, false]) {
      await database.transaction((tx) => recover(tx.of(clientId, change()), webhookId, { since, onlyFailed }));
    }
    const delivery = ids.next(Date.now());
    await database.transaction((tx) => redeliverOne(tx.of(clientId, change()), delivery));
    if (!isLast) await database.transaction((tx) => service.deleteWebhook(tx.of(clientId, change()), key));
  }
  const found = await service.findWebhook(database.of(clientId), made[1] as string);
  if (found) await webhookRecords(database.of(clientId), [found], secretBox);
  for (const isNewestFirst of [false, true]) {
    for (const after of [undefined, made[0]])
      await pageWebhooks(database.of(clientId), { isNewestFirst, after, limit: 50 });
  }
}

async function readDeliveries(database: Database, clientId: string, webhookId: string): Promise<void> {
  const filters: log.DeliveryFilter[] = [
    {},
    { statuses: ["FAILED"] },
    { topicNames: ["order:received"] },
    { objectId: "WEB-100045" },
    { first: idBoundary(Date.now() - 60_000) },
  ];
  const id = ids.next(Date.now());
  for (const filter of filters) {
    for (const isNewestFirst of [false, true]) {
      for (const after of [undefined, id]) {
        for (const reach of [undefined, id]) {
          const page = { filter, isNewestFirst, after, reach };
          await log.listDeliveries(database.of(clientId), webhookId, { ...page, limit: 50 });
          await log.findReach(database.of(clientId), webhookId, page, 100);
        }
      }
    }
  }
  await log.findDelivery(database.of(clientId), id);
  await log.listAttempts(database.of(clientId), id, 100);
}
