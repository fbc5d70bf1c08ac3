import { listClientsWithOrdersAtRisk } from "#/modules/orders/allocation/allocation.cross-client.ts";
import { ago, type OrderJob, takeDue, workThroughClients } from "#/modules/orders/allocation/order-job.ts";
import { orderEvent } from "#/modules/orders/events.ts";
import { readOrders } from "#/modules/orders/order-repository.ts";

/**
 * Publishes `order:atRisk` for orders that must leave within the hour and have not wholly left, held ones included
 * (webhooks.md §3). An order that is accepted later than that is published at once. The transaction that publishes the
 * event also clears the mark, so each order is published once. An order that later moves to another facility can be at
 * risk there again. The order keeps its version.
 */
export async function publishOrdersAtRisk(job: OrderJob): Promise<number> {
  const clientIds = await listClientsWithOrdersAtRisk(job.database.lookUps, ago(job, 0));
  return workThroughClients(job, clientIds, async (tx) => {
    const orderIds = await takeDue(tx, "atRisk", tx.change.at);
    const orders = await readOrders(tx, orderIds);
    return { done: orders.length, drafts: orders.map((order) => orderEvent("order:atRisk", order)) };
  });
}
