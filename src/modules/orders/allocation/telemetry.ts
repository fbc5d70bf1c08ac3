import type { Transaction } from "#/db/database.ts";
import { metrics } from "#/kernel/metrics.ts";
import type { Order } from "#/modules/orders/aggregate.ts";
import type { OrderChange } from "#/modules/orders/settle.ts";

/**
 * Counts what one allocation has decided, line by line, of the SKUs that it gave out, once it is committed: one that is
 * rolled back is run again, and would count twice.
 *
 * @param orders as they were before
 */
export function noteAllocation(
  tx: Transaction,
  orders: readonly Order[],
  changes: readonly OrderChange[],
  skus: ReadonlySet<string>,
  cause: "orders" | "stock",
  startedMs: number,
): void {
  const seconds = (performance.now() - startedMs) / 1_000;
  const linesBefore = new Map(orders.map(({ orderId, lines }) => [orderId, lines]));
  const decided = { allocated: 0, partial: 0, none: 0 };
  for (const { order } of changes) {
    for (const [i, { sku, buckets }] of order.lines.entries()) {
      const was = linesBefore.get(order.orderId)?.[i]?.buckets;
      const wanted = was === undefined || !skus.has(sku) ? 0 : was.open + was.backordered;
      if (was === undefined || wanted === 0) continue;
      const given = buckets.allocated - was.allocated;
      decided[given >= wanted ? "allocated" : given > 0 ? "partial" : "none"]++;
    }
  }
  tx.afterCommit(() => {
    metrics.allocationDuration.observe({ cause }, seconds);
    for (const outcome of ["allocated", "partial", "none"] as const) {
      metrics.allocationLines.inc({ outcome }, decided[outcome]);
    }
  });
}
