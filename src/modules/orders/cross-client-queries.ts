import type { Tx } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";

const clientsMax = 100_000;

/** Clients that jobs over orders look at, one by one. */
export async function listClientsWithOrders(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select client_id from client order by client_id limit ${clientsMax}`,
  );
  return rows.map(({ client_id }) => client_id);
}
