// The feed log of the console, for the workload of plans.test.ts.

import { countDocumentsOfAll, listClientsOf, listFileNames } from "#/console-api/feeds/feeds.cross-client.ts";
import { findFeed, listFeedFiles, listFeedOutbound } from "#/console-api/feeds/record-repository.ts";
import { filterOf } from "#/console-api/feeds/routes.ts";
import * as timeline from "#/console-api/feeds/timeline/timeline.ts";
import { findClientOfToken } from "#/intake/feeds/feeds.cross-client.ts";
import type { FeedClient } from "#/intake/feeds/intake/definition.ts";
import type { Receiver } from "#/intake/feeds/intake/receiver.ts";
import { parkDocument, reprocess, retryDocument } from "#/intake/feeds/park/reprocess.ts";
import { lockDocuments } from "#/intake/feeds/park/reprocess-repository.ts";
import { createIds, idBoundary } from "#/kernel/values/ids.ts";
import { findKnownSkus } from "#/modules/catalogue/index.ts";
import type { Database } from "#/store/db/database.ts";
import { reviveFailed } from "#/store/outbox/repository.ts";

const ids = createIds();
/**
 * Sends every statement of the feed log, and of an operator's actions on a document.
 *
 * @param refused sends a NO that is rejected only for an unknown SKU; returns its token
 */
export async function runFeedLog(
  database: Database,
  receiver: Receiver,
  client: FeedClient,
  refused: () => Promise<string>,
): Promise<void> {
  const { clientId } = client;
  const token = await refused();
  await readLog(database, clientId, token);
  await findClientOfToken(database, token);
  await readFeed(database, clientId, token);
  const change = { actor: "user:anna", origin: "test", at: new Date().toISOString(), ids };
  await reprocess({ database, receiver }, client, token, change);
  await database.transaction((tx) => parkDocument(tx.of(clientId, change), token, findKnownSkus));
  await reprocess({ database, receiver }, client, token, change);
  await database.transaction((tx) => retryDocument(tx.of(clientId, change), token));
  await database.transaction(async (tx) => {
    await lockDocuments(tx.of(clientId), [token]);
    await reviveFailed(tx.of(clientId), token, ids.next(Date.now()));
  });
}

async function readLog(database: Database, clientId: string, token: string): Promise<void> {
  const none = filterOf({});
  const receivedFrom = new Date().toISOString();
  for (const source of ["REJECTED", "PARKED", "overdue", "FAILED"] as const) {
    await countDocumentsOfAll(database, null, none, source, 100);
    await countDocumentsOfAll(database, [clientId], { ...none, receivedFrom }, source, 100);
  }
  await listFileNames(database, [{ clientId, token }]);
  await listClientsOf(database, ["DC1"], 100);
}

async function readFeed(database: Database, clientId: string, token: string): Promise<void> {
  await findFeed(database.of(clientId), token);
  await listFeedFiles(database.of(clientId), token, 50);
  await listFeedOutbound(database.of(clientId), token, 50);
  const span = { from: idBoundary(Date.now() - 60_000), to: idBoundary(Date.now()) };
  await timeline.listCausedEvents(database.of(clientId), "WEB-100045", span, 50);
  await timeline.listFeedDeliveries(database.of(clientId), token, 50);
  await timeline.listFeedPushes(database.of(clientId), [token], span, 50);
  await timeline.listFeedAudits(database.of(clientId), token, 50);
}
