import type { Transaction } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery } from "#/db/tenant.ts";
import { listClientsWithOrdersAtRisk } from "#/modules/orders/allocation/allocation.cross-client.ts";
import { ago, batch, type OrderJob, workThroughClients } from "#/modules/orders/allocation/order-job.ts";
import { orderEvent } from "#/modules/orders/events.ts";
import { readOrders } from "#/modules/orders/order-repository.ts";

/**
 * Tells `order:atRisk` of orders that are to leave within the hour and have not wholly left, held ones too (webhooks.md §3);
 * of one that was accepted later than that at once. Each is told once, in the transaction that marks it as told; one that
 * has been sent to another facility since may be at risk there anew. The order itself is no other for it: it keeps its
 * version.
 */
export async function tellOrdersAtRisk(job: OrderJob): Promise<number> {
  const clientIds = await listClientsWithOrdersAtRisk(job.database, ago(job, 0));
  return workThroughClients(job, clientIds, async (tx, change, clientId) => {
    const orderIds = await takeOrdersAtRisk(tx, clientId, change.at, batch);
    const orders = await readOrders(tx, clientId, orderIds);
    return { done: orders.length, drafts: orders.map((order) => orderEvent("order:atRisk", order)) };
  });
}

/** Orders of which it is to be told by now that they are at risk, at most `limit`; they are marked as told. */
async function takeOrdersAtRisk(tx: Transaction, clientId: string, now: string, limit: number): Promise<string[]> {
  const rows = await tenantQuery<{ order_id: string }>(
    tx,
    clientId,
    // In key order, as everybody locks orders.
    sql`update sales_order o set at_risk_at = null
      where o.client_id = ${tenant} and o.order_id in (
          select d.order_id from sales_order d
          where d.client_id = ${tenant} and d.at_risk_at is not null and d.at_risk_at <= ${now}::timestamptz
          order by d.order_id limit ${limit} for no key update)
      returning o.order_id`,
  );
  return rows.map(({ order_id }) => order_id);
}
