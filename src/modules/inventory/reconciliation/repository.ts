import type { ClientTransaction, ClientTx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import { type MovementRecord, movement } from "#/modules/inventory/rest/history-contract.ts";
import { entryColumns, entrySources } from "#/modules/inventory/rest/history-repository.ts";

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

export interface ExplainingMovement extends MovementRecord {
  /** The number of entries of the SKU before the cut for serial numbers. */
  readonly found: number;
  /** The entry has too many serial numbers to show. It is included without them, only for the facts about its SKU. */
  readonly isCut: boolean;
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
  const columns = columnsOf(movement, "e", {
    ...entrySources,
    serials: sql`case when named <= ${max.serials} then coalesce(serials, '{}') else '{}' end`,
  });
  return tx.query(sql`select ${columns}, e.found, e.named > ${max.serials} as "isCut"
      from (
        select ${entryColumns},
          count(*) over (partition by m.sku)::integer as found,
          row_number() over (partition by m.sku order by m.position) as place,
          sum(coalesce(cardinality(m.serials), 0)) over (order by m.sku, m.position) as named
        from json_to_recordset(${wanted}::json) as given(sku text, after_position bigint, from_id uuid)
        cross join lateral (
          select ${entryColumns}
          from stock_movement m
          where m.client_id = ${tenant} and m.facility_code = ${facilityCode} and m.sku = given.sku and m.sku > ''
            and m.position > given.after_position and m.position <= ${to} and m.movement_id >= given.from_id
            and m.affects_on_hand
          order by m.position limit ${max.ofEach}) m
      ) e
      where e.place = 1 or e.named <= ${max.serials} limit 1000000`);
}
