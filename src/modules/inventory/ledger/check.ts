import type { ClientTx } from "#/db/database.ts";
import { formatQuantity, storedQuantity } from "#/kernel/values/quantity.ts";
import { type CheckRow, listBroken } from "#/modules/inventory/ledger/check-repository.ts";
import { type StockRule, stockRules } from "#/modules/inventory/ledger/stock-rules.ts";
import { describeLot } from "#/modules/inventory/lot.ts";

export interface BrokenRule {
  readonly rule: StockRule;
  /** The object with the fault, as readable text. */
  readonly object: string;
  readonly facilityCode: string | undefined;
  /** Undefined if the fault concerns the book itself. */
  readonly sku: string | undefined;
  /** Integer thousandths; for POSITIONS and SERIALS counts times a thousand. */
  readonly found: number;
  readonly expected: number;
}

const brokenMax = 1_000;

/**
 * Checks all stock of a client against `stockRules`, as one statement sees it, and returns the broken rules; at most a
 * thousand. It reads the whole ledger: run it in a transaction with a longer statement time-out.
 */
export async function checkStock(tx: ClientTx): Promise<BrokenRule[]> {
  return (await listBroken(tx, brokenMax)).map((row) => ({
    rule: row.rule,
    object: objectOf(row),
    facilityCode: row.facility_code ?? undefined,
    sku: row.sku ?? undefined,
    found: storedQuantity(row.found),
    expected: storedQuantity(row.expected),
  }));
}

function objectOf(row: CheckRow): string {
  const lot = row.sku && {
    sku: row.sku,
    stockPool: row.stock_pool ?? "DEFAULT",
    batchRef: row.batch_ref ?? "",
    expiryDate: row.expiry_date ?? "infinity",
  };
  const place = lot && [describeLot(lot), row.condition, row.facility_code && `in ${row.facility_code}`];
  const owner = row.owner_id && `${row.owner_id} line ${row.line_number}`;
  return [owner, ...(place || [row.facility_code])].filter(Boolean).join(" ");
}

/** The broken rule as one sentence. */
export function describeBroken({ rule, object, found, expected }: BrokenRule): string {
  return `${object}: ${stockRules[rule]}: ${formatQuantity(found)}, expected ${formatQuantity(expected)}`;
}
