import type { HistoryFrame } from "#/history-generator/frame.ts";
import { findHistorySkus, insertHistoryItems } from "#/history-generator/history-repository.ts";
import { itemRow } from "#/history-generator/history-rows.ts";
import { historyItem } from "#/history-generator/items.ts";
import { bookHistoryStock } from "#/history-generator/stock.ts";
import { openBooks } from "#/modules/inventory/index.ts";

/** Inserts a range of items with their stock, in one transaction. @returns the number of new items. */
export function seedItems(frame: HistoryFrame, from: number, to: number): Promise<number> {
  const { context, clientId, facilityCodes, fromMs, nowMs } = frame;
  const { database, ids } = context;
  const items = Array.from({ length: to - from + 1 }, (_, i) => historyItem(from + i));
  const skus = items.map(({ sku }) => sku);
  return database.transaction(async (tx) => {
    const view = tx.of(clientId);
    // If two runs are concurrent, the second sees the rows of the first.
    const books = await openBooks(view, facilityCodes, new Date(nowMs).toISOString());
    const present = await findHistorySkus(view, skus);
    const missing = items.filter(({ sku }) => !present.has(sku));
    if (missing.length === 0) return 0;
    const known = { at: new Date(fromMs).toISOString(), token: ids.next(nowMs) };
    insertHistoryItems.send(
      view,
      missing.map((item) => itemRow(item, known)),
    );
    for (const book of books.values()) bookHistoryStock(tx, book, ids, missing);
    return missing.length;
  }, frame.limits);
}
