import type { Tx } from "#/db/database.ts";
import { acrossClients as sql } from "#/db/sql.ts";

/** Clients with purchase orders that were complete before the moment and are not closed yet. */
export async function listClientsWithFinishedPurchaseOrders(tx: Tx, before: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select distinct client_id from purchase_order
      where status = 'RECEIVED' and completed_at < ${before}::timestamptz limit ${limit}`,
  );
  return rows.map(({ client_id }) => client_id);
}
