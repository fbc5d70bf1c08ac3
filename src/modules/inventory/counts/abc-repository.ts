import type { ClientTx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";

// The nightly scans of ABC counts: in batches by key, each of a bounded number of rows.

export interface StockedSku {
  readonly sku: string;
  /** ISO 8601; null: the rule sees the stock for the first time. */
  readonly counted_at: string | null;
}

/** SKUs with GOOD stock after a SKU, in its order. SKUs with more lots than one task has are left out. */
export function listStockedSkus(
  tx: ClientTx,
  facilityCode: string,
  { after, lotsMax, limit }: { readonly after: string; readonly lotsMax: number; readonly limit: number },
): Promise<StockedSku[]> {
  return tx.query(sql`select b.sku, (
        select l.counted_at from stock_last_count l
        where l.client_id = ${tenant} and l.facility_code = ${facilityCode} and l.sku = b.sku limit 1
      ) as counted_at
      from (
        select s.sku from stock_balance s
        where s.client_id = ${tenant} and s.facility_code = ${facilityCode} and s.sku > ${after}
          and s.condition = 'GOOD' and s.qty > 0
        group by s.sku having count(*) <= ${lotsMax}
        order by s.sku limit ${limit}
      ) b
      order by b.sku limit ${limit}`);
}

/** The positions of the ledger of a book from a month on; null: it has no entries. @param fromId the first id of the month */
export async function findPositions(
  tx: ClientTx,
  facilityCode: string,
  fromId: string,
): Promise<{ readonly oldest: number; readonly newest: number } | undefined> {
  const [row] = await tx.query<{ oldest: number | null; newest: number | null }>(sql`select (
        select m.position from stock_movement m
        where m.client_id = ${tenant} and m.facility_code = ${facilityCode} and m.position > 0 and m.movement_id >= ${fromId}::uuid
        order by m.position limit 1
      ) as oldest, (
        select m.position from stock_movement m
        where m.client_id = ${tenant} and m.facility_code = ${facilityCode} and m.position > 0 and m.movement_id >= ${fromId}::uuid
        order by m.position desc limit 1
      ) as newest`);
  return row?.oldest == null || row.newest == null ? undefined : { oldest: row.oldest, newest: row.newest };
}

export interface PickedSkus {
  /** Position of the oldest entry of the batch; null: there are no older entries of the period. */
  readonly position: number | null;
  readonly picks: readonly { readonly sku: string; readonly picks: number }[];
}

/**
 * How often goods of each SKU were taken from their places since a moment, in a number of ledger entries before a
 * position.
 *
 * @param fromId the first id of the month of that moment. It leaves out whole partitions and no row of the others: a
 * later id would read the rest of its month for nothing.
 */
export async function countPicks(
  tx: ClientTx,
  facilityCode: string,
  range: { readonly before: number; readonly since: string; readonly fromId: string; readonly limit: number },
): Promise<PickedSkus> {
  const { before, since, fromId, limit } = range;
  const rows = await tx.query<{
    position: number;
    booked_at: string;
    sku: string;
    picks: number;
  }>(sql`select min(e.position) as position, min(e.booked_at) as booked_at, e.sku,
        count(*) filter (
          where (e.type = 'PICK' and e.qty > 0 or e.type = 'CONSUMPTION') and e.booked_at >= ${since}::timestamptz
        )::integer as picks
      from (
        select m.position, m.booked_at, m.sku, m.type, m.qty from stock_movement m
        where m.client_id = ${tenant} and m.facility_code = ${facilityCode} and m.position > 0
          and m.position < ${before} and m.movement_id >= ${fromId}::uuid
        order by m.position desc limit ${limit}
      ) e
      group by e.sku limit ${limit}`);
  const isOver = rows.length === 0 || rows.some(({ booked_at }) => booked_at < since);
  const position = isOver ? null : Math.min(...rows.map((row) => row.position));
  return { position, picks: rows.filter(({ picks }) => picks > 0) };
}
