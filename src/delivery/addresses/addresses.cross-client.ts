import type { Tx } from "#/store/db/database.ts";
import { acrossClients as sql } from "#/store/db/sql.ts";

const clientsMax = 1_000;

/** The clients with addresses whose verification is due. @param at ISO 8601 UTC */
export async function listClientsWithDueChecks(tx: Tx, at: string): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select distinct client_id from address_check
      where due_at is not null and due_at <= ${at}::timestamptz limit ${clientsMax}`,
  );
  return rows.map(({ client_id }) => client_id);
}
