import type { ExpiringLot, StatementEntry, StockLevel, StoredEntry } from "#/console-api/stock/contract.ts";
import type { ExpiringRow, LevelRow } from "#/console-api/stock/stock.cross-client.ts";
import { quantityOf, quantityToNumber, storedQuantity } from "#/kernel/values/quantity.ts";
import { unsellablePartsOf } from "#/modules/inventory/index.ts";

/** Number of days from which a product's despatch rate is computed. */
export const despatchDays = 30;

const number = (text: string) => quantityToNumber(storedQuantity(text));

export function levelRecord(row: LevelRow): StockLevel {
  const unsellable = storedQuantity(row.unsellable);
  const available = storedQuantity(row.on_hand) - storedQuantity(row.allocated) - unsellable;
  const reasons = unsellablePartsOf({
    unsellable,
    onHold: storedQuantity(row.on_hold),
    damaged: storedQuantity(row.damaged),
    quarantined: storedQuantity(row.quarantined),
    expired: storedQuantity(row.expired),
    isActive: row.is_active ?? undefined,
  });
  return {
    clientId: row.client_id,
    distributionCentre: row.facility_code,
    sku: row.sku,
    name: row.name,
    onHand: number(row.on_hand),
    available: quantityToNumber(available),
    allocated: number(row.allocated),
    onHold: number(row.on_hold),
    damaged: number(row.damaged),
    unsellable: quantityToNumber(unsellable),
    unsellableReasons: reasons.map(({ reason, qty }) => ({ reason, qty: quantityToNumber(qty) })),
    lots: row.lots,
    firstExpiry: row.first_expiry,
    lastMovementAt: row.last_moved_at,
  };
}

/**
 * Entries, the newest first, each with the balance after it.
 *
 * @param onHand integer thousandths after the newest of them.
 * @returns `left`: the balance before the oldest, where the next page continues.
 */
export function entriesOf(
  rows: readonly StoredEntry[],
  onHand: number,
): { readonly items: StatementEntry[]; readonly left: number } {
  let left = onHand;
  const items = rows.map((row): StatementEntry => {
    const onHandAfter = quantityToNumber(left);
    if (row.affectsOnHand) left -= quantityOf(row.qty);
    return { ...row, onHandAfter };
  });
  return { items, left };
}

/** @param despatched of the product in its facility, in the last `despatchDays` */
export function expiringRecord(row: ExpiringRow, despatched: number, name: string | undefined): ExpiringLot {
  const { qty, daysLeft } = row;
  const perDay = despatched / despatchDays;
  const sellable = Math.max(0, daysLeft + 1) * perDay;
  return {
    ...row,
    name: name ?? null,
    despatchedPerDay: Math.round(perDay * 100) / 100,
    coverDays: perDay > 0 ? Math.round((qty / perDay) * 10) / 10 : null,
    atRisk: quantityToNumber(quantityOf(Math.max(0, qty - sellable))),
  };
}
