import { defaultStockUnit } from "#/kernel/telemetry/measure.ts";
import { isTrue } from "#/kernel/values/extended-attributes.ts";
import { formatQuantity, isWhole } from "#/kernel/values/quantity.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { byColumn, setOf } from "#/store/db/row-set.ts";
import { sql, tenant } from "#/store/db/sql.ts";

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
    rows.map(({ lowStockThreshold, ...row }) => [
      row.sku,
      {
        ...row,
        captureSerial: isTrue(row.captureSerial ?? ""),
        captureExpiry: isTrue(row.captureExpiry ?? ""),
        minShelfLifeDays: Number(row.minShelfLifeDays ?? 0),
        ...(lowStockThreshold ? { lowStockThreshold: Number(lowStockThreshold) * 1000 } : {}),
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

/** Rules that are texts in the extended attributes of an item. */
type Attribute = "captureSerial" | "captureExpiry" | "minShelfLifeDays" | "lowStockThreshold";
type StoredRules = Omit<ItemRules, Attribute> & Readonly<Record<Attribute, string | null>>;

function listItemRules(tx: ClientTx, skus: readonly string[]): Promise<StoredRules[]> {
  return tx.query(
    setOf(
      skus,
      (
        keys,
      ) => sql`select sku, name, stock_uom as "stockUom", is_active as "isActive", capture_batch_ref as "captureBatchRef",
        extended_attributes ->> 'CaptureSerial' as "captureSerial",
        extended_attributes ->> 'CaptureExpiry' as "captureExpiry",
        extended_attributes ->> 'MinShelfLifeDays' as "minShelfLifeDays",
        extended_attributes ->> 'LowStockThreshold' as "lowStockThreshold"
      from item where client_id = ${tenant} and sku = any(${keys}::text[]) limit 100000`,
      { reads: "item", keys: byColumn("sku") },
    ),
  );
}
