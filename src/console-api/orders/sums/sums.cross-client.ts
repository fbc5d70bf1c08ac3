/** Sums over the lines of orders of all clients, for operators: read-only, for a page of orders. */

import type { OrderName } from "#/console-api/orders/orders.cross-client.ts";
import type { Tx } from "#/db/database.ts";
import { acrossClients as sql } from "#/db/sql.ts";

export interface LineSums extends OrderName {
  readonly lines: number;
  /** Quantities in PostgreSQL's numeric notation. */
  readonly ordered: string;
  readonly open: string;
  readonly backordered: string;
  readonly allocated: string;
  readonly picked: string;
  readonly packed: string;
  readonly despatched: string;
  readonly cancelled: string;
  /** When the order last reached the code that represents its state, ISO 8601. */
  readonly since: string | null;
}

/**
 * Sums over the lines of these orders, and the time since when each order has the given event code. The names are
 * joined with their orders, and `distinct` keeps them together, so that each node sums its own orders (docs/citus.md).
 */
export function sumLines(tx: Tx, orders: readonly (OrderName & { readonly code: number })[]): Promise<LineSums[]> {
  const clients = orders.map((order) => order.client_id);
  const orderIds = orders.map((order) => order.order_id);
  const codes = orders.map((order) => order.code);
  return tx.query(
    sql`select o.client_id, o.order_id, s.lines, s.ordered, s.open, s.backordered, s.allocated, s.picked, s.packed,
        s.despatched, s.cancelled, m.since
      from (
        select distinct r.client_id, r.order_id, n.code
        from (
          select u.client_id, u.order_id, u.code
          from unnest(${clients}::text[], ${orderIds}::text[], ${codes}::integer[]) as u(client_id, order_id, code)
        ) n
          join sales_order r on r.client_id = n.client_id and r.order_id = n.order_id
      ) o
      cross join lateral (
        select count(*)::integer as lines, sum(l.qty_ordered) as ordered, sum(l.qty_open) as open,
          sum(l.qty_backordered) as backordered, sum(l.qty_allocated) as allocated, sum(l.qty_picked) as picked,
          sum(l.qty_packed) as packed, sum(l.qty_despatched) as despatched, sum(l.qty_cancelled) as cancelled
        from sales_order_line l where l.client_id = o.client_id and l.order_id = o.order_id) s
      cross join lateral (
        select max(e.at) as since from order_milestone e
        where e.client_id = o.client_id and e.order_id = o.order_id and e.code = o.code) m
      limit 1000`,
  );
}
