import type { UnfinishedTerms } from "#/modules/purchasing/receiving/close-orders.ts";
import { openPurchaseOrder } from "#/modules/purchasing/states.ts";
import type { Tx } from "#/store/db/database.ts";
import { acrossClients as sql } from "#/store/db/sql.ts";

/** Clients with purchase orders that were complete before the moment and are not closed yet. */
export async function listClientsWithFinishedPurchaseOrders(tx: Tx, before: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select distinct client_id from purchase_order
      where status = 'RECEIVED' and completed_at < ${before}::timestamptz limit ${limit}`,
  );
  return rows.map(({ client_id }) => client_id);
}

/**
 * Clients with purchase orders that end without a report although they are not complete, and the terms of each.
 *
 * @param quietBefore the moment before which an order within the tolerance must have changed last
 */
export async function listClientsWithUnfinishedPurchaseOrders(
  tx: Tx,
  at: string,
  quietBefore: string,
  limit: number,
): Promise<(UnfinishedTerms & { readonly clientId: string })[]> {
  const rows = await tx.query<Omit<UnfinishedTerms, "quietBefore"> & { readonly clientId: string }>(
    sql`select distinct c.client_id as "clientId", coalesce((c.settings ->> 'underReceiptTolerance')::float8, 0) as tolerance,
        ${at}::timestamptz - coalesce((c.settings ->> 'purchaseOrderDays')::integer, 180) * interval '1 day'
          as "staleBefore"
      from client c join purchase_order p on p.client_id = c.client_id
      where p.status in ${openPurchaseOrder}
        and (
          p.updated_at < ${at}::timestamptz - coalesce((c.settings ->> 'purchaseOrderDays')::integer, 180) * interval '1 day'
          or (p.status = 'RECEIVING' and p.updated_at < ${quietBefore}::timestamptz
            and (c.settings ->> 'underReceiptTolerance')::float8 > 0)
        )
      order by c.client_id limit ${limit}`,
  );
  return rows.map((row) => ({ ...row, quietBefore }));
}
