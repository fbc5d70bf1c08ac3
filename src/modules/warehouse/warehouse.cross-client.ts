/** A warehouse works for all clients of its facility, so its lists read across clients. */

import { type Task, unpackTask } from "#/modules/warehouse/tasks/task-repository.ts";
import type { Transaction, Tx } from "#/store/db/database.ts";
import { allOf, type Statement, acrossClients as sql } from "#/store/db/sql.ts";

/** Items have one order of changes for all facilities, stored under this key. */
export const itemFeed = "";

/** Locks the feed until the commit; only the holder assigns positions. Returns the last assigned position. */
export async function lockFeed(tx: Transaction, feed: string): Promise<number> {
  const locked = await tx.query<{ last_position: number }>(
    sql`select last_position from warehouse_feed where facility_code = ${feed} limit 1 for update`,
  );
  if (locked[0]) return locked[0].last_position;
  await tx.query(
    sql`insert into warehouse_feed (facility_code) values (${feed}) on conflict (facility_code) do nothing
      returning facility_code`,
  );
  return lockFeed(tx, feed);
}

export function moveFeed(tx: Transaction, feed: string, lastPosition: number): void {
  tx.send(sql`update warehouse_feed set last_position = ${lastPosition} where facility_code = ${feed}`);
}

/** After a restore: skips this number of positions in each feed; later entries follow them. */
export async function leaveOutOfFeeds(tx: Tx, positions: number): Promise<void> {
  await tx.query(
    sql`insert into warehouse_feed as w (facility_code, last_position)
      select f.facility_code, ${positions}::bigint from facility f union all select ${itemFeed}, ${positions}::bigint
      on conflict (facility_code) do update set last_position = w.last_position + excluded.last_position
      returning facility_code`,
  );
}

/** The last assigned and committed position: a later read is complete up to it. */
export async function findLastPosition(tx: Tx, feed: string): Promise<number> {
  const rows = await tx.query<{ last_position: number }>(
    sql`select last_position from warehouse_feed where facility_code = ${feed} limit 1`,
  );
  return rows[0]?.last_position ?? 0;
}

/** Clients with tasks without a position. */
export async function listClientsWithNewTasks(tx: Tx, facilityCode: string, rowsMax: number): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select client_id from warehouse_task where facility_code = ${facilityCode} and position is null
      order by task_id limit ${rowsMax}`,
  );
  return [...new Set(rows.map(({ client_id }) => client_id))];
}

/** Clients of a facility with items without a position. */
export async function listClientsWithNewItems(tx: Tx, facilityCode: string): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select distinct f.client_id from client_facility f join item i on i.client_id = f.client_id
      where f.facility_code = ${facilityCode} and i.feed_position is null order by f.client_id limit 10000`,
  );
  return rows.map(({ client_id }) => client_id);
}

export async function listClientsOfFacility(tx: Tx, facilityCode: string): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select client_id from client_facility where facility_code = ${facilityCode} order by client_id limit 10000`,
  );
  return rows.map(({ client_id }) => client_id);
}

/**
 * Clients of the facility that have this object there: an id is unique only within its client.
 * @param object query for the `client_id` of the object of the client `t.client_id`, as `own`
 */
async function listClientsWith(tx: Tx, facilityCode: string, object: Statement): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select o.client_id from client_facility f join tenant t on t.client_id = f.client_id
        cross join lateral (${object} limit 1) o
      where f.facility_code = ${facilityCode} order by o.client_id limit 10000`,
  );
  return rows.map(({ client_id }) => client_id);
}

/** The order `own` has a part at the facility. */
const isAt = (facilityCode: string): Statement =>
  sql`(own.distribution_centre = ${facilityCode} or ${facilityCode} = any(own.split_facilities))`;

export const listClientsWithOrder = (tx: Tx, facilityCode: string, orderId: string): Promise<string[]> =>
  listClientsWith(
    tx,
    facilityCode,
    sql`select own.client_id from sales_order own
      where own.client_id = t.client_id and own.order_id = ${orderId} and ${isAt(facilityCode)}`,
  );

