import type { Transaction, Tx } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";

const listMax = 10_000;

export interface FacilityRow {
  readonly facility_code: string;
  readonly name: string;
  readonly country: string;
  readonly timezone: string;
  readonly created_at: string;
}

/** Answers whether it was inserted: not where the code is taken, ignoring case. */
export async function insertFacility(
  tx: Transaction,
  facility: { code: string; name: string; country: string; timezone: string; at: string },
): Promise<boolean> {
  const { code, name, country, timezone, at } = facility;
  const rows = await tx.query(
    sql`insert into facility (facility_code, name, country, timezone, created_at)
      select ${code}, ${name}, ${country}, ${timezone}, ${at}::timestamptz
      where not exists (select from facility where lower(facility_code) = lower(${code}))
      on conflict do nothing returning facility_code`,
  );
  return rows.length > 0;
}

export async function findFacility(tx: Tx, code: string): Promise<FacilityRow | undefined> {
  const rows = await tx.query<FacilityRow>(
    sql`select facility_code, name, country, timezone, created_at from facility where facility_code = ${code} limit 1`,
  );
  return rows[0];
}

/** In order of their creation. */
export function listFacilities(tx: Tx): Promise<FacilityRow[]> {
  return tx.query(
    sql`select facility_code, name, country, timezone, created_at from facility
      order by created_at, facility_code limit ${listMax}`,
  );
}
