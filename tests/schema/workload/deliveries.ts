// Deliveries of webhooks, from the event to their last attempt, for the workload of plans.test.ts.

import { addDeliveries, endSubscription, redeliver } from "#/delivery/webhooks/deliveries/deliveries.ts";
import { listDeliveries } from "#/delivery/webhooks/deliveries/delivery-log-repository.ts";
import * as cursors from "#/delivery/webhooks/deliveries/delivery-repository.ts";
import {
  endDeliveries,
  holdDeliveries,
  lockObjects,
  purgeFeedSequences,
  resumeDeliveries,
  setHeadsDue,
} from "#/delivery/webhooks/deliveries/delivery-repository.ts";
import { listEventsById, listFannedOut } from "#/delivery/webhooks/events/event-list.ts";
import { findBacklog } from "#/delivery/webhooks/fan-out/backlog.ts";
import {
  listClientBacklogs,
  listCursorsAhead,
  listDueLanes,
  listLanesAhead,
  listTaskReaders,
} from "#/delivery/webhooks/fan-out/fan-out.cross-client.ts";
import * as attempts from "#/delivery/webhooks/lanes/attempt-repository.ts";
import { closedBreaker } from "#/delivery/webhooks/lanes/breaker.ts";
import * as lanes from "#/delivery/webhooks/lanes/lane-repository.ts";
import type { Subscription } from "#/delivery/webhooks/subscriptions/subscription.ts";
import * as subscriptions from "#/delivery/webhooks/subscriptions/subscription-repository.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds, idBoundary } from "#/kernel/values/ids.ts";
import type { ClientTransaction, Database } from "#/store/db/database.ts";

const ids = createIds();

/** Leaves a subscription with an attempted delivery and with one that is held back. */
export async function runDeliveries(database: Database, clientId: string): Promise<void> {
  const at = new Date().toISOString();
  const later = new Date(Date.now() + 60_000).toISOString();
  const events = await listFannedOut(database.of(clientId), 0, 10);
  await listEventsById(
    database.of(clientId),
    events.map(({ event_id }) => event_id),
  );
  await listClientBacklogs(database);
  await listCursorsAhead(database);
  await listTaskReaders(database);
  await findBacklog(database.of(clientId));
  await cursors.findTaskPosition(database.of(clientId));
  const [webhookId, deleted] = [ids.next(Date.now()), ids.next(Date.now())];
  await database.transaction(async (tx) => {
    await cursors.insertCursor(tx.of(clientId), 0);
    for (const id of [webhookId, deleted])
      subscriptions.insertSubscription(tx.of(clientId), subscriptionOf(clientId, id, at));
    await cursors.lockCursor(tx.of(clientId));
    await cursors.lockTaskCursor(tx.of(clientId));
    cursors.moveTaskCursor(tx.of(clientId), 0);
    cursors.endTaskCursor(tx.of(clientId));
    cursors.startTaskCursor(tx.of(clientId), 0);
    await cursors.insertFacilityTenant(tx.of(clientId));
    await subscriptions.updateStatus(tx.of(clientId), webhookId, { from: ["ACTIVE"], to: "FAILING" });
    const [event] = events;
    if (!event) throw new Error("there is no event");
    const wanted = {
      eventId: event.event_id,
      position: event.position,
      topicName: event.topic,
      objectType: event.object_type,
      objectId: event.object_id,
    };
    await addDeliveries(tx.of(clientId), ids, at, [
      { ...wanted, webhookId },
      { ...wanted, webhookId: deleted },
    ]);
    cursors.moveCursor(tx.of(clientId), event.position);
  });
  await purgeFeedSequences(database.of(clientId), idBoundary(Date.now() - 90 * dayMs));
  await listDueLanes(database, later, later, 10);
  await listLanesAhead(database, later, 10);
  const view = database.of(clientId);
  const fence = (await lanes.readLane(view, webhookId))?.fence;
  if (fence === undefined) throw new Error("there is no lane");
  await lanes.renewLane(view, webhookId, fence, later);
  await lanes.findNextDue(view, webhookId);
  await database.transaction((tx) => tryDelivery(tx.of(clientId), webhookId, fence, at, later));
  await database.transaction(async (tx) => {
    const rows = await listDeliveries(tx.of(clientId), deleted, {
      filter: {},
      isNewestFirst: true,
      after: undefined,
      reach: undefined,
      limit: 10,
    });
    holdDeliveries(tx.of(clientId), deleted);
    resumeDeliveries(tx.of(clientId), deleted, at);
    endDeliveries(tx.of(clientId), deleted, at, "the subscription was disabled");
    const deliveryIds = rows.map(({ deliveryId }) => deliveryId);
    if ((await redeliver(tx.of(clientId), deleted, deliveryIds, at)) !== 1) throw new Error("nothing was sent again");
    endSubscription(tx.of(clientId), deleted, at);
    subscriptions.deleteSubscription(tx.of(clientId), deleted);
  });
}

