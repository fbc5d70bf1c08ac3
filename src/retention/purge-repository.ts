// Purges rows that expire after a number of days and have no purge in a module.
//
// A purge takes its rows by an array: PostgreSQL expects a tenth of the table behind a limit that is a parameter, and
// joined a million rows for a hundred. Where the key has several columns, the array has the places of the rows (ctid).
import type { ClientTx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";

/** Warehouse reports by their own id: a retry comes within hours. @param before ISO 8601 */
export async function purgeReports(tx: ClientTx, before: string, limit: number): Promise<number> {
  const rows = await tx.query(sql`delete from warehouse_report r
      where r.client_id = ${tenant} and r.ctid = any(array(
        select o.ctid from warehouse_report o
        where o.client_id = ${tenant} and o.accepted_at < ${before}::timestamptz
        order by o.accepted_at limit ${limit}))
      returning r.kind`);
  return rows.length;
}

/** Exceptions that were resolved. @param before ISO 8601 */
export async function purgeExceptions(tx: ClientTx, before: string, limit: number): Promise<number> {
  const rows = await tx.query(sql`delete from operator_exception e
      where e.client_id = ${tenant} and e.exception_id = any(array(
        select o.exception_id from operator_exception o
        where o.client_id = ${tenant} and o.resolved_at is not null and o.resolved_at < ${before}::timestamptz
        order by o.resolved_at limit ${limit}))
      returning e.exception_id`);
  return rows.length;
}

/** Requested counts that have ended. @param before ISO 8601 */
export async function purgeCounts(tx: ClientTx, before: string, limit: number): Promise<number> {
  const rows = await tx.query(sql`delete from stock_count c
      where c.client_id = ${tenant} and c.count_id = any(array(
        select o.count_id from stock_count o
        where o.client_id = ${tenant} and o.ended_at is not null and o.ended_at < ${before}::timestamptz
        order by o.ended_at limit ${limit}))
      returning c.count_id`);
  return rows.length;
}

/** Snapshot headers whose rows were dropped with their month. @param before an id */
export async function purgeSnapshots(tx: ClientTx, before: string, limit: number): Promise<number> {
  const rows = await tx.query(sql`delete from stock_snapshot s
      where s.client_id = ${tenant} and s.snapshot_id = any(array(
        select o.snapshot_id from stock_snapshot o
        where o.client_id = ${tenant} and o.snapshot_id < ${before}::uuid and o.written_at is not null
        order by o.snapshot_id limit ${limit}))
      returning s.snapshot_id`);
  return rows.length;
}
