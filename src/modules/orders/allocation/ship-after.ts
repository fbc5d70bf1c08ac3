import { listClientsWithOrdersToRelease } from "#/modules/orders/allocation/allocation.cross-client.ts";
import { ago, batch, type OrderJob, workThroughClients } from "#/modules/orders/allocation/order-job.ts";
import { refusalOfHolds } from "#/modules/orders/commands/hold-order.ts";
import { lockOrders } from "#/modules/orders/order-repository.ts";
import { settleOrders } from "#/modules/orders/settle.ts";
import type { ClientTransaction } from "#/store/db/database.ts";
import { sql, tenant } from "#/store/db/sql.ts";

/**
 * Lifts the hold SHIP_AFTER of orders two hours before their `shipAfter` (lifecycle.md §1). The last hold that is lifted
 * releases the order, and allocation follows its event.
 */
export async function releaseDatedOrders(job: OrderJob): Promise<number> {
  const clientIds = await listClientsWithOrdersToRelease(job.database.lookUps, ago(job, 0));
  return workThroughClients(job, clientIds, async (tx) => {
    const orderIds = await takeDatedOrders(tx, tx.change.at, batch);
    const changes = (await lockOrders(tx, orderIds)).flatMap((before) => {
      const holds = before.holds.filter(({ type }) => type !== "SHIP_AFTER");
      // An operator has lifted it, or the order has ended.
      if (holds.length === before.holds.length || refusalOfHolds(before, "released") !== undefined) return [];
      return {
        order: { ...before, holds },
        before,
        action: "release",
        topics: [holds.length === 0 ? ("order:released" as const) : ("order:updated" as const)],
        detail: { holds: ["SHIP_AFTER"] },
      };
    });
    return { done: orderIds.length, drafts: await settleOrders(tx, changes) };
  });
}

/** Takes at most `limit` orders that are due, and clears their time. */
async function takeDatedOrders(tx: ClientTransaction, now: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ order_id: string }>(
    // In key order, the lock order of all orders.
    sql`update sales_order o set release_at = null
      where o.client_id = ${tenant} and o.order_id = any(array(
          select d.order_id from sales_order d
          where d.client_id = ${tenant} and d.release_at is not null and d.release_at <= ${now}::timestamptz
          order by d.order_id limit ${limit} for no key update))
      returning o.order_id`,
  );
  return rows.map(({ order_id }) => order_id);
}
