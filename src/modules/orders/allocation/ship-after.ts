import { listClientsWithOrdersToRelease } from "#/modules/orders/allocation/allocation.cross-client.ts";
import { ago, type OrderJob, takeDue, workThroughClients } from "#/modules/orders/allocation/order-job.ts";
import { refusalOfHolds } from "#/modules/orders/commands/hold-order.ts";
import { datedHolds } from "#/modules/orders/order.ts";
import { lockOrders } from "#/modules/orders/order-repository.ts";
import { settleOrders } from "#/modules/orders/settle.ts";

/**
 * Lifts the hold SHIP_AFTER of orders two hours before their `shipAfter`, and PRE_ORDER on the day of their items
 * (lifecycle.md §1), in the order of acceptance. The last hold that is lifted releases the order, and allocation follows
 * its event.
 */
export async function releaseDatedOrders(job: OrderJob): Promise<number> {
  const clientIds = await listClientsWithOrdersToRelease(job.database.lookUps, ago(job, 0));
  return workThroughClients(job, clientIds, async (tx) => {
    const orderIds = await takeDue(tx, "release", tx.change.at);
    const changes = (await lockOrders(tx, orderIds)).flatMap((before) => {
      const holds = before.holds.filter(({ type }) => !datedHolds.has(type));
      // An operator has lifted it, or the order has ended.
      if (holds.length === before.holds.length || refusalOfHolds(before, "released") !== undefined) return [];
      return {
        order: { ...before, holds },
        before,
        action: "release",
        topics: [holds.length === 0 ? ("order:released" as const) : ("order:updated" as const)],
        detail: { holds: before.holds.flatMap(({ type }) => (datedHolds.has(type) ? type : [])) },
      };
    });
    return { done: orderIds.length, drafts: await settleOrders(tx, changes) };
  });
}
