import type { ExpiringLot, StatementEntry, StockLevel, StoredEntry } from "#/console-api/stock/contract.ts";
import type { ExpiringRow, StoredLevel } from "#/console-api/stock/stock.cross-client.ts";
import { quantityOf, quantityToNumber } from "#/kernel/values/quantity.ts";
import { unsellablePartsOf } from "#/modules/inventory/index.ts";

/** Number of days from which a product's despatch rate is computed. */
export const despatchDays = 30;

export function levelRecord({ quarantined, expired, isActive, ...level }: StoredLevel): StockLevel {
  const unsellable = quantityOf(level.unsellable);
  const reasons = unsellablePartsOf({
    unsellable,
    onHold: quantityOf(level.onHold),
    damaged: quantityOf(level.damaged),
    quarantined: quantityOf(quarantined),
    expired: quantityOf(expired),
    isActive: isActive ?? undefined,
  });
  return {
    ...level,
    available: quantityToNumber(quantityOf(level.onHand) - quantityOf(level.allocated) - unsellable),
    unsellableReasons: reasons.map(({ reason, qty }) => ({ reason, qty: quantityToNumber(qty) })),
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
