import type { ClientTx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { storedQuantity } from "#/kernel/values/quantity.ts";
import { type Condition, type Lot, type LotRuleCode, orderOfUse, refusalOfLot } from "#/modules/inventory/index.ts";

/** A lot with the answer of the rules of allocation. */
export interface ConsideredLot extends Lot {
  readonly sku: string;
  readonly condition: Condition;
  /** Integer thousandths. */
  readonly qty: number;
  readonly allocated: number;
  /** ISO 8601 UTC. */
  readonly lastMovedAt: string;
  /** The first rule that refuses the lot; undefined if every rule accepts it. */
  readonly refusedBy: LotRuleCode | undefined;
  /** Lots of the SKU in this pool, with those that were not read. */
  readonly lotsOfPool: number;
}

/** Pools times lots of one SKU are bounded by its stock; this bounds an answer with many SKUs. */
const lotsMax = 10_000;

/**
 * The lots of these SKUs at a facility by pool, in the order of use, with the first rule of allocation that refuses
 * each: at most `perPool` of each SKU and pool.
 */
export async function listLotsWithRefusal(
  tx: ClientTx,
  facilityCode: string,
  today: string,
  skus: readonly string[],
  perPool: number,
): Promise<ConsideredLot[]> {
  if (skus.length === 0) return [];
  const rows =
    await tx.query<LotRow>(sql`select b.sku, b.stock_pool, b.condition, b.batch_ref, b.expiry_date, b.qty, b.allocated, b.last_moved_at,
        b.lots_of_pool, ${refusalOfLot(today)} as refused_by
      from (
        select b.sku, b.stock_pool, b.condition, b.batch_ref, b.expiry_date, b.qty, b.allocated, b.last_moved_at,
          row_number() over (partition by b.sku, b.stock_pool order by ${orderOfUse}, b.condition) as place,
          count(*) over (partition by b.sku, b.stock_pool) as lots_of_pool
        from stock_balance b
        where b.client_id = ${tenant} and b.facility_code = ${facilityCode} and b.sku = any(${skus}::text[]) and b.qty > 0
      ) b
      where b.place <= ${perPool} order by b.sku, b.stock_pool, b.place limit ${lotsMax}`);
  return rows.map((row) => ({
    sku: row.sku,
    stockPool: row.stock_pool,
    condition: row.condition,
    batchRef: row.batch_ref,
    expiryDate: row.expiry_date,
    qty: storedQuantity(row.qty),
    allocated: storedQuantity(row.allocated),
    lastMovedAt: row.last_moved_at,
    refusedBy: row.refused_by ?? undefined,
    lotsOfPool: row.lots_of_pool,
  }));
}

interface LotRow {
  readonly sku: string;
  readonly stock_pool: string;
  readonly condition: Condition;
  readonly batch_ref: string;
  readonly expiry_date: string;
  readonly qty: string;
  readonly allocated: string;
  readonly last_moved_at: string;
  readonly lots_of_pool: number;
  readonly refused_by: LotRuleCode | null;
}
