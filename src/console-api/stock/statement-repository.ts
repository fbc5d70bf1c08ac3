import type { ClientTx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";

/** A lot of a product; quantities in PostgreSQL's numeric notation. */
export interface LotRow {
  readonly facility_code: string;
  readonly stock_pool: string;
  readonly condition: string;
  readonly batch_ref: string;
  readonly expiry_date: string;
  readonly qty: string;
  readonly allocated: string;
  readonly received_at: string;
  readonly last_moved_at: string;
}

/** The stock of a product, lot by lot, in all facilities or in some; used-up lots are omitted. */
export function listLots(
  tx: ClientTx,
  of: {
    readonly sku: string;
    /** Null: any. */
    readonly batchRef: string | null;
    readonly facilityCodes: readonly string[] | null;
    readonly limit: number;
  },
): Promise<LotRow[]> {
  return tx.query(sql`select facility_code, stock_pool, condition, batch_ref, expiry_date, qty, allocated, received_at, last_moved_at
      from stock_balance
      where client_id = ${tenant} and sku = ${of.sku} and sku > '' and qty > 0
        and (${of.batchRef}::text is null or batch_ref = ${of.batchRef})
        and (${of.facilityCodes}::text[] is null or facility_code = any(${of.facilityCodes}::text[]))
      order by facility_code, condition, stock_pool, expiry_date, batch_ref limit ${of.limit}`);
}

/** The current stock of a product in the facility, in all conditions; `'0'` for none. */
export async function findOnHand(tx: ClientTx, facilityCode: string, sku: string): Promise<string> {
  const rows = await tx.query<{ on_hand: string }>(sql`select coalesce(sum(qty), 0) as on_hand from stock_balance
      where client_id = ${tenant} and facility_code = ${facilityCode} and sku = ${sku} limit 1`);
  return rows[0]?.on_hand ?? "0";
}

export interface StatementRow {
  readonly position: number;
  readonly booked_at: string;
  readonly occurred_at: string;
  readonly type: string;
  readonly stock_pool: string;
  readonly condition: string;
  readonly batch_ref: string;
  readonly expiry_date: string;
  readonly qty: string;
  readonly affects_on_hand: boolean;
  readonly allocated_change: string;
  readonly reason: string | null;
  readonly reference_type: string;
  readonly reference_id: string;
  /** Of a receipt: its purchase order. */
  readonly po_number: string | null;
  readonly vendor_order_id: string | null;
}

/** Entries of a product in a facility after one position and before another, the newest first. */
export function listEntriesBefore(
  tx: ClientTx,
  of: {
    readonly facilityCode: string;
    readonly sku: string;
    readonly since: number;
    readonly before: number;
    readonly limit: number;
  },
): Promise<StatementRow[]> {
  return tx.query(sql`select m.position, m.booked_at, m.occurred_at, m.type, m.stock_pool, m.condition, m.batch_ref, m.expiry_date,
        m.qty, m.affects_on_hand, m.allocated_change, m.reason, m.reference_type, m.reference_id, r.po_number,
        r.vendor_order_id
      from stock_movement m
      left join goods_receipt r on r.client_id = ${tenant} and r.facility_code = ${of.facilityCode}
        and r.receipt_id = m.reference_id and m.reference_type = 'receipt'
      where m.client_id = ${tenant} and m.facility_code = ${of.facilityCode} and m.sku = ${of.sku} and m.sku > ''
        and m.position < ${of.before} and m.position > ${of.since}
      order by m.position desc limit ${of.limit}`);
}
