import type { ClientTransaction, ClientTx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";

/**
 * Locks a client's tasks without a position, oldest first. Tasks that another transaction is changing are skipped: they
 * get their position after its commit.
 */
export function lockNewTasks(
  tx: ClientTx,
  facilityCode: string,
  limit: number,
): Promise<{ taskId: string; type: string; objectId: string }[]> {
  return tx.query(sql`select task_id as "taskId", type, object_id as "objectId" from warehouse_task
      where client_id = ${tenant} and facility_code = ${facilityCode} and position is null
      order by task_id limit ${limit} for update skip locked`);
}

export function setTaskPositions(
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
export function lockNewItems(tx: ClientTx, limit: number): Promise<{ sku: string }[]> {
  return tx.query(sql`select sku from item where client_id = ${tenant} and feed_position is null
      order by sku limit ${limit} for update skip locked`);
}

export function setItemPositions(tx: ClientTransaction, rows: readonly { sku: string; position: number }[]): void {
  tx.send(sql`update item i set feed_position = x.position
      from json_to_recordset(${JSON.stringify(rows)}::json) as x(sku text, position bigint)
      where i.client_id = ${tenant} and i.sku = x.sku`);
}
