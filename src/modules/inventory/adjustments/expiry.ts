import { storedQuantity } from "#/kernel/values/quantity.ts";
import type { FreeAllocations } from "#/modules/inventory/adjustments/reports.ts";
import type { Book } from "#/modules/inventory/ledger/book.ts";
import type { Lot } from "#/modules/inventory/lot.ts";
import { facilityToday } from "#/modules/inventory/quantities.ts";
import type { ClientTx, UnitOfWork } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import type { EventDraft } from "#/store/outbox/append.ts";

const lotsMax = 200;

/**
 * Frees unpicked allocations of expired lots from orders and work orders (lifecycle.md §1); their lines go back to
 * allocation. Picked units are in the warehouse's hands and stay.
 *
 * @returns the events to append; none if no expired stock is allocated any more.
 */
export async function freeExpired(tx: UnitOfWork, book: Book, free: FreeAllocations): Promise<EventDraft[]> {
  const { facilityCode } = book;
  const today = await facilityToday(tx.plain, facilityCode, tx.change.at);
  const lots = await listExpiredLots(tx, facilityCode, today, lotsMax);
  const drafts: EventDraft[] = [];
  for (const { allocated, ...lot } of lots) drafts.push(...(await free(tx, book, lot, allocated)).drafts);
  return drafts;
}

/**
 * GOOD lots whose last day was before `today` and that have allocated, unpicked quantity, with that quantity (integer
 * thousandths).
 */
export async function listExpiredLots(
  tx: ClientTx,
  facilityCode: string,
  today: string,
  limit: number,
): Promise<({ readonly sku: string; readonly allocated: number } & Lot)[]> {
  const rows = await tx.query<Lot & { readonly sku: string; readonly allocated: string }>(
    sql`select r.sku, r.stock_pool as "stockPool", r.batch_ref as "batchRef", r.expiry_date as "expiryDate",
        sum(r.qty_allocated) as allocated
      from stock_reservation r
      where r.client_id = ${tenant} and r.facility_code = ${facilityCode} and r.expiry_date < 'infinity'
        and r.expiry_date < ${today}::date and r.qty_allocated > 0
      group by r.sku, r.stock_pool, r.batch_ref, r.expiry_date order by 1, 2, 3, 4 limit ${limit}`,
  );
  return rows.map(({ allocated, ...lot }) => ({ ...lot, allocated: storedQuantity(allocated) }));
}
