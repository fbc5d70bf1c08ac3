import Type, { type Static } from "typebox";
import type { ClientTx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import { lot } from "#/modules/inventory/rest/lookup-contract.ts";

/** Balances that one page reads in SKU order, at most: one SKU may have more lots than a page has SKUs. */
const pageBalancesMax = 5_000;

export interface SkuPage {
  /** In order; at most one more than requested. */
  readonly skus: readonly string[];
  /** True if there may be more SKUs after the last one. */
  readonly isCut: boolean;
}

/**
 * SKUs after one SKU that have or had stock in a facility.
 * @param since only those with an entry after this position; −1 for all.
 */
export async function listStockedSkus(
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
export async function listSkusOfEntries(
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
export type ListedLot = Static<typeof goods> & { readonly sku: string };

const lotKey = Type.Pick(lot, ["stockPool", "condition", "batchRef", "expiryDate"]);
export type LotKey = Static<typeof lotKey> & { readonly sku: string };

const lotSources = { batchRef: sql`nullif(batch_ref, '')`, expiryDate: sql`nullif(expiry_date, 'infinity')` };
const goodsColumns = columnsOf(goods, "b", lotSources);
const keyColumns = columnsOf(lotKey, "q", lotSources);

/** Lots with on-hand quantity, SKU by SKU; within a SKU by expiry date. */
export function listLots(
  tx: ClientTx,
  facilityCode: string,
  skus: readonly string[],
  limit: number,
): Promise<ListedLot[]> {
  return tx.query(sql`select b.sku, ${goodsColumns}
      from stock_balance b
      where b.client_id = ${tenant} and b.facility_code = ${facilityCode} and b.sku = any(${skus}::text[]) and b.qty > 0
      order by b.sku, b.expiry_date, b.received_at, b.stock_pool, b.condition, b.batch_ref limit ${limit}`);
}

/**
 * Serial numbers in stock, lot by lot in the order of the first columns of `listLots`, at most `perLot` of each lot.
 */
export function listSerialsOfLots(
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
