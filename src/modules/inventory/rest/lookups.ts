import Type, { type Static } from "typebox";
import { columnsOf } from "#/http/routes/columns.ts";
import { findBook } from "#/modules/inventory/ledger/book.ts";
import { readStock, type SkuQuantities } from "#/modules/inventory/quantities.ts";
import { type InventoryLot, lot } from "#/modules/inventory/rest/lookup-contract.ts";
import type { ClientTx, Database } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import { readSnapshot } from "#/store/db/store/snapshot.ts";

/**
 * Positions have no gaps, so the difference of two positions is the number of entries between them. Reading this number
 * takes some 5 ms for each page. Beyond it the balances are read in SKU order: then nearly every balance has changed,
 * or all pages together read the whole list in one pass.
 */
const entriesMaxDefault = 5_000;

interface StockPage {
  /** The position of the last entry that the page includes. */
  readonly position: number;
  readonly skus: readonly string[];
  readonly quantities: ReadonlyMap<string, SkuQuantities>;
  /** The SKU after which the next page begins; undefined at the end. */
  readonly nextAfter: string | undefined;
}

interface StockPageRequest {
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

/**
 * A lot of small goods may have a hundred thousand serial numbers; the limits keep an answer within a few megabytes.
 */
export interface LotLimits {
  readonly lots: number;
  readonly serials: number;
  readonly serialsOfLot: number;
}

const lotLimits: LotLimits = { lots: 20_000, serials: 20_000, serialsOfLot: 1_000 };

/**
 * The lots of SKUs with their serial numbers, by SKU; SKUs without lots are left out. Call it in a transaction that
 * reads one snapshot of the store.
 */
export async function readLots(
  tx: ClientTx,
  facilityCode: string,
  skus: readonly string[],
  limits: LotLimits = lotLimits,
): Promise<ReadonlyMap<string, InventoryLot[]>> {
  // One serial number more than returned shows whether there are more.
  const [rows, serials] = await Promise.all([
    listLots(tx, facilityCode, skus, limits.lots),
    listSerialsOfLots(tx, facilityCode, skus, {
      perLot: limits.serialsOfLot + 1,
      inAll: limits.serials + 1,
    }),
  ]);
  const named = Map.groupBy(serials.slice(0, limits.serials), keyOf);
  // Serial numbers come lot by lot. After a cut, those of the last lot and of all later lots may be missing.
  const cutAt = serials.length > limits.serials ? serials.at(-1) : undefined;
  const cutKey = cutAt && keyOf(cutAt);
  const lots = new Map<string, InventoryLot[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const ofLot = named.get(key);
    const isCut = cutKey !== undefined && (ofLot === undefined || key === cutKey);
    const isTruncated = isCut || (ofLot?.length ?? 0) > limits.serialsOfLot;
    const { sku, ...goods } = row;
    const ofSku = lots.get(sku);
    const names = (ofLot ?? []).slice(0, limits.serialsOfLot).map(({ serial }) => serial);
    const lot = { ...goods, serials: names, serialsTruncated: isTruncated };
    if (ofSku) ofSku.push(lot);
    else lots.set(sku, [lot]);
  }
  return lots;
}

const keyOf = ({ sku, stockPool, condition, batchRef, expiryDate }: LotKey) =>
  JSON.stringify([sku, stockPool, condition, batchRef, expiryDate]);

/** Balances that one page reads in SKU order, at most: one SKU may have more lots than a page has SKUs. */
const pageBalancesMax = 5_000;

interface SkuPage {
  /** In order; at most one more than requested. */
  readonly skus: readonly string[];
  /** True if there may be more SKUs after the last one. */
  readonly isCut: boolean;
}

/**
 * SKUs after one SKU that have or had stock in a facility.
 * @param since only those with an entry after this position; −1 for all.
 */
async function listStockedSkus(
  tx: ClientTx,
  facilityCode: string,
  page: { readonly after: string; readonly since: number; readonly limit: number },
): Promise<SkuPage> {
  const rows = await tx.query<{ sku: string; balances: number }>(sql`select s.sku, count(*) as balances
      from (
        select b.sku from stock_balance b
        where b.client_id = ${tenant} and b.facility_code = ${facilityCode} and b.sku > ${page.after}
          and b.last_position > ${page.since}
        order by b.sku limit ${pageBalancesMax}
      ) s
      group by s.sku order by s.sku limit ${page.limit}`);
  const balances = rows.reduce((sum, row) => sum + row.balances, 0);
  return { skus: rows.map(({ sku }) => sku), isCut: balances >= pageBalancesMax };
}

/**
 * The same from the entries, if at most `entriesMax` of them follow the position. It is fast if few of many SKUs have
 * changed, where the query on balances would read them from end to end.
 */
async function listSkusOfEntries(
  tx: ClientTx,
  facilityCode: string,
  page: { readonly after: string; readonly since: number; readonly limit: number; readonly entriesMax: number },
): Promise<SkuPage> {
  const rows = await tx.query<{ sku: string }>(sql`select distinct s.sku
      from (
        select m.sku from stock_movement m
        where m.client_id = ${tenant} and m.facility_code = ${facilityCode} and m.position > 0
          and m.position > ${page.since}
        order by m.position limit ${page.entriesMax}
      ) s
      where s.sku > ${page.after} order by s.sku limit ${page.limit}`);
  return { skus: rows.map(({ sku }) => sku), isCut: false };
}

/** A lot without its serial numbers. */
const goods = Type.Omit(lot, ["serials", "serialsTruncated"]);
type ListedLot = Static<typeof goods> & { readonly sku: string };

const lotKey = Type.Pick(lot, ["stockPool", "condition", "batchRef", "expiryDate"]);
type LotKey = Static<typeof lotKey> & { readonly sku: string };

const lotSources = { batchRef: sql`nullif(batch_ref, '')`, expiryDate: sql`nullif(expiry_date, 'infinity')` };
const goodsColumns = columnsOf(goods, "b", lotSources);
const keyColumns = columnsOf(lotKey, "q", lotSources);

/** Lots with on-hand quantity, SKU by SKU; within a SKU by expiry date. */
function listLots(tx: ClientTx, facilityCode: string, skus: readonly string[], limit: number): Promise<ListedLot[]> {
  return tx.query(sql`select b.sku, ${goodsColumns}
      from stock_balance b
      where b.client_id = ${tenant} and b.facility_code = ${facilityCode} and b.sku = any(${skus}::text[]) and b.qty > 0
      order by b.sku, b.expiry_date, b.received_at, b.stock_pool, b.condition, b.batch_ref limit ${limit}`);
}

/**
 * Serial numbers in stock, lot by lot in the order of the first columns of `listLots`, at most `perLot` of each lot.
 */
function listSerialsOfLots(
  tx: ClientTx,
  facilityCode: string,
  skus: readonly string[],
  max: { readonly perLot: number; readonly inAll: number },
): Promise<(LotKey & { readonly serial: string })[]> {
  return tx.query(sql`select q.sku, ${keyColumns}, q.serial
      from (
        select s.sku, s.stock_pool, s.condition, s.batch_ref, s.expiry_date, s.serial,
          row_number() over (partition by s.sku, s.stock_pool, s.condition, s.batch_ref, s.expiry_date
            order by s.serial) as place
        from stock_serial s
        where s.client_id = ${tenant} and s.facility_code = ${facilityCode} and s.sku = any(${skus}::text[])
          and s.state = 'IN_STOCK'
      ) q
      where q.place <= ${max.perLot}
      order by q.sku, q.stock_pool, q.condition, q.batch_ref, q.expiry_date, q.serial limit ${max.inAll}`);
}
