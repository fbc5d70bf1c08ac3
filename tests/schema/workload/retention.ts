// Retention and erasure on request, for the workload of plans.test.ts.

import { eraseAtFacilities } from "#/app/retention/erasure/erase-at-facilities.ts";
import { eraseOrder, eraseOrders } from "#/app/retention/erasure/erase-orders.ts";
import * as objects from "#/app/retention/erasure/object-repository.ts";
import * as published from "#/app/retention/erasure/published-repository.ts";
import * as subjects from "#/app/retention/erasure/subject-repository.ts";
import { purgeCounts, purgeExceptions, purgeReports, purgeSnapshots } from "#/app/retention/purges.ts";
import { rotateMasterKey } from "#/app/secrets/rotate.ts";
import { deleteViewsWith, exceptionTypes } from "#/console-api/index.ts";
import { sealedWebhooks } from "#/delivery/webhooks/index.ts";
import { purgeDocuments } from "#/intake/feeds/repository.ts";
import { createSecretBox } from "#/kernel/security/secret-box.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { createIds, idBoundary } from "#/kernel/values/ids.ts";
import type { Database } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

const ids = createIds();

/** Blanks an existing order and a missing one, purges with no row old enough, and seals secrets again. */
export async function runRetention(database: Database, clientId: string, orderId: string): Promise<void> {
  const nowMs = Date.now();
  const at = new Date(nowMs).toISOString();
  const longAgo = new Date(nowMs - 400 * dayMs).toISOString();
  const longAgoId = idBoundary(nowMs - 400 * dayMs);
  const change = { actor: "test", origin: "test", at, ids };
  await subjects.listErasable(database.of(clientId), longAgo, undefined, 50);
  await subjects.listErasable(database.of(clientId), longAgo, { order_id: "", due: longAgo }, 50);
  await database.transaction((tx) => eraseOrder(tx.of(clientId, change), "GONE-1"));
  await database.transaction((tx) => eraseOrders(tx.of(clientId, change), ["GONE-1"]));
  await deleteViewsWith(database, await subjects.listPersonTexts(database.of(clientId), [orderId]));
  await eraseAtFacilities(database, clientId, [orderId], nowMs);
  await published.listTaskEvents(database.of(clientId), [ids.next(nowMs)], longAgoId);
  const token = ids.next(nowMs);
  const rmaNumbers = ["GONE-2"];
  const olpnIds = ["106141412345670000"];
  // Runs on existing rows and is rolled back, because other parts of the workload need them.
  const takenBack = new Error("taken back");
  const trial = database.transaction(async (tx) => {
    await eraseOrders(tx.of(clientId, change), [orderId]);
    const deliveries = await tx
      .of(clientId)
      .query<{ object_id: string }>(
        sql`select object_id from webhook_delivery where client_id = ${tenant} order by delivery_id limit 10`,
      );
    await published.blankAttempts(
      tx.of(clientId),
      deliveries.map(({ object_id }) => object_id),
    );
    await purgeDocuments(tx.of(clientId), idBoundary(nowMs + dayMs));
    throw takenBack;
  });
  await trial.catch((error: unknown) => {
    if (error !== takenBack) throw error;
  });
  await database.transaction(async (tx) => {
    await published.hasPending(tx.of(clientId), ["GONE-1"]);
    const around = { from: idBoundary(nowMs - 2_000), to: idBoundary(nowMs - 1_000) };
    await published.listEventsAround(tx.of(clientId), "GONE-1", around);
    published.replaceEvents(tx.of(clientId), [{ event_id: token, data: {} }]);
    published.replaceUnpublished(tx.of(clientId), [{ outbox_id: token, data: {}, outbound: null }]);
    published.replaceOutbound(tx.of(clientId), [{ message_id: token, payload: Buffer.from("") }]);
    await published.listAnswers(tx.of(clientId), "", 100);
    published.replaceAnswers(tx.of(clientId), [{ idempotency_key: "gone", answer: {}, order_id: null }]);
    objects.blankFeeds(tx.of(clientId), [{ token, ack: Buffer.from(""), findings: null }]);
    objects.blankReturns(tx.of(clientId), { rmaNumbers, olpnIds });
    objects.blankAnnotations(tx.of(clientId), { types: exceptionTypes, keys: ["GONE-1"] });
    await purgeDocuments(tx.of(clientId), longAgoId);
  });
  await purgeReports(database.of(clientId), longAgo, 100);
  await purgeCounts(database.of(clientId), longAgo, 100);
  await purgeExceptions(database.of(clientId), longAgo, 100);
  await purgeSnapshots(database.of(clientId), longAgoId, 100);
  // The texts of the workload are sealed under the first key.
  const keys = ["a master key for tests, long enough", "another master key for tests, long enough"] as const;
  await rotateMasterKey({ database, secretBox: createSecretBox(keys[1], keys[0]) });
  await rotateMasterKey({ database, secretBox: createSecretBox(keys[0], keys[1]) });
  await database.transaction(async (tx) => {
    for (const column of sealedWebhooks.columns) {
      await sealedWebhooks.replace(tx.of(clientId), column, [{ key: token, column, before: "-", after: "-" }]);
    }
  });
}
