import type { Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery } from "#/db/tenant.ts";

export interface ItemRulesRow {
  readonly sku: string;
  readonly name: string;
  readonly stock_uom: string;
  readonly is_active: boolean;
  readonly capture_batch_ref: boolean;
  readonly capture_serial: string | null;
  readonly capture_expiry: string | null;
  readonly min_shelf_life_days: string | null;
  readonly low_stock_threshold: string | null;
}

export function listItemRules(tx: Tx, clientId: string, skus: readonly string[]): Promise<ItemRulesRow[]> {
  return tenantQuery(
    tx,
    clientId,
    sql`select sku, name, stock_uom, is_active, capture_batch_ref,
        extended_attributes ->> 'CaptureSerial' as capture_serial,
        extended_attributes ->> 'CaptureExpiry' as capture_expiry,
        extended_attributes ->> 'MinShelfLifeDays' as min_shelf_life_days,
        extended_attributes ->> 'LowStockThreshold' as low_stock_threshold
      from item where client_id = ${tenant} and sku = any(${skus}::text[]) limit 100000`,
  );
}
