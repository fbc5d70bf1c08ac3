import type { Database, Transaction } from "#/db/database.ts";
import * as repository from "#/modules/warehouse/tasks/feed-repository.ts";
import * as queries from "#/modules/warehouse/warehouse.cross-client.ts";

/** A page of a change feed, and the position up to which nothing will be added later. */
export interface FeedPage<Row> {
  readonly rows: readonly Row[];
  readonly nextPosition: number;
}

/** Positions that one transaction assigns: a reader waits for it. */
const givenMax = 1_000;

/**
 * The tasks of a facility after a position. Tasks are written without positions. They get them here, in a separate
 * transaction that locks the feed's row until its commit. Only committed tasks therefore have a position, positions
 * become visible in order, and a later read never returns an earlier task.
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
  for (const [clientId, clientTasks] of Map.groupBy(tasks, (task) => task.clientId)) {
    const rows = clientTasks.map(({ type, objectId, position }) => ({ type, objectId, facilityCode, position }));
    repository.setTaskPositions(tx, clientId, rows);
  }
  queries.moveFeed(tx, facilityCode, last + tasks.length);
}

/**
 * The items of a facility's clients after a position; they are read like tasks. Their positions are the same for all
 * facilities.
 */
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
  // A page that is not full covers everything up to the last position that existed before the read. For a feed of one
  // type the next page therefore need not scan entries of other types.
  const reached = rows.at(-1)?.position ?? after;
  return { rows, nextPosition: rows.length === limit ? reached : Math.max(reached, last) };
}
