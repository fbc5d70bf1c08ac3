import type { Transaction } from "#/db/database.ts";
import { sql, tenant } from "#/db/sql.ts";
import { tenantQuery } from "#/db/tenant.ts";

/** Orders of which it is to be told by now that they are at risk, at most `limit`; they are marked as told. */
export async function takeOrdersAtRisk(
  tx: Transaction,
  clientId: string,
  now: string,
  limit: number,
): Promise<string[]> {
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
