import type { Tx } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";

/** Reserves `count` serials of a company prefix, in a transaction of its own; answers the first. */
export async function reserveSerials(database: Tx, companyPrefix: string, count: number): Promise<number> {
  const rows = await database.query<{ next_serial: number }>(
    sql`insert into sscc_counter as s (company_prefix, next_serial) values (${companyPrefix}, ${count}::bigint)
      on conflict (company_prefix) do update set next_serial = s.next_serial + excluded.next_serial
      returning next_serial`,
  );
  return (rows[0] as { next_serial: number }).next_serial - count;
}

/** After a restore: leaves numbers out of each prefix that has given some, and of the one named. */
export async function leaveOutSerials(
  tx: Tx,
  companyPrefix: string,
  countOf: (prefix: string) => number,
): Promise<void> {
  const rows = await tx.query<{ company_prefix: string }>(sql`select company_prefix from sscc_counter limit 1000`);
  for (const prefix of new Set([companyPrefix, ...rows.map(({ company_prefix }) => company_prefix)])) {
    await reserveSerials(tx, prefix, countOf(prefix));
  }
}
