// The tolerance of a lot and a day: what a user books without another user (lifecycle.md §8).

import { dayMs } from "#/kernel/values/durations.ts";
import { idBoundary } from "#/kernel/values/ids.ts";
import { quantityOf } from "#/kernel/values/quantity.ts";
import { type CountTolerance, isWithinTolerance } from "#/modules/inventory/counts/domain.ts";
import type { CountedLot, StockChange } from "#/modules/inventory/ledger/stock-change.ts";
import { balanceKey, lotOf } from "#/modules/inventory/lot.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

/** More adjustments of the products of a request than this in a day are not added up: the next one waits. */
const adjustmentsMax = 10_000;

/** Signed quantities in thousandths that users have booked without another user in the last 24 hours. */
export interface AdjustedToday {
  /** By `balanceKey`. */
  readonly byLot: ReadonlyMap<string, readonly number[]>;
  /** There are more than could be read. */
  readonly isCut: boolean;
}

/** Users, not warehouses: those have counted the goods. What another user approved is not among them. */
export async function listAdjustedToday(
  tx: ClientTx,
  facilityCode: string,
  skus: readonly string[],
  at: string,
): Promise<AdjustedToday> {
  const objectIds = skus.map((sku) => `${facilityCode}/${sku}`);
  const rows = await tx.query<{
    readonly object_id: string;
    readonly lots: readonly CountedLot[];
  }>(sql`select a.object_id, a.detail -> 'lots' as lots from audit_log a
      where a.client_id = ${tenant} and a.object_id = any(${objectIds}::text[]) and a.object_id > ''
        and a.audit_id >= ${idBoundary(Date.parse(at) - dayMs)}::uuid
        and a.action = 'adjust' and a.object_type = 'stock' and a.detail ? 'lots'
      limit ${adjustmentsMax}`);
  const byLot = new Map<string, number[]>();
  for (const { object_id: objectId, lots } of rows) {
    const sku = objectId.slice(facilityCode.length + 1);
    for (const lot of lots) {
      const key = balanceKey({ sku, condition: lot.condition, ...lotOf(lot) });
      const qtys = byLot.get(key) ?? [];
      qtys.push(quantityOf(lot.qty));
      byLot.set(key, qtys);
    }
  }
  return { byLot, isCut: rows.length === adjustmentsMax };
}

/**
 * Whether these changes of one lot are within the tolerance, together with those of the last 24 hours: forty times 2 %
 * are no 2 %.
 *
 * @param expected what the books have of the lot now, thousandths
 */
export function isWithinDay(
  expected: number,
  changes: readonly StockChange[],
  today: AdjustedToday,
  tolerance: CountTolerance,
): boolean {
  if (today.isCut) return false;
  const earlier = changes.slice(0, 1).flatMap((change) => today.byLot.get(balanceKey(change)) ?? []);
  const before = Math.max(0, expected - earlier.reduce((sum, qty) => sum + qty, 0));
  const all = [...earlier.map((qty) => ({ type: "ADJUSTMENT" as const, qty })), ...changes];
  return isWithinTolerance(before, all, tolerance);
}

/** Those of the SKUs that have had stock in the facility: what comes to them is not opening stock. */
export async function listStockedSkus(
  tx: ClientTx,
  facilityCode: string,
  skus: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ readonly sku: string }>(sql`select distinct b.sku from stock_balance b
      where b.client_id = ${tenant} and b.facility_code = ${facilityCode} and b.sku = any(${skus}::text[])
      limit 10000`);
  return new Set(rows.map(({ sku }) => sku));
}