/** Which clients of the facility, or which one, have these orders there; at most 10 000 pairs. */
export async function findOrderOwners(
  tx: Tx,
  facilityCode: string,
  orderIds: readonly string[],
  clientId: string | undefined,
): Promise<{ readonly clientId: string; readonly orderId: string }[]> {
  const rows = await tx.query<{ client_id: string; order_id: string }>(
    sql`select o.client_id, o.order_id from client_facility f join tenant t on t.client_id = f.client_id
        cross join lateral (select own.client_id, own.order_id from sales_order own
          where own.client_id = t.client_id and own.order_id = any(${orderIds}::text[])
            and ${isAt(facilityCode)} limit ${orderIds.length}) o
      where f.facility_code = ${facilityCode} and (${clientId ?? null}::text is null or f.client_id = ${clientId ?? null})
      order by o.client_id limit 10000`,
  );
  return rows.map(({ client_id, order_id }) => ({ clientId: client_id, orderId: order_id }));
}

/** @param poNumbers the numbers that `purchaseOrderId` may begin with */
export const listClientsWithPurchaseOrder = (
  tx: Tx,
  facilityCode: string,
  purchaseOrderId: string,
  poNumbers: readonly string[],
): Promise<string[]> =>
  listClientsWith(
    tx,
    facilityCode,
    sql`select own.client_id from purchase_order own
      where own.client_id = t.client_id and own.po_number = any(${poNumbers}::text[])
        and concat_ws('/', own.po_number, nullif(own.vendor_order_id, '')) = ${purchaseOrderId}
        and own.distribution_centre = ${facilityCode}`,
  );

export const listClientsWithReturn = (tx: Tx, facilityCode: string, rmaNumber: string): Promise<string[]> =>
  listClientsWith(
    tx,
    facilityCode,
    sql`select own.client_id from return_authorisation own
      where own.client_id = t.client_id and own.rma_number = ${rmaNumber} and own.distribution_centre = ${facilityCode}`,
  );

export const listClientsWithWorkOrder = (tx: Tx, facilityCode: string, workOrderId: string): Promise<string[]> =>
  listClientsWith(
    tx,
    facilityCode,
    sql`select own.client_id from work_order own
      where own.client_id = t.client_id and own.work_order_id = ${workOrderId} and own.facility_code = ${facilityCode}`,
  );

/** Of the sending facility; the other one has the purchase order of the goods. */
export const listClientsWithTransfer = (tx: Tx, facilityCode: string, transferId: string): Promise<string[]> =>
  listClientsWith(
    tx,
    facilityCode,
    sql`select own.client_id from transfer own
      where own.client_id = t.client_id and own.transfer_id = ${transferId} and own.from_facility = ${facilityCode}`,
  );

