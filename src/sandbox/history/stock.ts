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

/** Books the despatches of the orders: per item one receipt of the total before them, and a despatch per line. */
export function bookHistoryDespatches(
  tx: Transaction,
  book: Book,
  ids: Ids,
  { receiptId, lived }: { readonly receiptId: string; readonly lived: readonly LivedOrder[] },
): void {
  const needed = new Map<string, number>();
  const despatches: Movement[] = [];
  let firstMs = Number.POSITIVE_INFINITY;
  for (const { order, life } of lived) {
    if (!life.parcel || order.facilityCode !== book.facilityCode) continue;
    const occurredAt = new Date(life.parcel.despatchedMs).toISOString();
    firstMs = Math.min(firstMs, order.receivedMs);
    for (const { item, pieces } of order.lines) {
      const qty = pieces * 1_000;
      needed.set(item.sku, (needed.get(item.sku) ?? 0) + qty);
      const reference = { referenceType: "order", referenceId: order.orderId, occurredAt };
      despatches.push({ ...lot, type: "DESPATCH", sku: item.sku, qty: -qty, ...reference });
    }
  }
  if (despatches.length === 0) return;
  const occurredAt = new Date(firstMs - hourMs).toISOString();
  const reference = { referenceType: "receipt", referenceId: receiptId, occurredAt };
  const receipts = [...needed].map(([sku, qty]): Movement => ({ ...lot, type: "RECEIPT", sku, qty, ...reference }));
  postMovements(tx.of(book.clientId), book, ids, [...receipts, ...despatches], silently);
}
