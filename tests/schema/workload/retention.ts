// Retention and erasure on request, for the workload of plans.test.ts.

import { exceptionTypes } from "#/console-api/index.ts";
import type { Database } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery } from "#/db/tenant.ts";
import { sealedWebhooks } from "#/delivery/webhooks/index.ts";
import { purgeDocuments } from "#/feeds/repository.ts";
import { createSecretBox } from "#/kernel/security/secret-box.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds, idBoundary } from "#/kernel/values/ids.ts";
import { eraseAtFacilities } from "#/retention/erasure/erase-at-facilities.ts";
import { eraseOrder, eraseOrders } from "#/retention/erasure/erase-orders.ts";
import * as feeds from "#/retention/erasure/feed-repository.ts";
import * as floor from "#/retention/erasure/operations-repository.ts";
import * as order from "#/retention/erasure/order-repository.ts";
import * as published from "#/retention/erasure/published-repository.ts";
import * as subjects from "#/retention/erasure/subject-repository.ts";
import { purgeCounts, purgeExceptions, purgeReports, purgeSnapshots } from "#/retention/purge-repository.ts";
import { rotateMasterKey } from "#/secrets/rotate.ts";

const ids = createIds();

/** Blanks an existing order and a missing one, purges with no row old enough, and seals secrets again. */
export async function runRetention(database: Database, clientId: string, orderId: string): Promise<void> {
  const nowMs = Date.now();
  const at = new Date(nowMs).toISOString();
  const longAgo = new Date(nowMs - 400 * dayMs).toISOString();
  const longAgoId = idBoundary(nowMs - 400 * dayMs);
  const change = { actor: "test", origin: "test", at, ids };
  await subjects.listErasable(database, clientId, longAgo, undefined, 50);
  await subjects.listErasable(database, clientId, longAgo, { order_id: "", due: longAgo }, 50);
  await database.transaction((tx) => eraseOrder(tx, change, clientId, "GONE-1"));
  await database.transaction((tx) => eraseOrders(tx, change, clientId, ["GONE-1"]));
  await eraseAtFacilities(database, clientId, [orderId], nowMs);
  await published.listTaskEvents(database, clientId, [ids.next(nowMs)], longAgoId);
  const token = ids.next(nowMs);
  const rmaNumbers = ["GONE-2"];
  const olpnIds = ["106141412345670000"];
  // Runs on existing rows and is rolled back, because other parts of the workload need them.
  const takenBack = new Error("taken back");
  const trial = database.transaction(async (tx) => {
    await eraseOrders(tx, change, clientId, [orderId]);
    const deliveries = await tenantQuery<{ object_id: string }>(
      tx,
      clientId,
      sql`select object_id from webhook_delivery where client_id = ${tenant} order by delivery_id limit 10`,
    );
    await published.blankAttempts(
      tx,
      clientId,
      deliveries.map(({ object_id }) => object_id),
    );
    await purgeDocuments(tx, clientId, idBoundary(nowMs + dayMs));
    throw takenBack;
  });
  await trial.catch((error: unknown) => {
    if (error !== takenBack) throw error;
  });
  await database.transaction(async (tx) => {
    await published.hasPending(tx, clientId, ["GONE-1"]);
    const around = { from: idBoundary(nowMs - 2_000), to: idBoundary(nowMs - 1_000) };
    await published.listEventsAround(tx, clientId, "GONE-1", around);
    published.replaceEvents(tx, clientId, [{ event_id: token, data: {} }]);
    published.replaceUnpublished(tx, clientId, [{ outbox_id: token, data: {}, outbound: null }]);
    published.replaceOutbound(tx, clientId, [{ message_id: token, payload: Buffer.from("") }]);
    await published.listAnswers(tx, clientId, "", 100);
    published.replaceAnswers(tx, clientId, [{ idempotency_key: "gone", answer: {}, order_id: null }]);
    feeds.blankFeeds(tx, clientId, [{ token, ack: Buffer.from(""), findings: null }]);
    order.blankReturns(tx, clientId, { rmaNumbers, olpnIds });
    floor.blankAnnotations(tx, clientId, { types: exceptionTypes, keys: ["GONE-1"] });
    await purgeDocuments(tx, clientId, longAgoId);
  });
  await purgeReports(database, clientId, longAgo, 100);
  await purgeCounts(database, clientId, longAgo, 100);
  await purgeExceptions(database, clientId, longAgo, 100);
  await purgeSnapshots(database, clientId, longAgoId, 100);
  // The texts of the workload are sealed under the first key.
  const keys = ["a master key for tests, long enough", "another master key for tests, long enough"] as const;
  await rotateMasterKey({ database, secretBox: createSecretBox(keys[1], keys[0]) });
  await rotateMasterKey({ database, secretBox: createSecretBox(keys[0], keys[1]) });
  await database.transaction(async (tx) => {
    for (const column of sealedWebhooks.columns) {
      await sealedWebhooks.replace(tx, clientId, column, [{ key: token, column, before: "-", after: "-" }]);
    }
  });
}
