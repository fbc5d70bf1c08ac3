import type { Database } from "#/db/database.ts";
import { readSnapshot } from "#/db/store/snapshot.ts";
import { findBook } from "#/modules/inventory/ledger/book-repository.ts";
import { readStock, type SkuQuantities } from "#/modules/inventory/quantities.ts";
import { listSkusOfEntries, listStockedSkus } from "#/modules/inventory/rest/lookup-repository.ts";

/**
 * Positions have no gaps, so the difference of two positions is the number of entries between them. Reading this number
 * takes some 5 ms for each page. Beyond it the balances are read in SKU order: then nearly every balance has changed,
 * or all pages together read the whole list in one pass.
 */
export const entriesMaxDefault = 5_000;

export interface StockPage {
  /** The position of the last entry that the page includes. */
  readonly position: number;
  readonly skus: readonly string[];
  readonly quantities: ReadonlyMap<string, SkuQuantities>;
  /** The SKU after which the next page begins; undefined at the end. */
  readonly nextAfter: string | undefined;
}

export interface StockPageRequest {
  /** The last SKU of the previous page; `''` for the first page. */
  readonly after: string;
  /** Only SKUs with an entry after this position; undefined for all. */
  readonly since: number | undefined;
  readonly limit: number;
  /** The facility's local date, `YYYY-MM-DD`. */
  readonly today: string;
  readonly entriesMax?: number;
}

/** A page of the SKUs that have or had stock in a facility, in order, from one snapshot of the store. */
export function readStockPage(
  database: Database,
  clientId: string,
  facilityCode: string,
  request: StockPageRequest,
): Promise<StockPage> {
  const { after, since, today, entriesMax = entriesMaxDefault } = request;
  // One SKU more than requested shows whether there is a next page.
  const limit = request.limit + 1;
  return readSnapshot(database.ofClient(clientId), async (tx) => {
    const view = tx.of(clientId);
    const book = await findBook(view, facilityCode);
    const isNear = since !== undefined && (book?.last_position ?? 0) - since <= entriesMax;
    const found = isNear
      ? await listSkusOfEntries(view, facilityCode, { after, since, limit, entriesMax })
      : await listStockedSkus(view, facilityCode, { after, since: since ?? -1, limit });
    const skus = found.skus.slice(0, request.limit);
    const stock = await readStock(view, facilityCode, skus, today);
    const hasMore = found.skus.length > skus.length || found.isCut;
    return { position: stock.position, skus, quantities: stock.skus, nextAfter: hasMore ? skus.at(-1) : undefined };
  });
}
