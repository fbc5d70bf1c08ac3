import type {
  BackorderedProduct,
  ExpiringLot,
  StatementEntry,
  StockLevel,
  StockLotList,
} from "#/console-api/stock/contract.ts";
import type { LotRow, StatementRow } from "#/console-api/stock/statement-repository.ts";
import type { BackorderedRow, ExpiringRow, LevelRow } from "#/console-api/stock/stock.cross-client.ts";
import { quantityOf, quantityToNumber, storedQuantity } from "#/kernel/values/quantity.ts";
import { noBatch, noExpiry, unsellablePartsOf } from "#/modules/inventory/index.ts";

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

export function backorderedRecord(row: BackorderedRow, name: string | undefined): BackorderedProduct {
  return {
    clientId: row.client_id,
    distributionCentre: row.facility_code,
    sku: row.sku,
    name: name ?? null,
    lines: row.lines,
    orders: row.orders,
    qty: number(row.qty),
    oldestAcceptedAt: row.oldest,
  };
}

const batchOf = (batchRef: string) => (batchRef === noBatch ? null : batchRef);
const expiryOf = (date: string) => (date === noExpiry ? null : date);

export function lotRecord(row: LotRow): StockLotList["items"][number] {
  return {
    distributionCentre: row.facility_code,
    condition: row.condition,
    stockPool: row.stock_pool,
    batchRef: batchOf(row.batch_ref),
    expiryDate: expiryOf(row.expiry_date),
    qty: number(row.qty),
    allocated: number(row.allocated),
    receivedAt: row.received_at,
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
  rows: readonly StatementRow[],
  onHand: number,
): { readonly items: StatementEntry[]; readonly left: number } {
  let left = onHand;
  const items = rows.map((row): StatementEntry => {
    const onHandAfter = quantityToNumber(left);
    if (row.affects_on_hand) left -= storedQuantity(row.qty);
    return {
      position: row.position,
      at: row.booked_at,
      occurredAt: row.occurred_at,
      type: row.type,
      condition: row.condition,
      stockPool: row.stock_pool,
      batchRef: batchOf(row.batch_ref),
      expiryDate: expiryOf(row.expiry_date),
      qty: number(row.qty),
      affectsOnHand: row.affects_on_hand,
      allocatedChange: number(row.allocated_change),
      onHandAfter,
      reason: row.reason,
      reference: {
        type: row.reference_type,
        id: row.reference_id,
        poNumber: row.po_number,
        vendorOrderId: row.vendor_order_id,
      },
    };
  });
  return { items, left };
}

/** @param despatched of the product in its facility, in the last `despatchDays` */
export function expiringRecord(row: ExpiringRow, despatched: string, name: string | undefined): ExpiringLot {
  const qty = number(row.qty);
  const perDay = number(despatched) / despatchDays;
  const sellable = Math.max(0, row.days_left + 1) * perDay;
  return {
    clientId: row.client_id,
    distributionCentre: row.facility_code,
    sku: row.sku,
    name: name ?? null,
    condition: row.condition,
    stockPool: row.stock_pool,
    batchRef: batchOf(row.batch_ref),
    expiryDate: row.expiry_date,
    daysLeft: row.days_left,
    qty,
    allocated: number(row.allocated),
    despatchedPerDay: Math.round(perDay * 100) / 100,
    coverDays: perDay > 0 ? Math.round((qty / perDay) * 10) / 10 : null,
    atRisk: quantityToNumber(quantityOf(Math.max(0, qty - sellable))),
  };
}
