import type { ClientTransaction, ClientTx } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

/** An order among those that lack stock, the longest first. */
export interface Place {
  readonly orderId: string;
  /** ISO 8601 UTC. */
  readonly since: string;
}

/**
 * Orders that named no facility, are not split, have no hold, are not taken, have lacked stock since before a moment, and are due to be
 * compared. @param page.after the last one of the page before
 */
export function listLackingOrders(
  tx: ClientTx,
  { since, after, limit }: { readonly since: string; readonly after: Place | undefined; readonly limit: number },
  now: string,
): Promise<Place[]> {
  const { since: afterSince = "-infinity", orderId = "" } = after ?? {};
  return tx.query(sql`select order_id as "orderId", backordered_since as since from sales_order
      where client_id = ${tenant} and backordered_since is not null and backordered_since < ${since}::timestamptz
        and backordered_since >= ${afterSince}::timestamptz
        and (backordered_since, order_id) > (${afterSince}::timestamptz, ${orderId}::text)
        and is_routed and holds = '[]' and pick_accepted_at is null and split_facilities is null
        and coalesce(reroute_after, '-infinity') <= ${now}::timestamptz
      order by backordered_since, order_id limit ${limit}`);
}

/** Locks the rows in key order, the lock order of all orders. @param again ISO 8601 UTC */
export function markCompared(tx: ClientTransaction, orderIds: readonly string[], again: string): void {
  tx.send(sql`update sales_order o set reroute_after = ${again}::timestamptz
      where o.client_id = ${tenant} and o.order_id = any(array(
          select d.order_id from sales_order d
          where d.client_id = ${tenant} and d.order_id = any(${orderIds}::text[])
          order by d.order_id limit ${orderIds.length} for no key update))`);
}
