import type { Transaction } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantSend } from "#/db/tenant.ts";

/** An entry as it travels: short names, because ten thousand of them go at once. Quantities are decimal text. */
export interface EntryRow {
  readonly i: string;
  readonly n: number;
  readonly t: string;
  readonly s: string;
  readonly p: string;
  readonly c: string;
  readonly b: string;
  readonly e: string;
  readonly q: string;
  readonly h: boolean;
  readonly a: string;
  readonly l: readonly string[] | undefined;
  readonly r: string | undefined;
  readonly y: string;
  readonly o: string;
  readonly d: string | undefined;
}

export function insertEntries(
  tx: Transaction,
  clientId: string,
  facilityCode: string,
  at: string,
  rows: readonly EntryRow[],
): void {
  tenantSend(
    tx,
    clientId,
    sql`insert into stock_movement as m (client_id, movement_id, facility_code, position, type, sku, stock_pool, condition,
        batch_ref, expiry_date, qty, affects_on_hand, allocated_change, serials, reason, reference_type, reference_id,
        booked_at, occurred_at)
      select t.client_id, x.i, ${facilityCode}, x.n, x.t, x.s, x.p, x.c, x.b, x.e, x.q, x.h, x.a, x.l, x.r, x.y, x.o,
        ${at}::timestamptz, coalesce(x.d, ${at}::timestamptz)
      from tenant t cross join json_to_recordset(${JSON.stringify(rows)}::json) as x(i uuid, n bigint, t text, s text,
        p text, c text, b text, e date, q numeric, h boolean, a numeric, l text[], r text, y text, o text, d timestamptz)
      where t.client_id = ${tenant}`,
  );
}

export interface BalanceChangeRow {
  readonly s: string;
  readonly p: string;
  readonly c: string;
  readonly b: string;
  readonly e: string;
  readonly q: string;
  readonly a: string;
  readonly n: number;
}

/**
 * Each balance once. Rows that are missing are made with nothing in them first: a CHECK looks at what is to be inserted
 * before a conflict is seen, so a difference below zero could not be upserted.
 */
export function addToBalances(
  tx: Transaction,
  clientId: string,
  facilityCode: string,
  at: string,
  rows: readonly BalanceChangeRow[],
): void {
  const json = JSON.stringify(rows);
  tenantSend(
    tx,
    clientId,
    sql`insert into stock_balance as b (client_id, facility_code, sku, stock_pool, condition, batch_ref, expiry_date, qty,
        received_at, last_position, last_moved_at)
      select t.client_id, ${facilityCode}, x.s, x.p, x.c, x.b, x.e, 0, ${at}::timestamptz, x.n, ${at}::timestamptz
      from tenant t cross join json_to_recordset(${json}::json) as x(s text, p text, c text, b text, e date, n bigint)
      where t.client_id = ${tenant}
      on conflict (client_id, facility_code, sku, stock_pool, condition, batch_ref, expiry_date) do nothing returning b.sku`,
  );
  tenantSend(
    tx,
    clientId,
    sql`update stock_balance b set qty = b.qty + x.q, allocated = b.allocated + x.a,
        received_at = case when b.qty = 0 and x.q > 0 then ${at}::timestamptz else b.received_at end,
        last_position = x.n, last_moved_at = ${at}::timestamptz
      from json_to_recordset(${json}::json)
        as x(s text, p text, c text, b text, e date, q numeric, a numeric, n bigint)
      where b.client_id = ${tenant} and b.facility_code = ${facilityCode} and b.sku = x.s and b.stock_pool = x.p
        and b.condition = x.c and b.batch_ref = x.b and b.expiry_date = x.e`,
  );
}

/** The first change that is not told yet keeps its moment, so that a SKU which never rests is told of all the same. */
export function touch(
  tx: Transaction,
  clientId: string,
  facilityCode: string,
  at: string,
  rows: readonly { readonly s: string; readonly w: boolean }[],
): void {
  tenantSend(
    tx,
    clientId,
    sql`insert into stock_touched as s (client_id, facility_code, sku, changed_at, wants_allocation)
      select t.client_id, ${facilityCode}, x.s, ${at}::timestamptz, x.w
      from tenant t cross join json_to_recordset(${JSON.stringify(rows)}::json) as x(s text, w boolean)
      where t.client_id = ${tenant}
      on conflict (client_id, facility_code, sku) do update set
        changed_at = case when s.changed_at is null then excluded.changed_at else s.changed_at end,
        wants_allocation = s.wants_allocation or excluded.wants_allocation
      returning s.sku`,
  );
}
