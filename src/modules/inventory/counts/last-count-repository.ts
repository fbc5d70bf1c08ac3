import type { ClientTransaction, Transaction } from "#/db/database.ts";
import { combined } from "#/db/row-set.ts";
import { insertInto } from "#/db/table.ts";
import type { Book } from "#/modules/inventory/ledger/book.ts";
import { stockLastCount } from "#/modules/inventory/tables.ts";

const writeAll = insertInto(stockLastCount, {
  onConflict: { set: ["counted_at"] },
  // Reports that share a transaction may count the same SKU.
  combine: (rows) =>
    combined(
      rows,
      ({ facility_code, sku }) => JSON.stringify([facility_code, sku]),
      (_, later) => later,
    ),
});
const insertMissing = insertInto(stockLastCount, { onConflict: "nothing" });

/** All lots of these SKUs were counted. */
export function writeLastCounts(tx: Transaction, { clientId, facilityCode, at }: Book, skus: readonly string[]): void {
  writeAll.send(
    tx.of(clientId),
    skus.map((sku) => ({ facility_code: facilityCode, sku, counted_at: at })),
  );
}

/** The interval of these SKUs begins, because their stock is seen for the first time. @param at ISO 8601 */
export function beginIntervals(tx: ClientTransaction, facilityCode: string, skus: readonly string[], at: string): void {
  insertMissing.send(
    tx,
    skus.map((sku) => ({ facility_code: facilityCode, sku, counted_at: at })),
  );
}
