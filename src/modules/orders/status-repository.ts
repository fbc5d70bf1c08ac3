import type { Tx } from "#/db/database.ts";
import { type Answered, selectFrom } from "#/db/table.ts";
import { salesOrder } from "#/modules/orders/tables.ts";

const statusColumns = ["order_id", "status", "distribution_centre", "feed_token"] as const;

/** Where an order stands, and the document that wrote it last. */
export type OrderStatus = Answered<Pick<typeof salesOrder.columns, (typeof statusColumns)[number]>>;

const find = selectFrom(salesOrder, { by: "order_id", select: statusColumns, limit: 10_000 });

/** Where orders stand; unknown ones are absent. */
export function findStatuses(tx: Tx, clientId: string, orderIds: readonly string[]): Promise<OrderStatus[]> {
  return find.query(tx, clientId, orderIds);
}
