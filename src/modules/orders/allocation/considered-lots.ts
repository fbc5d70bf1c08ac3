import { type Condition, type Lot, type LotRuleCode, orderOfUse, refusalOfLot } from "#/modules/inventory/index.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

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
  const rows = await tx.query<
    Omit<ConsideredLot, "refusedBy"> & { readonly refusedBy: LotRuleCode | null }
  >(sql`select b.sku, b.stock_pool as "stockPool", b.condition, b.batch_ref as "batchRef", b.expiry_date as "expiryDate",
        (b.qty * 1000)::bigint as qty, (b.allocated * 1000)::bigint as allocated, b.last_moved_at as "lastMovedAt",
        b.lots_of_pool as "lotsOfPool", ${refusalOfLot(today)} as "refusedBy"
      from (
        select b.sku, b.stock_pool, b.condition, b.batch_ref, b.expiry_date, b.qty, b.allocated, b.last_moved_at,
          row_number() over (partition by b.sku, b.stock_pool order by ${orderOfUse}, b.condition) as place,
          count(*) over (partition by b.sku, b.stock_pool) as lots_of_pool
        from stock_balance b
        where b.client_id = ${tenant} and b.facility_code = ${facilityCode} and b.sku = any(${skus}::text[]) and b.qty > 0
      ) b
      where b.place <= ${perPool} order by b.sku, b.stock_pool, b.place limit ${lotsMax}`);
  return rows.map((row) => ({ ...row, refusedBy: row.refusedBy ?? undefined }));
}
