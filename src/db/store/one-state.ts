import type { Tx } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";

/** Makes the reads of a transaction see one state of the store. The first statement of it. */
export async function readOneState(tx: Tx): Promise<void> {
  await tx.query(sql`set transaction isolation level repeatable read, read only`);
}