/** The client of a document whose order is at the facility. @param documentId a UUID */
export async function findClientOfDocument(
  tx: Tx,
  facilityCode: string,
  documentId: string,
): Promise<string | undefined> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select d.client_id from client_facility f join tenant t on t.client_id = f.client_id cross join lateral (
        select own.client_id from order_document own
          join sales_order o on o.client_id = own.client_id and o.order_id = own.order_id
        where own.client_id = t.client_id and o.client_id = t.client_id and own.document_id = ${documentId}::uuid
          and (o.distribution_centre = ${facilityCode} or ${facilityCode} = any(o.split_facilities)) limit 1) d
      where f.facility_code = ${facilityCode} limit 1`,
  );
  return rows[0]?.client_id;
}

export interface ListedTask extends Task {
  readonly clientId: string;
  readonly position: number;
}

const taskColumns = sql`client_id as "clientId", type, object_id as "objectId", facility_code as "facilityCode",
  task_id as "taskId", version, priority, due_at as "dueAt", released_at as "releasedAt", accepted_at as "acceptedAt",
  withdrawn_at as "withdrawnAt", content, position`;

/** Tasks after a position, in the order of their positions. */
export async function listTasks(
  tx: Tx,
  facilityCode: string,
  page: { readonly type: string | undefined; readonly after: number; readonly limit: number },
): Promise<ListedTask[]> {
  const conditions = allOf([
    sql`facility_code = ${facilityCode} and position is not null and position > ${page.after}`,
    page.type === undefined ? undefined : sql`type = ${page.type}`,
  ]);
  const rows = await tx.query<ListedTask>(
    sql`select ${taskColumns} from warehouse_task where ${conditions} order by position limit ${page.limit}`,
  );
  return rows.map(unpackTask);
}

/** @param taskId a UUID */
export async function findTask(tx: Tx, facilityCode: string, taskId: string): Promise<ListedTask | undefined> {
  const rows = await tx.query<ListedTask>(
    sql`select ${taskColumns} from warehouse_task
      where task_id = ${taskId}::uuid and facility_code = ${facilityCode} limit 1`,
  );
  return rows.map(unpackTask)[0];
}

export interface NamedTask {
  readonly taskId: string;
  readonly clientId: string;
  readonly type: Task["type"];
  readonly objectId: string;
  readonly facilityCode: string;
  readonly isWithdrawn: boolean;
}

/** The tasks with these ids that belong to the facility. */
export function findTasks(tx: Tx, facilityCode: string, taskIds: readonly string[]): Promise<NamedTask[]> {
  return tx.query(
    sql`select task_id as "taskId", client_id as "clientId", type, object_id as "objectId",
        facility_code as "facilityCode", withdrawn_at is not null as "isWithdrawn"
      from warehouse_task where task_id = any(${taskIds}::uuid[]) and facility_code = ${facilityCode} limit 10000`,
  );
}

export interface ListedItem {
  readonly client_id: string;
  readonly position: number;
  readonly sku: string;
  readonly alt_sku: string | null;
  readonly ean_code: string | null;
  readonly name: string;
  readonly weight: string | null;
  readonly weight_uom_code: string | null;
  readonly height: string | null;
  readonly length: string | null;
  readonly width: string | null;
  readonly dimensions_uom_code: string | null;
  readonly product_type: string | null;
  readonly country_of_origin: string | null;
  readonly image_url: string | null;
  readonly capture_batch_ref: boolean;
  readonly extended_attributes: Readonly<Record<string, string>>;
  readonly barcodes: readonly string[];
  readonly stock_uom: string;
  readonly packs: Readonly<Record<string, string>> | null;
  readonly is_active: boolean;
  readonly updated_at: string;
  readonly version: number;
}

const itemColumns = sql`i.client_id, i.feed_position as position, i.sku, i.alt_sku, i.ean_code, i.name, i.weight,
  i.weight_uom_code, i.height, i.length, i.width, i.dimensions_uom_code, i.product_type, i.country_of_origin,
  i.image_url, i.capture_batch_ref, i.extended_attributes, i.barcodes, i.stock_uom, i.packs, i.is_active,
  i.updated_at, i.version`;
const ownItemColumns = sql`own.client_id, own.feed_position, own.sku, own.alt_sku, own.ean_code, own.name, own.weight,
  own.weight_uom_code, own.height, own.length, own.width, own.dimensions_uom_code, own.product_type,
  own.country_of_origin, own.image_url, own.capture_batch_ref, own.extended_attributes, own.barcodes, own.stock_uom,
  own.packs, own.is_active, own.updated_at, own.version`;

/** The items of this SKU, one of each client of the facility that has it. */
export function listItemsOfSku(tx: Tx, facilityCode: string, sku: string): Promise<ListedItem[]> {
  return tx.query(
    sql`select ${itemColumns}
      from client_facility f join tenant t on t.client_id = f.client_id cross join lateral (
        select ${ownItemColumns} from item own where own.client_id = t.client_id and own.sku = ${sku} limit 1) i
      where f.facility_code = ${facilityCode} order by i.client_id limit 10000`,
  );
}

/**
 * Items of the facility's clients after a position, in the order of their positions. The query starts from `tenant`,
 * whose rows are on their clients' nodes, so that each node reads its own items (docs/citus.md).
 */
export function listItems(
  tx: Tx,
  facilityCode: string,
  page: { readonly after: number; readonly limit: number },
): Promise<ListedItem[]> {
  return tx.query(
    sql`select ${itemColumns}
      from client_facility f join tenant t on t.client_id = f.client_id cross join lateral (
        select ${ownItemColumns} from item own
        where own.client_id = t.client_id and own.feed_position is not null and own.feed_position > ${page.after}
        order by own.feed_position limit ${page.limit}) i
      where f.facility_code = ${facilityCode} order by i.feed_position limit ${page.limit}`,
  );
}
