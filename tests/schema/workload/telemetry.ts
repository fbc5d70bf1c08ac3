// Store queries of metrics and traces, for the workload of plans.test.ts.

import * as queries from "#/app/telemetry/telemetry.cross-client.ts";
import { findTraceOrigins } from "#/app/telemetry/trace-origins.ts";
import * as events from "#/delivery/webhooks/events/events-check-repository.ts";
import { findNextEventTime } from "#/delivery/webhooks/fan-out/backlog.ts";
import { companionOf, idBoundary } from "#/kernel/values/ids.ts";
import type { Database } from "#/store/db/database.ts";

/** The queries of the gauges, and the origins of objects of each kind. */
export async function runTelemetry(database: Database, clientId: string, orderId: string): Promise<void> {
  await queries.countOpenDocuments(database, 1_000);
  await queries.countOverdueDocuments(database, 1_000);
  await queries.countOutboxRows(database, 1_000);
  await queries.countDueDeliveries(database, 1_000);
  await findNextEventTime(database.of(clientId), 0);
  await queries.findLongestWaitingLane(database, new Date().toISOString());
  await queries.countDisabledSubscriptions(database, 1_000);
  await findTraceOrigins(database.of(clientId), [
    { objectType: "order", objectId: orderId },
    { objectType: "return", objectId: "RMA-5001" },
    { objectType: "purchaseOrder", objectId: "PO-1" },
  ]);
  await runEventsCheck(database, clientId);
}

/** The queries of `crossdock events check`, for the events of an hour. */
async function runEventsCheck(database: Database, clientId: string): Promise<void> {
  const counters = await events.findCounters(database.of(clientId));
  const newest = counters?.newest ?? 0;
  const page = await events.listChecked(database.of(clientId), Math.max(0, newest - 20), newest, 100);
  const eventIds = page.map(({ event_id }) => event_id).sort();
  await events.listEventIds(database.of(clientId), eventIds);
  await events.listDocuments(database.of(clientId), eventIds.map(companionOf).sort());
  const hourAgo = idBoundary(Date.now() - 3_600_000);
  await events.listCheckedDocuments(database.of(clientId), hourAgo, 100);
  const range = {
    webhookId: "00000000-0000-7000-8000-000000000001",
    after: Math.max(0, newest - 20),
    until: newest,
    since: "2020-01-01T00:00:00Z",
    topicPatterns: ["order:%", "parcel:load"],
    facilityCode: undefined,
    deliveriesFrom: idBoundary(Date.now() - 3_600_000),
  };
  await events.countMissed(database.of(clientId), range);
}