async function tryDelivery(
  tx: ClientTransaction,
  webhookId: string,
  fence: number,
  at: string,
  later: string,
): Promise<void> {
  await subscriptions.shareSubscription(tx, webhookId);
  const [due] = await attempts.takeDue(tx, webhookId, later, 10);
  if (!due) throw new Error("nothing is due");
  const object = { webhookId, objectType: due.object_type, objectId: due.object_id };
  await lockObjects(tx, [object]);
  const begun = (attemptId: string) => ({ attemptId, deliveryId: due.delivery_id, isProbe: false });
  const [first, second] = [begun(ids.next(Date.now())), begun(ids.next(Date.now()))];
  attempts.startAttempts(tx, [first]);
  const nothing = { startedAt: at, endedAt: at, address: undefined, phases: undefined, headers: undefined };
  attempts.endAttempts(tx, webhookId, [
    { ...nothing, ...first, state: "ENDED", status: 500, body: undefined, errorClass: "status" },
  ]);
  attempts.settleDeliveries(tx, [
    {
      deliveryId: due.delivery_id,
      attemptId: first.attemptId,
      status: "RETRYING",
      dueAt: later,
      settledAt: undefined,
      blocksUntil: later,
      hasUnblocked: false,
      isAlerted: false,
      attempts: 1,
      rejections: 0,
      lastError: "status: answered 500",
    },
  ]);
  attempts.startAttempts(tx, [second]);
  attempts.withdrawAttempts(tx, [second]);
  attempts.startAttempts(tx, [begun(ids.next(Date.now()))]);
  lanes.bringBack(tx, webhookId, { at, untriedMost: later, retryMost: later, holdMost: later });
  lanes.postponeUnblocking(tx, webhookId, 60_000);
  await lanes.listBlockingTooLong(tx, webhookId, later, 10);
  lanes.unblockObjects(tx, at, [object]);
  await lanes.markReported(tx, webhookId, at, 10);
  setHeadsDue(tx, at, [object]);
  await lanes.lockLane(tx, webhookId, fence);
  const hold = { owner: undefined, fence, dueAt: later };
  lanes.putLane(tx, webhookId, { lease: hold, breaker: closedBreaker, incident: undefined, incidentDueAt: later });
}

const subscriptionOf = (clientId: string, webhookId: string, at: string): Subscription => ({
  clientId,
  webhookId,
  kind: "WEBHOOK" as const,
  topicName: "*",
  additionalTopicNames: [],
  facilityCode: "*",
  description: undefined,
  url: "https://receiver.example/",
  contentType: "application/json",
  emailList: [],
  hasHttpSignature: false,
  status: "ACTIVE" as const,
  fromPosition: 0,
  version: 1,
  sealed: { headers: undefined, secret: "sealed", previous: undefined, previousUntil: undefined },
  createdAt: at,
  updatedAt: at,
});
