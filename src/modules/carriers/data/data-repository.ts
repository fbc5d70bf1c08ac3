import type { Transaction, Tx } from "#/db/database.ts";
import { sql } from "#/db/sql.ts";
import type { CarrierData } from "#/modules/carriers/data/data-contract.ts";
import type { StoredCarrierData } from "#/modules/carriers/decision/compile.ts";

/** The highest version of an owner's sets, including drafts; 0 if there is none. */
export async function findLatestVersion(tx: Tx, owner: string): Promise<number> {
  const rows = await tx.query<{ version: number }>(
    sql`select version from carrier_data where owner = ${owner} order by version desc limit 1`,
  );
  return rows[0]?.version ?? 0;
}

export interface NewCarrierData {
  readonly owner: string;
  readonly version: number;
  readonly data: CarrierData;
  readonly note: string | undefined;
  readonly createdBy: string;
  /** ISO 8601 UTC */
  readonly at: string;
}

/** Inserts an active set. The primary key resolves races: of two transactions with the same version one fails. */
export function insertActivated(tx: Transaction, set: NewCarrierData): void {
  tx.send(
    sql`insert into carrier_data (owner, version, data, note, created_by, created_at, activated_at)
      values (${set.owner}, ${set.version}, ${JSON.stringify(set.data)}::jsonb, ${set.note ?? null}, ${set.createdBy},
        ${set.at}, ${set.at})`,
  );
}

export interface ActiveCarrierData {
  /** The client that owns the set; `''` for the operator's default. */
  readonly owner: string;
  readonly version: number;
  readonly data: CarrierData;
}

/** The active set of the first of these owners that has one. */
export async function findActive(tx: Tx, owners: readonly string[]): Promise<ActiveCarrierData | undefined> {
  const rows = await tx.query<ActiveCarrierData>(
    sql`select owner, version, data from carrier_data
      where owner = any(${owners}::text[]) and activated_at is not null
      order by array_position(${owners}::text[], owner), version desc limit 1`,
  );
  return rows[0];
}

/** The owner and version of that active set, without the data. */
export async function findActiveVersion(
  tx: Tx,
  owners: readonly string[],
): Promise<Pick<ActiveCarrierData, "owner" | "version"> | undefined> {
  const rows = await tx.query<Pick<ActiveCarrierData, "owner" | "version">>(
    sql`select owner, version from carrier_data
      where owner = any(${owners}::text[]) and activated_at is not null
      order by array_position(${owners}::text[], owner), version desc limit 1`,
  );
  return rows[0];
}

/** A version of an owner's sets, including drafts. */
export async function findVersion(tx: Tx, owner: string, version: number): Promise<StoredCarrierData | undefined> {
  const rows = await tx.query<{ data: StoredCarrierData }>(
    sql`select data from carrier_data where owner = ${owner} and version = ${version} limit 1`,
  );
  return rows[0]?.data;
}
