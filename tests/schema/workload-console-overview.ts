// The figures of the console's overview, over all clients and of one, for the workload of plans.test.ts.
import type { Database } from "#/db/database.ts";
import { readCollections } from "#/modules/operator/overview/collections.ts";
import { readCutOffs } from "#/modules/operator/overview/flow/cut-off.ts";
import { readFlow } from "#/modules/operator/overview/flow/flow.ts";
import { readTrends } from "#/modules/operator/overview/flow/trends.ts";
import { readFeedRates, readStockHealth, readWebhookHealth } from "#/modules/operator/overview/health/health.ts";

export async function runConsoleOverview(database: Database, clientId: string): Promise<void> {
  const now = Date.now();
  const scopes = [
    { clientIds: null, facilityCodes: null },
    { clientIds: [clientId], facilityCodes: ["DC1"] },
  ];
  const collections = await readCollections(database);
  for (const scope of scopes) {
    await readFlow(database, scope, now);
    await readCutOffs(database, scope, now, collections);
    await readTrends(database, scope, now);
    await readFeedRates(database, scope, { minutes: 60, toMs: now });
    await readWebhookHealth(database, scope, now);
    await readStockHealth(database, scope, now);
  }
}
