import { type LotOfSku, lotColumns } from "#/modules/inventory/counts/repository.ts";
import type { MovementType } from "#/modules/inventory/ledger/ledger.ts";
import { type Condition, lotKey } from "#/modules/inventory/lot.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

/** The last position that was booked at or before a moment (ISO 8601); 0 if there is none. */
export async function positionAt(tx: ClientTx, facilityCode: string, at: string): Promise<number> {
  // Positions and booking moments rise together: the scan from the end passes only the later entries.
  const rows = await tx.query<{ position: number }>(sql`select position from stock_movement
      where client_id = ${tenant} and facility_code = ${facilityCode} and position > 0 and booked_at <= ${at}::timestamptz
      order by position desc limit 1`);
  return rows[0]?.position ?? 0;
}

export interface LaterMovement extends LotOfSku {
  readonly condition: Condition;
  readonly type: MovementType;
  readonly qty: number;
  readonly affectsOnHand: boolean;
  readonly serials: readonly string[];
}

/** Entries after a position that happened on the floor after a moment, newest first. */
export async function listLaterMovements(
  tx: ClientTx,
  facilityCode: string,
  skus: readonly string[],
  after: { readonly position: number; readonly at: string },
): Promise<LaterMovement[]> {
  return tx.query(sql`select type, ${lotColumns}, condition, (qty * 1000)::bigint as qty,
        affects_on_hand as "affectsOnHand", coalesce(serials, '{}') as serials
      from stock_movement
      where client_id = ${tenant} and facility_code = ${facilityCode} and sku = any(${skus}::text[]) and sku > ''
        and position > ${after.position} and occurred_at > ${after.at}::timestamptz
        and (affects_on_hand or type = 'PICK')
      order by position desc limit 1000000`);
}

export interface ShortPicked extends LotOfSku {
  /** Short-picked quantity on hold now, thousandths. */
  readonly qty: number;
  /** The part of it from before the requested moment. */
  readonly qtyThen: number;
}

/**
 * Short-picked quantity on hold of these SKUs, less the part that has ended since: by a count, or because the on-hold
 * balance was lower at some time, for example after a manual release. @param at ISO 8601.
 */
export async function listShortPicked(
  tx: ClientTx,
  facilityCode: string,
  skus: readonly string[],
  at: string,
): Promise<ShortPicked[]> {
  const rows = await tx.query<ShortPicked>(sql`select ${lotColumns}, (sum(qty) * 1000)::bigint as qty,
        (coalesce(sum(qty) filter (where occurred_at <= ${at}::timestamptz), 0) * 1000)::bigint as "qtyThen"
      from stock_movement
      where client_id = ${tenant} and facility_code = ${facilityCode} and sku = any(${skus}::text[])
        and reason = 'SHORT_PICK' and condition = 'ON_HOLD' and affects_on_hand
      group by sku, stock_pool, batch_ref, expiry_date limit 1000000`);
  const open = rows.filter(({ qty }) => qty > 0);
  if (open.length === 0) return [];
  const lowest = await listLowestOnHold(tx, facilityCode, [...new Set(open.map(({ sku }) => sku))]);
  // If the sum of all other entries was below zero, they took that much of the short-picked quantity.
  return open.map((lot) => ({ ...lot, qty: lot.qty + Math.min(0, lowest.get(lotKey(lot)) ?? 0) }));
}

/**
 * Of SKUs without any unit, the lot whose last units left. SKUs are left out whose stock ended in another way, such as
 * a count, and those with a count of this cause since.
 */
export async function listEmptiedLots(
  tx: ClientTx,
  facilityCode: string,
  skus: readonly string[],
): Promise<LotOfSku[]> {
  return tx.query(sql`select k.sku, m.stock_pool as "stockPool", m.batch_ref as "batchRef", m.expiry_date as "expiryDate"
      from unnest(${skus}::text[]) as k(sku)
      cross join lateral (
        select s.type, s.stock_pool, s.batch_ref, s.expiry_date, s.booked_at from stock_movement s
        where s.client_id = ${tenant} and s.facility_code = ${facilityCode} and s.sku = k.sku and s.sku > ''
          and s.affects_on_hand
        order by s.position desc limit 1
      ) m
      where m.type in ('DESPATCH', 'CONSUMPTION') and not exists (
        select from stock_count c
        where c.client_id = ${tenant} and c.facility_code = ${facilityCode} and c.sku = k.sku
          and c.cause = 'ZERO_BALANCE' and c.requested_at >= m.booked_at
      )
      limit 1000`);
}

/** The lowest running sum of the on-hold entries that belong to no short pick, by `lotKey`. */
async function listLowestOnHold(
  tx: ClientTx,
  facilityCode: string,
  skus: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await tx.query<
    LotOfSku & { readonly lowest: number }
  >(sql`select ${lotColumns}, (min(q.running) * 1000)::bigint as lowest
      from (
        select m.sku, m.stock_pool, m.batch_ref, m.expiry_date,
          sum(case when m.reason = 'SHORT_PICK' then 0 else m.qty end)
            over (partition by m.sku, m.stock_pool, m.batch_ref, m.expiry_date order by m.position) as running
        from stock_movement m
        where m.client_id = ${tenant} and m.facility_code = ${facilityCode} and m.sku = any(${skus}::text[]) and m.sku > ''
          and m.condition = 'ON_HOLD' and m.affects_on_hand
      ) q
      group by q.sku, q.stock_pool, q.batch_ref, q.expiry_date limit 1000000`);
  return new Map(rows.map((row) => [lotKey(row), row.lowest]));
}
