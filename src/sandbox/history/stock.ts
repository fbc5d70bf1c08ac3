import { hourMs } from "#/kernel/values/durations.ts";
import type { Ids } from "#/kernel/values/ids.ts";
import { type Book, defaultPool, lotOf, type Movement, postMovements } from "#/modules/inventory/index.ts";
import type { LivedOrder } from "#/sandbox/history/history-rows.ts";
import type { HistoryItem } from "#/sandbox/history/items.ts";
import { draw } from "#/sandbox/simulator/draw.ts";
import type { Transaction } from "#/store/db/database.ts";

const lot = { ...lotOf({ stockPool: defaultPool }), condition: "GOOD" } as const;
/** Movements of a year ago are booked today, because the entries of a book are chronological. They raise no events. */
const silently = { isPublished: false } as const;

/** Books the final stock of the items. All other receipts of the history have left again. */
export function bookHistoryStock(tx: Transaction, book: Book, ids: Ids, items: readonly HistoryItem[]): void {
  const { facilityCode } = book;
  const movements = items.flatMap(({ sku, isOutOfStock }): Movement[] => {
    const pieces = 20 + Math.floor(draw("seed-history", "stock", sku, facilityCode) ** 2 * 480);
    if (isOutOfStock) return [];
    const reference = { referenceType: "adjustment", referenceId: `HISTORY-${facilityCode}` };
    return [{ ...lot, type: "ADJUSTMENT", sku, qty: pieces * 1_000, reason: "INITIAL", ...reference }];
  });
  postMovements(tx.of(book.clientId), book, ids, movements, silently);
}

/** The lines of the orders that have left a facility. */
export function despatchesOf(facilityCode: string, lived: readonly LivedOrder[]): Movement[] {
  return lived.flatMap(({ order, life }) => {
    if (!life.parcel || order.facilityCode !== facilityCode) return [];
    const occurredAt = new Date(life.parcel.despatchedMs).toISOString();
    const reference = { referenceType: "order", referenceId: order.orderId, occurredAt };
    return order.lines.map(
      ({ item, pieces }): Movement => ({ ...lot, type: "DESPATCH", sku: item.sku, qty: -pieces * 1_000, ...reference }),
    );
  });
}

/** Books the despatches of the orders: per item one receipt of the total before them, and a despatch per line. */
export function bookHistoryDespatches(
  tx: Transaction,
  book: Book,
  ids: Ids,
  { receiptId, lived }: { readonly receiptId: string; readonly lived: readonly LivedOrder[] },
): void {
  const despatches = despatchesOf(book.facilityCode, lived);
  if (despatches.length === 0) return;
  const occurredAt = new Date(Math.min(...lived.map(({ order }) => order.receivedMs)) - hourMs).toISOString();
  const reference = { referenceType: "receipt", referenceId: receiptId, occurredAt };
  const receipts = [...Map.groupBy(despatches, ({ sku }) => sku)].map(([sku, ofSku]): Movement => {
    const qty = ofSku.reduce((sum, despatch) => sum - despatch.qty, 0);
    return { ...lot, type: "RECEIPT", sku, qty, ...reference };
  });
  postMovements(tx.of(book.clientId), book, ids, [...receipts, ...despatches], silently);
}
