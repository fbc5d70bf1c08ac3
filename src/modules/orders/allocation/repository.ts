import { isAllocatable, orderOfUse } from "#/modules/inventory/index.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { type Statement, sql, tenant } from "#/store/db/sql.ts";

/** A quantity of one lot that is allocated to a line. */
export interface Match {
  readonly orderId: string;
  readonly lineNumber: number;
  readonly sku: string;
  /** The pool of the lot: the line's own pool, or DEFAULT. */
  readonly stockPool: string;
  readonly batchRef: string;
  readonly expiryDate: string;
  readonly qty: number;
}

export interface MatchAsk {
  readonly facilityCode: string;
  /**
   * The facility's local date, `YYYY-MM-DD`. Lots that expire before it, or before `MinShelfLifeDays` after it, are not
   * allocated.
   */
  readonly today: string;
  readonly skus: readonly string[];
  /** The orders whose lines are read: all, only these, or these and all backordered ones. */
  readonly orders: "ALL" | { readonly orderIds: readonly string[]; readonly besides: "NOBODY" | "BACKORDERED" };
  readonly linesMax: number;
}

export interface Matches {
  readonly matches: readonly Match[];
  /** True: no remaining line could get more stock. */
  readonly isDone: boolean;
}

/**
 * Matches lots with lines in one statement, whatever the number of lines. The free lots of each SKU form one row, end
 * to end in the order of use. The waiting lines form a parallel row in the order of allocation. A line gets the lots
 * that it overlaps. The pools that lines name come first; then DEFAULT covers the remaining quantities of all lines in
 * one row.
 *
 * For a SKU without free stock the statement reads no lines. For the other SKUs it reads at most as many lines as there
 * are units (at most `linesMax`), through the index of waiting lines, in index order.
 *
 * The statement uses no joins. Both rows are merged and ordered by where each piece ends. Each stretch between two ends
 * belongs to the next line and the next lot that follow it. The planner has no statistics for these computed rows and
 * chose nested loops for joins: 60 s instead of a tenth of a second.
 *
 * @returns `hasKits`: lines of kits are among the lines that were read, so that `matchKits` decides.
 */
