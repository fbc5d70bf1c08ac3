import type { HistoryFrame } from "#/history-generator/frame.ts";
import { findHistorySkus, insertHistoryItems } from "#/history-generator/history-repository.ts";
import { itemRow } from "#/history-generator/history-rows.ts";
import { historyItem } from "#/history-generator/items.ts";
import { bookHistoryStock } from "#/history-generator/stock.ts";
import { openBooks } from "#/modules/inventory/index.ts";

/** Items from one number to another, with their stock, in one transaction. @returns how many of them were missing. */
export function seedItems(frame: HistoryFrame, from: number, to: number): Promise<number> {
  const { context, clientId, facilityCodes, fromMs, nowMs } = frame;
  const { database, ids } = context;
  const items = Array.from({ length: to - from + 1 }, (_, i) => historyItem(from + i));
  const skus = items.map(({ sku }) => sku);
  return database.transaction(async (tx) => {
    // Two runs at a time: the second one sees what the first has made.
    const books = await openBooks(tx, clientId, facilityCodes, new Date(nowMs).toISOString());
    const present = await findHistorySkus(tx, clientId, skus);
    const missing = items.filter(({ sku }) => !present.has(sku));
    if (missing.length === 0) return 0;
    const known = { at: new Date(fromMs).toISOString(), token: ids.next(nowMs) };
    insertHistoryItems.send(
      tx,
      clientId,
      missing.map((item) => itemRow(item, known)),
    );
    for (const book of books.values()) bookHistoryStock(tx, book, ids, missing);
    return missing.length;
  }, frame.limits);
}
