import { formatQuantity, storedQuantity } from "#/kernel/values/quantity.ts";
import type { Condition, Lot } from "#/modules/inventory/lot.ts";
import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { combined, setOf } from "#/store/db/row-set.ts";
import { sql, tenant } from "#/store/db/sql.ts";

// Ten thousand entries go in one statement: their common values are sent once, not with each row.

/** An entry; quantities are decimal text. */
export interface EntryRow {
  readonly movement_id: string;
  readonly position: number;
  readonly type: string;
  readonly sku: string;
  readonly stock_pool: string;
  readonly condition: string;
  readonly batch_ref: string;
  readonly expiry_date: string;
  readonly qty: string;
  readonly affects_on_hand: boolean;
  readonly allocated_change: string;
  readonly serials: readonly string[] | undefined;
  readonly reason: string | undefined;
  readonly reference_type: string;
  readonly reference_id: string;
  /** Omitted: the moment of booking. */
  readonly occurred_at: string | undefined;
}

export function insertEntries(
  tx: ClientTransaction,
  facilityCode: string,
  at: string,
  rows: readonly EntryRow[],
): void {
  tx.send(
    setOf(
      rows,
      (
        entries,
      ) => sql`insert into stock_movement (client_id, movement_id, facility_code, position, type, sku, stock_pool, condition,
        batch_ref, expiry_date, qty, affects_on_hand, allocated_change, serials, reason, reference_type, reference_id,
        booked_at, occurred_at)
      select t.client_id, given.movement_id, ${facilityCode}, given.position, given.type, given.sku, given.stock_pool,
        given.condition, given.batch_ref, given.expiry_date, given.qty, given.affects_on_hand, given.allocated_change,
        given.serials, given.reason, given.reference_type, given.reference_id, ${at}::timestamptz,
        coalesce(given.occurred_at, ${at}::timestamptz)
      from tenant t cross join json_to_recordset(${JSON.stringify(entries)}::json) as given(movement_id uuid,
        position bigint, type text, sku text, stock_pool text, condition text, batch_ref text, expiry_date date,
        qty numeric, affects_on_hand boolean, allocated_change numeric, serials text[], reason text, reference_type text,
        reference_id text, occurred_at timestamptz)
      where t.client_id = ${tenant}`,
      { writes: "stock_movement" },
    ),
  );
}

export interface BalanceChangeRow {
  readonly sku: string;
  readonly stock_pool: string;
  readonly condition: string;
  readonly batch_ref: string;
  readonly expiry_date: string;
  /** Integer thousandths. */
  readonly qty: number;
  readonly allocated: number;
  readonly position: number;
}

const balanceKeyOf = ({ sku, stock_pool, condition, batch_ref, expiry_date }: BalanceChangeRow) =>
  JSON.stringify([sku, stock_pool, condition, batch_ref, expiry_date]);

const sumsOf = (rows: readonly BalanceChangeRow[]) =>
  combined(rows, balanceKeyOf, (left, right) => ({
    ...left,
    qty: left.qty + right.qty,
    allocated: left.allocated + right.allocated,
    position: Math.max(left.position, right.position),
  }));

const balanceJson = (rows: readonly BalanceChangeRow[]) =>
  JSON.stringify(
    rows.map(({ qty, allocated, ...row }) => ({
      ...row,
      qty_change: formatQuantity(qty),
      allocated_change: formatQuantity(allocated),
    })),
  );

/**
 * Writes each balance once. Missing rows are first inserted with zero quantities: PostgreSQL checks a CHECK on the
 * inserted row before it detects the conflict, so it would reject an upsert with a negative difference.
 */
