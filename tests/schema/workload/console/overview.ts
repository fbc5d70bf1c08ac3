// The figures of the console's overview, over all clients and for one, for the workload of plans.test.ts.

import { readCollections, readCutOffs } from "#/console-api/overview/flow/cut-off.ts";
import { readFlow, readTrends } from "#/console-api/overview/flow/flow.ts";
import { periodOf, readFeedRates, readStockHealth, readWebhookHealth } from "#/console-api/overview/health/health.ts";
import { readServiceLevel } from "#/console-api/overview/service-level/service-level.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import type { Database } from "#/store/db/database.ts";

const dayAgo = (nowMs: number, days: number) => new Date(nowMs - days * dayMs).toISOString().slice(0, 10);

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
    await readFeedRates(database, scope, periodOf(60, now));
    await readWebhookHealth(database, scope, now);
    await readStockHealth(database, scope, now);
  }
  const days = { from: dayAgo(now, 30), to: dayAgo(now, 0) };
  for (const facilityCodes of [null, ["DC1"]])
    await readServiceLevel(database, clientId, { ...days, facilityCodes, by: "week" }, now);
}
