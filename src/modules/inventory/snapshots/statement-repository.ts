import { storedQuantity } from "#/kernel/values/quantity.ts";
import type { MovementType } from "#/modules/inventory/ledger/ledger.ts";
import type { Condition } from "#/modules/inventory/lot.ts";
import type { StockQuantities } from "#/modules/inventory/quantities.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

// The source of INV and IMS, in pages. Quantities in integer thousandths.

export interface SnapshotRow extends StockQuantities {
  readonly sku: string;
  readonly stockPool: string;
  readonly uom: string;
}

/** The rows of a snapshot by SKU and pool. @param after the last row of the previous page. */
export function listSnapshotRows(
  tx: ClientTx,
  snapshotId: string,
  after: { readonly sku: string; readonly stockPool: string } | undefined,
  limit: number,
): Promise<SnapshotRow[]> {
  return tx.query(sql`select sku, stock_pool as "stockPool", uom, (on_hand * 1000)::bigint as "onHand",
        (allocated * 1000)::bigint as allocated, (on_hold * 1000)::bigint as "onHold", (damaged * 1000)::bigint as damaged,
        ((on_hand - allocated - available) * 1000)::bigint as unsellable, (available * 1000)::bigint as available,
        (expected * 1000)::bigint as expected, (in_return * 1000)::bigint as "inReturn",
        (backordered * 1000)::bigint as backordered
      from stock_snapshot_row
      where client_id = ${tenant} and snapshot_id = ${snapshotId}::uuid
        and (sku, stock_pool) > (${after?.sku ?? ""}, ${after?.stockPool ?? ""})
      order by sku, stock_pool limit ${limit}`);
}

export interface ListedMovement {
  readonly movementId: string;
  readonly position: number;
  readonly type: MovementType;
  readonly sku: string;
  readonly stockPool: string;
  readonly condition: Condition;
  readonly batchRef: string;
  readonly expiryDate: string;
  /** Signed integer thousandths. */
  readonly qty: number;
  readonly reason: string | null;
  readonly referenceType: string;
  readonly referenceId: string;
  /** ISO 8601. */
  readonly bookedAt: string;
  readonly occurredAt: string;
}

/**
 * Entries that changed on-hand quantities or their condition, after one position and up to another, by SKU and booking
 * order.
 * @param after the last entry of the previous page.
 */
export async function listMovementsBetween(
  tx: ClientTx,
  facilityCode: string,
  fromPosition: number,
  toPosition: number,
  after: { readonly sku: string; readonly position: number } | undefined,
  limit: number,
): Promise<ListedMovement[]> {
  return tx.query(sql`select movement_id as "movementId", position, type, sku, stock_pool as "stockPool", condition,
        batch_ref as "batchRef", expiry_date as "expiryDate", (qty * 1000)::bigint as qty, reason,
        reference_type as "referenceType", reference_id as "referenceId", booked_at as "bookedAt",
        occurred_at as "occurredAt"
      from stock_movement
      where client_id = ${tenant} and facility_code = ${facilityCode} and position > 0 and position > ${fromPosition}
        and position <= ${toPosition} and affects_on_hand and (sku, position) > (${after?.sku ?? ""}, ${after?.position ?? 0})
      order by sku, position limit ${limit}`);
}

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
