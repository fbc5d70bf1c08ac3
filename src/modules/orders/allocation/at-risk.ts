import { listClientsWithOrdersAtRisk } from "#/modules/orders/allocation/allocation.cross-client.ts";
import { ago, batch, type OrderJob, workThroughClients } from "#/modules/orders/allocation/order-job.ts";
import { orderEvent } from "#/modules/orders/events.ts";
import { readOrders } from "#/modules/orders/order-repository.ts";
import type { ClientTransaction } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

/**
 * Publishes `order:atRisk` for orders that must leave within the hour and have not wholly left, held ones included
 * (webhooks.md §3). An order that is accepted later than that is published at once. The transaction that publishes the
 * event also clears the mark, so each order is published once. An order that later moves to another facility can be at
 * risk there again. The order keeps its version.
 */
export async function publishOrdersAtRisk(job: OrderJob): Promise<number> {
  const clientIds = await listClientsWithOrdersAtRisk(job.database.lookUps, ago(job, 0));
  return workThroughClients(job, clientIds, async (tx) => {
    const orderIds = await takeOrdersAtRisk(tx, tx.change.at, batch);
    const orders = await readOrders(tx, orderIds);
    return { done: orders.length, drafts: orders.map((order) => orderEvent("order:atRisk", order)) };
  });
}

/** Takes at most `limit` orders whose `order:atRisk` event is due, and clears their mark. */
async function takeOrdersAtRisk(tx: ClientTransaction, now: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ order_id: string }>(
    // In key order, the lock order of all orders.
    sql`update sales_order o set at_risk_at = null
      where o.client_id = ${tenant} and o.order_id = any(array(
          select d.order_id from sales_order d
          where d.client_id = ${tenant} and d.at_risk_at is not null and d.at_risk_at <= ${now}::timestamptz
          order by d.order_id limit ${limit} for no key update))
      returning o.order_id`,
  );
  return rows.map(({ order_id }) => order_id);
}
