import type { Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery } from "#/db/tenant.ts";

// The nightly scans of ABC counts: in batches by key, each of a bounded number of rows.

export interface StockedSku {
  readonly sku: string;
  /** ISO 8601; null: the rule sees the stock for the first time. */
  readonly counted_at: string | null;
}

/** SKUs with GOOD stock after a SKU, in its order. SKUs with more lots than one task has are left out. */
export function listStockedSkus(
  tx: Tx,
  clientId: string,
  facilityCode: string,
  { after, lotsMax, limit }: { readonly after: string; readonly lotsMax: number; readonly limit: number },
): Promise<StockedSku[]> {
  return tenantQuery(
    tx,
    clientId,
    sql`select b.sku, (
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
      order by b.sku limit ${limit}`,
  );
}

export interface PickedSkus {
  /** Position of the oldest entry of the batch; null: there are no older entries. */
  readonly position: number | null;
  readonly picks: readonly { readonly sku: string; readonly picks: number }[];
}

/**
 * How often goods of each SKU were taken from their places, in a number of ledger entries before a position.
 *
 * @param fromId the id of the oldest entry of the period, which leaves out the months before it
 */
export async function countPicks(
  tx: Tx,
  clientId: string,
  facilityCode: string,
  { before, fromId, limit }: { readonly before: number; readonly fromId: string; readonly limit: number },
): Promise<PickedSkus> {
  const rows = await tenantQuery<{ position: number; sku: string; picks: number }>(
    tx,
    clientId,
    sql`select min(e.position) as position, e.sku,
        count(*) filter (where e.type = 'PICK' and e.qty > 0 or e.type = 'CONSUMPTION')::integer as picks
      from (
        select m.position, m.sku, m.type, m.qty from stock_movement m
        where m.client_id = ${tenant} and m.facility_code = ${facilityCode} and m.position > 0
          and m.position < ${before} and m.movement_id >= ${fromId}::uuid
        order by m.position desc limit ${limit}
      ) e
      group by e.sku limit ${limit}`,
  );
  const position = rows.length === 0 ? null : Math.min(...rows.map((row) => row.position));
  return { position, picks: rows.filter(({ picks }) => picks > 0) };
}
