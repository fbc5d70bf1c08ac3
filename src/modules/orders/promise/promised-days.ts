import { type Book, facilityToday, isAllocatable } from "#/modules/inventory/index.ts";
import { orderEvent } from "#/modules/orders/events.ts";
import { promisedOnOf, shownLines } from "#/modules/orders/kits.ts";
import { readOrders } from "#/modules/orders/order-repository.ts";
import { expectedGoods } from "#/modules/purchasing/index.ts";
import type { ClientTx, UnitOfWork } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";
import type { EventDraft } from "#/store/outbox/append.ts";

/** Of a SKU; the lines behind them have no promise. */
export const linesMax = 5_000;
/** In an event. */
const promisesMax = 200;

/**
 * Gives each line that waits for these SKUs the day on which purchase orders bring its goods, in the order of
 * allocation, and returns an event for each order of which a day has moved. One statement reads and writes all lines.
 */
export async function movePromisedDays(tx: UnitOfWork, book: Book, skus: readonly string[]): Promise<EventDraft[]> {
  const { facilityCode } = book;
  const today = await facilityToday(tx.plain, facilityCode, book.at);
  const moved = await updatePromisedDays(tx, { facilityCode, today, skus });
  if (moved.length === 0) return [];
  const before = new Map(moved.map(({ orderId, lineNumber, day }) => [`${lineNumber} ${orderId}`, day]));
  const orders = await readOrders(tx, [...new Set(moved.map(({ orderId }) => orderId))]);
  return orders.flatMap((order) => {
    const dayBefore = (lineNumber: number) => before.get(`${lineNumber} ${order.orderId}`);
    const promises = shownLines(order).flatMap((line) => {
      const promisedOn = promisedOnOf(line) ?? null;
      const promisedBefore =
        promisedOnOf(line, (row) => {
          const day = dayBefore(row.lineNumber);
          return day === undefined ? row.promisedOn : (day ?? undefined);
        }) ?? null;
      return promisedOn === promisedBefore ? [] : { lineNumber: line.lineNumber, promisedOn, promisedBefore };
    });
    if (promises.length === 0) return [];
    const event = orderEvent("order:promised", order);
    return { ...event, data: { ...(event.data as object), promises: promises.slice(0, promisesMax) } };
  });
}

interface PromiseAsk {
  readonly facilityCode: string;
  /** The facility's local date, `YYYY-MM-DD`. */
  readonly today: string;
  readonly skus: readonly string[];
}

/** @returns the lines whose day has moved, with the day before */
function updatePromisedDays(
  tx: ClientTx,
  { facilityCode, today, skus }: PromiseAsk,
): Promise<{ orderId: string; lineNumber: number; day: string | null }[]> {
  return tx.query(sql`with expected as materialized (
        select sku, day, sum(qty) over (partition by sku order by day) as upto from (
          ${expectedGoods(facilityCode, skus, today)}
          union all
          -- Free stock that a held order or a kit waits for is there today.
          select b.sku, ${today}::date, sum(b.qty - b.allocated) from stock_balance b
          where b.client_id = ${tenant} and b.facility_code = ${facilityCode} and b.sku = any(${skus}::text[])
            and ${isAllocatable(today)}
          group by b.sku
        ) goods
      ), waiting as materialized (
        select w.order_id, w.line_number, w.sku, w.promised_on, w.upto
        from (select sku from unnest(${skus}::text[]) as named(sku) limit ${skus.length}) given
        cross join lateral (
          select l.order_id, l.line_number, l.sku, l.promised_on, sum(l.qty_open + l.qty_backordered)
            over (order by l.priority, l.accepted_at, l.order_id, l.line_number) as upto
          from sales_order_line l
          where l.client_id = ${tenant} and l.facility_code = ${facilityCode} and l.sku = given.sku
            and l.qty_open + l.qty_backordered > 0
          order by l.priority, l.accepted_at, l.order_id, l.line_number limit ${linesMax}
        ) w
      ), days as materialized (
        select sku, array_agg(day order by day) as days, array_agg(upto order by day) as uptos from expected group by sku
      ), due as materialized (
        -- The first day whose sum is not below the line's: found by halving, not by a scan of all days for each line.
        select w.order_id, w.line_number, w.promised_on as day_before,
          d.days[width_bucket(w.upto - 0.0001, d.uptos) + 1] as day
        from waiting w left join days d on d.sku = w.sku
      )
      update sales_order_line l set promised_on = due.day from due
      where l.client_id = ${tenant} and l.order_id = due.order_id and l.line_number = due.line_number
        and due.day is distinct from due.day_before
      returning l.order_id as "orderId", l.line_number as "lineNumber", due.day_before as day`);
}
