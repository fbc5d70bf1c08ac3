import type { Database } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";

/** Reserves `count` serials of a company prefix, in a transaction of its own; answers the first. */
export async function reserveSerials(database: Database, companyPrefix: string, count: number): Promise<number> {
  const rows = await database.query<{ next_serial: number }>(
    sql`insert into sscc_counter as s (company_prefix, next_serial) values (${companyPrefix}, ${count}::bigint)
      on conflict (company_prefix) do update set next_serial = s.next_serial + excluded.next_serial
      returning next_serial`,
  );
  return (rows[0] as { next_serial: number }).next_serial - count;
}
