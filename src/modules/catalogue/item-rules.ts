import type { ClientTx } from "#/db/database.ts";
import { byColumn, setOf } from "#/db/row-set.ts";
import { sql, tenant } from "#/db/sql.ts";
import { defaultStockUnit } from "#/kernel/telemetry/measure.ts";
import { isTrue } from "#/kernel/values/flag.ts";
import { formatQuantity, isWhole } from "#/kernel/values/quantity.ts";

/** An item's rules for its stock (feeds.md §4, extended attributes with meaning). */
export interface ItemRules {
  readonly sku: string;
  readonly name: string;
  readonly stockUom: string;
  /** False: known, but excluded from allocation. */
  readonly isActive: boolean;
  readonly captureBatchRef: boolean;
  readonly captureSerial: boolean;
  readonly captureExpiry: boolean;
  /** Whole days of remaining shelf life that an allocation requires; 0 if the item has no rule. */
  readonly minShelfLifeDays: number;
  /** In integer thousandths of the stock unit. */
  readonly lowStockThreshold?: number | undefined;
}

/** The rules of these SKUs; SKUs that are unknown through CAT are absent. */
export async function findItemRules(tx: ClientTx, skus: readonly string[]): Promise<Map<string, ItemRules>> {
  if (skus.length === 0) return new Map();
  const rows = await listItemRules(tx, [...new Set(skus)]);
  return new Map(
    rows.map((row) => [
      row.sku,
      {
        sku: row.sku,
        name: row.name,
        stockUom: row.stock_uom,
        isActive: row.is_active,
        captureBatchRef: row.capture_batch_ref,
        captureSerial: isTrue(row.capture_serial ?? ""),
        captureExpiry: isTrue(row.capture_expiry ?? ""),
        minShelfLifeDays: Number(row.min_shelf_life_days ?? 0),
        ...(row.low_stock_threshold ? { lowStockThreshold: Number(row.low_stock_threshold) * 1000 } : {}),
      },
    ]),
  );
}

/** A fault of a reported lot: the field and the reason. */
export interface LotFault {
  readonly field: "qty" | "batchRef" | "expiryDate" | "serials";
  readonly message: string;
}

/**
 * Why a reported quantity of a lot cannot be booked (warehouse.md, lot); empty if it can.
 *
 * @param qty integer thousandths; the sign does not matter.
 */
export function faultsOfLot(
  rules: ItemRules,
  qty: number,
  lot: {
    readonly batchRef?: string | undefined;
    readonly expiryDate?: string | undefined;
    readonly serials?: readonly string[] | undefined;
  },
): LotFault[] {
  const faults: LotFault[] = [];
  const fault = (field: LotFault["field"], message: string) => faults.push({ field, message });
  const { sku } = rules;
  if (rules.stockUom === defaultStockUnit && !isWhole(qty)) {
    fault("qty", `${formatQuantity(qty)} of SKU ${sku} is not a whole number of ${defaultStockUnit}`);
  }
  if (rules.captureBatchRef && !lot.batchRef) {
    fault("batchRef", `SKU ${sku} is kept by batch: send its batchRef`);
  }
  if (rules.captureExpiry && (!lot.expiryDate || lot.expiryDate === "infinity")) {
    fault("expiryDate", `SKU ${sku} is kept by expiry date: send its expiryDate`);
  }
  const { serials = [] } = lot;
  if (rules.captureSerial || serials.length > 0) {
    const units = Math.abs(qty);
    if (serials.length * 1000 !== units) {
      const what = rules.captureSerial ? "is kept by serial number: send" : "was sent with serials: send none, or";
      fault(
        "serials",
        `SKU ${sku} ${what} as many serials as the quantity ${formatQuantity(units)}, there are ${serials.length}`,
      );
    }
    const twice = serials.find((serial, i) => serials.indexOf(serial) < i);
    if (twice !== undefined) fault("serials", `serial ${twice} of SKU ${sku} is present twice`);
  }
  return faults;
}

interface ItemRulesRow {
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

function listItemRules(tx: ClientTx, skus: readonly string[]): Promise<ItemRulesRow[]> {
  return tx.query(
    setOf(
      skus,
      (keys) => sql`select sku, name, stock_uom, is_active, capture_batch_ref,
        extended_attributes ->> 'CaptureSerial' as capture_serial,
        extended_attributes ->> 'CaptureExpiry' as capture_expiry,
        extended_attributes ->> 'MinShelfLifeDays' as min_shelf_life_days,
        extended_attributes ->> 'LowStockThreshold' as low_stock_threshold
      from item where client_id = ${tenant} and sku = any(${keys}::text[]) limit 100000`,
      { reads: "item", keys: byColumn("sku") },
    ),
  );
}
