import type { ClientTransaction, ClientTx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { updateOf } from "#/db/table.ts";
import { stockChange } from "#/modules/inventory/tables.ts";

const settle = updateOf(stockChange, { set: ["is_low"], also: { changed_at: sql`null` } });

/** SKUs with newly free stock that waiting lines may want. */
export async function listWantedSkus(tx: ClientTx, facilityCode: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ sku: string }>(sql`select sku from stock_change
      where client_id = ${tenant} and facility_code = ${facilityCode} and needs_allocation limit ${limit}`);
  return rows.map(({ sku }) => sku);
}

/**
 * Clears the mark of SKUs that allocation has processed. The lock on the book ensures that nothing arrived in between.
 */
export function clearAllocationWants(tx: ClientTransaction, facilityCode: string, skus: readonly string[]): void {
  if (skus.length === 0) return;
  tx.send(sql`update stock_change set needs_allocation = false
      where client_id = ${tenant} and facility_code = ${facilityCode} and sku = any(${skus}::text[])`);
  deleteSettled(tx, facilityCode, skus);
}

export interface UnpublishedRow {
  readonly facility_code: string;
  readonly sku: string;
  readonly is_low: boolean;
}

/** Unreported changes that are at least as old as `olderThan`, oldest first. */
export function listUnpublished(tx: ClientTx, olderThan: string, limit: number): Promise<UnpublishedRow[]> {
  return tx.query(sql`select facility_code, sku, is_low from stock_change
      where client_id = ${tenant} and changed_at is not null and changed_at <= ${olderThan}::timestamptz
      order by changed_at limit ${limit}`);
}

/** Marks the changes as reported and deletes rows without further use. */
export function markPublished(
  tx: ClientTransaction,
  facilityCode: string,
  rows: readonly { readonly sku: string; readonly isLow: boolean }[],
): void {
  settle.send(
    tx,
    rows.map(({ sku, isLow }) => ({ facility_code: facilityCode, sku, is_low: isLow })),
  );
  deleteSettled(
    tx,
    facilityCode,
    rows.map(({ sku }) => sku),
  );
}

function deleteSettled(tx: ClientTransaction, facilityCode: string, skus: readonly string[]): void {
  tx.send(sql`delete from stock_change
      where client_id = ${tenant} and facility_code = ${facilityCode} and sku = any(${skus}::text[])
        and changed_at is null and not needs_allocation and not is_low`);
}
