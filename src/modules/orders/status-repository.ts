import type { Tx } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery } from "#/db/tenant.ts";

export interface OrderStatus {
  readonly order_id: string;
  readonly status: string;
  readonly distribution_centre: string;
  /** The document that wrote it last. */
  readonly feed_token: string;
}

/** Where orders stand; unknown ones are absent. */
export function findStatuses(tx: Tx, clientId: string, orderIds: readonly string[]): Promise<OrderStatus[]> {
  return tenantQuery(
    tx,
    clientId,
    sql`select order_id, status, distribution_centre, feed_token from sales_order
      where client_id = ${tenant} and order_id = any(${orderIds}::text[]) limit 10000`,
  );
}