export function addToBalances(
  tx: ClientTransaction,
  facilityCode: string,
  at: string,
  rows: readonly BalanceChangeRow[],
): void {
  // Both statements have the same rows, unless work that shares the transaction adds some.
  const json = balanceJson(rows);
  const jsonOf = (changes: readonly BalanceChangeRow[]) => (changes === rows ? json : balanceJson(changes));
  tx.send(
    setOf(
      rows,
      (
        changes,
      ) => sql`insert into stock_balance as target (client_id, facility_code, sku, stock_pool, condition, batch_ref, expiry_date,
        qty, received_at, last_position, last_moved_at)
      select t.client_id, ${facilityCode}, given.sku, given.stock_pool, given.condition, given.batch_ref,
        given.expiry_date, 0, ${at}::timestamptz, given.position, ${at}::timestamptz
      from tenant t cross join json_to_recordset(${jsonOf(changes)}::json) as given(sku text, stock_pool text, condition text,
        batch_ref text, expiry_date date, position bigint)
      where t.client_id = ${tenant}
      on conflict (client_id, facility_code, sku, stock_pool, condition, batch_ref, expiry_date) do nothing
      returning target.sku`,
      { writes: "stock_balance", combine: sumsOf },
    ),
  );
  tx.send(
    setOf(
      rows,
      (
        changes,
      ) => sql`update stock_balance b set qty = b.qty + given.qty_change, allocated = b.allocated + given.allocated_change,
        received_at = case when b.qty = 0 and given.qty_change > 0 then ${at}::timestamptz else b.received_at end,
        last_position = greatest(b.last_position, given.position), last_moved_at = ${at}::timestamptz
      from (
        select sku, stock_pool, condition, batch_ref, expiry_date, qty_change, allocated_change, position
        from json_to_recordset(${jsonOf(changes)}::json) as given(sku text, stock_pool text, condition text, batch_ref text,
          expiry_date date, qty_change numeric, allocated_change numeric, position bigint)
        limit ${changes.length}
      ) given
      where b.client_id = ${tenant} and b.facility_code = ${facilityCode} and b.sku = given.sku
        and b.stock_pool = given.stock_pool and b.condition = given.condition and b.batch_ref = given.batch_ref
        and b.expiry_date = given.expiry_date`,
      { writes: "stock_balance", combine: sumsOf },
    ),
  );
}

interface ChangedSku {
  readonly sku: string;
  readonly needs_allocation: boolean;
}

/**
 * The first unreported change keeps its moment, so that a constantly changing SKU is reported too. The earlier moment
 * counts: after a clock was a day ahead, a SKU is not silent for a day. Most changes of a SKU that moves write nothing.
 */
export function markChanged(
  tx: ClientTransaction,
  facilityCode: string,
  at: string,
  rows: readonly ChangedSku[],
): void {
  tx.send(
    setOf(
      rows,
      (changes) => sql`insert into stock_change as target (client_id, facility_code, sku, changed_at, needs_allocation)
      select t.client_id, ${facilityCode}, given.sku, ${at}::timestamptz, given.needs_allocation
      from tenant t cross join json_to_recordset(${JSON.stringify(changes)}::json) as given(sku text,
        needs_allocation boolean)
      where t.client_id = ${tenant}
      on conflict (client_id, facility_code, sku) do update set
        changed_at = case when target.changed_at < excluded.changed_at then target.changed_at else excluded.changed_at end,
        needs_allocation = target.needs_allocation or excluded.needs_allocation
      where target.changed_at is null or target.changed_at > excluded.changed_at
        or (excluded.needs_allocation and not target.needs_allocation)
      returning target.sku`,
      { writes: "stock_change", combine: wantsOf },
    ),
  );
}

const wantsOf = (rows: readonly ChangedSku[]) =>
  combined(
    rows,
    ({ sku }) => sku,
    (left, right) => ({ ...left, needs_allocation: left.needs_allocation || right.needs_allocation }),
  );

/** Quantities in integer thousandths of the stock unit. */
export interface Balance extends Lot {
  readonly sku: string;
  readonly condition: Condition;
  readonly qty: number;
  /** Allocated by orders and work orders, picked and packed units included; 0 for stock that is not GOOD. */
  readonly allocated: number;
  /** The moment since which the lot has had stock without a break. */
  readonly receivedAt: string;
}

/** The balances of these SKUs in a facility, in all conditions, without empty lots. */
export async function listBalances(tx: ClientTx, facilityCode: string, skus: readonly string[]): Promise<Balance[]> {
  if (skus.length === 0) return [];
  const rows = await tx.query<{
    sku: string;
    stock_pool: string;
    condition: Condition;
    batch_ref: string;
    expiry_date: string;
    qty: string;
    allocated: string;
    received_at: string;
  }>(sql`select sku, stock_pool, condition, batch_ref, expiry_date, qty, allocated, received_at from stock_balance
      where client_id = ${tenant} and facility_code = ${facilityCode} and sku = any(${skus}::text[]) and qty > 0
      limit 1000000`);
  return rows.map((row) => ({
    sku: row.sku,
    stockPool: row.stock_pool,
    condition: row.condition,
    batchRef: row.batch_ref,
    expiryDate: row.expiry_date,
    qty: storedQuantity(row.qty),
    allocated: storedQuantity(row.allocated),
    receivedAt: row.received_at,
  }));
}
