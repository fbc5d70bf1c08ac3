import { lot, type StockLot, type StoredEntry, storedEntry } from "#/console-api/stock/contract.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import type { Refusal } from "#/kernel/refusal.ts";
import { ok, type Result } from "#/kernel/result.ts";
import { dayMs } from "#/kernel/values/durations.ts";
import { facilityToday, findDayEnd, readSkusOfDay } from "#/modules/inventory/index.ts";
import type { Change } from "#/store/db/audit.ts";
import type { ClientTx, Database } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

export interface StatementRange {
  /** Entries after this position. */
  readonly since: number;
  /** Entries before this position, and the balance there in thousandths; undefined: up to now. */
  readonly end: { readonly position: number; readonly onHand: number } | undefined;
}

/**
 * The positions between which the entries of some days of a facility are.
 * @param of `from` and `to`: `YYYY-MM-DD`, inclusive; undefined: no limit
 */
export async function findStatementRange(
  database: Database,
  change: Change,
  clientId: string,
  of: {
    readonly facilityCode: string;
    readonly sku: string;
    readonly from: string | undefined;
    readonly to: string | undefined;
  },
): Promise<Result<StatementRange, Refusal>> {
  const { facilityCode, sku, from, to } = of;
  let since = 0;
  if (from !== undefined) {
    const date = new Date(Date.parse(from) - dayMs).toISOString().slice(0, 10);
    const end = await findDayEnd(database, change, clientId, { facilityCode, date });
    if (!end.ok) return end;
    since = end.value.position;
  }
  const isPast = to !== undefined && to < (await facilityToday(database, facilityCode, change.at));
  if (!isPast) return ok({ since, end: undefined });
  const end = await findDayEnd(database, change, clientId, { facilityCode, date: to });
  if (!end.ok) return end;
  const [past] = await readSkusOfDay(database.of(clientId), facilityCode, end.value, [sku]);
  const onHand = (past?.pools ?? []).reduce((sum, pool) => sum + pool.onHand, 0);
  return ok({ since, end: { position: end.value.position + 1, onHand } });
}

/** A lot without a batch or an expiry date has a value in the store that stands for none. */
const batchRef = sql`nullif(batch_ref, '')`;
const expiryDate = sql`nullif(expiry_date, 'infinity')`;

const lotColumns = columnsOf(lot, "stock_balance", {
  distributionCentre: sql`facility_code`,
  batchRef,
  expiryDate,
  lastMovementAt: sql`last_moved_at`,
});

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
): Promise<StockLot[]> {
  return tx.query(sql`select ${lotColumns}
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

const entryColumns = columnsOf(storedEntry, "m", {
  at: sql`m.booked_at`,
  batchRef,
  expiryDate,
  reference: sql`json_build_object('type', m.reference_type, 'id', m.reference_id, 'poNumber', r.po_number,
    'vendorOrderId', r.vendor_order_id)`,
});

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
): Promise<StoredEntry[]> {
  return tx.query(sql`select ${entryColumns}
      from stock_movement m
      left join goods_receipt r on r.client_id = ${tenant} and r.facility_code = ${of.facilityCode}
        and r.receipt_id = m.reference_id and m.reference_type = 'receipt'
      where m.client_id = ${tenant} and m.facility_code = ${of.facilityCode} and m.sku = ${of.sku} and m.sku > ''
        and m.position < ${of.before} and m.position > ${of.since}
      order by m.position desc limit ${of.limit}`);
}
