import type { Tx } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";

/** Whether the database has the extension: then the rows of two clients may lie on different nodes. */
export async function isOnCitus(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ isThere: boolean }>(
    sql`select to_regclass('citus_tables') is not null as "isThere" limit 1`,
  );
  return row?.isThere === true;
}
