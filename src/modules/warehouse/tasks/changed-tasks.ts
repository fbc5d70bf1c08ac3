import type { CarrierSets } from "#/modules/carriers/index.ts";
import { type FeedPage, type FeedStore, readTaskFeed } from "#/modules/warehouse/tasks/change-feeds.ts";
import type { TaskRecord } from "#/modules/warehouse/tasks/list-contract.ts";
import { taskRecord } from "#/modules/warehouse/tasks/list-record.ts";
import { readPickFacts } from "#/modules/warehouse/tasks/pick-shipment.ts";
import { findLastPosition, listClientsWithNewTasks } from "#/modules/warehouse/warehouse.cross-client.ts";

/** The tasks of a facility that changed after a position of its feed, as the port answers them. */
export async function readChangedTasks(
  store: FeedStore,
  sets: CarrierSets,
  facilityCode: string,
  page: { readonly after: number; readonly limit: number },
): Promise<FeedPage<TaskRecord>> {
  const { rows, nextPosition } = await readTaskFeed(store, facilityCode, { ...page, type: undefined });
  const facts = await readPickFacts(store.database, sets, facilityCode, rows);
  return { rows: rows.map((row) => taskRecord(row, facts)), nextPosition };
}

/** Each read assigns a thousand positions: this many suffice for any facility whose feed was never read. */
const readsMax = 1_000;

/** The position of the present end of a facility's feed: every earlier change is at or before it. */
export async function findEndOfTasks(store: FeedStore, facilityCode: string): Promise<number> {
  for (let reads = 0; reads < readsMax; reads++) {
    if ((await listClientsWithNewTasks(store.database, facilityCode, 1)).length === 0) break;
    await readTaskFeed(store, facilityCode, { type: undefined, after: Number.MAX_SAFE_INTEGER, limit: 1 });
  }
  return findLastPosition(store.database, facilityCode);
}
