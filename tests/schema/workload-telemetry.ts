// What metrics and traces ask of the store, for the workload of plans.test.ts.
import type { Database } from "#/db/database.ts";
import * as queries from "#/roles/telemetry/cross-client-queries.ts";
import { findTraceOrigins } from "#/roles/telemetry/trace-origins.ts";

/** A look of the gauges, and where objects of each kind come from. */
export async function runTelemetry(database: Database, clientId: string, orderId: string): Promise<void> {
  await queries.countOpenDocuments(database, 1_000);
  await queries.countOverdueDocuments(database, 1_000);
  await queries.countOutboxRows(database, 1_000);
  await queries.countDueDeliveries(database, 1_000);
  await queries.listFanOutsBehind(database, 1_000);
  await queries.findLongestWaitingLane(database, new Date().toISOString());
  await queries.countDisabledSubscriptions(database, 1_000);
  await findTraceOrigins(database, clientId, [
    { objectType: "order", objectId: orderId },
    { objectType: "return", objectId: "RMA-5001" },
    { objectType: "purchaseOrder", objectId: "PO-1" },
  ]);
}
