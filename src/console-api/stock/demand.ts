/** Demand for a product of a client: the lines that wait for it, and the purchase orders that bring it. */
import {
  type ExpectedStock,
  expectedStock,
  type StockWaiter,
  stockWaiter,
  type WaiterPlace,
} from "#/console-api/stock/contract.ts";
import { columnsOf } from "#/http/routes/columns.ts";
import { expectedDateOf } from "#/modules/purchasing/index.ts";
import { openPurchaseOrder } from "#/modules/purchasing/states.ts";
import type { ClientTx } from "#/store/db/database.ts";
import { type Statement, sql, tenant } from "#/store/db/sql.ts";

interface ProductAsk {
  readonly sku: string;
  readonly facilityCodes: readonly string[] | null;
  readonly limit: number;
}

interface WaiterAsk extends ProductAsk {
  readonly after: WaiterPlace | undefined;
}

const atFirst: WaiterPlace = {
  facilityCode: "",
  priority: 0,
  at: "1970-01-01T00:00:00Z",
  kind: "",
  id: "",
  lineNumber: 0,
};

const waiterColumns = columnsOf(stockWaiter, "w", {
  distributionCentre: sql`w.facility_code`,
  status: sql`coalesce(o.status, m.status)`,
  dueAt: sql`coalesce(o.despatch_by, m.due_date)`,
});

/** Lines of orders and components of work orders that wait for a product, in the order in which a facility serves them. */
export function listWaiting(
  tx: ClientTx,
  { sku, facilityCodes, limit, after = atFirst }: WaiterAsk,
): Promise<StockWaiter[]> {
  const { facilityCode, priority, at, kind, id, lineNumber } = after;
  const isFacility = sql`k.facility_code = ${facilityCode}`;
  // The columns of the index after the SKU, so that a later page begins at its place in the index.
  const start = sql`(case when ${isFacility} then ${priority}::smallint else 0::smallint end,
    case when ${isFacility} then ${at}::timestamptz else '-infinity'::timestamptz end)`;
  const beyond = (place: Statement) =>
    sql`${place} > (${facilityCode}, ${priority}::smallint, ${at}::timestamptz, ${kind}, ${id}, ${lineNumber}::integer)`;
  return tx.query(
    sql`select ${waiterColumns}
      from (
        select n.kind, n.id, n.line_number, n.facility_code, n.priority, n.waiting_since, n.qty_wanted, n.qty
        from stock_book k cross join lateral (
          (select 'ORDER' as kind, l.order_id as id, l.line_number, l.facility_code, l.priority,
              l.accepted_at as waiting_since, l.qty_ordered as qty_wanted, l.qty_backordered as qty
            from sales_order_line l
            where l.client_id = ${tenant} and l.facility_code = k.facility_code and l.sku = ${sku}
              and l.qty_open + l.qty_backordered > 0 and l.qty_backordered > 0
              and (l.priority, l.accepted_at) >= ${start}
              and ${beyond(sql`(l.facility_code, l.priority, l.accepted_at, 'ORDER', l.order_id, l.line_number)`)}
            order by l.priority, l.accepted_at, l.order_id, l.line_number limit ${limit})
          union all
          (select 'WORK_ORDER', c.work_order_id, c.line_number, c.facility_code, c.priority, c.received_at,
              c.qty_required, c.qty_required - (c.qty_consumed - c.qty_scrapped) - c.qty_allocated
            from work_order_component c
            where c.client_id = ${tenant} and c.facility_code = k.facility_code and c.sku = ${sku} and c.is_waiting
              and (c.priority, c.received_at) >= ${start}
              and ${beyond(sql`(c.facility_code, c.priority, c.received_at, 'WORK_ORDER', c.work_order_id, c.line_number)`)}
            order by c.priority, c.received_at, c.work_order_id, c.line_number limit ${limit})) n
        where k.client_id = ${tenant} and k.facility_code >= ${facilityCode}
          and (${facilityCodes}::text[] is null or k.facility_code = any(${facilityCodes}::text[]))
        order by n.facility_code, n.priority, n.waiting_since, n.kind, n.id, n.line_number limit ${limit}
      ) w
      left join sales_order o on o.client_id = ${tenant} and o.order_id = w.id and w.kind = 'ORDER'
      left join work_order m on m.client_id = ${tenant} and m.work_order_id = w.id and w.kind = 'WORK_ORDER'
      order by w.facility_code, w.priority, w.waiting_since, w.kind, w.id, w.line_number limit ${limit}`,
  );
}

const expectedColumns = columnsOf(expectedStock, "p", {
  lineNumber: "l",
  expectedDate: expectedDateOf(sql`p.extended_attributes`),
  qty: "l",
  qtyReceived: "l",
});

/** Lines of open purchase orders that still bring a product, the first to come first, those without a day last. */
export function listExpected(tx: ClientTx, { sku, facilityCodes, limit }: ProductAsk): Promise<ExpectedStock[]> {
  return tx.query(
    sql`select ${expectedColumns}
      from purchase_order_line l
        join purchase_order p on p.client_id = ${tenant} and p.po_number = l.po_number
          and p.vendor_order_id = l.vendor_order_id
      where l.client_id = ${tenant} and l.sku = ${sku} and l.qty_received < l.qty and p.status in ${openPurchaseOrder}
        and (${facilityCodes}::text[] is null or p.distribution_centre = any(${facilityCodes}::text[]))
      order by "expectedDate", p.received_at, p.po_number, p.vendor_order_id, l.line_number limit ${limit}`,
  );
}
