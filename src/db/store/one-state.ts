import type { Tx } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";

/** Makes all reads of a transaction use one snapshot of the store. It must be the first statement. */
export async function readOneState(tx: Tx): Promise<void> {
  await tx.query(sql`set transaction isolation level repeatable read, read only`);
}
