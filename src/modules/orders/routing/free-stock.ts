import { storedQuantity } from "#/kernel/values/quantity.ts";
import { facilitiesByDate, isAllocatable } from "#/modules/inventory/index.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

export interface FreeStock {
  readonly facilityCode: string;
  readonly sku: string;
  readonly stockPool: string;
  /** Good, in date and not allocated; integer thousandths. */
  readonly free: number;
}

interface FreeStockAsk {
  readonly facilityCodes: readonly string[];
  readonly skus: readonly string[];
  /** ISO 8601. Each facility counts shelf life from its own date at this moment. */
  readonly at: string;
}

/** The stock that allocation could take. */
export async function listFreeStock(tx: ClientTx, ask: FreeStockAsk): Promise<FreeStock[]> {
  const { facilityCodes, skus, at } = ask;
  const byDate = await facilitiesByDate(tx.plain, facilityCodes, at);
  const ofDate = await Promise.all([...byDate].map(([today, codes]) => listFreeStockOn(tx, codes, skus, today)));
  return ofDate.flat();
}

async function listFreeStockOn(
  tx: ClientTx,
  facilityCodes: readonly string[],
  skus: readonly string[],
  today: string,
): Promise<FreeStock[]> {
  const rows = await tx.query<{
    facility_code: string;
    sku: string;
    stock_pool: string;
    free: string;
  }>(sql`select b.facility_code, b.sku, b.stock_pool, sum(b.qty - b.allocated) as free from stock_balance b
      where b.client_id = ${tenant} and b.facility_code = any(${facilityCodes}::text[]) and b.sku = any(${skus}::text[])
        and ${isAllocatable(today)}
      group by b.facility_code, b.sku, b.stock_pool limit 1000000`);
  return rows.map((row) => ({
    facilityCode: row.facility_code,
    sku: row.sku,
    stockPool: row.stock_pool,
    // A sum may exceed the highest quantity of a document.
    free: storedQuantity(row.free),
  }));
}
