import type { ClientTransaction, ClientTx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import type { MovementRow } from "#/modules/inventory/rest/history-repository.ts";

export interface OnHandRow {
  readonly last_position: number;
  readonly last_booked_at: string;
  /** Null in the single row of a facility that has none of the SKUs. */
  readonly sku: string | null;
  readonly on_hand: string | null;
}

/** Position and on-hand quantity as one statement sees them; no row if the facility has no book of the client. */
export function readOnHand(tx: ClientTx, facilityCode: string, skus: readonly string[]): Promise<OnHandRow[]> {
  return tx.query(sql`select k.last_position, k.last_booked_at, s.sku, s.on_hand
      from stock_book k
      left join (
        select b.sku, sum(b.qty) as on_hand from stock_balance b
        where b.client_id = ${tenant} and b.facility_code = ${facilityCode} and b.sku = any(${skus}::text[])
        group by b.sku) s on true
      where k.client_id = ${tenant} and k.facility_code = ${facilityCode} limit 10000`);
}

export interface AgreementRow {
  readonly sku: string;
  readonly position: number;
  readonly qty: string;
  readonly reconciled_at: string;
  readonly later_movements_from: string;
}

export function listAgreements(tx: ClientTx, facilityCode: string, skus: readonly string[]): Promise<AgreementRow[]> {
  return tx.query(sql`select sku, position, qty, reconciled_at, later_movements_from from stock_reconciliation
      where client_id = ${tenant} and facility_code = ${facilityCode} and sku = any(${skus}::text[]) limit 10000`);
}

export interface NewAgreement {
  readonly sku: string;
  /** Decimal text. */
  readonly qty: string;
}

/** Of two concurrent agreements the one at the later position stays. */
export function writeAgreements(
  tx: ClientTransaction,
  facilityCode: string,
  at: { readonly position: number; readonly reconciledAt: string; readonly laterMovementsFrom: string },
  agreements: readonly NewAgreement[],
): void {
  tx.send(sql`insert into stock_reconciliation as target (client_id, facility_code, sku, position, qty, reconciled_at, later_movements_from)
      select t.client_id, ${facilityCode}, given.sku, ${at.position}::bigint, given.qty, ${at.reconciledAt}::timestamptz,
        ${at.laterMovementsFrom}::timestamptz
      from tenant t cross join json_to_recordset(${JSON.stringify(agreements)}::json) as given(sku text, qty numeric)
      where t.client_id = ${tenant} order by given.sku
      on conflict (client_id, facility_code, sku) do update set position = excluded.position, qty = excluded.qty,
        reconciled_at = excluded.reconciled_at, later_movements_from = excluded.later_movements_from
      where target.position <= excluded.position
      returning target.sku`);
}

export interface Since {
  readonly sku: string;
  /** Entries after this position. */
  readonly after: number;
  /** A lower bound of their ids. */
  readonly fromId: string;
}

export interface ExplainingMovement extends MovementRow {
  /** The number of entries of the SKU before the cut for serial numbers. */
  readonly found: number;
  /** The entry has too many serial numbers to show. It is included without them, only for the facts about its SKU. */
  readonly is_cut: boolean;
}

/**
 * The first entries of each SKU that changed its on-hand quantity, after the SKU's own position and up to a common one.
 * They come SKU by SKU until they reach the limit of serial numbers; the first entry of each SKU always comes.
 */
export function listMovementsSince(
  tx: ClientTx,
  facilityCode: string,
  since: readonly Since[],
  to: number,
  max: { readonly ofEach: number; readonly serials: number },
): Promise<ExplainingMovement[]> {
  const wanted = JSON.stringify(
    since.map(({ sku, after, fromId }) => ({ sku, after_position: after, from_id: fromId })),
  );
  return tx.query(sql`select e.position, e.type, e.sku, e.stock_pool, e.condition, e.batch_ref, e.expiry_date, e.qty, e.affects_on_hand,
        case when e.named <= ${max.serials} then e.serials end as serials, e.reason, e.reference_type, e.reference_id,
        e.booked_at, e.occurred_at, e.found, e.named > ${max.serials} as is_cut
      from (
        select l.position, l.type, l.sku, l.stock_pool, l.condition, l.batch_ref, l.expiry_date, l.qty, l.affects_on_hand,
          l.serials, l.reason, l.reference_type, l.reference_id, l.booked_at, l.occurred_at,
          count(*) over (partition by l.sku)::integer as found,
          row_number() over (partition by l.sku order by l.position) as place,
          sum(coalesce(cardinality(l.serials), 0)) over (order by l.sku, l.position) as named
        from json_to_recordset(${wanted}::json) as given(sku text, after_position bigint, from_id uuid)
        cross join lateral (
          select m.position, m.type, m.sku, m.stock_pool, m.condition, m.batch_ref, m.expiry_date, m.qty, m.affects_on_hand,
            m.serials, m.reason, m.reference_type, m.reference_id, m.booked_at, m.occurred_at
          from stock_movement m
          where m.client_id = ${tenant} and m.facility_code = ${facilityCode} and m.sku = given.sku and m.sku > ''
            and m.position > given.after_position and m.position <= ${to} and m.movement_id >= given.from_id
            and m.affects_on_hand
          order by m.position limit ${max.ofEach}) l
      ) e
      where e.place = 1 or e.named <= ${max.serials} limit 1000000`);
}
