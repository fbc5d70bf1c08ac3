import type { Database, Transaction } from "#/db/database.ts";
import * as repository from "#/modules/warehouse/tasks/feed-repository.ts";
import * as queries from "#/modules/warehouse/warehouse.cross-client.ts";

/** A page of a change feed, and the position up to which nothing will be added later. */
export interface FeedPage<Row> {
  readonly rows: readonly Row[];
  readonly nextPosition: number;
}

/** Where a feed is read, and the time from which its positions are counted. */
export interface FeedStore {
  readonly database: Database;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
}

/** Positions that one read assigns, and the clients that get them: the next read assigns the others. */
const givenMax = 1_000;
const clientsMax = 50;

/**
 * The tasks of a facility after a position. Tasks are written without positions. They get them here, client by client,
 * each in a separate transaction that locks the feed's row until its commit. Only committed tasks therefore have a
 * position, positions become visible in order, and a later read never returns an earlier task.
 */
export async function readTaskFeed(
  store: FeedStore,
  facilityCode: string,
  page: { readonly type: string | undefined; readonly after: number; readonly limit: number },
): Promise<FeedPage<queries.ListedTask>> {
  const { database } = store;
  const clientIds = await queries.listClientsWithNewTasks(database, facilityCode, givenMax);
  await givePositions(store, facilityCode, clientIds, async (tx, { clientId, limit, after }) => {
    const view = tx.of(clientId);
    const tasks = await repository.lockNewTasks(view, facilityCode, limit);
    const rows = tasks.map(({ type, objectId }, i) => ({ type, objectId, facilityCode, position: after + i + 1 }));
    if (rows.length > 0) repository.setTaskPositions(view, rows);
    return rows.length;
  });
  return readPage(store, facilityCode, page, () => queries.listTasks(database, facilityCode, page));
}

/**
 * The items of a facility's clients after a position; they are read like tasks. Their positions are the same for all
 * facilities.
 */
export async function readItemFeed(
  store: FeedStore,
  facilityCode: string,
  page: { readonly after: number; readonly limit: number },
): Promise<FeedPage<queries.ListedItem>> {
  const { database } = store;
  const clientIds = await queries.listClientsWithNewItems(database, facilityCode);
  await givePositions(store, queries.itemFeed, clientIds, async (tx, { clientId, limit, after }) => {
    const view = tx.of(clientId);
    const items = await repository.lockNewItems(view, limit);
    const rows = items.map(({ sku }, i) => ({ sku, position: after + i + 1 }));
    if (rows.length > 0) repository.setItemPositions(view, rows);
    return rows.length;
  });
  return readPage(store, queries.itemFeed, page, () => queries.listItems(database, facilityCode, page));
}

interface Share {
  readonly clientId: string;
  readonly limit: number;
  /** The position before the first one to assign. */
  readonly after: number;
}

/**
 * Assigns positions to the rows of each client. On Citus the rows of a client are committed on their worker before the
 * feed's row is committed on the coordinator, and a crash between the two leaves the count behind its rows. A count is
 * therefore never below the present time in microseconds, which no earlier position has reached.
 * @param give assigns positions to at most `limit` rows of the client, and returns their number
 */
async function givePositions(
  { database, nowMs }: FeedStore,
  feed: string,
  clientIds: readonly string[],
  give: (tx: Transaction, share: Share) => Promise<number>,
): Promise<void> {
  let limit = givenMax;
  for (const clientId of clientIds.slice(0, clientsMax)) {
    if (limit === 0) break;
    limit -= await database.transaction(async (tx) => {
      const after = Math.max(await queries.lockFeed(tx, feed), nowMs * 1_000);
      const count = await give(tx, { clientId, limit, after });
      if (count > 0) queries.moveFeed(tx, feed, after + count);
      return count;
    });
  }
}

/**
 * Reads a page whose rows are at or before the count of the feed. Rows beyond it are being committed, or were left by a
 * crash: once the feed's row is locked, everything up to them is committed, and the count moves on to them.
 */
async function readPage<Row extends { readonly position: number }>(
  { database }: FeedStore,
  feed: string,
  page: { readonly after: number; readonly limit: number },
  list: () => Promise<readonly Row[]>,
): Promise<FeedPage<Row>> {
  const last = await queries.findLastPosition(database, feed);
  const rows = await list();
  const newest = rows.at(-1)?.position ?? last;
  if (newest <= last) return pageOf(rows, last, page);
  await database.transaction(async (tx) => {
    if ((await queries.lockFeed(tx, feed)) < newest) queries.moveFeed(tx, feed, newest);
  });
  const complete = (await list()).filter(({ position }) => position <= newest);
  return pageOf(complete, newest, page);
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
