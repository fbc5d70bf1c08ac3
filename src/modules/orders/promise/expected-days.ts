import { linesMax } from "#/modules/orders/promise/promised-days.ts";
import { expectedGoods } from "#/modules/purchasing/index.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

interface ExpectedAsk {
  readonly facilityCode: string;
  readonly skus: readonly string[];
  /** The facility's local date, `YYYY-MM-DD`. */
  readonly today: string;
}

/** Answers the day on which a further quantity is there that is behind all that waits; each call is behind the last. */
export type ExpectedDays = (sku: string, qty: number) => string | undefined;

/**
 * One statement for all SKUs. Only those that open purchase orders bring cost a look at the lines that wait; where more wait
 * than get a promise, there is no day.
 */
export async function readExpectedDays(
  tx: ClientTx,
  { facilityCode, skus, today }: ExpectedAsk,
): Promise<ExpectedDays> {
  if (skus.length === 0) return () => undefined;
  const rows = await tx.query<{
    sku: string;
    day: string;
    upto: number;
    waiting: number | null;
  }>(sql`with expected as materialized (
        ${expectedGoods(facilityCode, skus, today)}
      ), waiting as materialized (
        select named.sku, (
          select case when count(*) < ${linesMax} then coalesce(sum(w.qty), 0) end from (
            select l.qty_open + l.qty_backordered as qty from sales_order_line l
            where l.client_id = ${tenant} and l.facility_code = ${facilityCode} and l.sku = named.sku
              and l.qty_open + l.qty_backordered > 0
            limit ${linesMax}) w) as qty
        from (select distinct sku from expected) named
      )
      select e.sku, e.day, (sum(e.qty) over (partition by e.sku order by e.day) * 1000)::float8 as upto,
        ((select w.qty from waiting w where w.sku = e.sku limit 1) * 1000)::float8 as waiting
      from expected e order by e.sku, e.day limit 100000`);
  const daysOf = Map.groupBy(rows, ({ sku }) => sku);
  const promised = new Map<string, number>();
  return (sku, qty) => {
    const days = daysOf.get(sku) ?? [];
    const waiting = days[0]?.waiting;
    if (waiting === undefined || waiting === null) return undefined;
    const upto = (promised.get(sku) ?? waiting) + qty;
    promised.set(sku, upto);
    return days.find((expected) => expected.upto >= upto)?.day;
  };
}
