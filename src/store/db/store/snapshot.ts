import type { ClientDatabase, Tx } from "#/store/db/database.ts";
import { sql } from "#/store/db/sql.ts";

/**
 * Reads that all see one snapshot of the store. The statements that `work` begins with are sent together with the one
 * that takes the snapshot.
 */
export function readSnapshot<T>(
  database: Pick<ClientDatabase, "transaction">,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return database.transaction(async (tx) => {
    const [, read] = await Promise.all([
      tx.query(sql`set transaction isolation level repeatable read, read only`),
      work(tx),
    ]);
    return read;
  });
}
