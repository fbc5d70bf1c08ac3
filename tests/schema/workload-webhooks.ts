// The event log, for the workload of plans.test.ts.
import type { Database } from "#/db/database.ts";
import { readEvents } from "#/modules/webhooks/event-list.ts";

const none = { topicNames: undefined, facilityCode: undefined, objectType: undefined, objectId: undefined };

/** Reads the log by each filter that REST offers, from its start, from a moment and from a position. */
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
