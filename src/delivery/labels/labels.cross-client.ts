import type { Tx } from "#/store/db/database.ts";
import { acrossClients as sql } from "#/store/db/sql.ts";

const clientsMax = 1_000;

/** The clients with purchases that are due at a source. @param at ISO 8601 UTC */
export async function listClientsWithDue(tx: Tx, sourceCode: string, at: string): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(
    sql`select distinct client_id from label_purchase
      where source_code = ${sourceCode} and due_at is not null and due_at <= ${at}::timestamptz limit ${clientsMax}`,
  );
  return rows.map(({ client_id }) => client_id);
}
