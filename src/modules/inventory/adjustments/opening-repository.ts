import type { ClientTx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { storedQuantity } from "#/kernel/values/quantity.ts";

/** The number of rows of a snapshot. */
export async function countSnapshotRows(tx: ClientTx, snapshotId: string): Promise<number> {
  const rows = await tx.query<{ total: number }>(sql`select count(*) as total from stock_snapshot_row
      where client_id = ${tenant} and snapshot_id = ${snapshotId}::uuid limit 1`);
  return rows[0]?.total ?? 0;
}

/** The number of entries that changed on-hand quantities or their condition, after one position and up to another. */
export async function countMovementsBetween(
  tx: ClientTx,
  facilityCode: string,
  fromPosition: number,
  toPosition: number,
): Promise<number> {
  const rows = await tx.query<{ total: number }>(sql`select count(*) as total from stock_movement
      where client_id = ${tenant} and facility_code = ${facilityCode} and position > 0 and position > ${fromPosition}
        and position <= ${toPosition} and affects_on_hand limit 1`);
  return rows[0]?.total ?? 0;
}

/**
 * On-hand quantity of SKUs in a snapshot, over all pools, in integer thousandths. A SKU that is not listed had none.
 * @param skus at most ten thousand.
 */
export async function findOnHand(
  tx: ClientTx,
  snapshotId: string,
  skus: readonly string[],
): Promise<Map<string, number>> {
  const rows = await tx.query<{
    sku: string;
    on_hand: string;
  }>(sql`select sku, sum(on_hand) as on_hand from stock_snapshot_row
      where client_id = ${tenant} and snapshot_id = ${snapshotId}::uuid and sku = any(${skus}::text[])
      group by sku limit 10000`);
  return new Map(rows.map(({ sku, on_hand }) => [sku, storedQuantity(on_hand)]));
}
