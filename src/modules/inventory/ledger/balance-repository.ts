import type { ClientTx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { storedQuantity } from "#/kernel/values/quantity.ts";
import type { Condition, Lot } from "#/modules/inventory/lot.ts";

/** Quantities in integer thousandths of the stock unit. */
export interface Balance extends Lot {
  readonly sku: string;
  readonly condition: Condition;
  readonly qty: number;
  /** Allocated by orders and work orders, picked and packed units included; only GOOD stock has any. */
  readonly allocated: number;
  /** The moment since which the lot has had stock without a break. */
  readonly receivedAt: string;
}

/** The balances of these SKUs in a facility, in all conditions, without empty lots. */
export async function listBalances(tx: ClientTx, facilityCode: string, skus: readonly string[]): Promise<Balance[]> {
  if (skus.length === 0) return [];
  const rows = await tx.query<{
    sku: string;
    stock_pool: string;
    condition: Condition;
    batch_ref: string;
    expiry_date: string;
    qty: string;
    allocated: string;
    received_at: string;
  }>(sql`select sku, stock_pool, condition, batch_ref, expiry_date, qty, allocated, received_at from stock_balance
      where client_id = ${tenant} and facility_code = ${facilityCode} and sku = any(${skus}::text[]) and qty > 0
      limit 1000000`);
  return rows.map((row) => ({
    sku: row.sku,
    stockPool: row.stock_pool,
    condition: row.condition,
    batchRef: row.batch_ref,
    expiryDate: row.expiry_date,
    qty: storedQuantity(row.qty),
    allocated: storedQuantity(row.allocated),
    receivedAt: row.received_at,
  }));
}
