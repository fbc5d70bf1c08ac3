import type { Tx } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";

/** Clients that have something to publish, in no order; the small table of marks is read, not the work itself. */
export async function listDueClients(tx: Tx, limit: number): Promise<string[]> {
  const rows = await tx.query<{ client_id: string }>(sql`select distinct client_id from outbox_due limit ${limit}`);
  return rows.map(({ client_id }) => client_id);
}