export async function matchLines(tx: ClientTx, ask: MatchAsk): Promise<Matches & { readonly hasKits: boolean }> {
  const { facilityCode, today, skus, orders, linesMax } = ask;
  const rows = await tx.query<Matched>(sql`with lot as materialized (
        select b.sku, b.stock_pool, b.batch_ref, b.expiry_date, b.qty - b.allocated as free,
          sum(b.qty - b.allocated) over (partition by b.sku, b.stock_pool
            order by ${orderOfUse}) as upto
        from stock_balance b
        where b.client_id = ${tenant} and b.facility_code = ${facilityCode} and b.sku = any(${skus}::text[])
          and ${isAllocatable(today)}
      ), supply as materialized (
        select sku, array_agg(distinct stock_pool) as pools, bool_or(stock_pool = 'DEFAULT') as has_default, sum(free) as free,
          least(ceil(sum(free)), ${linesMax}::integer)::integer as lines_max
        from lot group by sku
      ), line as materialized (
        select w.sku, w.order_id, w.line_number, w.stock_pool, w.kit_qty, w.wanted, w.turn, s.free, s.lines_max
        from supply s cross join lateral (
          select l.sku, l.order_id, l.line_number, l.stock_pool, l.kit_qty, l.qty_open + l.qty_backordered as wanted,
            row_number() over (order by l.priority, l.accepted_at, l.order_id, l.line_number) as turn
          from sales_order_line l
          where l.client_id = ${tenant} and l.facility_code = ${facilityCode} and l.sku = s.sku
            and l.qty_open + l.qty_backordered > 0 and (s.has_default or l.stock_pool = any(s.pools))
            and ${isServed(orders)}
            and (select o.holds from sales_order o where o.client_id = ${tenant} and o.order_id = l.order_id limit 1) = '[]'
          order by l.priority, l.accepted_at, l.order_id, l.line_number limit s.lines_max
        ) w limit ${linesMax}
      ), own as materialized (
        select sku, stock_pool, order_id, line_number, turn, wanted, upto,
          case when stock_pool = 'DEFAULT' then 0 else greatest(0, least(upto, free) - (upto - wanted)) end as got
        from (
          select sku, stock_pool, order_id, line_number, turn, wanted,
            sum(wanted) over (partition by sku, stock_pool order by turn) as upto,
            coalesce(sum(free) over (partition by sku, stock_pool), 0) as free
          from (
            select sku, stock_pool, order_id, line_number, turn, wanted, null::numeric as free from line
            union all
            select sku, stock_pool, null, null, 0, 0, free from lot
          ) both_sides
        ) beside where order_id is not null
      ), piece as materialized (
        select sku, stock_pool as pool, upto, order_id, line_number, null as batch_ref, null::date as expiry_date
        from own where stock_pool <> 'DEFAULT'
        union all
        select sku, 'DEFAULT', sum(wanted - got) over (partition by sku order by turn), order_id, line_number, null, null
        from own where got < wanted
        union all
        select sku, stock_pool, upto, null, null, batch_ref, expiry_date from lot
      ), stretch as materialized (
        select sku, pool, order_id, line_number, batch_ref, expiry_date,
          upto - coalesce(lag(upto) over (partition by sku, pool order by upto, order_id), 0) as qty,
          count(order_id) over behind as next_line, count(batch_ref) over behind as next_lot
        from piece
        window behind as (partition by sku, pool order by upto desc, order_id desc rows unbounded preceding)
      )
      select order_id as "orderId", line_number as "lineNumber", sku, pool as "stockPool", batch_ref as "batchRef",
        expiry_date as "expiryDate", (qty * 1000)::bigint as qty from (
        select sku, pool, qty,
          max(order_id) over (partition by sku, pool, next_line) as order_id,
          max(line_number) over (partition by sku, pool, next_line) as line_number,
          max(batch_ref) over (partition by sku, pool, next_lot) as batch_ref,
          max(expiry_date) over (partition by sku, pool, next_lot) as expiry_date, next_line, next_lot
        from stretch
      ) matched where qty > 0 and next_line > 0 and next_lot > 0
      union all
      select null, null, sku, null, null, null, (max(free) * 1000)::bigint from line group by sku having count(*) >= max(lines_max)
      union all
      select null, null, null, null, null, null, null from line having count(*) >= ${linesMax}
      union all
      select null, 0, null, null, null, null, null from line having count(kit_qty) > 0
      limit 1000000`);
  const hasKits = rows.some(({ orderId, lineNumber }) => orderId === null && lineNumber !== null);
  const matches = rows.filter(isMatch);
  const allocatedBySku = new Map<string, number>();
  for (const { sku, qty } of matches) allocatedBySku.set(sku, (allocatedBySku.get(sku) ?? 0) + qty);
  // Unread lines have nothing to wait for if all free stock of their SKU is allocated.
  const isCut = rows.some(
    ({ orderId, lineNumber, sku, qty }) =>
      orderId === null && lineNumber === null && (sku === null || (qty ?? 0) > (allocatedBySku.get(sku) ?? 0)),
  );
  return { matches, isDone: !isCut, hasKits };
}

/**
 * A match. Without an order: the free stock of a SKU that has more lines than were read; without a SKU: the sign that
 * the total of lines reached its limit, and with a line number: that lines of kits are among them.
 */
type Matched = { readonly [Field in keyof Match]: Match[Field] | null };
const isMatch = (row: Matched): row is Match => row.orderId !== null;

export function isServed(orders: MatchAsk["orders"]): Statement {
  if (orders === "ALL") return sql`true`;
  const isNamed = sql`l.order_id = any(${orders.orderIds}::text[])`;
  return orders.besides === "NOBODY" ? isNamed : sql`(l.qty_backordered > 0 or ${isNamed})`;
}
