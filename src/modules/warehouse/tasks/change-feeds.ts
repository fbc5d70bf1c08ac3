import type { Database, Transaction } from "#/db/database.ts";
import * as repository from "#/modules/warehouse/tasks/feed-repository.ts";
import * as queries from "#/modules/warehouse/warehouse.cross-client.ts";

/** A page of a change feed, and the position up to which nothing will ever be added behind the reader's back. */
export interface FeedPage<Row> {
  readonly rows: readonly Row[];
  readonly nextPosition: number;
}

/** Positions are given to so many at a time: a reader waits for them. */
const givenMax = 1_000;

/**
 * The tasks of a facility behind a position. Tasks are written without positions; they get them here, in a transaction of
 * its own that holds the feed's row to its commit. So only what is committed has a position, positions become visible in
 * their order, and what was read is never followed by something earlier.
 */
export async function readTaskFeed(
  database: Database,
  facilityCode: string,
  page: { readonly type: string | undefined; readonly after: number; readonly limit: number },
): Promise<FeedPage<queries.ListedTask>> {
  if ((await queries.listClientsWithNewTasks(database, facilityCode, 1)).length > 0) {
    await database.transaction((tx) => giveTaskPositions(tx, facilityCode));
  }
  const last = await queries.findLastPosition(database, facilityCode);
  return pageOf(await queries.listTasks(database, facilityCode, page), last, page);
}

async function giveTaskPositions(tx: Transaction, facilityCode: string): Promise<void> {
  const last = await queries.lockFeed(tx, facilityCode);
  const clientIds = await queries.listClientsWithNewTasks(tx, facilityCode, givenMax);
  const locked = await Promise.all(
    clientIds.map(async (clientId) =>
      (await repository.lockNewTasks(tx, clientId, facilityCode, givenMax)).map((task) => ({ ...task, clientId })),
    ),
  );
  const tasks = locked
    .flat()
    .sort((left, right) => (left.taskId < right.taskId ? -1 : 1))
    .slice(0, givenMax)
    .map((task, i) => ({ ...task, position: last + i + 1 }));
  for (const [clientId, own] of Map.groupBy(tasks, (task) => task.clientId)) {
    const rows = own.map(({ type, objectId, position }) => ({ type, objectId, facilityCode, position }));
    repository.setTaskPositions(tx, clientId, rows);
  }
  queries.moveFeed(tx, facilityCode, last + tasks.length);
}

/** The items of a facility's clients behind a position, as tasks are read; their positions are the same for all facilities. */
export async function readItemFeed(
  database: Database,
  facilityCode: string,
  page: { readonly after: number; readonly limit: number },
): Promise<FeedPage<queries.ListedItem>> {
  const clientIds = await queries.listClientsWithNewItems(database, facilityCode);
  if (clientIds.length > 0) await database.transaction((tx) => giveItemPositions(tx, clientIds));
  const last = await queries.findLastPosition(database, queries.itemFeed);
  return pageOf(await queries.listItems(database, facilityCode, page), last, page);
}

async function giveItemPositions(tx: Transaction, clientIds: readonly string[]): Promise<void> {
  let last = await queries.lockFeed(tx, queries.itemFeed);
  let left = givenMax;
  for (const clientId of clientIds) {
    if (left === 0) break;
    const items = await repository.lockNewItems(tx, clientId, left);
    const rows = items.map(({ sku }, i) => ({ sku, position: last + i + 1 }));
    if (rows.length === 0) continue;
    repository.setItemPositions(tx, clientId, rows);
    last += rows.length;
    left -= rows.length;
  }
  queries.moveFeed(tx, queries.itemFeed, last);
}

function pageOf<Row extends { readonly position: number }>(
  rows: readonly Row[],
  last: number,
  { after, limit }: { readonly after: number; readonly limit: number },
): FeedPage<Row> {
  // A page that is not full holds everything up to the last position that stood before it was read; of a feed that is
  // narrowed to one type the next page need not look through what was of others.
  const reached = rows.at(-1)?.position ?? after;
  return { rows, nextPosition: rows.length === limit ? reached : Math.max(reached, last) };
}
