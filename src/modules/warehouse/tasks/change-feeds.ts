import type { CarrierSets } from "#/modules/carriers/index.ts";
import type { TaskRecord } from "#/modules/warehouse/tasks/list-contract.ts";
import { taskRecord } from "#/modules/warehouse/tasks/list-record.ts";
import { readPickFacts } from "#/modules/warehouse/tasks/pick-shipment.ts";
import * as queries from "#/modules/warehouse/warehouse.cross-client.ts";
import { findLastPosition, listClientsWithNewTasks } from "#/modules/warehouse/warehouse.cross-client.ts";
import type { ClientTransaction, ClientTx, Database, Transaction } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

/** A page of a change feed, and the position up to which nothing will be added later. */
interface FeedPage<Row> {
  readonly rows: readonly Row[];
  readonly nextPosition: number;
}

/** Where a feed is read, and the time from which its positions are counted. */
interface FeedStore {
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
    const tasks = await lockNewTasks(view, facilityCode, limit);
    const rows = tasks.map(({ type, objectId }, i) => ({ type, objectId, facilityCode, position: after + i + 1 }));
    if (rows.length > 0) setTaskPositions(view, rows);
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
    const items = await lockNewItems(view, limit);
    const rows = items.map(({ sku }, i) => ({ sku, position: after + i + 1 }));
    if (rows.length > 0) setItemPositions(view, rows);
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

/**
 * Locks a client's tasks without a position, oldest first. Tasks that another transaction is changing are skipped: they
 * get their position after its commit.
 */
function lockNewTasks(
  tx: ClientTx,
  facilityCode: string,
  limit: number,
): Promise<{ taskId: string; type: string; objectId: string }[]> {
  return tx.query(sql`select task_id as "taskId", type, object_id as "objectId" from warehouse_task
      where client_id = ${tenant} and facility_code = ${facilityCode} and position is null
      order by task_id limit ${limit} for update skip locked`);
}

function setTaskPositions(
  tx: ClientTransaction,
  rows: readonly { type: string; objectId: string; facilityCode: string; position: number }[],
): void {
  tx.send(sql`update warehouse_task k set position = x.position
      from json_to_recordset(${JSON.stringify(rows)}::json) 
        as x(type text, "objectId" text, "facilityCode" text, position bigint)
      where k.client_id = ${tenant} and k.type = x.type and k.object_id = x."objectId"
        and k.facility_code = x."facilityCode"`);
}

/** Locks a client's items without a position; it skips locked items as `lockNewTasks` does. */
function lockNewItems(tx: ClientTx, limit: number): Promise<{ sku: string }[]> {
  return tx.query(sql`select sku from item where client_id = ${tenant} and feed_position is null
      order by sku limit ${limit} for update skip locked`);
}

function setItemPositions(tx: ClientTransaction, rows: readonly { sku: string; position: number }[]): void {
  tx.send(sql`update item i set feed_position = x.position
      from json_to_recordset(${JSON.stringify(rows)}::json) as x(sku text, position bigint)
      where i.client_id = ${tenant} and i.sku = x.sku`);
}
